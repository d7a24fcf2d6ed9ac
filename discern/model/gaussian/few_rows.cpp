#include "discern/model/gaussian/few_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;

// The rows twice, and their products four times, of which more than 8 GB would be a mistake.
constexpr double most_row_bytes = 8e9;

constexpr Index columns_at_once = 512;  // of all rows
constexpr Index tile_rows = 128;        // of a tile of products

void check_going_on(const Monitor& monitor) {
  if (!go_on(monitor, {.stage = "passing over the data"})) throw Error(Code::interrupted, "interrupted");
}

void load_rows(const Training& training, ClassRows& to) {
  const Source& source = training.source;
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    RowMajor part;
    const Block block = source.block(k, scratch);
    dense_rows(block.x, {}, {}, part);
    to.rows.middleRows(block.first, part.rows()) = part;
    for (Index i = 0; i < part.rows(); ++i) {
      to.labels[static_cast<std::size_t>(block.first + i)] = block.labels[static_cast<std::size_t>(i)];
      to.row_weights[block.first + i] = block.weight(i);
    }
  });
  for (Index i = 0; i < to.rows.rows(); ++i)
    to.weights[to.labels[static_cast<std::size_t>(i)]] += to.row_weights[i];
  to.roots = to.row_weights.cwiseSqrt();
}

// Some columns: their means, which are taken off, and their spread. Means are those of differences from the
// first row of a class, so that a column which is constant has exactly its value for a mean.
class CenteredColumns {
 public:
  CenteredColumns(ClassRows& whole, const std::vector<Index>& first_of_class, Index first, Index count)
      : whole_(&whole), first_of_class_(&first_of_class), first_(first), count_(count) {}

  void center(ClassRows::About about) {
    find_class_means();
    const RowVectorXd mean = find_mean();
    find_spread(mean);
    for (Index i = 0; i < whole_->rows.rows(); ++i) {
      if (about == ClassRows::About::mean)
        row(i) -= mean;
      else
        row(i) -= mean_of(label(i));
      row(i) *= whole_->roots[i];
    }
    for (Index k = 0; k < whole_->classes(); ++k) mean_of(k) -= mean;
  }
  // Bits beside one another in memory, so set by one thread.
  void set_constant() const {
    for (Index j = 0; j < count_; ++j)
      whole_->columns.one_value[static_cast<std::size_t>(first_ + j)] =
          constant_[static_cast<std::size_t>(j)];
  }

 private:
  Eigen::Block<RowMajor, 1> part(RowMajor& matrix, Index i) const {
    return matrix.block<1, Eigen::Dynamic>(i, first_, 1, count_);
  }
  Eigen::Block<RowMajor, 1> row(Index i) { return part(whole_->rows, i); }
  Eigen::Block<RowMajor, 1> mean_of(Index k) { return part(whole_->means, k); }
  Index label(Index i) const { return whole_->labels[static_cast<std::size_t>(i)]; }
  double weight(Index i) const { return whole_->row_weights[i]; }

  void find_class_means() {
    RowMajor pivots(whole_->classes(), count_);
    for (Index k = 0; k < whole_->classes(); ++k)
      pivots.row(k) = row((*first_of_class_)[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < whole_->rows.rows(); ++i)
      mean_of(label(i)) += weight(i) * (row(i) - pivots.row(label(i)));
    for (Index k = 0; k < whole_->classes(); ++k)
      mean_of(k) = pivots.row(k) + mean_of(k) / whole_->weights[k];
  }
  RowVectorXd find_mean() {
    const double all = whole_->weights.sum();
    RowVectorXd mean = mean_of(0);
    for (Index k = 1; k < whole_->classes(); ++k)
      mean += whole_->weights[k] / all * (mean_of(k) - mean_of(0));
    return mean;
  }
  void find_spread(const RowVectorXd& mean) {
    RowVectorXd low = row(0), high = low, squares = RowVectorXd::Zero(count_);
    for (Index i = 0; i < whole_->rows.rows(); ++i) {
      low = low.cwiseMin(row(i));
      high = high.cwiseMax(row(i));
      squares += weight(i) * (row(i) - mean).cwiseAbs2();
    }
    const RowVectorXd deviation = (squares / whole_->weights.sum()).cwiseSqrt();
    ColumnSummary& columns = whole_->columns;
    for (Index j = 0; j < count_; ++j) {
      columns.mean[first_ + j] = mean[j];
      // Squares below the range of double would make a column look constant that is not.
      columns.deviation[first_ + j] = deviation[j] > 0 ? deviation[j] : high[j] - low[j];
      constant_.push_back(low[j] == high[j]);
    }
  }

  ClassRows* whole_;
  const std::vector<Index>* first_of_class_;
  Index first_, count_;
  std::vector<bool> constant_;
};

void center_rows(ClassRows& all, ClassRows::About about, const Monitor& monitor) {
  std::vector<Index> first_of_class(static_cast<std::size_t>(all.classes()));
  for (Index i = all.rows.rows(); i-- > 0;)
    first_of_class[static_cast<std::size_t>(all.labels[static_cast<std::size_t>(i)])] = i;
  const Index d = all.rows.cols();
  std::vector<CenteredColumns> parts;
  for (Index first = 0; first < d; first += columns_at_once)
    parts.emplace_back(all, first_of_class, first, std::min(columns_at_once, d - first));
  check_going_on(monitor);
  parallel_for(static_cast<Index>(parts.size()),
               [&](Index p) { parts[static_cast<std::size_t>(p)].center(about); });
  for (const CenteredColumns& part : parts) part.set_constant();
}

// What the rows of each class are multiplied by, and what is added to the diagonal.
struct Blend {
  Vector factors;   // by class, of its scatter
  Vector diagonal;  // features
};

RowMajor rows_of_class(const ClassRows& all, Index k) {
  std::vector<Index> own;
  for (Index i = 0; i < all.rows.rows(); ++i)
    if (all.labels[static_cast<std::size_t>(i)] == k) own.push_back(i);
  return all.rows(own, Eigen::all);
}

// Of one class, with a share in the whole: S_k = Z'Z / n_k.
void add_class(const ClassRows& all, Index k, bool wolf, const Monitor& monitor, Blend& blend) {
  const double own = all.weights[k], share = own / all.weights.sum();
  const auto d = static_cast<double>(all.rows.cols());
  RowMajor z = rows_of_class(all, k);
  Vector units = Vector::Ones(z.cols());
  double fourth = 0;
  if (wolf) {
    units = (z.colwise().squaredNorm().transpose() / own).cwiseSqrt();
    units = (units.array() > 0).select(units, 1.0);
    z *= units.cwiseInverse().asDiagonal();
    for (Index i = 0, r = 0; i < all.rows.rows(); ++i) {
      if (all.labels[static_cast<std::size_t>(i)] != k) continue;
      const double size = z.row(r++).squaredNorm(), weight = all.row_weights[i];
      if (weight > 0) fourth += size * size / weight;
    }
  }
  const MatrixXd lower = row_products(z, monitor) / own;
  const MatrixXd products = lower.selfadjointView<Eigen::Lower>();
  const double trace = products.trace(), square = products.squaredNorm();
  const double g =
      wolf ? ledoit_wolf_amount(trace, square, d, own, fourth) : oas_amount(trace, square, d, own);
  blend.factors[k] = share * (1 - g) / own;
  blend.diagonal += share * g * trace / d * units.cwiseAbs2();
}

Blend blend_of(const ClassRows& all, const Shrinkage& shrinkage, Divisor divisor, const Monitor& monitor) {
  const Index d = all.rows.cols();
  const double n = all.weights.sum(), g = shrinkage.amount;
  Blend blend{Vector::Zero(all.classes()), Vector::Zero(d)};
  if (shrinkage.rule == Shrinkage::Rule::none) {
    blend.factors.setConstant(1 / (n - (divisor == Divisor::mle ? 0 : static_cast<double>(all.classes()))));
  } else if (shrinkage.rule == Shrinkage::Rule::fixed) {
    blend.factors.setConstant((1 - g) / n);
    blend.diagonal.setConstant(g * all.rows.squaredNorm() / n / static_cast<double>(d));
  } else {
    for (Index k = 0; k < all.classes(); ++k)
      add_class(all, k, shrinkage.rule == Shrinkage::Rule::ledoit_wolf, monitor, blend);
  }
  return blend;
}

// With A = U L^1/2 V' the pseudo-inverse of A'A is V L^-1 V' = A'U L^-2 U'A.
SemidefiniteSolution pseudo_inverse(const RowMajor& a, const MatrixXd& right, const Monitor& monitor) {
  const Spectrum all = spectrum(row_products(a, monitor));
  SemidefiniteSolution solution{{}, rank_of(all.values, a.cols()), 0, false};
  const auto u = all.vectors.leftCols(solution.rank);
  const Vector inverse = all.values.head(solution.rank).cwiseInverse();
  const MatrixXd coordinates = inverse.asDiagonal() * (u.transpose() * (a * right));
  const MatrixXd reached = a.transpose() * (u * coordinates);
  solution.x = a.transpose() * (u * (inverse.asDiagonal() * coordinates));
  const double size = reached.norm();
  if (size > 0) solution.residual = (a.transpose() * (a * solution.x) - reached).norm() / size;
  return solution;
}

// M x = m of M = A'A + Delta with a unit diagonal, with one step of refinement.
SemidefiniteSolution regular_inverse(const RowMajor& a, const Vector& delta, const MatrixXd& right,
                                     const Monitor& monitor) {
  const auto root = delta.cwiseSqrt().cwiseInverse().asDiagonal();
  const RowMajor b = a * root;
  MatrixXd products = row_products(b, monitor);
  products.diagonal().array() += 1;
  const Cholesky factor(products);
  const auto solve = [&](const MatrixXd& m) -> MatrixXd {
    const MatrixXd v = root * m;
    const MatrixXd w = factor.solve(MatrixXd(b * v));
    return root * (v - b.transpose() * w);
  };
  const auto left = [&](const MatrixXd& x) -> MatrixXd {
    return right - a.transpose() * (a * x) - delta.asDiagonal() * x;
  };
  SemidefiniteSolution solution{solve(right), a.cols(), 0, true};
  solution.x += solve(left(solution.x));
  const double size = right.norm();
  if (size > 0) solution.residual = left(solution.x).norm() / size;
  return solution;
}

}  // namespace

bool fewer_rows_than_features(const Training& training) {
  const Source& source = training.source;
  const auto n = static_cast<double>(source.rows()), d = static_cast<double>(source.cols());
  if (!(n < d) || training.wants_statistics() || 16 * n * d + 32 * n * n > most_row_bytes) return false;
  std::vector<bool> seen(static_cast<std::size_t>(training.classes));
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    for (Index i = 0; i < block.rows(); ++i)
      if (block.weight(i) > 0)
        seen[static_cast<std::size_t>(block.labels[static_cast<std::size_t>(i)])] = true;
  }
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

RowMajor ClassRows::class_means(const RowMajor& z) const {
  RowMajor result = RowMajor::Zero(classes(), z.cols());
  for (Index i = 0; i < z.rows(); ++i) result.row(labels[static_cast<std::size_t>(i)]) += roots[i] * z.row(i);
  return weights.cwiseInverse().asDiagonal() * result;
}

RowMajor ClassRows::within(const RowMajor& z) const {
  const RowMajor own = class_means(z);
  RowMajor result = z;
  for (Index i = 0; i < z.rows(); ++i)
    result.row(i) -= roots[i] * own.row(labels[static_cast<std::size_t>(i)]);
  return result;
}

ClassRows class_rows(const Training& training, ClassRows::About about) {
  const Index n = training.source.rows(), d = training.source.cols(), classes = training.classes;
  ClassRows all{RowMajor(n, d),
                std::vector<std::int32_t>(static_cast<std::size_t>(n)),
                Vector(n),
                {},
                Vector::Zero(classes),
                RowMajor::Zero(classes, d),
                {0, Vector(d), Vector(d), std::vector<bool>(static_cast<std::size_t>(d))}};
  check_going_on(training.monitor);
  load_rows(training, all);
  all.columns.weight = all.weights.sum();
  center_rows(all, about, training.monitor);
  return all;
}

MatrixXd row_products(const RowMajor& rows, const Monitor& monitor) {
  const Index n = rows.rows(), tiles = (n + tile_rows - 1) / tile_rows;
  MatrixXd products = MatrixXd::Zero(n, n);
  std::atomic<bool> stopped{false};
  parallel_for(tiles * (tiles + 1) / 2, [&](Index tile) {
    Index i = 0, j = tile;  // the tile's place in the lower triangle
    while (j > i) j -= ++i;
    if (stopped || !go_on(monitor, {.stage = "multiplying rows"})) {
      stopped = true;
      return;
    }
    const Index first = i * tile_rows, other = j * tile_rows;
    const Index height = std::min(tile_rows, n - first), width = std::min(tile_rows, n - other);
    products.block(first, other, height, width).noalias() =
        rows.middleRows(first, height) * rows.middleRows(other, width).transpose();
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  return products;
}

Index rank_of(const Vector& eigenvalues, Index size) {
  const double flat = eigenvalues.maxCoeff() * 1e-14 * static_cast<double>(size);
  return (eigenvalues.array() > flat).count();
}

RowSolution solve_among_rows(ClassRows& rows, const Shrinkage& shrinkage, Divisor divisor,
                             const Monitor& monitor) {
  constexpr double least_delta = 1e-10;  // beside the diagonal of S
  const Blend blend = blend_of(rows, shrinkage, divisor, monitor);
  RowMajor& a = rows.rows;
  for (Index i = 0; i < a.rows(); ++i)
    a.row(i) *= std::sqrt(blend.factors[rows.labels[static_cast<std::size_t>(i)]]);
  RowSolution result;
  result.diagonal = a.colwise().squaredNorm().transpose() + blend.diagonal;
  const Vector scale = (result.diagonal.array() > 0).select(result.diagonal.cwiseSqrt(), 1.0);
  const Vector delta = blend.diagonal.cwiseQuotient(scale.cwiseAbs2());
  const bool plain = shrinkage.rule == Shrinkage::Rule::none;
  if (!plain && !(delta.minCoeff() > least_delta)) return result;
  a *= scale.cwiseInverse().asDiagonal();
  const MatrixXd right = scale.cwiseInverse().asDiagonal() * rows.means.transpose();
  result.inverse = plain ? pseudo_inverse(a, right, monitor) : regular_inverse(a, delta, right, monitor);
  result.inverse.x = scale.cwiseInverse().asDiagonal() * result.inverse.x;
  result.solved = true;
  return result;
}

}  // namespace discern
