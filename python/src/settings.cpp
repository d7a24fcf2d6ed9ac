#include "settings.hpp"

#include <nanobind/stl/string.h>

#include <functional>
#include <unordered_map>

namespace discern::python {
namespace {

constexpr auto interval = std::chrono::milliseconds(50);

using Setter = std::function<void(FitOptions&, nb::handle)>;

template <class T>
T as(nb::handle value) {
  return nb::cast<T>(value);
}

Intervals intervals_of(const std::string& name) {
  if (name == "none") return Intervals::none;
  if (name == "wald") return Intervals::wald;
  if (name == "profile") return Intervals::profile;
  throw nb::value_error(("inference: expected none, wald or profile, got '" + name + "'").c_str());
}

std::optional<double> optional_number(nb::handle value) {
  if (value.is_none()) return std::nullopt;
  return nb::cast<double>(value);
}

const std::unordered_map<std::string, Setter>& setters() {
  static const std::unordered_map<std::string, Setter> table{
      {"feature_names", [](FitOptions& o, nb::handle v) { o.feature_names = texts_of(v); }},
      {"sample_weight", [](FitOptions& o, nb::handle v) { o.sample_weight = numbers_of(v); }},
      {"weight_column", [](FitOptions& o, nb::handle v) { o.weight_column = as<std::string>(v); }},
      {"class_weight", [](FitOptions& o, nb::handle v) { o.class_weight = as<std::string>(v); }},
      {"positive", [](FitOptions& o, nb::handle v) { o.positive = as<std::string>(v); }},
      {"standardize", [](FitOptions& o, nb::handle v) { o.standardize = as<bool>(v); }},
      {"encode", [](FitOptions& o, nb::handle v) { o.encode = as<bool>(v); }},
      {"impute", [](FitOptions& o, nb::handle v) { o.impute = as<bool>(v); }},
      {"basis", [](FitOptions& o, nb::handle v) { o.basis = as<std::string>(v); }},
      {"multiclass",
       [](FitOptions& o, nb::handle v) {
         for (const auto& [name, text] : pairs_of(v))
           if (!set_field(o.multiclass, name, text))
             throw nb::value_error(("multiclass has no option '" + name + "'").c_str());
       }},
      {"threshold", [](FitOptions& o, nb::handle v) { o.decision.threshold = optional_number(v); }},
      {"risk", [](FitOptions& o, nb::handle v) { o.decision.risk = optional_number(v); }},
      {"reject", [](FitOptions& o, nb::handle v) { o.decision.reject = optional_number(v); }},
      {"cost", [](FitOptions& o, nb::handle v) { o.decision.cost = as<std::string>(v); }},
      {"priors", [](FitOptions& o, nb::handle v) { o.decision.priors = as<std::string>(v); }},
      {"inference",
       [](FitOptions& o, nb::handle v) { o.inference.intervals = intervals_of(as<std::string>(v)); }},
      {"robust", [](FitOptions& o, nb::handle v) { o.inference.robust = as<bool>(v); }},
      {"confidence", [](FitOptions& o, nb::handle v) { o.inference.confidence = as<double>(v); }},
      {"keep_statistics", [](FitOptions& o, nb::handle v) { o.keep_statistics = as<bool>(v); }},
      {"start",
       [](FitOptions& o, nb::handle v) {
         if (!v.is_none()) o.start = nb::cast<const FittedModel&>(v).shared();
       }},
      {"seed", [](FitOptions& o, nb::handle v) { o.seed = as<std::uint64_t>(v); }},
      {"threads", [](FitOptions& o, nb::handle v) { o.threads = as<int>(v); }},
  };
  return table;
}

}  // namespace

Watch::Watch(nb::object callback)
    : callback_(std::move(callback)), next_(std::chrono::steady_clock::now() + interval) {}

Monitor Watch::monitor() {
  return [this](const Progress& progress) { return heard(progress); };
}

bool Watch::heard(const Progress& progress) {
  if (stopped_ || std::this_thread::get_id() != caller_) return !stopped_;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return true;
  next_ = now + interval;
  const nb::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback_.is_none())
      callback_(std::string(progress.stage), progress.done, progress.total,
                progress.iterative ? nb::cast(progress.objective) : nb::none(),
                progress.iterative ? nb::cast(progress.certificate) : nb::none());
  } catch (const nb::python_error& error) {
    raised_.emplace(error);
    stopped_ = true;
  }
  return !stopped_;
}

void Watch::rethrow() {
  if (!raised_) return;
  nb::python_error error = std::move(*raised_);
  raised_.reset();
  throw error;
}

nb::object Watch::raised() { return raised_ ? nb::borrow(raised_->value()) : nb::none(); }

ModelOptions model_of(const std::string& name, nb::dict options) {
  ModelOptions model = options_of(name);
  for (const auto& [option, text] : pairs_of(options)) set_option(model, option, text);
  return model;
}

FitOptions fit_options_of(nb::dict settings, Watch& watch) {
  FitOptions options;
  for (const auto [key, value] : settings) {
    const auto name = nb::cast<std::string>(key);
    const auto setter = setters().find(name);
    if (setter == setters().end()) throw nb::value_error(("a fit has no setting '" + name + "'").c_str());
    setter->second(options, value);
  }
  options.monitor = watch.monitor();
  return options;
}

FoldOptions folds_of(nb::dict settings) {
  FoldOptions folds;
  for (const auto [key, value] : settings) {
    const auto name = nb::cast<std::string>(key);
    if (name == "folds")
      folds.folds = nb::cast<Index>(value);
    else if (name == "repeats")
      folds.repeats = nb::cast<Index>(value);
    else if (name == "leave_one_out")
      folds.leave_one_out = nb::cast<bool>(value);
    else if (name == "time_ordered")
      folds.time_ordered = nb::cast<bool>(value);
    else if (name == "seed")
      folds.seed = nb::cast<std::uint64_t>(value);
    else
      throw nb::value_error(("folds have no setting '" + name + "'").c_str());
  }
  return folds;
}

Learning learning_of(nb::handle x, nb::handle y, nb::handle classes) {
  Learning learning;
  learning.task = classes.is_none() ? Task::regression : Task::classification;
  if (nb::isinstance<Frame>(x)) {
    learning.frame = nb::cast<const Frame&>(x);
    learning.target = nb::cast<std::string>(y);
    return learning;
  }
  learning.rows = rows_of(x);
  if (classes.is_none())
    learning.numbers = Numbers(numbers_of(y));
  else
    learning.labels = Labels::coded(texts_of(classes), integers_of(y));
  return learning;
}

}  // namespace discern::python
