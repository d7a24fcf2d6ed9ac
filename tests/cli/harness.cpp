#include "harness.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace discern::cli_test {
namespace {

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::string temporary_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "discern-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

void redirect(const std::string& file, int descriptor) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(opened, descriptor);
  ::close(opened);
}

[[noreturn]] void become(const std::string& program, const Words& words, const Settings& settings) {
  for (const auto& [name, value] : settings.variables) ::setenv(name.c_str(), value.c_str(), 1);
  if (!settings.folder.empty() && ::chdir(settings.folder.c_str()) != 0) ::_exit(127);
  if (settings.file_size_limit > 0) {
    ::signal(SIGXFSZ, SIG_IGN);  // so that write() fails instead
    const rlimit limit{static_cast<rlim_t>(settings.file_size_limit), RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

void feed(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count <= 0) break;  // the program does not want more
    done += static_cast<std::size_t>(count);
  }
  ::close(descriptor);
}

Outcome run_program(const std::string& program, const Words& words, const Settings& settings) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::string folder = temporary_folder();
  int input[2];
  if (::pipe2(input, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(input[0], STDIN_FILENO);
    redirect(folder + "/out", STDOUT_FILENO);
    redirect(folder + "/err", STDERR_FILENO);
    become(program, words, settings);
  }
  ::close(input[0]);
  feed(input[1], settings.input);
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome{code_of(status), read_file(folder + "/out"), read_file(folder + "/err")};
  std::filesystem::remove_all(folder);
  return outcome;
}

}  // namespace

Outcome run(const Words& words, const Settings& settings) {
  return run_program(DISCERN_PROGRAM, words, settings);
}

Outcome run_without_threads(const Words& words) {
  Settings settings;
  settings.variables = {{"LD_PRELOAD", DISCERN_NO_THREADS}};
  return run(words, settings);
}

Outcome run_failing(long allocation, const std::string& mode, const Words& words) {
  Words all{std::to_string(allocation), mode};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(DISCERN_FAILING_PROGRAM, all, {});
}

Outcome shell(const std::string& script) {
  Settings settings;
  settings.variables = {{"discern", DISCERN_PROGRAM}};
  return run_program("/bin/bash", {"--norc", "-c", script}, settings);
}

Running::Running(const Words& words, Output kept) {
  ::signal(SIGPIPE, SIG_IGN);
  int input[2], output[2], side = -1;
  if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0 ||
      ::openpty(&terminal_, &side, nullptr, nullptr, nullptr) != 0)
    std::abort();
  ::fcntl(terminal_, F_SETFD, FD_CLOEXEC);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(input[0], STDIN_FILENO);
    ::dup2(side, STDERR_FILENO);
    if (kept == Output::kept)
      ::dup2(output[1], STDOUT_FILENO);
    else
      redirect("/dev/null", STDOUT_FILENO);
    ::close(side);
    become(DISCERN_PROGRAM, words, {});
  }
  ::close(input[0]);
  ::close(output[1]);
  ::close(side);
  input_ = input[1];
  output_ = output[0];
}

Running::~Running() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ::close(terminal_);
  ::close(output_);
  end_input();
}

void Running::signal(int number) const { ::kill(process_, number); }

bool Running::alive() {
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
  return ended.si_pid == 0;
}

void Running::say(const std::string& text) const {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(input_, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void Running::end_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::string Running::answer() {
  std::string line;
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

bool Running::read_some() {
  char bytes[4096];
  const ssize_t count = ::read(terminal_, bytes, sizeof bytes);
  if (count <= 0) return false;  // EIO: nobody has the other side open any more
  err_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

bool Running::wait_for(const std::string& text) {
  while (err_.find(text) == std::string::npos)
    if (!read_some()) return false;
  return true;
}

bool Running::wait_for_call(const std::string& number) {
  const std::string file = "/proc/" + std::to_string(process_) + "/syscall";
  while (true) {
    const std::string call = read_file(file);
    if (call.starts_with(number)) return true;
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid != 0)
      return false;
    ::usleep(1000);
  }
}

int Running::wait() {
  while (read_some()) {
  }
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return code_of(status);
}

void InFolder::SetUp() { folder_ = temporary_folder(); }
void InFolder::TearDown() { std::filesystem::remove_all(folder_); }

std::string InFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::vector<std::string> InFolder::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string data_file(const std::string& name) { return DISCERN_ROOT "/data/" + name; }
std::string docs_file(const std::string& name) { return DISCERN_ROOT "/docs/" + name; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace discern::cli_test
