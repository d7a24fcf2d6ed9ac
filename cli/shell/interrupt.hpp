// Ctrl-C (SIGINT) and SIGTERM end the program within a second, with exit code 128 + signal, and leave no
// temporary file. The first one ends it at once
// - unless a Graceful is alive: it asks the work to stop with what there is so far. Work that has not stopped
//   after 0.7 seconds, because it is inside one large factorisation for instance, is ended with nothing;
// - unless an output has been put in its place: the command is about to end and does so by itself.
// A second one always ends it at once.
#pragma once

namespace discern::cli {

void catch_signals();

// The signal that asked for an end while a guard was alive; 0: none.
int interrupt_signal();
inline bool interrupted() { return interrupt_signal() != 0; }

// Whether so much time has passed since then that what need not be done should not be begun or gone on with.
bool interrupted_long_ago();
// Throws Code::interrupted if there was one: for work that ended before it took notice.
void check_interrupted();

// While one is alive, the first signal is noted, and the work is given some time.
class Graceful {
 public:
  Graceful();
  ~Graceful();
  Graceful(const Graceful&) = delete;
  Graceful& operator=(const Graceful&) = delete;
};

// While one is alive, the work is given all the time it needs: the model of a fit is being written.
class Shield {
 public:
  Shield();
  ~Shield();
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;
};

}  // namespace discern::cli
