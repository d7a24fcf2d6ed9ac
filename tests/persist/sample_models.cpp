#include "tests/persist/sample_models.hpp"

#include <limits>

namespace discern {
namespace {

// Appends the monomials of what the steps make so far.
void append_monomials(const Schema& input, std::vector<Step>& steps, Index degree, bool distinct) {
  steps.emplace_back(Monomials::make(degree, distinct ? Products::distinct : Products::all,
                                     Pipeline(input, steps).feature_list()));
}

}  // namespace

Model two_class_model() {
  Model model;
  model.name = "logistic";
  model.target = "y";
  model.classes = {"no", "yes"};
  model.pipeline = Pipeline(Schema::numbered(3), {});
  Linear linear;
  linear.weights = Matrix{{0.5, -1.25, 3.0}};
  linear.bias = Vector{{-0.75}};
  linear.center = Vector{{1.0, 2000.5, -0.125}};
  linear.link = Link::logistic;
  model.predictor = linear;
  model.options = {{"l2", "1"}, {"solver", "auto"}, {"tol", "1e-08"}};
  model.standardized = true;
  model.samples = 150;
  model.summary = {"newton",
                   "the only solver so far",
                   12.34375,
                   7,
                   true,
                   false,
                   {"relative-gradient-norm", 3.5e-11},
                   1e-8,
                   3,
                   {}};
  return model;
}

Model many_steps_model() {
  const Schema input(
      {{"length", false, {}}, {"colour", true, {"blue", "green", "red"}}, {"width", false, {}}});
  std::vector<Step> steps;
  steps.emplace_back(Impute{{1.5, 2.0, -0.5}});
  steps.emplace_back(OneHot{{0, 3, 0}, true});
  steps.emplace_back(Standardize{{1.0, 0.0, 0.0, 0.25}, {2.0, 1.0, 1.0, 0.5}});
  append_monomials(input, steps, 2, false);
  append_monomials(input, steps, 1, true);
  Model model;
  model.name = "logistic";
  model.target = "species";
  model.classes = {"1", "2", "10"};
  model.positive = 1;
  model.pipeline = Pipeline(input, steps);
  Linear linear;
  linear.weights = Matrix(3, model.pipeline.features());
  for (Index k = 0; k < 3; ++k)
    for (Index j = 0; j < linear.features(); ++j)
      linear.weights(k, j) = 0.25 * static_cast<double>((3 * k + 5 * j) % 7 - 3);
  linear.bias = Vector{{0.5, 0.0, -0.5}};
  linear.link = Link::softmax;
  model.predictor = linear;
  model.options = {{"l2", "0.5"}};
  model.samples = 99;
  model.summary = {"newton", "", 0.1, 12, false, true, {"relative-gradient-norm", 0.001953125}, 1e-8, {}, {}};
  model.summary.warnings.emplace_back("stopped before its tolerance was reached");
  model.summary.warnings.emplace_back("colour: 3 cells were filled in");
  model.summary.facts = {{"mistakes", 3.0}, {"within_bound", true}, {"coordinates", std::string("as given")}};
  return model;
}

Model regression_model() {
  std::vector<Step> steps;
  append_monomials(Schema::numbered(2), steps, 3, false);
  append_monomials(Schema::numbered(2), steps, 1, false);
  Model model;
  model.name = "least-squares";
  model.task = Task::regression;
  model.target = "price";
  model.pipeline = Pipeline(Schema::numbered(2), steps);
  Linear linear;
  linear.weights = Matrix{{1.0, -2.0, 0.5, 0.25, -0.125, 4.0, 0.0, -0.0625, 1.5}};
  linear.bias = Vector{{10.0}};
  model.predictor = linear;
  model.samples = 12;
  model.summary = {"closed-form", "", {}, 1, true, false, {"relative-residual", 0.0}, 1e-8, 9, {}};
  return model;
}

Model quadratic_model() {
  const Schema input({{"a", false, {}, {NumberForm::Kind::number, ',', '.', "€"}},
                      {"b", false, {}, {NumberForm::Kind::date, '.', '\0', ""}}});
  Model model;
  model.name = "qda";
  model.target = "class";
  model.classes = {"north", "south", "west"};
  model.pipeline = Pipeline(input, {Standardize{{0.5, -1.0}, {0.25, 4.0}}});
  Quadratic quadratic;
  quadratic.means = Matrix{{0.0, 1.0}, {2.0, -1.0}, {-4.0, 0.5}};
  quadratic.whiten = {Matrix{{1.0, 0.0}, {-0.5, 2.0}}, Matrix{{0.5, 0.0}, {0.25, 1.0}},
                      Matrix{{2.0, 0.0}, {0.0, 1.5}}};
  quadratic.bias = Vector{{-1.0, 0.25, 0.5}};
  model.predictor = quadratic;
  model.samples = 30;
  model.summary = {"closed-form", "", {}, 1, true, false, {"relative-residual", 1.25e-16}, 1e-8, {}, {}};
  return model;
}

Model additive_model() {
  const Schema input({{"a", false, {}}, {"b", true, {"no", "yes"}}, {"c", false, {}}});
  Model model;
  model.name = "naive-bayes";
  model.target = "class";
  model.classes = {"left", "right"};
  model.pipeline = Pipeline(input, {OneHot{{0, 2, 0}, false}});
  Additive additive;
  additive.means = Matrix{{0.5, 0.0, 0.0, 0.0}, {-1.0, 0.0, 0.0, 0.0}};
  additive.precision = Matrix{{2.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0, 0.0}};
  additive.weights = Matrix{{0.0, -0.25, -1.5, 0.0}, {0.0, -2.0, -0.125, 0.0}};
  additive.bias = Vector{{-0.5, -1.0}};
  additive.kernels = {
      {3}, Matrix{{0.5}, {2.0}}, {0, 2, 3}, Vector{{-1.0, 1.0, 0.25}}, Vector{{0.75, 0.25, 1.0}}};
  model.predictor = additive;
  model.samples = 20;
  model.summary = {"closed-form", "", {}, 1, true, false, {"exact", 0}, 0, {}, {}};
  return model;
}

Model kernel_sum_model() {
  Model model;
  model.name = "kernel-perceptron";
  model.target = "class";
  model.classes = {"in", "out"};
  model.pipeline = Pipeline(Schema::numbered(2), {});
  KernelSum sum;
  sum.kernel = {KernelKind::polynomial, 2};
  sum.support = Matrix{{0.0, 1.0}, {-2.0, 0.5}, {4.0, -1.0}};
  sum.coefficients = Matrix{{1.0, -2.0, 0.5}};
  sum.bias = Vector{{-0.5}};
  sum.center = Vector{{1.0, -0.5}};
  sum.scale = Vector{{2.0, 0.25}};
  model.predictor = sum;
  model.samples = 12;
  model.summary = {"sequential", "", 0.0, 4, true, false, {"training-mistakes", 0.0}, 0, {}, {}};
  model.summary.facts = {{"support", 3.0}};
  return model;
}

Model decision_model() {
  Model model;
  model.name = "logistic";
  model.target = "class";
  model.classes = {"low", "middle", "high"};
  model.pipeline = Pipeline(Schema::numbered(1), {});
  Linear linear;
  linear.weights = Matrix{{-1.0}, {0.0}, {1.0}};
  linear.bias = Vector{{0.0, 0.5, 0.0}};
  linear.link = Link::softmax;
  model.predictor = linear;
  model.priors = Vector{{0.25, 0.5, 0.25}};
  model.decision =
      Decision{{}, Matrix{{0.0, 1.0, 8.0}, {1.0, 0.0, 1.0}, {4.0, 1.0, -0.5}}, 0.75, Vector{{2.0, 0.5, 1.0}}};
  model.samples = 40;
  model.summary = {"newton", "", 1.5, 6, true, false, {"relative-gradient-norm", 2e-12}, 1e-8, {}, {}};
  return model;
}

Model reduced_model() {
  Model model;
  model.name = "svm";
  model.target = "class";
  model.classes = {"low", "middle", "high"};
  model.pipeline = Pipeline(Schema::numbered(1), {});
  Linear linear;
  linear.weights = Matrix{{-1.0}, {0.5}};
  linear.bias = Vector{{0.0, 0.25}};
  model.predictor = linear;
  Reduction reduction;
  reduction.strategy = Strategy::output_codes;
  reduction.combining = Combining::sum;
  reduction.loss = "hinge";
  reduction.code = {{{0}, {1, 2}}, {{2}, {1}}};
  reduction.calibration = Calibration{{}, {}, {0, 2, 3}, Vector{{-1.0, 2.0, 0.5}}, Vector{{0.25, 0.75, 0.5}}};
  model.reduction = reduction;
  model.samples = 40;
  model.summary = {"newton", "", 1.5, 6, true, false, {"relative-duality-gap", 2e-12}, 1e-8, {}, {}};
  return model;
}

Model calibrated_model() {
  Model model = two_class_model();
  std::get<Linear>(model.predictor).link = Link::none;
  Reduction reduction;
  reduction.code = one_vs_rest_code(2);
  reduction.calibration = Calibration{Vector{{2.0}}, Vector{{-0.5}}, {}, {}, {}};
  model.reduction = reduction;
  return model;
}

Model network_model() {
  Model model;
  model.name = "mlp";
  model.target = "class";
  model.classes = {"in", "middle", "out"};
  model.pipeline = Pipeline(Schema::numbered(2), {});
  Network network;
  network.layers = {
      {Matrix{{1.0, -0.5}, {0.25, 2.0}, {-1.0, -1.0}}, Vector{{0.5, -0.25, 1.0}}, UnitKind::relu},
      {Matrix{{1.0, 0.5, -2.0}, {-0.5, 1.5, 0.0}}, Vector{{0.0, 0.125}}, UnitKind::logistic},
      {Matrix{{1.0, -1.0}, {0.5, 0.5}, {-2.0, 4.0}}, Vector{{0.1, 0.2, -0.3}}, UnitKind::linear}};
  network.center = Vector{{1.0, -0.5}};
  network.scale = Vector{{2.0, 0.25}};
  network.slope = 1.5;
  network.link = Link::softmax;
  model.predictor = network;
  model.samples = 40;
  model.summary = {"lbfgs", "as asked", 3.25, 40, true, false, {"relative-gradient-norm", 1e-6},
                   1e-5,    {},         {}};
  model.summary.facts = {{"network", std::string("2-3-2-3")}};
  return model;
}

Model bases_model() {
  const Schema input({{"a", false, {}}, {"b", false, {}}, {"c", true, {"no", "yes"}}, {"d", false, {}}});
  std::vector<Step> steps;
  const auto features = [&] { return Pipeline(input, steps).feature_list(); };
  steps.emplace_back(OneHot{{0, 0, 2, 0}, false});
  // Of a, b, c=no, c=yes, d: a and d squared behind the rest.
  steps.emplace_back(Monomials::make(2, Products::powers, features(), {0, 4}));
  // a, d, a^2, d^2, b, c=no, c=yes
  Pointwise bumps{PointFunction::gaussian, {4}, {2}, {-1.0, 1.0}, {0.5, 2.0}, {}};
  bumps.selection = Selection::make(features(), bumps.columns, false);
  steps.emplace_back(bumps);
  // gauss(b=-1), gauss(b=1), a, d, a^2, d^2, c=no, c=yes
  Pointwise above{PointFunction::step, {2, 3}, {1, 2}, {0.5, -1.0, 2.0}, {}, {}};
  above.selection = Selection::make(features(), above.columns, false);
  steps.emplace_back(above);
  // a>=0.5, d>=-1, d>=2, the two bumps, a^2, d^2, c=no, c=yes
  Radial units;
  units.unit = RadialUnit::inverse_quadratic;
  units.columns = {5, 6, 8};
  units.centers = RowMajor{{0.0, 1.0, 1.0}, {4.0, -1.0, 0.0}};
  units.scale = {2.0, 1.0, 1.0};
  units.widths = {1.0, 0.5};
  units.prepare(features());
  steps.emplace_back(units);
  Fourier waves;
  waves.columns = {0, 1};
  waves.frequencies = RowMajor{{1.0, -2.0}, {0.5, 0.25}, {0.0, 3.0}};
  waves.phases = {0.0, 1.0, 2.0};
  waves.coordinates = {{}, Eigen::VectorXd{{0.25, 0.5}}, Eigen::VectorXd{{0.5, 2.0}}};
  waves.prepare(features());
  steps.emplace_back(waves);
  Model model;
  model.name = "rbf-network";
  model.target = "class";
  model.classes = {"left", "right"};
  model.pipeline = Pipeline(input, steps);
  Linear linear;
  linear.weights = Matrix(1, model.pipeline.features());
  for (Index j = 0; j < linear.features(); ++j) linear.weights(0, j) = 0.5 * static_cast<double>(j % 5 - 2);
  linear.bias = Vector{{0.25}};
  model.predictor = linear;
  model.samples = 40;
  model.summary = {"closed-form", "", {}, 1, true, false, {"relative-gradient-norm", 1e-12}, 1e-9, {}, {}};
  return model;
}

Model odd_texts_model() {
  const std::string nul("a\0b", 3);
  const Schema input({{"", true, {"", nul, "\xFF\xFE", "na\xC3\xAFve", "\xED\xA0\x80"}},
                      {"\"quoted\\\n\t", false, {}},
                      {"\xC0\xAF", false, {}},
                      {std::string(300, 'x'), true, {"{\"hex\": \"ff\"}"}}});
  std::vector<Step> steps;
  steps.emplace_back(OneHot{{5, 0, 0, 1}, false});
  Model model;
  model.name = "\xF4\x90\x80\x80";
  model.target = "\xEF\x9F\xBF";  // U+F7FF, which the container would escape
  model.classes = {"\x80", "ff"};
  model.positive = 0;
  model.pipeline = Pipeline(input, steps);
  Linear linear;
  linear.weights = Matrix{{-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1e-17, -2.5, 1.0 / 3, 8.0}};
  linear.bias = Vector{{-0.0}};
  model.predictor = linear;
  model.options = {{"", ""}, {"basis", "\xFF"}, {"basis", "again"}};
  model.samples = std::numeric_limits<Index>::max();
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  model.summary = {"\xFF", "", nan, 0, false, false, {"", infinity}, -infinity, 0, {}};
  model.summary.warnings.emplace_back();
  model.summary.warnings.emplace_back("\xE2\x82");
  model.summary.facts = {{"\xFF", nan}, {"", std::string("NaN")}, {"", std::string("\x80")}};
  return model;
}

Model indicators_model() {
  const Schema input(
      {{"length", false, {}}, {"colour", true, {"blue", "red", "other"}, {}, 2}, {"width", false, {}}});
  Model model = two_class_model();
  model.pipeline = Pipeline(input, {Impute{{1.5, 2.0, -0.5}, {0, 1}}, OneHot{{0, 3, 0, 0, 0}, true}});
  Linear linear = std::get<Linear>(model.predictor);
  linear.weights = Matrix{{0.5, -1.0, 0.25, 2.0, -0.75, 1.5}};
  linear.center = Vector::Zero(6);
  model.predictor = linear;
  return model;
}

Model dates_model() {
  const Schema input({{"x", false, {}}, {"day", false, {}, {NumberForm::Kind::date, '.', '\0', ""}}});
  Model model = two_class_model();
  Pointwise parts{PointFunction::parts, {1}, {5}, {0.0, 1.0, 2.0, 3.0, 4.0}, {}, {}};
  parts.selection = Selection::make(Pipeline(input, {}).feature_list(), parts.columns, false);
  model.pipeline = Pipeline(input, {parts});
  // day.year, day.month, day.day, day.weekday, day.hour, x
  model.predictor =
      Linear{Matrix{{0.5, -1.25, 3.0, 0.25, -0.125, 2.0}}, Vector{{-1024.0}}, {}, Link::logistic};
  return model;
}

std::vector<SampleModel> sample_models() {
  return {{"two-classes", two_class_model()}, {"many-steps", many_steps_model()},
          {"regression", regression_model()}, {"quadratic", quadratic_model()},
          {"additive", additive_model()},     {"kernel-sum", kernel_sum_model()},
          {"network", network_model()},       {"decision", decision_model()},
          {"reduced", reduced_model()},       {"calibrated", calibrated_model()},
          {"odd-texts", odd_texts_model()},   {"bases", bases_model()},
          {"indicators", indicators_model()}, {"dates", dates_model()}};
}

}  // namespace discern
