// Makes "C" the locale of the calling thread while it lives; other threads keep theirs.
//
// The JSON parser reads numbers with strtod, whose decimal point is that of the locale, and trips over
// locales where the point is not a single byte.
#pragma once

#include <clocale>

namespace discern {

class PlainLocale {
 public:
  PlainLocale() : plain_(::newlocale(LC_ALL_MASK, "C", locale_t{})), previous_(::uselocale(plain_)) {}
  ~PlainLocale() {
    ::uselocale(previous_);
    if (plain_ != locale_t{}) ::freelocale(plain_);
  }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  locale_t plain_, previous_;
};

}  // namespace discern
