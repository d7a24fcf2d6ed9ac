#include "discern/persist/pipeline_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace discern {
namespace {

// Feature names are made from the names of columns and levels, and a long name can be in many of them. A
// model may need this much for them, and this many times its own size.
constexpr double names_floor = 64e6;
constexpr double names_factor = 100;
constexpr Index most_points = Index{1} << 40;  // more than fit into a file
constexpr double made_name = 24;               // bytes that a basis adds to a name, at most

// The features between two steps: runs of numbers and of indicators, and the bytes of their names.
struct Layout {
  struct Run {
    bool indicator = false;
    Index count = 0;
    Index column = -1;  // of indicators: the text column
  };
  std::vector<Run> runs;
  double bytes = 0;

  void add(bool indicator, Index count, Index column = -1) {
    if (count == 0) return;
    if (!runs.empty() && runs.back().indicator == indicator && runs.back().column == column)
      runs.back().count += count;
    else
      runs.push_back({indicator, count, column});
  }
  Index total() const { return count(false) + count(true); }
  Index count(bool indicator) const {
    Index sum = 0;
    for (const Run& run : runs) sum += run.indicator == indicator ? run.count : 0;
    return sum;
  }
};

class PipelineCheck {
 public:
  PipelineCheck(const ModelOutline& outline, TensorCheck& tensors, Index features)
      : outline_(outline), tensors_(tensors), features_(features) {}

  void run() {
    check_order();
    Layout layout = input_layout();
    for (std::size_t n = 0; n < outline_.steps.size(); ++n) {
      layout = std::visit([&](const auto& step) { return after(step, n, layout); }, outline_.steps[n]);
      check_names(layout);
    }
    if (layout.total() != features_)
      fail(fmt::format("the input and its steps make {} features, the predictor has {}", layout.total(),
                       features_));
  }

 private:
  void check_order() const;
  Layout input_layout() const;
  void check_names(const Layout& layout) const;
  Layout after(const Impute& step, std::size_t position, const Layout& in);
  Layout after(const OneHot& step, std::size_t position, const Layout& in);
  Layout after(const Standardize& step, std::size_t position, const Layout& in);
  Layout after(const Monomials& step, std::size_t position, const Layout& in);
  Layout after(const Pointwise& step, std::size_t position, const Layout& in);
  Layout after(const Radial& step, std::size_t position, const Layout& in);
  Layout after(const Fourier& step, std::size_t position, const Layout& in);
  Layout after(const Hashing& step, std::size_t position, const Layout& in);

  Index most_features_after(std::size_t position) const;
  Index used_columns(const std::vector<Index>& columns, bool indicators, std::size_t position,
                     const Layout& in) const;
  static std::vector<double> groups_of(const std::vector<Index>& columns, const Layout& in);
  static double monomials_of(const Monomials& step, const std::vector<double>& groups, double most);
  static Layout behind(Index made, const std::vector<Index>& columns, bool indicators, const Layout& in);
  [[noreturn]] void fail(const std::string& problem) const { tensors_.fail(problem); }

  const ModelOutline& outline_;
  TensorCheck& tensors_;
  Index features_;
};

// Missing cells are filled first, then text is encoded; the bases, which need numbers, follow. Hashing does
// it all alone.
void PipelineCheck::check_order() const {
  const bool hashed = outline_.steps.size() == 1 && std::holds_alternative<Hashing>(outline_.steps[0]);
  for (Index j = 0; !outline_.input.is_numbered() && j < outline_.input.size(); ++j)
    if (const Column& column = outline_.input.column(j);
        column.categorical && column.levels.empty() != hashed)
      fail(fmt::format(
          "column {}: {}", j + 1,
          hashed ? "a text column that is hashed has no levels" : "a text column has at least one level"));
  if (hashed) return;
  bool encoded = !outline_.input.any_categorical();
  for (std::size_t n = 0; n < outline_.steps.size(); ++n) {
    const Step& step = outline_.steps[n];
    if (std::holds_alternative<Impute>(step)) {
      if (n > 0) fail(fmt::format("step {}: impute must be the first step", n));
    } else if (std::holds_alternative<OneHot>(step)) {
      if (encoded) fail(fmt::format("step {}: one-hot without text columns to encode", n));
      encoded = true;
    } else if (std::holds_alternative<Hashing>(step)) {
      fail(fmt::format("step {}: hash must be the only step", n));
    } else if (!encoded) {
      fail(fmt::format("step {}: text columns are not encoded yet", n));
    }
  }
  if (!encoded) fail("text columns without a one-hot step");
}

Layout PipelineCheck::input_layout() const {
  Layout layout;
  layout.add(false, outline_.input.size());
  if (outline_.input.is_numbered()) {
    layout.bytes = 20 * static_cast<double>(outline_.input.size());
  } else {
    for (Index j = 0; j < outline_.input.size(); ++j)
      layout.bytes += static_cast<double>(outline_.input.column(j).name.size());
  }
  return layout;
}

void PipelineCheck::check_names(const Layout& layout) const {
  double own = 0;
  for (const auto& tensor : tensors_.tensors()) own += static_cast<double>(tensor.bytes.size());
  for (Index j = 0; !outline_.input.is_numbered() && j < outline_.input.size(); ++j) {
    own += static_cast<double>(outline_.input.column(j).name.size());
    for (const auto& level : outline_.input.column(j).levels) own += static_cast<double>(level.size());
  }
  if (layout.bytes > names_floor + names_factor * own)
    fail("the names of the columns are too long for the number of features that carry them");
}

// ---- which columns a basis uses

// How many they are. Columns that are named ascend and are there.
Index PipelineCheck::used_columns(const std::vector<Index>& columns, bool indicators, std::size_t position,
                                  const Layout& in) const {
  if (columns.empty()) return indicators ? in.total() : in.count(false);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] >= in.total() || (k > 0 && columns[k] <= columns[k - 1]))
      fail(fmt::format("step {}: column {} is the number {}, expected ascending numbers below {}", position,
                       k + 1, columns[k], in.total()));
  return static_cast<Index>(columns.size());
}

// The features that a basis makes, and the columns that it does not use behind them.
Layout PipelineCheck::behind(Index made, const std::vector<Index>& columns, bool indicators,
                             const Layout& in) {
  Layout out;
  out.add(false, made);
  out.bytes = in.bytes;
  if (columns.empty()) {
    for (const auto& run : in.runs)
      if (run.indicator && !indicators) out.add(true, run.count, run.column);
    return out;
  }
  Index first = 0;
  auto next = columns.begin();
  for (const auto& run : in.runs) {
    const auto end = std::lower_bound(next, columns.end(), first + run.count);
    out.add(run.indicator, run.count - (end - next), run.column);
    next = end;
    first += run.count;
  }
  return out;
}

// ---- the steps

Layout PipelineCheck::after(const Impute& step, std::size_t position, const Layout& in) {
  const std::string name = step_tensor(position, "fill");
  const auto fill = tensors_.tensor(name, {in.total()});
  for (Index j = 0; j < in.total(); ++j) {
    if (!outline_.input.categorical(j)) continue;
    const double code = fill[static_cast<std::size_t>(j)];
    const auto levels = static_cast<double>(outline_.input.column(j).levels.size());
    if (!(code >= 0 && code < levels && code == std::floor(code)))
      fail(fmt::format("tensor '{}': number {} is {}, expected the index of one of {} levels", name, j + 1,
                       code, levels));
  }
  if (step.indicators.empty()) return in;
  used_columns(step.indicators, true, position, in);
  Layout out = in;
  out.add(true, static_cast<Index>(step.indicators.size()));
  out.bytes += in.bytes + made_name * static_cast<double>(step.indicators.size());
  return out;
}

Layout PipelineCheck::after(const OneHot& step, std::size_t position, const Layout& in) {
  if (static_cast<Index>(step.levels.size()) != in.total())
    fail(fmt::format("step {}: one-hot for {} columns, the input has {}", position, step.levels.size(),
                     in.total()));
  Layout out;
  if (in.total() > outline_.input.size()) out.bytes = in.bytes;  // the names of the indicators among them
  for (Index j = 0; j < in.total(); ++j) {
    if (j >= outline_.input.size()) {  // an indicator of missing cells
      if (step.levels[static_cast<std::size_t>(j)] != 0)
        fail(fmt::format("step {}: one-hot with levels for feature {}, which is an indicator", position,
                         j + 1));
      out.add(true, 1);
      continue;
    }
    const Column& column = outline_.input.column(j);
    const auto levels = static_cast<Index>(column.levels.size()), dropped = Index{step.drop_first};
    if (step.levels[static_cast<std::size_t>(j)] != levels)
      fail(fmt::format("step {}: one-hot with {} levels for column {}, which has {}", position,
                       step.levels[static_cast<std::size_t>(j)], j + 1, levels));
    const auto name = static_cast<double>(column.name.size());
    if (column.categorical) {
      out.add(true, levels - dropped, j);
      out.bytes += static_cast<double>(levels) * (name + 1);
      for (const auto& level : column.levels) out.bytes += static_cast<double>(level.size());
    } else {
      out.add(false, 1);
      out.bytes += name;
    }
  }
  return out;
}

Layout PipelineCheck::after(const Standardize&, std::size_t position, const Layout& in) {
  tensors_.tensor(step_tensor(position, "center"), {in.total()});
  tensors_.positive(step_tensor(position, "scale"), {in.total()});
  return in;
}

// Features that a step may make: the predictor takes them, or a later step of centres or waves does, which has a
// scale for each.
Index PipelineCheck::most_features_after(std::size_t position) const {
  Index most = features_;
  for (std::size_t n = position + 1; n < outline_.steps.size(); ++n)
    if (std::holds_alternative<Radial>(outline_.steps[n]) ||
        std::holds_alternative<Fourier>(outline_.steps[n]))
      most += tensors_.first_length(step_tensor(n, "scale"));
  return most;
}

// How many of the features that are taken are numbers, and how many indicators each text column has among them.
std::vector<double> PipelineCheck::groups_of(const std::vector<Index>& columns, const Layout& in) {
  std::vector<double> groups{static_cast<double>(columns.empty() ? in.count(false) : 0)};
  Index first = 0;
  auto next = columns.begin();
  for (const auto& run : in.runs) {
    const auto end = std::lower_bound(next, columns.end(), first + run.count);
    const auto taken = static_cast<double>(end - next);
    if (!run.indicator)
      groups[0] += taken;
    else if (taken > 0)
      groups.push_back(taken);
    next = end;
    first += run.count;
  }
  return groups;
}

// C(n + k, k) - 1 monomials of n features up to degree k; C(n, 1) + ... + C(n, k) with distinct factors; n k
// powers. Of the s indicators of a text column a monomial has at most one: the number of each degree is a coefficient
// of the generating function of the numbers times 1 + s t. Counted in double, where too many are just a large number.
double PipelineCheck::monomials_of(const Monomials& step, const std::vector<double>& groups, double most) {
  const double n = groups[0];
  if (step.kind == Products::powers)
    return std::accumulate(groups.begin() + 1, groups.end(), n * static_cast<double>(step.degree));
  std::vector<double> of_degree(static_cast<std::size_t>(step.degree) + 1, 0.0);
  of_degree[0] = 1;
  for (std::size_t k = 1; k < of_degree.size(); ++k) {
    const auto degree = static_cast<double>(k);
    of_degree[k] = of_degree[k - 1] *
                   std::max(0.0, step.kind == Products::distinct ? n - degree + 1 : n + degree - 1) / degree;
  }
  for (std::size_t g = 1; g < groups.size(); ++g)
    for (std::size_t k = of_degree.size() - 1; k > 0; --k) of_degree[k] += groups[g] * of_degree[k - 1];
  double count = 0;
  for (std::size_t k = 1; k < of_degree.size() && count <= most; ++k) count += of_degree[k];
  return count;
}

Layout PipelineCheck::after(const Monomials& step, std::size_t position, const Layout& in) {
  const Index used = used_columns(step.columns, false, position, in);
  const Index limit = most_features_after(position);
  const auto n = static_cast<double>(used), most = static_cast<double>(limit - (in.total() - used));
  const double count = monomials_of(step, groups_of(step.columns, in), most);
  if (!(count <= most))
    fail(
        fmt::format("step {}: monomials up to degree {} of {} features are more than the {} features of the "
                    "predictor",
                    position, step.degree, used, limit));
  // Those of degree 1 are what they were.
  Layout out;
  if (step.columns.empty()) out.add(false, used);
  Index first = 0;
  auto next = step.columns.begin();
  for (const auto& run : in.runs) {
    const auto end = std::lower_bound(next, step.columns.end(), first + run.count);
    out.add(run.indicator, end - next, run.column);
    next = end;
    first += run.count;
  }
  for (const auto& run : behind(std::llround(count) - used, step.columns, false, in).runs)
    out.add(run.indicator, run.count, run.column);
  out.bytes = in.bytes;
  // Every feature is in equally many monomials, and none has more factors than the degree.
  const double factors = count * static_cast<double>(step.degree);
  if (used > 0) out.bytes += factors * (in.bytes / n + 8);
  return out;
}

Layout PipelineCheck::after(const Pointwise& step, std::size_t position, const Layout& in) {
  const Index used = used_columns(step.columns, false, position, in);
  if (static_cast<Index>(step.counts.size()) != used)
    fail(fmt::format("step {}: counts of {} columns, expected {}", position, step.counts.size(), used));
  Index points = 0, most = 0;
  for (const Index count : step.counts) {
    most = std::max(most, count);
    points += std::min(count, most_points - points);
  }
  const auto values = tensors_.tensor(step_tensor(position, "points"), {points});
  if (elementwise(step.function)) {
    if (points != used ||
        std::any_of(step.counts.begin(), step.counts.end(), [](Index count) { return count != 1; }))
      fail(
          fmt::format("step {}: {} has one value for each of its columns", position, name_of(step.function)));
    for (const double value : values)
      if (!takes(step.function, value))
        fail(fmt::format("step {}: found {} as the least value of a column, of which there is no {}",
                         position, value, name_of(step.function)));
  }
  if (step.function == PointFunction::parts)
    for (const double value : values)
      if (!(value >= 0 && value < static_cast<double>(date_parts)) || value != std::floor(value))
        fail(fmt::format("step {}: found {} as a part of a date, expected a whole number below {}", position,
                         value, date_parts));
  if (step.function == PointFunction::gaussian) tensors_.positive(step_tensor(position, "widths"), {points});
  Layout out = behind(points, step.columns, false, in);
  out.bytes += static_cast<double>(most) * in.bytes + made_name * static_cast<double>(points);
  return out;
}

Layout PipelineCheck::after(const Radial& step, std::size_t position, const Layout& in) {
  const Index used = used_columns(step.columns, true, position, in);
  const Index units = tensors_.first_length(step_tensor(position, "centers"));
  if (units < 1) fail(fmt::format("tensor '{}': there is no centre", step_tensor(position, "centers")));
  tensors_.tensor(step_tensor(position, "centers"), {units, used});
  tensors_.positive(step_tensor(position, "scale"), {used});
  tensors_.positive(step_tensor(position, "widths"), {units});
  Layout out = behind(units, step.columns, true, in);
  out.bytes += made_name * static_cast<double>(units);
  return out;
}

Layout PipelineCheck::after(const Fourier& step, std::size_t position, const Layout& in) {
  const Index used = used_columns(step.columns, true, position, in);
  const Index waves = tensors_.first_length(step_tensor(position, "frequencies"));
  if (waves < 1) fail(fmt::format("tensor '{}': there is no wave", step_tensor(position, "frequencies")));
  tensors_.tensor(step_tensor(position, "frequencies"), {waves, used});
  tensors_.tensor(step_tensor(position, "phases"), {waves});
  tensors_.tensor(step_tensor(position, "center"), {used});
  tensors_.positive(step_tensor(position, "scale"), {used});
  Layout out = behind(waves, step.columns, true, in);
  out.bytes += made_name * static_cast<double>(waves);
  return out;
}

Layout PipelineCheck::after(const Hashing& step, std::size_t, const Layout&) {
  Layout out;
  out.add(false, step.width());
  return out;
}

struct TensorParts {
  using List = std::vector<std::string_view>;
  List operator()(const Impute&) const { return {"fill"}; }
  List operator()(const OneHot&) const { return {}; }
  List operator()(const Standardize&) const { return {"center", "scale"}; }
  List operator()(const Monomials&) const { return {}; }
  List operator()(const Pointwise& step) const {
    return step.function == PointFunction::gaussian ? List{"points", "widths"} : List{"points"};
  }
  List operator()(const Radial&) const { return {"centers", "scale", "widths"}; }
  List operator()(const Fourier&) const { return {"frequencies", "phases", "center", "scale"}; }
  List operator()(const Hashing&) const { return {}; }
};

}  // namespace

std::vector<std::string_view> tensor_parts(const Step& step) { return std::visit(TensorParts{}, step); }

void check_pipeline(const ModelOutline& outline, TensorCheck& tensors, Index features) {
  PipelineCheck(outline, tensors, features).run();
}

}  // namespace discern
