#include "discern/optim/view/working_set.hpp"

#include <algorithm>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/stochastic/prefetch.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// Copies the chosen columns: of dense rows scaled values, of sparse rows the
// entries as they are.
class Gather {
 public:
  Gather(const Problem& whole, const std::vector<Index>& features, const WorkingSet* before,
         Features& columns)
      : whole_(&whole), columns_(&columns) {
    if (!whole.source->sparse()) {
      find_places(features, before);
      return;
    }
    place_.assign(static_cast<std::size_t>(whole.features()), -1);
    for (std::size_t k = 0; k < features.size(); ++k)
      place_[static_cast<std::size_t>(features[k])] = static_cast<std::int32_t>(k);
  }

  void add(const Block& block) {
    std::visit([&](const auto& rows) { add_rows(rows, block.first); }, block.x);
  }
  void merge(const Gather&) {}
  double bytes() const { return 0; }

  // Counts the entries of each row instead of copying them.
  bool counting = false;

 private:
  // Where a dense column comes from: the data, to be scaled, or the set before.
  struct Place {
    Index to, from;
    double center = 0, factor = 1;
  };

  void find_places(const std::vector<Index>& features, const WorkingSet* before) {
    const Scaling& scaling = whole_->scaling;
    std::size_t old = 0;
    const std::vector<Index> had = before != nullptr ? before->features() : std::vector<Index>{};
    if (before != nullptr) before_ = &std::get<DenseMatrix<double>>(before->columns());
    for (std::size_t k = 0; k < features.size(); ++k) {
      const Index j = features[k], to = static_cast<Index>(k);
      while (old < had.size() && had[old] < j) ++old;
      if (old < had.size() && had[old] == j)
        kept_.push_back({to, static_cast<Index>(old)});
      else
        fresh_.push_back({to, j, scaling.center.size() > 0 ? scaling.center[j] : 0.0, 1 / scaling.scale[j]});
    }
  }

  template <class T>
  void add_rows(const DenseRows<T>& rows, Index first) {
    auto& to = std::get<DenseMatrix<double>>(*columns_);
    for (Index i = 0; i < rows.rows; ++i) {
      double* row = to.values.data() + (first + i) * to.cols;
      const T* from = rows.row(i).values;
      // Every entry is in a cache line of its own: those of the next row are on their way meanwhile.
      const T* next = rows.row(std::min(i + 1, rows.rows - 1)).values;
      for (const Place& place : fresh_) {
        prefetch(next + place.from, sizeof(T));
        row[place.to] = (static_cast<double>(from[place.from]) - place.center) * place.factor;
      }
      if (kept_.empty()) continue;
      const double* old = before_->values.data() + (first + i) * before_->cols;
      for (const Place& place : kept_) row[place.to] = old[place.from];
    }
  }
  template <class T>
  void add_rows(const SparseRows<T>& rows, Index first) {
    auto& to = std::get<SparseMatrix<double>>(*columns_);
    for (Index i = 0; i < rows.rows; ++i) {
      std::int64_t at = counting ? 0 : to.starts[first + i];
      for_each(rows.row(i), [&](Index j, double value) {
        const std::int32_t k = place_[static_cast<std::size_t>(j)];
        if (k < 0) return;
        if (!counting) {
          to.columns[at] = static_cast<std::uint32_t>(k);
          to.values[at] = value / whole_->scaling.scale[j];
        }
        ++at;
      });
      if (counting) to.starts[first + i + 1] = at;
    }
  }

  const Problem* whole_;
  Features* columns_;
  const DenseMatrix<double>* before_ = nullptr;
  std::vector<Place> fresh_, kept_;
  std::vector<std::int32_t> place_;  // of a feature of sparse rows
};

Features empty_columns(const Problem& whole, Index count) {
  const Index rows = whole.source->rows();
  if (!whole.source->sparse()) return DenseMatrix<double>{Buffer<double>(rows * count), rows, count};
  SparseMatrix<double> matrix;
  matrix.rows = rows;
  matrix.cols = count;
  matrix.starts = Buffer<std::int64_t>(rows + 1);
  matrix.starts[0] = 0;
  return matrix;
}

void make_room(SparseMatrix<double>& matrix) {
  for (Index i = 0; i < matrix.rows; ++i) matrix.starts[i + 1] += matrix.starts[i];
  matrix.values = Buffer<double>(matrix.starts[matrix.rows]);
  matrix.columns = Buffer<std::uint32_t>(matrix.starts[matrix.rows]);
}

}  // namespace

WorkingSet::WorkingSet(const Problem& whole, std::vector<Index> features, const Monitor& monitor,
                       const WorkingSet* before)
    : whole_(&whole),
      features_(std::move(features)),
      columns_(empty_columns(whole, static_cast<Index>(features_.size()))),
      answers_(answers_of(*whole.source)),
      source_(columns_, answers_),
      part_(whole) {
  Gather gather(whole, features_, before, columns_);
  if (whole.source->sparse()) {
    gather.counting = true;
    fold(*whole.source, gather, monitor);
    make_room(std::get<SparseMatrix<double>>(columns_));
    gather.counting = false;
  }
  fold(*whole.source, gather, monitor);
  const auto count = static_cast<Index>(features_.size());
  part_.source = &source_;
  part_.scaling =
      Scaling{{}, Eigen::VectorXd::Ones(count), Eigen::VectorXd::Ones(count), whole.scaling.weight};
  take_penalty();
}

void WorkingSet::take_penalty() {
  const auto count = static_cast<Index>(features_.size());
  part_.l1.resize(count + 1);
  part_.l2.resize(count + 1);
  part_.l1[0] = whole_->l1[0];
  part_.l2[0] = whole_->l2[0];
  for (Index k = 0; k < count; ++k) {
    part_.l1[k + 1] = whole_->l1[features_[static_cast<std::size_t>(k)] + 1];
    part_.l2[k + 1] = whole_->l2[features_[static_cast<std::size_t>(k)] + 1];
  }
}

const SparseColumns& WorkingSet::by_column() {
  if (!by_column_) by_column_.emplace(std::get<SparseMatrix<double>>(columns_));
  return *by_column_;
}

void WorkingSet::scale_columns(const Eigen::VectorXd& factors) {
  if (auto* dense = std::get_if<DenseMatrix<double>>(&columns_))
    for (Index i = 0; i < dense->rows; ++i)
      for (Index j = 0; j < dense->cols; ++j) dense->values[i * dense->cols + j] *= factors[j];
  if (auto* sparse = std::get_if<SparseMatrix<double>>(&columns_))
    for (Index k = 0; k < sparse->values.size(); ++k)
      sparse->values[k] *= factors[static_cast<Index>(sparse->columns[k])];
}

Eigen::VectorXd WorkingSet::to(const Eigen::VectorXd& whole_point) const {
  const Index scores = whole_->scores;
  Eigen::VectorXd part(part_.size());
  part.head(scores) = whole_point.head(scores);
  for (std::size_t k = 0; k < features_.size(); ++k)
    part.segment(static_cast<Index>(k + 1) * scores, scores) =
        whole_point.segment((features_[k] + 1) * scores, scores);
  return part;
}

Eigen::VectorXd WorkingSet::from(const Eigen::VectorXd& part_point) const {
  const Index scores = whole_->scores;
  Eigen::VectorXd whole = Eigen::VectorXd::Zero(whole_->size());
  whole.head(scores) = part_point.head(scores);
  for (std::size_t k = 0; k < features_.size(); ++k)
    whole.segment((features_[k] + 1) * scores, scores) =
        part_point.segment(static_cast<Index>(k + 1) * scores, scores);
  return whole;
}

}  // namespace discern
