#include "cli/shell/interrupt.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "discern/base/error.hpp"
#include "discern/io/file/temporaries.hpp"

namespace discern::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> noted{0};
std::atomic<std::int64_t> noted_at{0};
std::atomic<int> graceful_count{0};
std::atomic<int> shields{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::int64_t grace = 700, again_soon = 50;  // milliseconds

std::int64_t milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

// setitimer is a plain system call: it may be used in a handler, and cannot fail.
void look_again_in(std::int64_t milliseconds) {
  itimerval time{};
  time.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000};
  ::setitimer(ITIMER_REAL, &time, nullptr);
}

void end_now(int signal) {
  if (abandon_temporaries(Abandon::always)) ::_exit(128 + signal);
  look_again_in(again_soon);
}

void on_signal(int signal) {
  const int kept = errno;
  const int before = noted.exchange(signal);
  if (before == 0) noted_at = milliseconds_now();
  const bool waits = graceful_count.load() > 0 || shields.load() > 0;
  if (before != 0)
    end_now(signal);
  else if (!waits && abandon_temporaries(Abandon::before_replacing))
    ::_exit(128 + signal);
  else
    look_again_in(grace);
  errno = kept;
}

// The work that was asked to end has not.
void on_timer(int) {
  const int kept = errno;
  if (shields.load() > 0)
    look_again_in(again_soon);
  else
    end_now(noted.load());
  errno = kept;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_signals() {
  handle(SIGALRM, on_timer);
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell that runs us in the background has Ctrl-C ignored; leave it so.
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) handle(signal, on_signal);
  }
  // Writing to a pipe that nobody reads ends the program quietly, even when the parent ignored the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // Writing beyond a limit on the size of files is an error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

int interrupt_signal() { return noted.load(); }

bool interrupted_long_ago() { return interrupted() && milliseconds_now() - noted_at.load() > grace / 2; }

void check_interrupted() {
  if (interrupted()) throw Error(Code::interrupted, "interrupted");
}

Graceful::Graceful() { ++graceful_count; }
Graceful::~Graceful() { --graceful_count; }
Shield::Shield() { ++shields; }
Shield::~Shield() { --shields; }

}  // namespace discern::cli
