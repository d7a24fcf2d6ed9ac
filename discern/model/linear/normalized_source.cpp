#include "discern/model/linear/normalized_source.hpp"

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

class LengthPass {
 public:
  LengthPass(const Scaling& coordinates, std::vector<double>& weights)
      : coordinates_(&coordinates), weights_(&weights) {}
  void add(const Block& block) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            const double square = squared_length(rows.row(i));
            (*weights_)[static_cast<std::size_t>(block.first + i)] =
                block.weight(i) / (square > 0 ? square : 1.0);
          }
        },
        block.x);
  }
  void merge(const LengthPass&) {}
  double bytes() const { return 0; }

 private:
  template <class Row>
  double squared_length(const Row& row) const {
    const bool centred = coordinates_->center.size() > 0;
    double sum = 0;
    for_each(row, [&](Index j, double v) {
      const double z = (centred ? v - coordinates_->center[j] : v) / coordinates_->scale[j];
      sum += z * z;
    });
    return sum;
  }
  // The zeros that a sparse row does not store are not zero any more once they are centred.
  template <class T>
  double squared_length(const SparseRow<T>& row) const {
    if (coordinates_->center.size() == 0) return squared_length<SparseRow<T>>(row);
    Eigen::VectorXd x = -coordinates_->center;
    for_each(row, [&](Index j, double v) { x[j] += v; });
    return x.cwiseQuotient(coordinates_->scale).squaredNorm();
  }

  const Scaling* coordinates_;
  std::vector<double>* weights_;
};

}  // namespace

NormalizedSource::NormalizedSource(const Source& whole, const Scaling& coordinates, const Monitor& monitor)
    : whole_(&whole), weights_(static_cast<std::size_t>(whole.rows())) {
  fold(whole, LengthPass(coordinates, weights_), monitor);
}

Block NormalizedSource::block(Index k, Scratch& scratch) const {
  Block block = whole_->block(k, scratch);
  block.weights = std::span<const double>(weights_).subspan(static_cast<std::size_t>(block.first),
                                                            static_cast<std::size_t>(block.rows()));
  return block;
}

double NormalizedSource::weight() const {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  return sum;
}

}  // namespace discern
