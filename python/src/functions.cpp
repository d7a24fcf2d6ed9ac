// What the library does with data, for Python: fits, and the commands of the tool.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace discern::python {
namespace {

FittedModel fitted(const std::string& model, nb::dict options, nb::handle x, nb::handle y, nb::handle classes,
                   nb::dict settings, Watch& watch) {
  const ModelOptions chosen = model_of(model, options);
  const Learning on = learning_of(x, y, classes);
  const FitOptions fit_options = fit_options_of(settings, watch);
  return watched(watch, [&] {
    const bool labels = on.task == Task::classification;
    if (on.frame)
      return labels ? fit(chosen, *on.frame, on.target, fit_options)
                    : fit_regression(chosen, *on.frame, on.target, fit_options);
    return labels ? fit(chosen, on.rows->view, on.labels, fit_options)
                  : fit_regression(chosen, on.rows->view, on.numbers, fit_options);
  });
}

nb::dict cv_of(const CvResult& result) {
  nb::dict measures, dict;
  for (const CvMeasure& measure : result.measures) {
    nb::dict one;
    one["mean"] = measure.mean;
    one["standard_error"] = measure.standard_error;
    one["folds"] = measure.folds;
    measures[measure.name.c_str()] = one;
  }
  dict["rows"] = result.rows;
  dict["stopped"] = result.stopped;
  dict["measures"] = measures;
  dict["warnings"] = result.warnings;
  return dict;
}

CvOptions cv_options_of(nb::dict folds, nb::handle groups, FitOptions fit) {
  CvOptions options;
  options.folds = folds_of(folds);
  options.fit = std::move(fit);
  if (nb::isinstance<nb::str>(groups))
    options.group_column = nb::cast<std::string>(groups);
  else if (!groups.is_none())
    options.groups = Labels(integers_of(groups));
  return options;
}

nb::dict cross_validated(const std::string& model, nb::dict options, nb::handle x, nb::handle y,
                         nb::handle classes, nb::dict folds, nb::handle groups, nb::dict settings,
                         nb::object callback) {
  Watch watch(std::move(callback));
  const ModelOptions chosen = model_of(model, options);
  const Learning on = learning_of(x, y, classes);
  const CvOptions cv = cv_options_of(folds, groups, fit_options_of(settings, watch));
  return cv_of(watched(watch, [&] {
    if (on.frame) return cross_validate(chosen, *on.frame, on.target, cv, on.task);
    return on.task == Task::classification ? cross_validate(chosen, on.rows->view, on.labels, cv)
                                           : cross_validate_regression(chosen, on.rows->view, on.numbers, cv);
  }));
}

nb::dict rank_of(const Rank& rank) {
  nb::dict dict;
  dict["model"] = rank.model;
  dict["score"] = rank.score;
  dict["standard_error"] = rank.standard_error;
  dict["p_value"] = rank.p_value;
  dict["seconds"] = rank.seconds;
  dict["left_out"] = rank.left_out;
  return dict;
}

nb::list ranks_of(const std::vector<Rank>& ranks) {
  nb::list list;
  for (const Rank& rank : ranks) list.append(rank_of(rank));
  return list;
}

nb::dict compared(nb::handle x, nb::handle y, nb::handle classes, const std::vector<std::string>& models,
                  const std::string& metric, double budget, bool refit, nb::dict folds, nb::handle groups,
                  nb::dict settings, nb::object callback) {
  Watch watch(std::move(callback));
  const Learning on = learning_of(x, y, classes);
  ComparisonOptions options;
  options.cv = cv_options_of(folds, groups, fit_options_of(settings, watch));
  options.models = models;
  options.metric = metric;
  options.budget = budget;
  options.refit = refit;
  const ComparisonResult result = watched(watch, [&] {
    if (on.frame) return compare(*on.frame, on.target, options, on.task);
    return on.task == Task::classification ? compare(on.rows->view, on.labels, options)
                                           : compare_regression(on.rows->view, on.numbers, options);
  });
  nb::dict dict, best_options;
  for (const auto& [name, value] : result.options) best_options[name.c_str()] = value;
  dict["metric"] = result.metric;
  dict["ranking"] = ranks_of(result.ranking);
  dict["left_out"] = ranks_of(result.left_out);
  dict["baseline"] = result.baseline;
  dict["options"] = best_options;
  dict["best"] = result.best ? nb::cast(*result.best) : nb::none();
  dict["warnings"] = result.warnings;
  return dict;
}

PathPenalty penalty_of(const std::string& name) {
  const auto names = value_names(PathPenalty{});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<PathPenalty>(i);
  throw nb::value_error(("penalty: expected l1, l2 or elastic-net, got '" + name + "'").c_str());
}

nb::dict step_of(PathStep&& step) {
  nb::dict dict;
  dict["l1"] = step.l1;
  dict["l2"] = step.l2;
  dict["objective"] = step.objective;
  dict["nonzero"] = step.nonzero;
  dict["explained"] = step.explained;
  dict["certificate"] = certificate_of(step.certificate);
  dict["converged"] = step.converged;
  dict["coef"] = array_of(std::move(step.weights));
  dict["intercept"] = array_of(std::move(step.bias));
  dict["score"] = step.score;
  dict["standard_error"] = step.standard_error;
  return dict;
}

nb::dict path_of(const std::string& model, nb::dict model_options, nb::handle x, nb::handle y,
                 nb::handle classes, const std::string& penalty, double l1_ratio, double fixed, Index points,
                 double ratio, std::optional<nb::dict> folds, const std::string& metric, nb::dict settings,
                 nb::object callback) {
  Watch watch(std::move(callback));
  const ModelOptions chosen = model_of(model, model_options);
  const Learning on = learning_of(x, y, classes);
  PathFitOptions options;
  options.penalty = penalty_of(penalty);
  options.l1_ratio = l1_ratio;
  options.fixed = fixed;
  options.points = points;
  options.ratio = ratio;
  if (folds) options.folds = folds_of(*folds);
  options.metric = metric;
  options.fit = fit_options_of(settings, watch);
  PathResult result = watched(watch, [&] {
    if (on.frame) return path(chosen, *on.frame, on.target, options, on.task);
    return on.task == Task::classification ? path(chosen, on.rows->view, on.labels, options)
                                           : path_regression(chosen, on.rows->view, on.numbers, options);
  });
  nb::dict dict;
  nb::list steps;
  for (PathStep& step : result.steps) steps.append(step_of(std::move(step)));
  dict["steps"] = steps;
  dict["feature_names"] = result.feature_names;
  dict["metric"] = result.metric;
  dict["best"] = result.best;
  dict["within_se"] = result.within_se;
  dict["warnings"] = result.warnings;
  return dict;
}

const char* verdict_name(SeparableVerdict verdict) {
  if (verdict == SeparableVerdict::yes) return "yes";
  return verdict == SeparableVerdict::no ? "no" : "unproved";
}

nb::list separated(nb::handle x, nb::handle y, nb::handle classes, bool one_vs_rest, nb::dict settings) {
  Watch watch{nb::none()};
  const Learning on = learning_of(x, y, classes);
  const SeparableOptions options{one_vs_rest, fit_options_of(settings, watch)};
  SeparableResult result = watched(watch, [&] {
    return on.frame ? separable(*on.frame, on.target, options) : separable(on.rows->view, on.labels, options);
  });
  nb::list pairs;
  for (SeparablePair& pair : result.pairs) {
    nb::dict one;
    one["positive"] = pair.positive;
    one["negative"] = pair.negative;
    one["verdict"] = verdict_name(pair.verdict);
    one["weights"] = array_of(std::move(pair.weights));
    one["bias"] = pair.bias;
    one["margin"] = pair.margin;
    one["margin_bound"] = pair.margin_bound;
    pairs.append(one);
  }
  return pairs;
}

nb::dict projection_of(nb::handle x, nb::handle y, nb::handle classes, nb::dict fisher, nb::dict settings) {
  Watch watch{nb::none()};
  const ModelOptions options = model_of("fisher", fisher);
  const Learning on = learning_of(x, y, classes);
  const FitOptions fit_options = fit_options_of(settings, watch);
  ProjectionResult result = watched(
      watch, [&] { return project(on.rows->view, on.labels, std::get<Fisher>(options), fit_options); });
  nb::dict dict;
  dict["directions"] = array_of(std::move(result.directions));
  dict["center"] = array_of(std::move(result.center));
  dict["ratios"] = array_of(std::move(result.ratios));
  dict["explained"] = array_of(std::move(result.explained));
  dict["means"] = array_of(std::move(result.means));
  return dict;
}

}  // namespace

void bind_functions(nb::module_& m) {
  m.def(
      "fit",
      [](const std::string& model, nb::dict options, nb::handle x, nb::handle y, nb::handle classes,
         nb::dict settings, nb::object callback) {
        Watch watch(std::move(callback));
        FittedModel result = fitted(model, options, x, y, classes, settings, watch);
        nb::object raised = watch.raised();
        return nb::make_tuple(std::move(result), raised);
      },
      nb::arg("model"), nb::arg("options"), nb::arg("x"), nb::arg("y"), nb::arg("classes").none(),
      nb::arg("settings"), nb::arg("callback").none() = nb::none(),
      "The fitted model, and the exception that stopped the fit before its end or None.");
  m.def(
      "load", [](const std::string& path) { return unlocked([&] { return load(path); }); }, nb::arg("path"));
  m.def(
      "from_bytes",
      [](const nb::bytes& bytes) {
        return from_bytes(std::string(static_cast<const char*>(bytes.data()), bytes.size()));
      },
      nb::arg("bytes"));
  m.def("cross_validate", &cross_validated, nb::arg("model"), nb::arg("options"), nb::arg("x"), nb::arg("y"),
        nb::arg("classes").none(), nb::arg("folds"), nb::arg("groups").none(), nb::arg("settings"),
        nb::arg("callback").none() = nb::none());
  m.def("compare", &compared, nb::arg("x"), nb::arg("y"), nb::arg("classes").none(), nb::arg("models"),
        nb::arg("metric"), nb::arg("budget"), nb::arg("refit"), nb::arg("folds"), nb::arg("groups").none(),
        nb::arg("settings"), nb::arg("callback").none() = nb::none());
  m.def("path", &path_of, nb::arg("model"), nb::arg("options"), nb::arg("x"), nb::arg("y"),
        nb::arg("classes").none(), nb::arg("penalty"), nb::arg("l1_ratio"), nb::arg("fixed"),
        nb::arg("points"), nb::arg("ratio"), nb::arg("folds").none(), nb::arg("metric"), nb::arg("settings"),
        nb::arg("callback").none() = nb::none());
  m.def("separable", &separated, nb::arg("x"), nb::arg("y"), nb::arg("classes"), nb::arg("one_vs_rest"),
        nb::arg("settings"));
  m.def("project", &projection_of, nb::arg("x"), nb::arg("y"), nb::arg("classes"), nb::arg("options"),
        nb::arg("settings"));
  m.def("model_names", &model_names);
  m.def(
      "option_names",
      [](const std::string& model) {
        std::vector<std::string> names;
        for (const FieldInfo& field : fields_of(options_of(model))) names.push_back(field.name);
        return names;
      },
      nb::arg("model"));
}

}  // namespace discern::python
