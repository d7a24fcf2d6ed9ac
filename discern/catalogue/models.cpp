#include "discern/catalogue/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

// The penalty that the name speaks of.
std::vector<GridAxis> least_squares_grid(std::string_view name) {
  if (name == "lasso") return {{"l1", {"1", "0.1", "10", "100"}}};
  if (name == "elastic-net") return {{"l1", {"0.5", "5", "50"}}, {"l2", {"0.5", "5", "50"}}};
  if (name == "ridge") return {{"l2", {"1", "0.1", "10", "100"}}};
  return {{"l2", {"0", "1", "10", "100"}}};
}

}  // namespace

std::span<const ModelEntry> models() {
  static const auto table = std::to_array<ModelEntry>({
      {"least-squares",
       {"ridge", "lasso", "elastic-net"},
       "Least squares on the class codes, or regression",
       "minimise  sum_i s_i 1/2 |y_i - g(x_i)|^2 + l2/2 |w|^2 + l1 |w|_1,   g(x) = w.x + b\n"
       "y = -1 and +1 for two classes, 1-of-K for more, the number itself in regression;\n"
       "without l1 in closed form by a QR decomposition. 'ridge' is the same with `l2` 1,\n"
       "'lasso' with `l1` 1, 'elastic-net' with `l1` 0.5 `l2` 0.5.",
       true,
       false,
       [](std::string_view name) -> ModelOptions {
         LeastSquares options;
         if (name == "ridge") options.l2 = 1;
         if (name == "lasso") options.l1 = 1;
         if (name == "elastic-net") options.l1 = options.l2 = 0.5;
         return options;
       },
       least_squares_grid},
      {"ho-kashyap",
       {},
       "Least squares that learns its targets: separates the classes, or shows that no plane can",
       "a = Y^+ b,   e = Y a - b,   b <- b + h max(e, 0),   the rows of Y are t [1, x], t = -1 or +1\n"
       "Y a > 0: the classes are separable, and a separates them; e <= 0 and not 0: they are not,\n"
       "because Y'e = 0. More than two classes: each against the rest.",
       false,
       false,
       [](std::string_view) -> ModelOptions { return HoKashyap{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"max-iter", {"200"}}};
       }},
      {"logistic",
       {},
       "Logistic regression; softmax regression for more than two classes",
       "minimise  sum_i s_i log(1 + exp(-t_i g(x_i))) + l2/2 |w|^2 + l1 |w|_1,   t_i = -1 or +1\n"
       "P(positive | x) = 1 / (1 + exp(-g(x))); for K classes P(k | x) = exp(g_k) / sum_j exp(g_j);\n"
       "without l1 the K scores sum to zero.",
       false,
       true,
       [](std::string_view) -> ModelOptions { return Logistic{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"l2", {"1", "0.1", "10", "100"}}};
       }},
      {"svm",
       {},
       "Linear support vector machine: hinge or squared hinge, one against the rest",
       "minimise  sum_i s_i max(0, 1 - t_i g(x_i))^q + l2/2 |w|^2 + l1 |w|_1,   t_i = -1 or +1\n"
       "q = 1: hinge, q = 2: squared hinge; l2 = 1/C. The bias is not penalised\n"
       "unless `penalize_bias` (LIBLINEAR's convention).",
       false,
       false,
       [](std::string_view) -> ModelOptions { return Svm{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"l2", {"1", "0.1", "10", "100"}}};
       }},
      {"perceptron",
       {},
       "The perceptron: corrects what it gets wrong until a plane separates the classes",
       "a <- a + h t y  for samples y = [x 1] with t a.y <= 0,   t = -1 or +1,   g(x) = a.y\n"
       "all misclassified at once (batch), one after the other (sequential, sgd), or by lambda |a.y| / "
       "|y|^2\n"
       "(fractional); for K classes the own class gains what the best of the others loses (Kesler).\n"
       "With a constant step the mistakes made are at most (R / margin)^2, R = max |y|.",
       false,
       false,
       [](std::string_view) -> ModelOptions { return Perceptron{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"averaged", {"true"}}, {"shuffle", {"true"}}, {"epochs", {"10", "100"}}};
       }},
      {"kernel-perceptron",
       {},
       "The perceptron in its dual form, with a kernel",
       "g(x) = sum_n alpha_n t_n (k(x_n, x) + 1),   alpha_n counts the mistakes on sample n,   t = -1 or +1\n"
       "k(x, z) = x.z (linear), (1 + x.z)^K (poly:K) or exp(-|x - z|^2 / (2 S^2)) (gauss:S);\n"
       "for K classes the own class gains what the best of the others loses (Kesler).",
       false,
       false,
       [](std::string_view) -> ModelOptions { return KernelPerceptron{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"shuffle", {"true"}},
                 {"epochs", {"20"}},
                 {"kernel", {"gauss:1", "gauss:3", "gauss:10", "poly:2"}}};
       },
       Effort::pairs},
      {"lda",
       {},
       "Linear discriminant analysis: Gaussian classes with a shared covariance",
       "g_k(x) = m_k' S^-1 x - 1/2 m_k' S^-1 m_k + log P_k\n"
       "m_k: class means, S: pooled covariance (`divisor` n - K or n), P_k: class shares or `priors`;\n"
       "`shrinkage` blends S with the mean of its diagonal, by a number or by ledoit-wolf or oas.",
       false,
       true,
       [](std::string_view) -> ModelOptions { return Lda{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"shrinkage", {"none", "ledoit-wolf"}}};
       },
       Effort::one_pass},
      {"qda",
       {},
       "Quadratic discriminant analysis: Gaussian classes with a covariance each",
       "g_k(x) = -1/2 (x - m_k)' S_k^-1 (x - m_k) - 1/2 log |S_k| + log P_k\n"
       "m_k: class means, S_k: class covariances (`divisor` n_k - 1 or n_k), P_k: class shares or `priors`;\n"
       "`pooling` blends S_k with the shared covariance, `shrinkage` with the mean of its diagonal,\n"
       "`identity` with the identity matrix.",
       false,
       true,
       [](std::string_view) -> ModelOptions { return Qda{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"pooling", {"0", "0.3"}}, {"shrinkage", {"0", "0.1"}}};
       },
       Effort::one_pass},
      {"fisher",
       {},
       "Fisher's discriminant: classes told apart in the directions that separate them most",
       "J(v) = v' B v / v' S v -> max: at most K - 1 directions v of B v = lambda S v, v' S v = 1\n"
       "S: covariance within the classes, B: between their means; z = V (x - m)\n"
       "g_k(x) = -1/2 |z - z_k|^2 + log P_k, the nearest class mean with `priors` equal.",
       false,
       true,
       [](std::string_view) -> ModelOptions { return Fisher{}; },
       nullptr,
       Effort::one_pass},
      {"naive-bayes",
       {},
       "Naive Bayes: a density a feature, independent within a class",
       "g_k(x) = log P_k + sum_j log p_kj(x_j)\n"
       "p: gaussian, bernoulli, categorical, multinomial, complement or a kernel estimate (kde), chosen by\n"
       "the column: text is categorical, 0 and 1 Bernoulli, sparse counts multinomial, the rest Gaussian;\n"
       "`density` multinomial sets all, `density` age=kde,sex=bernoulli some.",
       false,
       true,
       [](std::string_view) -> ModelOptions { return NaiveBayes{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"variance-smoothing", {"1e-9", "0.001", "0.1"}}};
       },
       Effort::one_pass},
      {"mlp",
       {},
       "Multilayer perceptron: layers of units, learned by back-propagation",
       "g(x) = W_L y_(L-1) + b_L,   y_l = f(W_l y_(l-1) + b_l),   y_0 = the standardised features\n"
       "minimise  sum_i s_i L(g(x_i), y_i) + l2/2 sum_l |W_l|^2,   L: cross-entropy or 1/2 |y - p|^2;\n"
       "f: relu, tanh, logistic or linear; P(k | x) = p_k is logistic or softmax of g. Not convex: the\n"
       "solution is a stationary point, `restarts` tries several.",
       true,
       true,
       [](std::string_view) -> ModelOptions { return Mlp{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"layers", {"20"}}, {"solver", {"lbfgs"}}, {"max-iter", {"100"}}, {"l2", {"1", "10"}}};
       }},
      {"rbf-network",
       {},
       "Radial basis function network: units that answer to nearness, and linear scores of them",
       "g(x) = sum_m w_m phi(|u - c_m|) + b,   phi(r) = exp(-r^2 / (2 s_m^2)) or s_m^2 / (s_m^2 + r^2)\n"
       "u: standardised features; centres c at random rows, by k-means, by EM, or chosen one by one (ols);\n"
       "weights by ridge least squares, or with `loss` logistic by logistic regression (and then with\n"
       "probabilities).",
       true,
       false,
       [](std::string_view) -> ModelOptions { return RbfNetwork{}; },
       [](std::string_view) -> std::vector<GridAxis> {
         return {{"centers", {"20", "50", "100"}}};
       }},
  });
  return table;
}

const ModelEntry& find_model(std::string_view name, std::string_view flag) {
  for (const auto& entry : models())
    if (entry.name == name ||
        std::find(entry.aliases.begin(), entry.aliases.end(), name) != entry.aliases.end())
      return entry;
  std::vector<std::string_view> names;
  for (const auto& entry : models()) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  }
  throw Error(Code::usage, fmt::format("{}: expected one of {}, got '{}'", flag, join(names, ", "), name));
}

const ModelEntry& entry_of(const ModelOptions& options) {
  const auto has_them = [&](const ModelEntry& entry) {
    return entry.make(entry.name).index() == options.index();
  };
  return *std::find_if(models().begin(), models().end(), has_them);
}

bool continues(const ModelOptions& options) {
  return std::visit(
      []<class O>(const O&) {
        return requires { O::continues; };
      },
      options);
}

void check_continues(std::string_view model, const ModelOptions& options) {
  if (continues(options)) return;
  std::vector<std::string_view> names;
  for (const auto& entry : models())
    if (continues(entry.make(entry.name))) names.push_back(entry.name);
  throw Error(Code::usage,
              fmt::format("the model {} leaves no statistics to continue from: its fit needs all rows again; "
                          "those that do are {}",
                          model, join(names, ", ")));
}

bool starts(const ModelOptions& options) {
  return std::visit(
      []<class O>(const O&) {
        return requires { O::starts; };
      },
      options);
}

FitSettings fitted_settings(const Model& before) {
  if (before.reduction)
    throw Error(Code::usage,
                "`continue`: the model has several machines or a calibration, which cannot go on");
  FitSettings settings;
  settings.options = find_model(before.name).make(before.name);
  for (const auto& [name, value] : before.options) set_option(settings.options, name, value);
  settings.task = before.task;
  settings.target = before.target;
  if (before.classes.size() == 2)
    settings.positive = before.classes[static_cast<std::size_t>(before.positive)];
  settings.standardize = before.standardized;
  settings.encode = settings.impute = true;
  settings.before = &before;
  return settings;
}

namespace {

// Why a fit cannot start at the weights of the model; empty: it can.
std::string no_start(const Model& before, const ModelOptions& options) {
  if (std::holds_alternative<RbfNetwork>(options))
    return "the centres of an rbf-network belong to the rows that it was fitted to; with `basis` "
           "rbf:N:kmeans, `model` ridge and `keep_statistics` the centres stay and the weights go on";
  if (continues(options) && (!starts(options) || before.summary.solver == "closed-form"))
    return "the model has no statistics to go on from; fit it with `keep_statistics`";
  if (const auto* svm = std::get_if<Svm>(&options); svm != nullptr && svm->loss == SvmLoss::hinge)
    return "the hinge is solved in its dual, a number for every row, which the model does not have; `loss` "
           "squared-hinge starts at weights, and `solver` sgd goes on row by row";
  if (const auto* logistic = std::get_if<Logistic>(&options); logistic != nullptr && logistic->firth)
    return "Firth's correction is a fit of all rows that always starts at zero; fit them together";
  if (!starts(options)) return fmt::format("the fit of the model {} needs all rows again", before.name);
  return "";
}

// What of the options was for the start alone.
void forget_start(ModelOptions& options) {
  if (auto* mlp = std::get_if<Mlp>(&options)) {
    mlp->weights = Mlp{}.weights;
    mlp->restarts = 1;
  }
}

}  // namespace

FitSettings settings_of(const Model& before) {
  FitSettings settings = fitted_settings(before);
  settings.keep_statistics = !before.statistics.empty();
  if (!settings.warm_start()) {
    check_continues(before.name, settings.options);
    return settings;
  }
  const std::string reason = no_start(before, settings.options);
  if (!reason.empty()) throw Error(Code::usage, "`continue`: " + reason);
  forget_start(settings.options);
  return settings;
}

void check_decidable(std::string_view model, Task task, bool probabilities, const DecisionOptions& decision) {
  if (decision.empty()) return;
  if (task == Task::regression)
    throw Error(Code::usage, fmt::format("{}: a regression decides nothing", options_set(decision)));
  if (probabilities) return;
  std::vector<std::string_view> names;
  for (const auto& entry : models())
    if (entry.probabilities) names.push_back(entry.name);
  throw Error(Code::usage, fmt::format("{}: the model {} has no probabilities to decide by; `calibrate` "
                                       "gives it some, or fit one of those that have: {}",
                                       options_set(decision), model, join(names, ", ")));
}

std::vector<FieldInfo> fields_of(const ModelOptions& options) {
  return std::visit([](const auto& o) { return list_fields(o); }, options);
}

void set_option(ModelOptions& options, std::string_view name, std::string_view text) {
  if (std::visit([&](auto& o) { return set_field(o, name, text); }, options)) return;
  std::vector<std::string> names;
  for (const auto& field : fields_of(options)) names.push_back(option_name(field.name));
  throw Error(Code::usage, fmt::format("{} is not an option of this model, which has {}", option_name(name),
                                       join(names, ", ")));
}

ModelOptions with_point(ModelOptions options, const GridPoint& point) {
  for (const auto& [name, value] : point) set_option(options, name, value);
  return options;
}

std::string_view loss_of(const ModelOptions& options) {
  return std::visit(
      []<class O>(const O& o) -> std::string_view {
        if constexpr (std::is_same_v<O, Svm>)
          return value_names(o.loss)[static_cast<std::size_t>(o.loss)];
        else if constexpr (std::is_same_v<O, LeastSquares> || std::is_same_v<O, HoKashyap>)
          return "squared";
        else if constexpr (std::is_same_v<O, Perceptron> || std::is_same_v<O, KernelPerceptron>)
          return "perceptron";
        else
          return "logistic";
      },
      options);
}

bool every_level(const ModelOptions& options) {
  return std::visit(
      []<class O>(const O& o) {
        if constexpr (requires { o.l1; })
          return o.l1 > 0 || o.l2 > 0;
        else if constexpr (requires { O::every_level; })
          return O::every_level;
        else
          return false;
      },
      options);
}

bool has_inference(const ModelOptions& options) {
  return std::holds_alternative<Logistic>(options) || std::holds_alternative<LeastSquares>(options);
}

}  // namespace discern
