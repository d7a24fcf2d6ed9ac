// What `compare` has to tell, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/console.hpp"
#include "discern/catalogue/compare.hpp"

namespace discern::cli {

struct CompareReport {
  const FitSettings* settings = nullptr;
  const CompareOptions* options = nullptr;
  const Comparison* comparison = nullptr;
  std::vector<std::string> warnings;
  std::string saved;  // where the best model went; empty: nowhere
  double seconds = 0;
};

std::string compare_text(const CompareReport& report, const Paint& paint);
std::string compare_json(const CompareReport& report);

}  // namespace discern::cli
