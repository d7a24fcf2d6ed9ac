// Work that may end before it is done, because a monitor asks to stop.
#pragma once

#include "discern/base/error.hpp"

namespace discern {

// Does the work; false where a monitor has said no on the way.
template <class Work>
bool uninterrupted(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    return false;
  }
  return true;
}

}  // namespace discern
