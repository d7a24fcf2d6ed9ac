// What `fit --stream` tells: a table while it learns, and a summary at the end.
#pragma once

#include <string>

#include "cli/report/fit_report.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/stream_fit.hpp"

namespace discern::cli {

// A line whenever the rows have doubled: the mean loss of the rows since the last line and of all so far, and
// the accuracy since the last, each row judged before it was learned.
class StreamTable {
 public:
  StreamTable(Console& console, Task task) : console_(&console), task_(task) {}
  void row(const Progressive& sums);

 private:
  Console* console_;
  Task task_;
  Progressive last_;
  bool started_ = false;
};

std::string stream_summary(const FitReport& report, const Progressive& sums, const Paint& paint);

}  // namespace discern::cli
