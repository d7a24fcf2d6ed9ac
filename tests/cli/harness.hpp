// Runs the built program as a user would: words in; exit code, standard output and standard error out.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace discern::cli_test {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

struct Outcome {
  int exit = -1;  // the exit code, or 128 + the signal that ended the program
  std::string out;
  std::string err;

  Json json() const { return Json::parse(out); }
};

struct Settings {
  std::string input;                                           // what standard input holds
  std::vector<std::pair<std::string, std::string>> variables;  // of the environment
  std::string folder;                                          // where it runs; empty: where the test does
  long file_size_limit = 0;  // bytes that any file may have, so that writing fails in the middle; 0: none
};

Outcome run(const Words& words, const Settings& settings = {});
// The same with an allocator that fails, as failing_main.cpp says.
Outcome run_failing(long allocation, const std::string& mode, const Words& words);

// On a system that gives the program no thread but its first.
Outcome run_without_threads(const Words& words);

// A program that is still running, with its standard error on a terminal (a pty).
class Running {
 public:
  enum class Output { dropped, kept };
  explicit Running(const Words& words, Output output = Output::dropped);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  bool alive();
  void say(const std::string& text) const;  // to its standard input, which stays open
  void end_input();
  std::string answer();  // the next line of its standard output, waited for; empty at its end
  bool wait_for(const std::string& text);  // until standard error has said it; false when it ended before
  bool wait_for_call(
      const std::string& number);  // until it is in that system call; false when it ended before
  int wait();                      // exit code as in Outcome
  const std::string& err() const { return err_; }

 private:
  bool read_some();
  pid_t process_ = -1;
  int terminal_ = -1;
  int input_ = -1;   // the open end of its standard input
  int output_ = -1;  // and of its standard output, where it is kept
  std::string err_;
};

// Runs the words in a shell with $discern as the program.
Outcome shell(const std::string& script);

// A test with a folder of its own.
class InFolder : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const;  // returns the path
  std::vector<std::string> entries() const;                                      // sorted names

 private:
  std::string folder_;
};

std::string read_file(const std::string& path);
std::string data_file(const std::string& name);  // of the repository's data folder
std::string docs_file(const std::string& name);  // of its documents
std::vector<std::string> lines_of(const std::string& text);

}  // namespace discern::cli_test
