#include "discern/base/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace discern {

std::ostream& operator<<(std::ostream& out, const Certificate& certificate) {
  std::string kind = certificate.kind;
  std::replace(kind.begin(), kind.end(), '-', ' ');
  return out << fmt::format("{} {:.2g}", kind, certificate.value);
}

}  // namespace discern
