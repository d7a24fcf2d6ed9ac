#include "discern/transform/pipeline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

std::vector<Feature> input_features(const Schema& input) {
  std::vector<Feature> features;
  for (Index j = 0; j < input.size(); ++j) features.push_back({input.name(j), false});
  return features;
}

// Steps one after the other can make one name twice: the second "a" is called "a (2)".
void make_unique(std::vector<Feature>& features) {
  std::unordered_set<std::string> taken;
  for (Feature& feature : features) {
    std::string name = feature.name;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{} ({})", feature.name, n);
    feature.name = std::move(name);
  }
}

}  // namespace

Pipeline::Pipeline(Schema input, std::vector<Step> steps)
    : input_(std::move(input)), steps_(std::move(steps)), features_(input_.size()) {
  if (steps_.empty()) return;
  if (hashing() != nullptr) {
    features_ = hashing()->width();
    return;
  }
  outputs_ = input_features(input_);
  for (const auto& step : steps_) {
    outputs_ = std::visit(
        [&]<class S>(const S& s) {
          if constexpr (std::is_same_v<S, OneHot>)
            return s.names(input_, outputs_);
          else
            return s.names(outputs_);
        },
        step);
    const auto* impute = std::get_if<Impute>(&step);
    const bool renames =
        impute == nullptr ? !std::holds_alternative<Standardize>(step) : !impute->indicators.empty();
    if (renames) make_unique(outputs_);
  }
  features_ = static_cast<Index>(outputs_.size());
}

const Hashing* Pipeline::hashing() const {
  return steps_.size() == 1 ? std::get_if<Hashing>(&steps_[0]) : nullptr;
}

std::string Pipeline::feature_name(Index j) const {
  if (hashing() != nullptr) return Hashing::name(j);
  return outputs_.empty() ? input_.name(j) : outputs_[static_cast<std::size_t>(j)].name;
}

bool Pipeline::indicator(Index j) const {
  return !outputs_.empty() && outputs_[static_cast<std::size_t>(j)].indicator;
}

Index Pipeline::category(Index j) const {
  return outputs_.empty() ? -1 : outputs_[static_cast<std::size_t>(j)].column;
}

std::vector<std::string> Pipeline::feature_names() const {
  std::vector<std::string> names;
  for (Index j = 0; j < features_; ++j) names.push_back(feature_name(j));
  return names;
}

std::vector<Feature> Pipeline::feature_list() const {
  if (hashing() != nullptr) return hashing()->names({});
  return steps_.empty() ? input_features(input_) : outputs_;
}

Rows Pipeline::apply(const Rows& raw, Scratch& scratch) const {
  if (scratch.stages.size() < steps_.size()) scratch.stages.resize(steps_.size());
  Rows rows = raw;
  for (std::size_t s = 0; s < steps_.size(); ++s)
    rows = std::visit([&](const auto& step) { return step.apply(rows, scratch.stages[s]); }, steps_[s]);
  return rows;
}

bool Pipeline::sparse_output(bool sparse_input) const {
  bool sparse = sparse_input;
  for (const auto& step : steps_) {
    if (const auto* one_hot = std::get_if<OneHot>(&step))
      sparse = one_hot->makes_sparse();
    else if (std::holds_alternative<Hashing>(step))
      sparse = true;
    else if (!std::holds_alternative<Impute>(step) && !std::holds_alternative<Standardize>(step))
      sparse = false;  // the bases make dense rows
  }
  return sparse;
}

Block PipelineSource::block(Index k, Scratch& scratch) const {
  // The features, not the raw columns, decide how many rows a block has.
  return raw_.block_of(k, rows_per_block(), [&](const Rows& raw) { return pipeline_->apply(raw, scratch); });
}

void PipelineSource::extended(Index first, Index count, std::vector<long double>& values) const {
  std::vector<long double> raw, row;
  raw_.extended(first, count, raw);
  values.clear();
  for (Index i = 0; i < count; ++i) {
    const auto begin = raw.begin() + i * raw_.cols();
    row.assign(begin, begin + raw_.cols());
    for (const auto& step : pipeline_->steps()) std::visit([&](const auto& s) { s.extend(row); }, step);
    values.insert(values.end(), row.begin(), row.end());
  }
}

namespace {

template <class T>
Features gather_dense(const Source& source) {
  DenseMatrix<T> result{Buffer<T>(source.rows() * source.cols()), source.rows(), source.cols()};
  T* values = result.values.data();
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = source.block(k, scratch);
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            T* out = values + (block.first + i) * rows.cols;
            for_each(rows.row(i), [&](Index j, double v) { out[j] = static_cast<T>(v); });
          }
        },
        block.x);
  });
  return result;
}

Features gather_sparse(const Source& source) {
  std::vector<Workspace> parts(static_cast<std::size_t>(source.block_count()));
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    auto& part = parts[static_cast<std::size_t>(k)];
    part.starts.assign(1, 0);
    const Block block = source.block(k, scratch);
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            for_each(rows.row(i), [&](Index j, double v) {
              part.values.push_back(v);
              part.columns.push_back(static_cast<std::uint32_t>(j));
            });
            part.starts.push_back(static_cast<std::int64_t>(part.values.size()));
          }
        },
        block.x);
  });
  Index entries = 0;
  for (const auto& part : parts) entries += static_cast<Index>(part.values.size());
  SparseMatrix<double> result{Buffer<double>(entries), Buffer<std::uint32_t>(entries),
                              Buffer<std::int64_t>(source.rows() + 1), source.rows(), source.cols()};
  Index row = 0, entry = 0;
  result.starts[0] = 0;
  for (const auto& part : parts) {
    std::copy(part.values.begin(), part.values.end(), result.values.data() + entry);
    std::copy(part.columns.begin(), part.columns.end(), result.columns.data() + entry);
    for (std::size_t i = 1; i < part.starts.size(); ++i) result.starts[++row] = entry + part.starts[i];
    entry += static_cast<Index>(part.values.size());
  }
  return result;
}

}  // namespace

Features materialize(const Source& source) {
  return source.sparse() ? gather_sparse(source) : gather_dense<double>(source);
}

void refuse_missing(const Table& table, std::optional<Index> column) {
  if (!column) return;
  const Noticed& noticed = table.noticed[static_cast<std::size_t>(*column)];
  throw Error(Code::data,
              fmt::format("found a missing value ({} in this column), expected none", noticed.missing),
              {table.file, noticed.first_missing_line, table.schema.name(*column)});
}

namespace {

// For each level of the table's column the code that training gave it; for an unknown one that of the level
// that stands for all others, or -1 where training has none such.
std::vector<double> recoding(const Table& table, Index from, const Column& trained,
                             const ArrangeOptions& options) {
  std::unordered_map<std::string_view, Index> codes;
  for (std::size_t k = 0; k < trained.levels.size(); ++k)
    codes.emplace(trained.levels[k], static_cast<Index>(k));
  const auto& levels = table.schema.column(from).levels;
  const auto& lines = table.noticed[static_cast<std::size_t>(from)].level_line;
  std::vector<double> result;
  std::optional<std::size_t> unknown;  // the one that appears first
  const auto line = [&](std::size_t k) { return k < lines.size() ? lines[k] : Index{0}; };
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto found = codes.find(levels[k]);
    result.push_back(static_cast<double>(found == codes.end() ? trained.other : found->second));
    if (result.back() < 0 && (!unknown || line(k) < line(*unknown))) unknown = k;
  }
  if (unknown && !options.ignore_unseen)
    throw Error(Code::data,
                fmt::format("found the category '{}', which the training data did not have; {}",
                            levels[*unknown], options.unseen_advice),
                {table.file, line(*unknown), trained.name});
  return result;
}

struct Mapping {
  std::vector<Index> from;                  // the table's column for each input column
  std::vector<std::vector<double>> recode;  // empty for numeric columns
  bool identity = true;
};

// The same where texts are hashed: none is unknown.
std::vector<double> hashed(const Table& table, Index from, const Hashing& hashing) {
  std::vector<double> result;
  for (const std::string& level : table.schema.column(from).levels)
    result.push_back(hashing.code(table.schema.name(from), level));
  return result;
}

Mapping map_columns(const Table& table, const Schema& input, const Hashing* hashing,
                    const ArrangeOptions& options, Arranged& result) {
  Mapping mapping;
  for (Index j = 0; j < input.size(); ++j) {
    const auto found = table.schema.find(input.name(j));
    if (!found)
      throw Error(Code::data, "the model needs this column, and the data do not have it",
                  {table.file, 0, input.name(j)});
    if (input.categorical(j) != table.schema.categorical(*found))
      throw Error(
          Code::data,
          fmt::format("expected {}, as in training, found {}", input.categorical(j) ? "text" : "numbers",
                      input.categorical(j) ? "numbers" : "text"),
          {table.file, 0, input.name(j)});
    if (const Index missing =
            table.noticed.empty() ? 0 : table.noticed[static_cast<std::size_t>(*found)].missing;
        missing > 0) {
      result.missing += missing;
      result.missing_columns.emplace_back(input.name(j), missing);
    }
    mapping.from.push_back(*found);
    mapping.recode.emplace_back();
    if (input.categorical(j)) {
      mapping.recode.back() = hashing != nullptr ? hashed(table, *found, *hashing)
                                                 : recoding(table, *found, input.column(j), options);
      for (std::size_t k = 0; k < mapping.recode.back().size(); ++k)
        mapping.identity &= mapping.recode.back()[k] == static_cast<double>(k);
    }
    mapping.identity &= *found == j;
  }
  if (options.refuse_missing) refuse_missing(table, table.first_missing(mapping.from));
  mapping.identity &= input.size() == table.schema.size();
  return mapping;
}

template <class T>
Features rearrange(const DenseMatrix<T>& x, const Mapping& mapping, std::vector<Index>& unseen) {
  const auto cols = static_cast<Index>(mapping.from.size());
  DenseMatrix<T> out{Buffer<T>(x.rows * cols), x.rows, cols};
  for (Index i = 0; i < x.rows; ++i) {
    const T* row = x.values.data() + i * x.cols;
    T* target = out.values.data() + i * cols;
    for (Index j = 0; j < cols; ++j) {
      const auto c = static_cast<std::size_t>(j);
      T value = row[mapping.from[c]];
      if (!mapping.recode[c].empty() && !std::isnan(value)) {
        value = static_cast<T>(mapping.recode[c][static_cast<std::size_t>(value)]);
        unseen[c] += value < 0 ? 1 : 0;
      }
      target[j] = value;
    }
  }
  return out;
}

}  // namespace

Arranged arrange(const Table& table, const Pipeline& pipeline, const ArrangeOptions& options) {
  const Schema& input = pipeline.input();
  Arranged result;
  if (is_sparse(table.x)) {
    // A sparse row names only what is not zero, so fewer columns than in training are zeros at the end; the
    // reader has dropped those beyond the training data's.
    if (!input.is_numbered())
      throw Error(Code::data,
                  "the data are sparse with numbered columns, the model was trained on named ones",
                  {table.file, 0, ""});
    if (table.schema.size() > input.size())
      throw Error(Code::data,
                  fmt::format("the data are sparse with {} numbered columns, the model was trained on {}",
                              table.schema.size(), input.size()),
                  {table.file, 0, ""});
    result.x = table.x;
    std::visit([&](auto& x) { x.cols = input.size(); }, result.x);
    return result;
  }
  const Mapping mapping = map_columns(table, input, pipeline.hashing(), options, result);
  if (mapping.identity) {
    result.x = table.x;
    return result;
  }
  std::vector<Index> unseen(mapping.from.size());
  result.x = std::visit(
      [&]<class M>(const M& x) -> Features {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
          return rearrange(x, mapping, unseen);
        else
          return x;
      },
      table.x);
  for (std::size_t j = 0; j < unseen.size(); ++j) {
    if (unseen[j] == 0) continue;
    result.unseen += unseen[j];
    result.unseen_columns.emplace_back(input.name(static_cast<Index>(j)), unseen[j]);
  }
  return result;
}

}  // namespace discern
