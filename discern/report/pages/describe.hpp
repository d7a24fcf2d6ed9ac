// The page of a table at a glance: the target, what each column says of it, and every column's histogram.
#pragma once

#include <string>

#include "discern/catalogue/describe_table.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct DescribePage {
  const TableDescription& all;
  std::string file;
};

Page describe_page(const DescribePage& described);

}  // namespace discern::report
