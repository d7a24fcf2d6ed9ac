// The fold of those who end with what they have: when the monitor asks to stop, `interrupted` becomes true
// and the fold is made all the same, without asking again. The accumulator must not mind rows that it has
// seen.
#pragma once

#include "discern/stats/fold.hpp"

namespace discern {

template <class Accumulator>
Accumulator last_fold(const Source& source, const Accumulator& empty, const Monitor& monitor,
                      bool& interrupted) {
  try {
    if (!interrupted) return fold(source, empty, monitor);
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    interrupted = true;
  }
  return fold(source, empty);
}

}  // namespace discern
