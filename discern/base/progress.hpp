// How long work tells its caller where it is, and learns that it should stop.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace discern {

struct Progress {
  std::string_view stage;  // "reading", "fitting", ...
  std::int64_t done = 0;   // steps, bytes or rows so far
  std::int64_t total = 0;  // 0: not known
  double objective = 0;    // of an iterative fit
  double certificate = 0;  // of an iterative fit: what is compared with the tolerance
  bool iterative = false;  // objective and certificate mean something
};

// Called from time to time, possibly from several threads at once. Returning false asks the work to
// stop: a fit then ends with the model so far (status interrupted), a reader throws Code::interrupted.
using Monitor = std::function<bool(const Progress&)>;

// True when there is no monitor or it wants the work to go on.
inline bool go_on(const Monitor& monitor, const Progress& progress) { return !monitor || monitor(progress); }

}  // namespace discern
