// The page of a verdict on linear separability, with its proof as a picture.
#pragma once

#include <string>

#include "discern/catalogue/class_separability.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct SeparablePage {
  const ClassSeparability& all;
  const Table& table;
  std::string target;
  std::string file;
};

Page separable_page(const SeparablePage& separable);

}  // namespace discern::report
