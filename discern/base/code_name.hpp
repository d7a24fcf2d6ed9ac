// The names of the codes of errors, in the tool's `--json` and in Python.
#pragma once

#include "discern/base/error.hpp"

namespace discern {

constexpr const char* name_of(Code code) {
  switch (code) {
    case Code::usage:
      return "usage";
    case Code::data:
      return "data";
    case Code::model:
      return "model";
    case Code::io:
      return "io";
    case Code::memory:
      return "memory";
    case Code::not_converged:
      return "not_converged";
    case Code::interrupted:
      return "interrupted";
  }
  return "internal";
}

}  // namespace discern
