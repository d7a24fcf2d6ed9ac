#include "discern/cluster/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/cluster/last_fold.hpp"

namespace discern {
namespace {

constexpr Index sample_a_center = 50;  // points of the sample that the start is made with

// A squared distance that is nothing but rounding.
constexpr double negligible = 1e-12;

// ---- the draws of k-means++

// The points that come first in a race: -log(u_i) / D_i with u_i uniform is smallest at point i with a
// probability in proportion to D_i. Equal points have equal u.
class Race {
 public:
  Race(const Points& points, const Eigen::VectorXd& distance, std::size_t places, std::uint64_t seed,
       std::uint64_t step)
      : points_(&points), distance_(&distance), places_(places), seed_(seed), step_(step) {}

  void add(const Block& block) {
    for (Index i = block.first; i < block.first + block.rows(); ++i) {
      const double distance = (*distance_)[i];
      if (!(distance > 0)) continue;
      enter({-std::log(chance(points_->keys[static_cast<std::size_t>(i)], seed_, step_)) / distance, i});
    }
  }
  void merge(const Race& other) {
    for (const auto& runner : other.first_) enter(runner);
  }
  double bytes() const { return 16.0 * static_cast<double>(places_); }
  std::vector<Index> winners() const {
    std::vector<Index> rows;
    for (const auto& runner : first_) rows.push_back(runner.second);
    return rows;
  }

 private:
  using Runner = std::pair<double, Index>;  // time, point

  std::uint64_t key(const Runner& runner) const {
    return points_->keys[static_cast<std::size_t>(runner.second)];
  }
  void enter(const Runner& runner) {
    if (first_.size() == places_ && !(runner.first < first_.back().first)) return;
    const auto at = std::upper_bound(first_.begin(), first_.end(), runner);
    if (at != first_.begin() && key(at[-1]) == key(runner)) return;  // equal points run as one
    if (at != first_.end() && key(*at) == key(runner)) return;
    first_.insert(at, runner);
    if (first_.size() > places_) first_.pop_back();
  }

  const Points* points_;
  const Eigen::VectorXd* distance_;
  std::size_t places_;
  std::uint64_t seed_, step_;
  std::vector<Runner> first_;
};

// What J would be with one more centre, for each of some candidates; keeps their distances.
class Trials {
 public:
  Trials(const RowMajor& candidates, const Eigen::VectorXd& distance, RowMajor& distances)
      : candidates_(&candidates),
        squares_(candidates.rowwise().squaredNorm()),
        distance_(&distance),
        distances_(&distances),
        objective_(Eigen::VectorXd::Zero(candidates.rows())) {}

  void add(const Block& block) {
    RowMajor part;
    const auto x = matrix_of(block);
    squared_distances(x, *candidates_, squares_, part);
    for (Index i = 0; i < part.rows(); ++i) {
      const double own = x.row(i).squaredNorm();
      for (Index t = 0; t < part.cols(); ++t) {
        if (part(i, t) <= negligible * (own + squares_[t])) part(i, t) = 0;
        objective_[t] += block.weight(i) * std::min(part(i, t), (*distance_)[block.first + i]);
      }
    }
    distances_->middleRows(block.first, part.rows()) = part;
  }
  void merge(const Trials& other) { objective_ += other.objective_; }
  double bytes() const { return 8.0 * static_cast<double>(objective_.size()); }
  Index best() const {
    Index at = 0;
    objective_.minCoeff(&at);
    return at;
  }

 private:
  const RowMajor* candidates_;
  Eigen::VectorXd squares_;
  const Eigen::VectorXd* distance_;
  RowMajor* distances_;
  Eigen::VectorXd objective_;
};

// ---- Lloyd's iteration

// Nearest centres, and the sums of the points of each.
class Assignment {
 public:
  Assignment(const RowMajor& centers, std::vector<std::int32_t>& nearest, Eigen::VectorXd& distance)
      : centers_(&centers),
        centers_squares_(centers.rowwise().squaredNorm()),
        nearest_(&nearest),
        distance_(&distance),
        sums_(RowMajor::Zero(centers.rows(), centers.cols())),
        weight_(Eigen::VectorXd::Zero(centers.rows())),
        squares_(Eigen::VectorXd::Zero(centers.rows())) {}

  void add(const Block& block) {
    const auto x = matrix_of(block);
    RowMajor distances;
    for (Index first = 0; first < x.rows(); first += rows_at_once) {
      const Index count = std::min(rows_at_once, x.rows() - first);
      squared_distances(x.middleRows(first, count), *centers_, centers_squares_, distances);
      for (Index i = 0; i < count; ++i) {
        Index best = 0;
        const double distance = distances.row(i).minCoeff(&best);
        take(block, first + i, best, distance, x.row(first + i));
      }
    }
  }
  void merge(const Assignment& other) {
    sums_ += other.sums_;
    weight_ += other.weight_;
    squares_ += other.squares_;
    moved_ += other.moved_;
  }
  double bytes() const { return 8.0 * static_cast<double>(sums_.size()); }

  const RowMajor& sums() const { return sums_; }
  const Eigen::VectorXd& weight() const { return weight_; }
  const Eigen::VectorXd& squares() const { return squares_; }
  Index moved() const { return moved_; }

 private:
  template <class Row>
  void take(const Block& block, Index i, Index best, double distance, const Row& x) {
    const double s = block.weight(i);
    auto& nearest = (*nearest_)[static_cast<std::size_t>(block.first + i)];
    moved_ += nearest == best ? 0 : 1;
    nearest = static_cast<std::int32_t>(best);
    (*distance_)[block.first + i] = distance;
    sums_.row(best) += s * x;
    weight_[best] += s;
    squares_[best] += s * distance;
  }

  const RowMajor* centers_;
  Eigen::VectorXd centers_squares_;
  std::vector<std::int32_t>* nearest_;
  Eigen::VectorXd* distance_;
  RowMajor sums_;
  Eigen::VectorXd weight_, squares_;
  Index moved_ = 0;
};

// The centres of the next iteration. One without points goes to the point that is farthest from its centre,
// the one with the smallest key when several are.
RowMajor moved_centers(const Points& points, const Assignment& pass, Eigen::VectorXd& distance,
                       const RowMajor& old) {
  RowMajor centers = old;
  for (Index k = 0; k < centers.rows(); ++k) {
    if (pass.weight()[k] > 0) {
      centers.row(k) = pass.sums().row(k) / pass.weight()[k];
      continue;
    }
    Index far = 0;
    for (Index i = 1; i < points.rows(); ++i) {
      const auto key = [&](Index r) { return points.keys[static_cast<std::size_t>(r)]; };
      if (distance[i] > distance[far] || (distance[i] == distance[far] && key(i) < key(far))) far = i;
    }
    centers.row(k) = points.x.row(far);
    for (Index i = 0; i < points.rows(); ++i)
      if (points.keys[static_cast<std::size_t>(i)] == points.keys[static_cast<std::size_t>(far)])
        distance[i] = 0;
  }
  return centers;
}

}  // namespace

std::vector<Index> kmeans_start(const Points& points, Index centers, std::uint64_t seed,
                                const Monitor& monitor) {
  const PointSource source(points);
  const auto tries = static_cast<std::size_t>(2 + std::log(static_cast<double>(centers)));
  std::vector<Index> chosen;
  Eigen::VectorXd distance = Eigen::VectorXd::Ones(points.rows());
  RowMajor distances;
  while (static_cast<Index>(chosen.size()) < centers) {
    const auto step = static_cast<std::uint64_t>(chosen.size());
    const std::size_t places = chosen.empty() ? 1 : tries;
    const auto winners = fold(source, Race(points, distance, places, seed, step), monitor).winners();
    if (winners.empty()) break;  // all points are centres
    const RowMajor candidates = pick_points(points, winners).x;
    if (chosen.empty()) distance.setConstant(std::numeric_limits<double>::infinity());
    distances.resize(points.rows(), candidates.rows());
    const Index best = fold(source, Trials(candidates, distance, distances), monitor).best();
    chosen.push_back(winners[static_cast<std::size_t>(best)]);
    distance = distance.cwiseMin(distances.col(best));
  }
  return chosen;
}

KMeans lloyd(const Points& points, RowMajor centers, const KMeansOptions& options) {
  const PointSource source(points);
  KMeans result{
      std::move(centers), std::vector<std::int32_t>(static_cast<std::size_t>(points.rows()), -1), {}, {}, {}};
  Eigen::VectorXd distance(points.rows());
  for (Index t = 0; t < options.max_iter; ++t) {
    const Assignment pass = last_fold(source, Assignment(result.centers, result.nearest, distance),
                                      options.monitor, result.interrupted);
    result.weight = pass.weight();
    result.squares = pass.squares();
    const double before = result.objective(), now = pass.squares().sum();
    result.objectives.push_back(now);
    if (result.interrupted) break;
    const bool settled = t > 0 && before - now <= options.tol * before && pass.weight().minCoeff() > 0;
    result.converged = pass.moved() == 0 || settled;
    if (result.converged || t + 1 == options.max_iter) break;
    result.centers = moved_centers(points, pass, distance, result.centers);
  }
  return result;
}

KMeans assign_points(const Points& points, const RowMajor& centers) {
  return lloyd(points, centers, {.max_iter = 1});
}

KMeans kmeans(const Points& points, const KMeansOptions& options) {
  const auto started = [&](const Points& from) {
    const auto start =
        attempt([&] { return kmeans_start(from, options.centers, options.seed, options.monitor); });
    if (!start && start.error().code() != Code::interrupted) throw Error(start.error());
    return lloyd(
        from, pick_points(from, start ? start.value() : random_rows(from, options.centers, options.seed)).x,
        options);
  };
  const Index enough = std::max<Index>(2000, sample_a_center * options.centers);
  if (points.rows() <= 2 * enough) return started(points);
  const KMeans first = started(pick_points(points, random_rows(points, enough, options.seed)));
  return lloyd(points, first.centers, options);
}

}  // namespace discern
