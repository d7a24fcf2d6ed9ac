#include "cli/flags/preparing.hpp"

#include "discern/base/error.hpp"

namespace discern::cli {

Flag missing_flag() {
  return {.name = "missing",
          .metavar = "POLICY",
          .help =
              "fill missing cells in (median, most frequent text), with a 0/1 feature beside each column "
              "that has "
              "some, leave their rows out, or refuse them",
          .group = "features",
          .choices = {"impute", "indicator", "drop", "error"},
          .standard = "impute"};
}

Flag keep_all_flag() {
  return {.name = "keep-all",
          .help = "keep identifiers, constants, empty columns and free text as features",
          .group = "features"};
}

Flag rare_flag() {
  return {
      .name = "rare",
      .metavar = "N",
      .help =
          "take texts of a column that fewer than N rows have as one, other; later texts that are not known "
          "count as it",
      .group = "features",
      .standard = "off"};
}

void set_missing(const Arguments& arguments, FitSettings& settings) {
  const std::string policy = arguments.text("missing", "impute");
  if (policy == "indicator" && settings.before != nullptr)
    throw Error(Code::usage, "--missing indicator: --continue takes the features from the model");
  settings.impute = policy == "impute" || policy == "indicator";
  settings.missing_indicators = policy == "indicator";
  settings.drop_missing = policy == "drop";
  settings.drop_unlabelled = true;
}

void set_preparing(const Arguments& arguments, FitSettings& settings) {
  set_missing(arguments, settings);
  const auto has = [&](const char* flag) {
    return arguments.command().find(flag) != nullptr && arguments.has(flag);
  };
  // The weights of images are shown as images, of all pixels.
  settings.choose_columns = !has("features") && !has("keep-all") && !has("pixels");
  settings.date_parts = arguments.text("dates") == "parts";
  if (settings.date_parts && settings.before != nullptr)
    throw Error(Code::usage, "--dates parts: --continue takes the features from the model");
  if (has("rare")) settings.rare = arguments.whole("rare", 0, std::int64_t{1} << 40).value_or(0);
}

PreparedTable prepare(Table table, FitSettings& settings) {
  const Index rows = table.rows();
  PreparedTable prepared = prepare_table(std::move(table), settings);
  settings.choose_columns = false;
  if (static_cast<Index>(settings.target_sizes.size()) == rows && !prepared.rows.empty()) {
    std::vector<double> sizes;
    for (const Index i : prepared.rows) sizes.push_back(settings.target_sizes[static_cast<std::size_t>(i)]);
    settings.target_sizes = std::move(sizes);
  }
  return prepared;
}

}  // namespace discern::cli
