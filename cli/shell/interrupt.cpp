#include "cli/shell/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace discern::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> noted{0};
std::atomic<int> graceful_count{0};
std::atomic<int> shields{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  const int before = noted.exchange(signal);
  if (shields.load() > 0) return;
  if (graceful_count.load() > 0 && before == 0) return;
  ::_exit(128 + signal);
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell that runs us in the background has Ctrl-C ignored; leave it so.
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  // Writing to a pipe that nobody reads ends the program quietly, even when the parent ignored the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // Writing beyond a limit on the size of files is an error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

int interrupt_signal() { return noted.load(); }

Graceful::Graceful() { ++graceful_count; }
Graceful::~Graceful() { --graceful_count; }
Shield::Shield() { ++shields; }
Shield::~Shield() { --shields; }

}  // namespace discern::cli
