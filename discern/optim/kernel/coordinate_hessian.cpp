#include "discern/optim/kernel/coordinate_hessian.hpp"

#include <algorithm>
#include <cmath>

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class CoordinateHessian {
 public:
  CoordinateHessian(const Problem& problem, const RowMajor& curvature, const std::vector<Index>& coordinates)
      : problem_(&problem), curvature_(&curvature), coordinates_(&coordinates) {
    const auto size = static_cast<Index>(coordinates.size());
    h_.setZero(size, size);
    first_.assign(static_cast<std::size_t>(problem_->width()) + 1, 0);
    for (const Index c : coordinates) ++first_[static_cast<std::size_t>(c / problem_->scores) + 1];
    for (std::size_t j = 1; j < first_.size(); ++j) first_[j] += first_[j - 1];
  }

  void add(const Block& block) {
    std::visit(
        [&]<class R>(const R& rows) {
          if constexpr (requires { rows.starts; })
            add_sparse(rows, block);
          else if (problem_->softmax())
            add_softmax(block);
          else
            add_one_score(rows, block.first);
        },
        block.x);
  }
  void merge(const CoordinateHessian& other) { h_ += other.h_; }
  double bytes() const { return 8.0 * static_cast<double>(h_.size()); }
  MatrixXd result() const { return h_.selfadjointView<Eigen::Lower>(); }

 private:
  Index feature(Index k) const { return (*coordinates_)[static_cast<std::size_t>(k)] / problem_->scores; }
  Index score(Index k) const { return (*coordinates_)[static_cast<std::size_t>(k)] % problem_->scores; }

  // Dense rows of one score: sqrt(s L'') z of those that are curved, which may be few.
  template <class T>
  void add_one_score(const DenseRows<T>& rows, Index first) {
    const Scaling& scaling = problem_->scaling;
    const bool all = h_.rows() == problem_->width();  // no column has to be picked
    scaled_.resize(1, problem_->width());
    z_.resize(rows.rows, h_.rows());
    Index count = 0;
    for (Index i = 0; i < rows.rows; ++i) {
      const double curvature = (*curvature_)(first + i, 0);
      if (!(curvature > 0)) continue;
      const Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>> x(rows.row(i).values, rows.cols);
      auto z = scaled_.row(0).tail(rows.cols).array();
      z = x.template cast<double>();
      if (scaling.center.size() > 0) z -= scaling.center.transpose().array();
      if (scaling.scale.size() > 0) z /= scaling.scale.transpose().array();
      scaled_(0, 0) = 1;
      scaled_ *= std::sqrt(curvature);
      if (all)
        z_.row(count) = scaled_.row(0);
      else
        for (Index k = 0; k < z_.cols(); ++k) z_(count, k) = scaled_(0, feature(k));
      ++count;
    }
    if (count > 0) h_.selfadjointView<Eigen::Lower>().rankUpdate(z_.topRows(count).transpose());
  }

  // z of the coordinates of the rows that are curved, and where those rows are.
  std::vector<Index> load_curved(const Block& block) {
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, scaled_, 1);
    std::vector<Index> curved;
    for (Index i = 0; i < scaled_.rows(); ++i)
      if (is_curved(curvature_->row(block.first + i))) curved.push_back(i);
    z_.resize(static_cast<Index>(curved.size()), h_.rows());
    for (Index r = 0; r < z_.rows(); ++r)
      for (Index k = 0; k < z_.cols(); ++k)
        z_(r, k) = scaled_(curved[static_cast<std::size_t>(r)], feature(k));
    return curved;
  }
  // A row that is certain of its class is not.
  template <class P>
  static bool is_curved(const P& p) {
    return (p.array() > 0 && p.array() < 1).any();
  }

  void add_softmax(const Block& block) {
    const std::vector<Index> curved = load_curved(block);
    if (curved.empty()) return;
    VectorXd roots(z_.rows());  // of the weights
    for (Index r = 0; r < z_.rows(); ++r)
      roots[r] = std::sqrt(block.weight(curved[static_cast<std::size_t>(r)]));
    const RowMajor p = curvature_->middleRows(block.first, scaled_.rows())(curved, Eigen::all);
    // The part that couples classes is minus the square of the rows p z; the rest stays within a class.
    RowMajor y = z_;
    for (Index r = 0; r < y.rows(); ++r)
      for (Index k = 0; k < y.cols(); ++k) y(r, k) *= roots[r] * p(r, score(k));
    h_.selfadjointView<Eigen::Lower>().rankUpdate(y.transpose(), -1);
    for (Index a = 0; a < problem_->scores; ++a) {
      std::vector<Index> own;
      for (Index k = 0; k < h_.rows(); ++k)
        if (score(k) == a) own.push_back(k);
      if (own.empty()) continue;
      RowMajor part = z_(Eigen::all, own);
      for (Index r = 0; r < part.rows(); ++r) part.row(r) *= roots[r] * std::sqrt(p(r, a));
      MatrixXd square = MatrixXd::Zero(part.cols(), part.cols());
      square.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
      for (Index q = 0; q < square.cols(); ++q)
        for (Index r = q; r < square.rows(); ++r)
          h_(own[static_cast<std::size_t>(r)], own[static_cast<std::size_t>(q)]) += square(r, q);
    }
  }

  struct Entry {
    Index k;  // place among the coordinates
    Index score;
    double z;
  };
  static bool by_place(const Entry& a, const Entry& b) { return a.k < b.k; }

  template <class R>
  void add_sparse(const R& rows, const Block& block) {
    std::vector<Entry> entries;
    const auto take = [&](Index row, double z) {
      for (Index k = first_[static_cast<std::size_t>(row)]; k < first_[static_cast<std::size_t>(row) + 1];
           ++k)
        entries.push_back({k, score(k), z});
    };
    for (Index i = 0; i < rows.rows; ++i) {
      entries.clear();
      take(0, 1.0);
      for_each(rows.row(i), [&](Index j, double v) { take(j + 1, v / problem_->scaling.scale[j]); });
      // Those of renumbered features are in no order.
      if (!std::is_sorted(entries.begin(), entries.end(), by_place))
        std::sort(entries.begin(), entries.end(), by_place);
      const auto curvature = curvature_->row(block.first + i);
      if (problem_->softmax())
        add_softmax(entries, curvature, block.weight(i));
      else if (curvature[0] > 0)
        add_one_score(entries, curvature[0]);
    }
  }
  void add_one_score(const std::vector<Entry>& entries, double curvature) {
    for (std::size_t q = 0; q < entries.size(); ++q) {
      const double factor = curvature * entries[q].z;
      double* column = h_.col(entries[q].k).data();
      for (std::size_t r = q; r < entries.size(); ++r) column[entries[r].k] += factor * entries[r].z;
    }
  }
  template <class P>
  void add_softmax(const std::vector<Entry>& entries, const P& p, double weight) {
    for (std::size_t q = 0; q < entries.size(); ++q) {
      const Entry& a = entries[q];
      const double factor = weight * a.z * p[a.score];
      double* column = h_.col(a.k).data();
      for (std::size_t r = q; r < entries.size(); ++r) {
        const Entry& b = entries[r];
        column[b.k] += factor * b.z * ((a.score == b.score ? 1.0 : 0.0) - p[b.score]);
      }
    }
  }

  const Problem* problem_;
  const RowMajor* curvature_;
  const std::vector<Index>* coordinates_;
  std::vector<Index> first_;  // the coordinates of row j of a point are first_[j], ..., first_[j + 1] - 1
  RowMajor scaled_, z_;
  MatrixXd h_;  // lower triangle
};

}  // namespace

MatrixXd coordinate_hessian(const Problem& problem, const RowMajor& curvature,
                            const std::vector<Index>& coordinates, const Monitor& monitor) {
  if (coordinates.empty()) return {};
  MatrixXd h = fold(*problem.source, CoordinateHessian(problem, curvature, coordinates), monitor).result();
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    h(static_cast<Index>(k), static_cast<Index>(k)) += problem.l2[coordinates[k] / problem.scores];
  return h;
}

}  // namespace discern
