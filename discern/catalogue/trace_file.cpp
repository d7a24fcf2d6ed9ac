#include "discern/catalogue/trace_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "discern/base/random.hpp"

namespace discern {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index most_weights = 1000, most_rows = 1000, directions = 8;

Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json row_of(const Eigen::Ref<const Vector>& values) {
  Json row = Json::array();
  for (const double v : values) row.push_back(number(v));
  return row;
}

Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index k = 0; k < matrix.rows(); ++k) rows.push_back(row_of(matrix.row(k).transpose()));
  return rows;
}

// The scores' weights along random directions of unit variance a feature.
Json projection_of(const Matrix& weights, std::uint64_t seed) {
  Matrix along = Matrix::Zero(weights.rows(), directions);
  Random random(seed);
  for (Index j = 0; j < weights.cols(); ++j)
    for (Index m = 0; m < directions; ++m) along.col(m) += random.normal() * weights.col(j);
  return rows_of(along);
}

void add_weights(const Linear& linear, std::uint64_t seed, Json& line) {
  if (linear.weights.size() > most_weights) {
    line["projection"] = projection_of(linear.weights, seed);
  } else {
    line["weights"] = rows_of(linear.weights);
  }
  line["bias"] = row_of(linear.bias_at_origin());
}

// Rows and their coefficients, of a sum of kernels.
void add_sum(const KernelSum& sum, Json& line) {
  line["support"] = sum.support.rows();
  if (sum.coefficients.size() > most_weights) return;
  line["coefficients"] = rows_of(sum.coefficients);
}

void add_layers(const Network& network, Json& line) {
  Index weights = 0;
  for (const Layer& layer : network.layers) weights += layer.weights.size();
  if (weights > most_weights) {
    line["norms"] = Json::array();
    for (const Layer& layer : network.layers) line["norms"].push_back(number(layer.weights.norm()));
    return;
  }
  line["layers"] = Json::array();
  for (const Layer& layer : network.layers)
    line["layers"].push_back({{"weights", rows_of(layer.weights)}, {"bias", row_of(layer.bias)}});
  if (network.center.size() > 0) line["center"] = row_of(network.center);
  if (network.scale.size() > 0) line["scale"] = row_of(network.scale);
}

}  // namespace

TraceFile::TraceFile(const std::string& path, const Source& source, std::vector<Index> rows,
                     std::uint64_t seed)
    : file_(path), source_(&source), rows_(std::move(rows)), seed_(seed) {}

void TraceFile::write(const TraceStep& step, bool last) {
  Json line{{"iteration", step.iteration},
            {"objective", number(step.objective)},
            {"certificate", number(step.certificate)},
            {"step", number(step.step)}};
  if (step.start > 0) line["start"] = step.start;
  std::vector<Index> wrong;
  bool labelled = false;
  Scratch scratch;
  const Source& source = step.features == nullptr ? *source_ : *step.features;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    labelled = !block.labels.empty();
    if (!labelled) break;
    const Matrix scores = scores_of(step.predictor, block.x);
    for (Index i = 0; i < scores.rows(); ++i)
      if (decide(scores.row(i).data(), scores.cols()) != block.labels[static_cast<std::size_t>(i)])
        wrong.push_back(block.first + i);
  }
  if (labelled) {
    line["mistakes"] = wrong.size();
    if (source.rows() <= most_rows) {
      line["wrong"] = Json::array();
      for (const Index i : wrong)
        line["wrong"].push_back(1 + (rows_.empty() ? i : rows_[static_cast<std::size_t>(i)]));
    }
  }
  if (const auto* linear = std::get_if<Linear>(&step.predictor)) add_weights(*linear, seed_, line);
  if (const auto* sum = std::get_if<KernelSum>(&step.predictor)) add_sum(*sum, line);
  if (const auto* network = std::get_if<Network>(&step.predictor)) add_layers(*network, line);
  if (last) line["final"] = true;
  file_.write(line.dump() + "\n");
}

void TraceFile::finish(const Fitted& fitted, const Source& features) {
  const Summary& summary = fitted.summary;
  write({summary.iterations, summary.objective, summary.certificate.value, {}, fitted.predictor, &features},
        true);
  file_.commit();
}

}  // namespace discern
