#include "discern/optim/problem/function.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "discern/optim/stochastic/prefetch.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// Rows of a group: they and what is computed from them stay in the first-level cache (in the second where
// rows are long), which makes a pass read the data from memory once.
Index group_rows(const Problem& problem) {
  if (problem.source->sparse()) return 16;
  return problem.scores > 1 ? 128 : std::clamp<Index>(8192 / problem.width(), 32, 256);
}

template <class T>
DenseRows<T> part_of(const DenseRows<T>& rows, Index first, Index count) {
  return {rows.values + first * rows.cols, count, rows.cols};
}
template <class T>
SparseRows<T> part_of(const SparseRows<T>& rows, Index first, Index count) {
  return {rows.values, rows.columns, rows.starts + first, count, rows.cols};
}

// Rows first, ..., first + count - 1 of a block.
Block part_of(const Block& block, Index first, Index count) {
  const auto cut = [&](auto items) {
    return items.empty() ? items
                         : items.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  return {std::visit([&](const auto& x) -> Rows { return part_of(x, first, count); }, block.x),
          block.first + first, cut(block.labels), cut(block.targets), cut(block.weights)};
}

// Rows need not be scaled when the weights are, once a pass (in_data_units): always so for sparse rows. For
// dense ones of one score it saves a copy of the data a pass; several scores are faster as a matrix product
// of a copy. Far from zero the copy also saves digits, about as many as center / scale has.
bool in_place(const Problem& problem) {
  if (problem.source->sparse()) return true;
  if (problem.scores > 1) return false;
  const Scaling& scaling = problem.scaling;
  return scaling.center.size() == 0 ||
         (scaling.center.array() / scaling.scale.array()).abs().maxCoeff() < 1e3;
}

// Products of the scaled rows [1 Z] of a group with matrices.
class Group {
 public:
  void load(const Problem& problem, const Block& rows, bool copy) {
    problem_ = &problem;
    rows_ = &rows.x;
    copy_ = copy;
    if (copy) dense_rows(rows.x, problem.scaling.center, problem.scaling.scale, dense_);
  }

  // `factors`: what the scores of the rows, one each, will be multiplied by, or null. Beyond the margin of a hinge
  // that is zero, and the score is not computed but zero.
  void multiply(const RowMajor& weights, RowMajor& scores, const double* factors = nullptr) const {
    if (copy_) {
      scores.noalias() = dense_ * weights.bottomRows(problem_->features());
      if (problem_->bias) scores.rowwise() += weights.row(0);
      return;
    }
    std::visit([&](const auto& rows) { multiply_rows(rows, weights, scores, factors); }, *rows_);
  }

  // sum += [1 Z]' factors
  void add_transposed(const RowMajor& factors, RowMajor& sum) const {
    if (problem_->bias) sum.row(0) += factors.colwise().sum();
    if (copy_) {
      sum.bottomRows(problem_->features()).noalias() += dense_.transpose() * factors;
      return;
    }
    std::visit([&](const auto& rows) { add_rows(rows, factors, sum); }, *rows_);
  }

  // sum += [1 Z^2]' factors, with every entry squared
  void add_squares(const RowMajor& factors, RowMajor& sum) {
    if (problem_->bias) sum.row(0) += factors.colwise().sum();
    if (copy_) {
      dense_.array() *= dense_.array();
      sum.bottomRows(problem_->features()).noalias() += dense_.transpose() * factors;
      return;
    }
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i)
            for_each(rows.row(i), [&](Index j, double v) { add_scaled(v * v, factors, i, sum, j + 1); });
        },
        *rows_);
  }

 private:
  // Row `to_row` of one matrix += a times row `from_row` of another.
  static void add_scaled(double a, const RowMajor& from, Index from_row, RowMajor& to, Index to_row) {
    const double* x = from.data() + from_row * from.cols();
    double* y = to.data() + to_row * to.cols();
    for (Index s = 0; s < from.cols(); ++s) y[s] += a * x[s];
  }
  template <class R>
  void multiply_rows(const R& rows, const RowMajor& weights, RowMajor& scores, const double* factors) const {
    scores.resize(rows.rows, weights.cols());
    const double bias = problem_->bias ? 1.0 : 0.0;
    if (weights.cols() == 1) {
      for (Index i = 0; i < rows.rows; ++i) {
        if (factors != nullptr && factors[i] == 0) {
          scores(i, 0) = 0;
          continue;
        }
        ask_ahead(rows.row(i));
        scores(i, 0) = bias * weights(0, 0) + dot(rows.row(i), weights.data() + 1);
      }
      return;
    }
    for (Index i = 0; i < rows.rows; ++i) {
      scores.row(i) = bias * weights.row(0);
      const auto row = rows.row(i);
      for_each(row, [&, k = Index{0}](Index j, double v) mutable {
        ask_ahead(row, k++, weights);
        add_scaled(v, weights, j + 1, scores, i);
      });
    }
  }

  template <class R>
  void add_rows(const R& rows, const RowMajor& factors, RowMajor& sum) const {
    if (factors.cols() == 2) return add_rows_twice(rows, factors, sum);
    if (factors.cols() == 1) {
      add_single(rows, factors, sum.data() + 1);
      return;
    }
    for (Index i = 0; i < rows.rows; ++i) {
      const auto row = rows.row(i);
      for_each(row, [&, k = Index{0}](Index j, double v) mutable {
        ask_ahead(row, k++, sum);
        add_scaled(v, factors, i, sum, j + 1);
      });
    }
  }
  // Two factors a row: both sums of a feature lie side by side and are taken together.
  template <class R>
  void add_rows_twice(const R& rows, const RowMajor& factors, RowMajor& sum) const {
    using Pair = double __attribute__((vector_size(16)));
    for (Index i = 0; i < rows.rows; ++i) {
      const Pair both{factors(i, 0), factors(i, 1)};
      for_each(rows.row(i), [&, to = sum.data() + 2](Index j, double v) {
        Pair s;
        std::memcpy(&s, to + 2 * j, sizeof s);
        s += both * v;
        std::memcpy(to + 2 * j, &s, sizeof s);
      });
    }
  }
  template <class T>
  static void add_single(const SparseRows<T>& rows, const RowMajor& factors, double* sum) {
    for (Index i = 0; i < rows.rows; ++i)
      if (factors(i, 0) != 0) axpy(factors(i, 0), rows.row(i), sum);
  }
  // Four rows at a time: the sum, which is as long as a row, is fetched and stored a quarter as often.
  template <class T>
  static void add_single(const DenseRows<T>& rows, const RowMajor& factors, double* sum) {
    const T* four[4];
    double a[4];
    int count = 0;
    for (Index i = 0; i < rows.rows; ++i) {
      if (factors(i, 0) == 0) continue;
      four[count] = rows.row(i).values;
      a[count] = factors(i, 0);
      if (++count < 4) continue;
      add_four(a, four, rows.cols, sum);
      count = 0;
    }
    for (int k = 0; k < count; ++k) axpy(a[k], DenseRow<T>{four[k], rows.cols}, sum);
  }
  template <class T>
  static void add_four(const double* a, const T* const* rows, Index size, double* sum) {
    lanes::Double4 x0, x1, x2, x3, s;
    Index j = 0;
    for (; j + 4 <= size; j += 4) {
      lanes::load(rows[0] + j, x0), lanes::load(rows[1] + j, x1);
      lanes::load(rows[2] + j, x2), lanes::load(rows[3] + j, x3);
      lanes::load(sum + j, s);
      lanes::store(sum + j, s + ((a[0] * x0 + a[1] * x1) + (a[2] * x2 + a[3] * x3)));
    }
    for (; j < size; ++j)
      for (int k = 0; k < 4; ++k) sum[j] += a[k] * static_cast<double>(rows[k][j]);
  }
  // Entries of rows that follow: the processor's own guess ends with the row.
  template <class T>
  [[gnu::always_inline]] static void ask_ahead(const SparseRow<T>& row) {
    constexpr Index ahead = 512;
    prefetch(SparseRow<T>{row.values + ahead, row.columns + ahead, row.size});
  }
  template <class T>
  [[gnu::always_inline]] static void ask_ahead(const DenseRow<T>&) {}
  // The rows of a matrix that the entries of a sparse row will need soon lie anywhere in it.
  template <class T>
  [[gnu::always_inline]] static void ask_ahead(const SparseRow<T>& row, Index k, const RowMajor& matrix) {
    constexpr Index ahead = 6;
    if (k + ahead < row.size)
      prefetch(matrix.data() + (static_cast<Index>(row.columns[k + ahead]) + 1) * matrix.cols(),
               static_cast<std::size_t>(matrix.cols()) * sizeof(double));
  }
  template <class T>
  [[gnu::always_inline]] static void ask_ahead(const DenseRow<T>&, Index, const RowMajor&) {}

  const Problem* problem_ = nullptr;
  const Rows* rows_ = nullptr;
  bool copy_ = false;
  RowMajor dense_;
};

RowMajor as_matrix(const Problem& problem, const Eigen::VectorXd& point) {
  return Eigen::Map<const RowMajor>(point.data(), problem.width(), problem.scores);
}

// The weights of unscaled features when those are what the groups multiply with.
RowMajor in_data_units(const Problem& problem, const Eigen::VectorXd& point) {
  RowMajor weights = as_matrix(problem, point);
  if (!in_place(problem)) return weights;
  weights.bottomRows(problem.features()).array().colwise() /= problem.scaling.scale.array();
  if (problem.scaling.center.size() > 0)
    weights.row(0) -= problem.scaling.center.transpose() * weights.bottomRows(problem.features());
  return weights;
}

// What all passes share: the groups of a block, and a sum of the size of a point.
class Pass {
 public:
  explicit Pass(const Problem& problem) : Pass(problem, problem.scores) {}
  Pass(const Problem& problem, Index factors)
      : problem_(&problem), copy_(!in_place(problem)), columns_(factors) {}
  double bytes() const { return 8.0 * static_cast<double>(problem_->width() * columns_); }

 protected:
  template <class Each>
  void for_groups(const Block& block, Each&& each) {
    const Index size = group_rows(*problem_), rows = block.rows();
    for (Index first = 0; first < rows; first += size) {
      const Block part = part_of(block, first, std::min(size, rows - first));
      group_.load(*problem_, part, copy_);
      each(part);
    }
  }
  // The sum's memory is taken when it is first needed, by the thread that fills it.
  RowMajor& sum() {
    if (sum_.size() == 0) sum_.setZero(problem_->width(), columns_);
    return sum_;
  }
  void merge_sum(const Pass& other) {
    if (other.sum_.size() > 0) sum() += other.sum_;
  }
  // The sum in scaled units; `power` 2 for sums of squares.
  Eigen::VectorXd scaled_sum(int power) const {
    const RowMajor result = scaled_matrix(power);
    return Eigen::Map<const Eigen::VectorXd>(result.data(), result.size());
  }
  RowMajor scaled_matrix(int power) const {
    RowMajor result = sum_;
    if (!copy_) {
      auto features = result.bottomRows(problem_->features());
      if (problem_->scaling.center.size() > 0) features -= problem_->scaling.center * result.row(0);
      for (int k = 0; k < power; ++k) features.array().colwise() /= problem_->scaling.scale.array();
    }
    return result;
  }

  const Problem* problem_;
  bool copy_;  // scale the rows instead of the weights
  Group group_;
  RowMajor factors_;

 private:
  Index columns_;  // of the sum: factors that a row has
  RowMajor sum_;
};

class EvaluationPass : public Pass {
 public:
  // `weights`: null where the scores are known already.
  EvaluationPass(const Problem& problem, const RowMajor* weights, RowMajor& scores, RowMajor& curvature)
      : Pass(problem), weights_(weights), scores_(&scores), curvature_(&curvature) {}
  void add(const Block& block) {
    for_groups(block, [&](const Block& part) {
      if (weights_ == nullptr) {
        factors_ = scores_->middleRows(part.first, part.rows());
      } else {
        group_.multiply(*weights_, factors_);
        scores_->middleRows(part.first, factors_.rows()) = factors_;
      }
      value_ += row_losses(*problem_, part, factors_, &group_curvature_);
      slopes_ += factors_.cwiseAbs().sum();
      curvature_->middleRows(part.first, factors_.rows()) = group_curvature_;
      group_.add_transposed(factors_, sum());
    });
  }
  void merge(const EvaluationPass& other) {
    value_ += other.value_;
    slopes_ += other.slopes_;
    merge_sum(other);
  }
  Evaluation result() const { return {value_, scaled_sum(1), slopes_}; }

 private:
  const RowMajor* weights_;
  RowMajor *scores_, *curvature_;
  RowMajor group_curvature_;
  double value_ = 0, slopes_ = 0;
};

// As EvaluationPass without what it keeps of every row; in the right half of the columns the gradient at
// zero.
class EvaluationWithZeroPass : public Pass {
 public:
  EvaluationWithZeroPass(const Problem& problem, const RowMajor& weights)
      : Pass(problem, 2 * problem.scores),
        weights_(&weights),
        own_at_zero_(slope_at_zero(problem.loss, 1)),
        other_at_zero_(slope_at_zero(problem.loss, problem.negative)) {}
  void add(const Block& block) {
    const Index scores = problem_->scores;
    for_groups(block, [&](const Block& part) {
      group_.multiply(*weights_, slopes_);
      value_ += row_losses(*problem_, part, slopes_, nullptr);
      factors_.resize(part.rows(), 2 * scores);
      factors_.leftCols(scores) = slopes_;
      size_ += slopes_.cwiseAbs().sum();
      set_slopes_at_zero(part);
      factors_.rightCols(scores) = slopes_;
      size_at_zero_ += slopes_.cwiseAbs().sum();
      group_.add_transposed(factors_, sum());
    });
  }
  void merge(const EvaluationWithZeroPass& other) {
    value_ += other.value_;
    size_ += other.size_;
    size_at_zero_ += other.size_at_zero_;
    merge_sum(other);
  }
  EvaluationWithZero result() const {
    const auto flat = [](const RowMajor& m) -> Eigen::VectorXd {
      return Eigen::Map<const Eigen::VectorXd>(m.data(), m.size());
    };
    const RowMajor both = scaled_matrix(1);
    return {{value_, flat(both.leftCols(problem_->scores)), size_},
            flat(both.rightCols(problem_->scores)),
            size_at_zero_};
  }

 private:
  static double slope_at_zero(const Loss& loss, double y) {
    return std::visit(
        [&]<class L>(L) {
          if constexpr (std::is_same_v<L, SoftmaxLoss>)
            return 0.0;
          else
            return L::at(0, y).slope;
        },
        loss);
  }
  // One score of two sides has two slopes at zero, which need not be computed for every row.
  void set_slopes_at_zero(const Block& part) {
    slopes_.setZero(part.rows(), problem_->scores);
    if (problem_->softmax() || part.labels.empty()) {
      row_losses(*problem_, part, slopes_, nullptr);
      return;
    }
    for (Index i = 0; i < part.rows(); ++i) {
      const bool own = part.labels[static_cast<std::size_t>(i)] == problem_->positive;
      slopes_(i, 0) = part.weight(i) * (own ? own_at_zero_ : other_at_zero_);
    }
  }

  const RowMajor* weights_;
  double own_at_zero_, other_at_zero_;
  RowMajor slopes_;
  double value_ = 0;
  double size_ = 0, size_at_zero_ = 0;  // of the slopes
};

class CurvaturePass : public Pass {
 public:
  CurvaturePass(const Problem& problem, const RowMajor& weights, const RowMajor& curvature, RowMajor* change)
      : Pass(problem), weights_(&weights), curvature_(&curvature), change_(change) {}
  void add(const Block& block) {
    for_groups(block, [&](const Block& part) {
      const bool single = problem_->scores == 1 && change_ == nullptr;
      group_.multiply(*weights_, factors_, single ? curvature_->data() + part.first : nullptr);
      if (change_ != nullptr) change_->middleRows(part.first, factors_.rows()) = factors_;
      times_curvature(*problem_, part, curvature_->middleRows(part.first, factors_.rows()), factors_);
      group_.add_transposed(factors_, sum());
    });
  }
  void merge(const CurvaturePass& other) { merge_sum(other); }
  Eigen::VectorXd result() const { return scaled_sum(1); }

 private:
  const RowMajor* weights_;
  const RowMajor* curvature_;
  RowMajor* change_;
};

class DiagonalPass : public Pass {
 public:
  DiagonalPass(const Problem& problem, const RowMajor& curvature) : Pass(problem), curvature_(&curvature) {
    copy_ = !problem.source->sparse();
  }
  void add(const Block& block) {
    for_groups(block, [&](const Block& part) {
      factors_ = curvature_->middleRows(part.first, part.rows());
      if (problem_->softmax())
        for (Index i = 0; i < factors_.rows(); ++i)
          factors_.row(i).array() *= (1 - factors_.row(i).array()) * part.weight(i);
      group_.add_squares(factors_, sum());
    });
  }
  void merge(const DiagonalPass& other) { merge_sum(other); }
  Eigen::VectorXd result() const { return scaled_sum(2); }

 private:
  const RowMajor* curvature_;
};

class TransposedPass : public Pass {
 public:
  TransposedPass(const Problem& problem, const RowMajor& factors) : Pass(problem), all_(&factors) {}
  void add(const Block& block) {
    for_groups(block, [&](const Block& part) {
      factors_ = all_->middleRows(part.first, part.rows());
      group_.add_transposed(factors_, sum());
    });
  }
  void merge(const TransposedPass& other) { merge_sum(other); }
  Eigen::VectorXd result() const { return scaled_sum(1); }

 private:
  const RowMajor* all_;
};

class ScoresPass : public Pass {
 public:
  ScoresPass(const Problem& problem, const RowMajor& weights, RowMajor& scores)
      : Pass(problem), weights_(&weights), scores_(&scores) {}
  void add(const Block& block) {
    for_groups(block, [&](const Block& part) {
      group_.multiply(*weights_, factors_);
      scores_->middleRows(part.first, factors_.rows()) = factors_;
    });
  }
  void merge(const ScoresPass&) {}

 private:
  const RowMajor* weights_;
  RowMajor* scores_;
};

// Labels, targets and weights, so that losses can be computed from scores alone.
class AnswersPass {
 public:
  explicit AnswersPass(Targets& answers) : answers_(&answers) {}
  void add(const Block& block) {
    const auto at = [&](auto& items) { return items.begin() + block.first; };
    if (!block.labels.empty()) std::copy(block.labels.begin(), block.labels.end(), at(answers_->labels));
    if (!block.targets.empty()) std::copy(block.targets.begin(), block.targets.end(), at(answers_->values));
    if (!block.weights.empty()) std::copy(block.weights.begin(), block.weights.end(), at(answers_->weights));
  }
  void merge(const AnswersPass&) {}
  double bytes() const { return 0; }

 private:
  Targets* answers_;
};

// Sums over fixed chunks of rows that have no features any more.
constexpr Index chunk_rows = 8192;

Block answers_of_rows(const Targets& answers, Index first, Index count) {
  const auto rows = static_cast<Index>(std::max(answers.labels.size(), answers.values.size()));
  const Block all{DenseRows<double>{nullptr, rows, 0}, 0, answers.labels, answers.values, answers.weights};
  return part_of(all, first, count);
}

template <class Each>
double sum_over_chunks(const Targets& answers, Index rows, Each&& each) {
  const Index chunks = (rows + chunk_rows - 1) / chunk_rows;
  std::vector<double> sums(static_cast<std::size_t>(chunks));
  parallel_for(chunks, [&](Index k) {
    const Index first = k * chunk_rows;
    sums[static_cast<std::size_t>(k)] =
        each(answers_of_rows(answers, first, std::min(chunk_rows, rows - first)));
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

void add_l2(const Problem& problem, const Eigen::VectorXd& point, Evaluation& at) {
  for (Index j = 0; j < problem.width(); ++j)
    for (Index s = j * problem.scores; s < (j + 1) * problem.scores; ++s)
      at.value += 0.5 * problem.l2[j] * point[s] * point[s];
  add_l2_gradient(problem, point, at.gradient);
}

// Leaves a row of softmax the classes with slopes that are not flat, as if there were no others: its slopes
// still sum to zero and its probabilities to one, or what moves all scores of the others alike, and so
// changes nothing, would seem to.
template <class Slopes, class Probabilities>
void drop_flat_classes(double flat, std::int32_t y, Slopes& slopes, Probabilities& p) {
  for (Index k = 0; k < slopes.size(); ++k)
    if (k != y && std::fabs(slopes[k]) < flat) slopes[k] = p[k] = 0;
  slopes[y] = 0;
  slopes[y] = -slopes.sum();
  p /= p.sum();
}

}  // namespace

EvaluationWithZero evaluate_with_zero(const Problem& problem, const Eigen::VectorXd& point) {
  const RowMajor weights = in_data_units(problem, point);
  EvaluationWithZero result = fold(*problem.source, EvaluationWithZeroPass(problem, weights)).result();
  add_l2(problem, point, result.at);
  return result;
}

Targets answers_of(const Source& source) {
  Scratch scratch;
  const Block first = source.block(0, scratch);
  const auto rows = static_cast<std::size_t>(source.rows());
  Targets answers;
  if (!first.labels.empty()) answers.labels.resize(rows);
  if (!first.targets.empty()) answers.values.resize(rows);
  if (!first.weights.empty()) answers.weights.resize(rows);
  fold(source, AnswersPass(answers));
  return answers;
}

LinearFunction::LinearFunction(const Problem& problem)
    : problem_(&problem), answers_(answers_of(*problem.source)) {
  scores_.resize(problem.source->rows(), problem.scores);
  curvature_.resize(problem.source->rows(), problem.scores);
}

Evaluation LinearFunction::evaluate(const Eigen::VectorXd& point, const Monitor& monitor) {
  if (point.isZero(0))  // where most fits begin
    return evaluate(point, RowMajor::Zero(scores_.rows(), scores_.cols()), monitor);
  const RowMajor weights = in_data_units(*problem_, point);
  return evaluated(point, &weights, monitor);
}

Evaluation LinearFunction::evaluate(const Eigen::VectorXd& point, RowMajor scores, const Monitor& monitor) {
  scores_ = std::move(scores);
  return evaluated(point, nullptr, monitor);
}

Evaluation LinearFunction::evaluated(const Eigen::VectorXd& point, const RowMajor* weights,
                                     const Monitor& monitor) {
  Evaluation result =
      fold(*problem_->source, EvaluationPass(*problem_, weights, scores_, curvature_), monitor).result();
  add_l2(*problem_, point, result);
  return result;
}

void LinearFunction::set_rows(RowMajor scores, RowMajor curvature) {
  scores_ = std::move(scores);
  curvature_ = std::move(curvature);
}

Block LinearFunction::answers(Index first, Index count) const {
  return answers_of_rows(answers_, first, count);
}

Eigen::VectorXd LinearFunction::hessian_times(const Eigen::VectorXd& vector, RowMajor* change,
                                              const Monitor& monitor) const {
  const RowMajor weights = in_data_units(*problem_, vector);
  if (change != nullptr) change->resize(scores_.rows(), scores_.cols());
  Eigen::VectorXd result =
      fold(*problem_->source, CurvaturePass(*problem_, weights, curvature_, change), monitor).result();
  add_l2_gradient(*problem_, vector, result);
  return result;
}

Eigen::VectorXd LinearFunction::hessian_diagonal(const Monitor& monitor) const {
  Eigen::VectorXd result = fold(*problem_->source, DiagonalPass(*problem_, curvature_), monitor).result();
  add_l2_gradient(*problem_, Eigen::VectorXd::Ones(size()), result);
  return result;
}

double LinearFunction::mean_curvature() const {
  if (!problem_->softmax()) return curvature_.sum();
  const Eigen::VectorXd rows = (1 - curvature_.array().square().rowwise().sum()).matrix();  // sum p (1 - p)
  const auto& weights = answers_.weights;
  const double sum =
      weights.empty() ? rows.sum() : rows.dot(Eigen::Map<const Eigen::VectorXd>(weights.data(), rows.size()));
  return sum / static_cast<double>(problem_->scores);
}

RowMajor LinearFunction::drop_flat_rows(double flat) {
  RowMajor all = scores_;
  sum_over_chunks(answers_, scores_.rows(), [&](const Block& part) {
    RowMajor slopes = scores_.middleRows(part.first, part.rows());
    row_losses(*problem_, part, slopes, nullptr);
    for (Index i = 0; i < slopes.rows(); ++i) {
      const double least = flat * part.weight(i);
      auto row = slopes.row(i);
      auto curvature = curvature_.row(part.first + i);
      if (problem_->softmax())
        drop_flat_classes(least, part.labels[static_cast<std::size_t>(i)], row, curvature);
      else if (std::fabs(row[0]) < least)
        row[0] = curvature[0] = 0;
    }
    all.middleRows(part.first, part.rows()) = slopes;
    return 0.0;
  });
  return all;
}

RowMajor LinearFunction::make_cautious() {
  RowMajor exact = curvature_;
  sum_over_chunks(answers_, scores_.rows(), [&](const Block& part) {
    cautious_curvature(*problem_, part, scores_.middleRows(part.first, part.rows()),
                       curvature_.middleRows(part.first, part.rows()));
    return 0.0;
  });
  return exact;
}

RowMajor LinearFunction::scores_of(const Eigen::VectorXd& point, const Monitor& monitor) const {
  const RowMajor weights = in_data_units(*problem_, point);
  RowMajor scores(scores_.rows(), scores_.cols());
  fold(*problem_->source, ScoresPass(*problem_, weights, scores), monitor);
  return scores;
}

Eigen::VectorXd LinearFunction::transposed_times(const RowMajor& factors, const Monitor& monitor) const {
  return fold(*problem_->source, TransposedPass(*problem_, factors), monitor).result();
}

double LinearFunction::value(const Eigen::VectorXd& point, const RowMajor& scores) const {
  const double loss = sum_over_chunks(answers_, scores.rows(), [&](const Block& part) {
    RowMajor slopes = scores.middleRows(part.first, part.rows());
    return row_losses(*problem_, part, slopes, nullptr);
  });
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(size());
  add_l2_gradient(*problem_, point, slope);
  return loss + 0.5 * slope.dot(point);
}

LinearFunction::OnLine LinearFunction::on_line(const Eigen::VectorXd& point, const RowMajor& scores,
                                               const Eigen::VectorXd& direction,
                                               const RowMajor& change) const {
  std::vector<double> slopes(static_cast<std::size_t>((scores.rows() + chunk_rows - 1) / chunk_rows));
  const double loss = sum_over_chunks(answers_, scores.rows(), [&](const Block& part) {
    RowMajor factors = scores.middleRows(part.first, part.rows());
    const double value = row_losses(*problem_, part, factors, nullptr);
    slopes[static_cast<std::size_t>(part.first / chunk_rows)] =
        factors.cwiseProduct(change.middleRows(part.first, part.rows())).sum();
    return value;
  });
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(size());
  add_l2_gradient(*problem_, point, gradient);
  OnLine result{loss + 0.5 * gradient.dot(point), gradient.dot(direction)};
  for (const double s : slopes) result.slope += s;
  return result;
}

}  // namespace discern
