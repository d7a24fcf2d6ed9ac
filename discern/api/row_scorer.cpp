#include "discern/api/row_scorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/model/shape/row_scores.hpp"

namespace discern {
namespace {

[[noreturn]] void unsupported(const Model& model, std::string_view why) {
  throw Error(Code::usage,
              fmt::format("a RowScorer is for linear and quadratic models of numeric columns, without "
                          "a basis, `multiclass` or `calibrate`; this {} {}",
                          model.name, why));
}

void check_supported(const Model& model) {
  if (!std::holds_alternative<Linear>(model.predictor) && !std::holds_alternative<Quadratic>(model.predictor))
    unsupported(model, "is neither linear nor quadratic");
  if (model.reduction) unsupported(model, "combines several machines, or is calibrated");
  if (model.pipeline.input().any_categorical()) unsupported(model, "has columns of text");
  for (const Step& step : model.pipeline.steps())
    if (!std::holds_alternative<Impute>(step) && !std::holds_alternative<Standardize>(step))
      unsupported(model, "has a basis");
}

// Where in a row with these columns each column of the model is.
std::vector<std::size_t> places_of(const Model& model, const std::vector<std::string>& columns) {
  std::vector<std::size_t> places;
  const Schema& input = model.pipeline.input();
  for (Index j = 0; j < input.size(); ++j) {
    const auto found = std::find(columns.begin(), columns.end(), input.name(j));
    if (found == columns.end())
      throw Error(Code::usage, "the model needs this column, and the rows do not have it",
                  {"", 0, input.name(j)});
    places.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  return places;
}

void check_row_size(std::string_view what, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw Error(Code::usage, fmt::format("found {} of {} numbers, expected {}", what, found, expected));
}

}  // namespace

struct RowScorer::State {
  std::shared_ptr<const Model> owner;
  const Model& model;
  std::vector<std::size_t> places;  // empty: the columns are those of the model
  std::size_t width;                // of a row
  bool swapped;                     // the predictor's class 1 is the first of two
  std::string no_label = std::string(undecided_name);

  // Memory for one row.
  Scratch scratch = {};
  std::vector<double> gathered, scores, probabilities;
  RowRoom room;

  State(const FittedModel& fitted, std::vector<std::size_t> from, std::size_t row_width)
      : owner(fitted.shared()),
        model(*owner),
        places(std::move(from)),
        width(row_width),
        swapped(model.task == Task::classification && model.classes.size() == 2 && model.positive == 0),
        gathered(static_cast<std::size_t>(model.pipeline.input().size())),
        scores(static_cast<std::size_t>(score_count(model.predictor))),
        probabilities(std::max<std::size_t>(model.classes.size(), 1)),
        room(model.pipeline.features()) {
    check_supported(model);
    warm_up();
  }
  State(const State&) = default;

  // The steps of the pipeline allocate what they need at the first row, and to impute at the first missing cell.
  void warm_up() {
    gathered.assign(gathered.size(), 0.0);
    transformed(DenseRows<double>{gathered.data(), 1, static_cast<Index>(gathered.size())});
    gathered.assign(gathered.size(), std::numeric_limits<double>::quiet_NaN());
    transformed(DenseRows<double>{gathered.data(), 1, static_cast<Index>(gathered.size())});
  }

  Rows transformed(const Rows& raw) { return model.pipeline.apply(raw, scratch); }

  template <class T>
  Rows bound(std::span<const T> row) {
    check_row_size("a row", row.size(), width);
    if (places.empty()) return DenseRows<T>{row.data(), 1, static_cast<Index>(row.size())};
    for (std::size_t j = 0; j < places.size(); ++j) gathered[j] = static_cast<double>(row[places[j]]);
    return DenseRows<double>{gathered.data(), 1, static_cast<Index>(gathered.size())};
  }

  template <class T>
  void score(std::span<const T> row, double* out) {
    std::visit(
        [&]<class R>(const R& rows) {
          if constexpr (requires { rows.starts; })
            assert(false);  // a dense row stays dense
          else
            score_features(rows.row(0), out);
        },
        transformed(bound(row)));
    const auto count = static_cast<Index>(scores.size());
    if (swapped && count == 2) std::swap(out[0], out[1]);
    if (!std::all_of(out, out + count, [](double s) { return std::isfinite(s); })) refuse(row);
  }

  template <class T>
  void score_features(DenseRow<T> x, double* out) {
    if (const auto* linear = std::get_if<Linear>(&model.predictor)) {
      row_scores(*linear, x, room, out);
    } else if constexpr (std::is_same_v<T, double>) {
      row_scores(std::get<Quadratic>(model.predictor), x, room, out);
    } else {
      for (Index j = 0; j < x.size; ++j)
        gathered[static_cast<std::size_t>(j)] = static_cast<double>(x.values[j]);
      row_scores(std::get<Quadratic>(model.predictor), {gathered.data(), x.size}, room, out);
    }
  }

  template <class T>
  [[noreturn]] void refuse(std::span<const T> row) const {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!std::isfinite(row[j]))
        throw Error(Code::data,
                    fmt::format("number {} of the row is {}, expected a finite one", j + 1, row[j]));
    refuse_scores(1);
  }

  // As predict_block: the order of two classes, then the decision's priors.
  template <class T>
  void probability(std::span<const T> row, double* out) {
    const Link link = link_of(model.predictor);
    if (model.task != Task::classification || link == Link::none)
      throw Error(Code::usage, fmt::format("the model {} has no probabilities", model.name));
    score(row, scores.data());
    const auto count = static_cast<Index>(scores.size());
    if (swapped && count == 2) std::swap(scores[0], scores[1]);
    row_probabilities(scores.data(), count, link, out);
    if (swapped) std::swap(out[0], out[1]);
    if (model.decision) reweigh(*model.decision, out, static_cast<Index>(model.classes.size()));
  }

  template <class T>
  std::int32_t decided(std::span<const T> row) {
    if (model.task != Task::classification)
      throw Error(Code::usage, "the model is a regression: it has no labels");
    const auto classes = static_cast<Index>(model.classes.size());
    if (model.decision) {
      probability(row, probabilities.data());
      return decide(*model.decision, probabilities.data(), classes, model.positive);
    }
    score(row, scores.data());
    const auto count = static_cast<Index>(scores.size());
    if (swapped && count == 2) std::swap(scores[0], scores[1]);
    const std::int32_t label = decide(scores.data(), count);
    return swapped ? 1 - label : label;
  }

  const std::string& text(std::int32_t label) const {
    return label == undecided ? no_label : model.classes[static_cast<std::size_t>(label)];
  }
};

RowScorer::RowScorer(const FittedModel& model)
    : state_(std::make_unique<State>(model, std::vector<std::size_t>{}, model.columns().size())) {}
RowScorer::RowScorer(const FittedModel& model, const std::vector<std::string>& columns)
    : state_(std::make_unique<State>(model, places_of(model.model(), columns), columns.size())) {}
RowScorer::RowScorer(const RowScorer& other) : state_(std::make_unique<State>(*other.state_)) {
  state_->warm_up();  // vectors are copied without their room to grow
}
RowScorer::RowScorer(RowScorer&& other) noexcept = default;
RowScorer& RowScorer::operator=(const RowScorer& other) { return *this = RowScorer(other); }
RowScorer& RowScorer::operator=(RowScorer&& other) noexcept = default;
RowScorer::~RowScorer() = default;

Index RowScorer::columns() const { return static_cast<Index>(state_->width); }
Index RowScorer::scores() const { return static_cast<Index>(state_->scores.size()); }

void RowScorer::operator()(std::span<const double> row, std::span<double> out) {
  check_row_size("an output", out.size(), state_->scores.size());
  state_->score(row, out.data());
}
void RowScorer::operator()(std::span<const float> row, std::span<double> out) {
  check_row_size("an output", out.size(), state_->scores.size());
  state_->score(row, out.data());
}

void RowScorer::probabilities(std::span<const double> row, std::span<double> out) {
  check_row_size("an output", out.size(), state_->model.classes.size());
  state_->probability(row, out.data());
}
void RowScorer::probabilities(std::span<const float> row, std::span<double> out) {
  check_row_size("an output", out.size(), state_->model.classes.size());
  state_->probability(row, out.data());
}

Index RowScorer::label_index(std::span<const double> row) { return state_->decided(row); }
Index RowScorer::label_index(std::span<const float> row) { return state_->decided(row); }
const std::string& RowScorer::label(std::span<const double> row) {
  return state_->text(state_->decided(row));
}
const std::string& RowScorer::label(std::span<const float> row) { return state_->text(state_->decided(row)); }

}  // namespace discern
