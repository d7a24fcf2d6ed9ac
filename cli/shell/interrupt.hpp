// Ctrl-C (SIGINT) and SIGTERM. While nothing is at stake the first one ends the program at once, with exit
// code 128 + signal. While a fit is running the first one asks it to stop with the model so far and the
// second ends the program. While a file is being written both wait, so that no half-written file stays
// behind.
#pragma once

namespace discern::cli {

void catch_signals();

// The signal that asked for an end while a guard was alive; 0: none.
int interrupt_signal();
inline bool interrupted() { return interrupt_signal() != 0; }

// While one is alive, the first signal is only noted.
class Graceful {
 public:
  Graceful();
  ~Graceful();
  Graceful(const Graceful&) = delete;
  Graceful& operator=(const Graceful&) = delete;
};

// While one is alive, signals are only noted.
class Shield {
 public:
  Shield();
  ~Shield();
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;
};

}  // namespace discern::cli
