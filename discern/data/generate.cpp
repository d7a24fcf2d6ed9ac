// Compiled with -ffp-contract=off; see shapes.cpp.
#include "discern/data/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

#include "discern/base/error.hpp"
#include "discern/base/fields.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/place.hpp"
#include "discern/data/shapes.hpp"

namespace discern {
namespace {

using shapes_detail::DrawRow;
using shapes_detail::Settings;
using shapes_detail::stream;
using shapes_detail::Words;

constexpr double unlimited = std::numeric_limits<double>::infinity();

// A shape, how to draw its rows (nullptr: sparse), and whether `noise` is the probability of a wrong label.
struct Shape {
  ShapeInfo info;
  DrawRow (*prepare)(const Settings& settings);
  bool noisy_labels;
};

ShapeParameter dimensions(double lowest, double standard = 2) {
  return {"features", lowest == 2 ? "columns; beyond x1 and x2 pure noise" : "columns", standard, lowest,
          unlimited};
}

ShapeParameter class_count() { return {"classes", "classes", 2, 2, 1e6}; }

ShapeParameter label_noise() { return {"noise", "probability that a label is wrong", 0, 0, 1, true}; }

ShapeParameter blur(double standard) {
  return {"noise", "standard deviation of the points about the shape", standard, 0, unlimited};
}

const std::vector<Shape>& all_shapes() {
  using namespace shapes_detail;
  static const std::vector<Shape> list = {
      {{"gaussians",
        "a Gaussian cloud a class, with a shared covariance or one each",
        {dimensions(1),
         class_count(),
         {"separation", "Mahalanobis distance between neighbouring means", 3, 0, unlimited},
         label_noise(),
         {"own-covariance", "a covariance of its own for every class", 0, 0, 1}}},
       draw_gaussians,
       true},
      {{"xor", "four clouds at (+-1, +-1), opposite ones in the same class", {dimensions(2), blur(0.4)}},
       draw_xor,
       false},
      {{"moons", "two interleaving half circles", {dimensions(2), blur(0.1)}}, draw_moons, false},
      {{"rings", "concentric circles of radius 1, 2, ...", {dimensions(2), class_count(), blur(0.1)}},
       draw_rings,
       false},
      {{"spiral", "interleaving spiral arms", {dimensions(2), class_count(), blur(0.1)}}, draw_spiral, false},
      {{"linear",
        "two classes on either side of a plane, with a margin and label noise",
        {dimensions(1),
         {"margin", "least distance of a point from the plane", 0.1, 0, unlimited},
         label_noise()}},
       draw_linear,
       true},
      {{"sparse",
        "word counts of documents: Zipf's law, with words that each class favours",
        {{"features", "words", 10000, 2, 1e8},
         class_count(),
         {"separation", "probability that a word is replaced by one of the class", 0.1, 0, 1},
         label_noise()}},
       nullptr,
       true},
      {{"outliers",
        "two Gaussian clouds, and points of class 1 far on its own side",
        {dimensions(2),
         {"separation", "distance between the means", 4, 0, unlimited},
         {"margin", "distance of the outliers beyond their class, along x1 and along -x2", 10, 0, unlimited},
         {"noise", "share of outliers in class 1", 0.1, 0, 1, true}}},
       draw_outliers,
       false}};
  return list;
}

void append_name(std::string& list, std::string_view name) {
  if (!list.empty()) list += ", ";
  list += name;
}

const Shape& find_shape(std::string_view name) {
  std::string names;
  for (const Shape& shape : all_shapes()) {
    if (shape.info.name == name) return shape;
    append_name(names, shape.info.name);
  }
  throw Error(Code::usage, fmt::format("unknown shape '{}', expected one of {}", name, names));
}

std::string range_of(const ShapeParameter& parameter) {
  if (parameter.highest == unlimited) return fmt::format("{} or more", parameter.lowest);
  return fmt::format("{} to {}{}", parameter.lowest, parameter.open ? "below " : "", parameter.highest);
}

[[noreturn]] void refuse_parameter(const ShapeInfo& shape, std::string_view name) {
  std::string names = "rows";
  for (const ShapeParameter& parameter : shape.parameters) append_name(names, parameter.name);
  throw Error(Code::usage, fmt::format("{}: the shape {} does not take it; it takes {}", option_name(name),
                                       shape.name, names));
}

// The value of a parameter: as given and in range, or the shape's default, or `absent` in a shape without it.
template <class T>
T value_of(const ShapeInfo& shape, std::string_view name, const std::optional<T>& given, T absent) {
  for (const ShapeParameter& parameter : shape.parameters) {
    if (parameter.name != name) continue;
    if (!given) return static_cast<T>(parameter.standard);
    const auto value = static_cast<double>(*given);
    const bool low_enough = parameter.open ? value < parameter.highest : value <= parameter.highest;
    if (value >= parameter.lowest && low_enough && std::isfinite(value)) return *given;
    throw Error(Code::usage, fmt::format("{}: the shape {} expects {} ({}), got {}", option_name(name),
                                         shape.name, range_of(parameter), parameter.meaning, *given));
  }
  if (given) refuse_parameter(shape, name);
  return absent;
}

Settings settings_of(const GenerateOptions& options, const ShapeInfo& shape) {
  if (options.rows < 1)
    throw Error(Code::usage, fmt::format("`rows`: expected 1 or more, got {}", options.rows));
  Settings settings;
  settings.features = value_of(shape, "features", options.features, Index{0});
  settings.classes = value_of(shape, "classes", options.classes, Index{2});
  settings.margin = value_of(shape, "margin", options.margin, 0.0);
  settings.noise = value_of(shape, "noise", options.noise, 0.0);
  settings.separation = value_of(shape, "separation", options.separation, 0.0);
  const auto own = options.own_covariance ? std::optional<Index>(1) : std::nullopt;
  settings.own_covariance = value_of(shape, "own-covariance", own, Index{0}) == 1;
  settings.seed = options.seed;
  if (shape.name == "sparse" && settings.features < settings.classes)
    throw Error(Code::usage,
                fmt::format("`features`: expected at least as many words as the {} classes, got {}",
                            settings.classes, settings.features));
  return settings;
}

Settings settings_for(const GenerateOptions& options, std::string_view shape) {
  if (options.shape != shape)
    throw Error(Code::usage,
                fmt::format("expected options for the shape {}, got '{}'", shape, options.shape));
  return settings_of(options, find_shape(shape).info);
}

// Rows are made in blocks with a stream of random numbers each; a block holds every class equally often.
class Blocks {
 public:
  Blocks(const GenerateOptions& options, const Settings& settings, bool noisy_labels)
      : settings_(settings),
        monitor_(options.monitor),
        flip_(noisy_labels ? settings.noise : 0),
        draw_flips_(noisy_labels),
        rows_(options.rows),
        block_rows_((4095 / settings.classes + 1) * settings.classes) {}

  Index count() const { return (rows_ - 1) / block_rows_ + 1; }
  Index first(Index block) const { return block * block_rows_; }
  Index last(Index block) const { return std::min(rows_, first(block) + block_rows_); }

  // Calls draw(random, label, row) for the rows of the block and stores the labels.
  template <class Draw>
  void fill(Index block, double* labels, const Draw& draw) const {
    if (!go_on(monitor_, {.stage = "generating", .done = first(block), .total = rows_}))
      throw Error(Code::interrupted, "interrupted while generating");
    Random random = stream(settings_.seed, block + 1);
    std::vector<Index> order(at(settings_.classes));
    std::iota(order.begin(), order.end(), Index{0});
    for (Index row = first(block); row < last(block); ++row) {
      const Index place = row % settings_.classes;
      if (place == 0) random.shuffle(order);
      const Index label = order[at(place)];
      draw(random, label, row);
      labels[row] = static_cast<double>(noisy(random, label));
    }
  }

 private:
  // Draws the same numbers whether the label changes or not, so that the features do not depend on the noise.
  Index noisy(Random& random, Index label) const {
    if (!draw_flips_) return label;
    const bool flip = random.uniform() < flip_;
    const auto other = static_cast<Index>(random.below(static_cast<std::uint64_t>(settings_.classes - 1)));
    return flip ? (label + 1 + other) % settings_.classes : label;
  }

  Settings settings_;
  Monitor monitor_;
  double flip_;
  bool draw_flips_;
  Index rows_;
  Index block_rows_;
};

Features make_dense(const Blocks& blocks, const DrawRow& draw, Index rows, Index cols, double* labels) {
  DenseMatrix<double> x{Buffer<double>(rows * cols), rows, cols};
  double* values = x.values.data();
  parallel_for(blocks.count(), [&](Index b) {
    blocks.fill(b, labels,
                [&](Random& random, Index label, Index row) { draw(random, label, values + row * cols); });
  });
  return x;
}

struct SparsePart {
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<Index> ends;  // of the rows, within the part

  void push_counts(const std::vector<std::uint32_t>& sorted_words) {
    for (std::size_t i = 0; i < sorted_words.size(); ++i) {
      if (i == 0 || sorted_words[i] != sorted_words[i - 1]) {
        columns.push_back(sorted_words[i]);
        values.push_back(0);
      }
      values.back() += 1;
    }
    ends.push_back(static_cast<Index>(values.size()));
  }
};

Features join(std::vector<SparsePart>& parts, const Blocks& blocks, Index rows, Index cols) {
  std::vector<Index> offsets{0};
  for (const SparsePart& part : parts) offsets.push_back(offsets.back() + part.ends.back());
  SparseMatrix<float> x{Buffer<float>(offsets.back()), Buffer<std::uint32_t>(offsets.back()),
                        Buffer<std::int64_t>(rows + 1), rows, cols};
  x.starts[0] = 0;
  parallel_for(static_cast<Index>(parts.size()), [&](Index b) {
    const SparsePart part = std::move(parts[at(b)]);  // released as soon as it is copied
    const Index offset = offsets[at(b)];
    std::copy(part.values.begin(), part.values.end(), x.values.data() + offset);
    std::copy(part.columns.begin(), part.columns.end(), x.columns.data() + offset);
    Index* ends = x.starts.data() + blocks.first(b) + 1;
    for (std::size_t i = 0; i < part.ends.size(); ++i) ends[i] = offset + part.ends[i];
  });
  return x;
}

Features make_sparse(const Blocks& blocks, const Words& words, Index rows, Index cols, double* labels) {
  std::vector<SparsePart> parts(at(blocks.count()));
  parallel_for(blocks.count(), [&](Index b) {
    std::vector<std::uint32_t> document;
    SparsePart& part = parts[at(b)];
    blocks.fill(b, labels, [&](Random& random, Index label, Index) {
      words.document(random, label, document);
      part.push_counts(document);
    });
  });
  return join(parts, blocks, rows, cols);
}

// Classes that no row shows are no levels, just as if the table came from a file.
SideColumn class_column(std::vector<double> labels, Index classes) {
  std::vector<Index> first_row(at(classes), 0);
  for (std::size_t i = labels.size(); i-- > 0;)
    first_row[static_cast<std::size_t>(labels[i])] = static_cast<Index>(i + 1);
  SideColumn column;
  column.name = "class";
  column.text = true;
  std::vector<double> level_of(at(classes), 0);
  for (Index k = 0; k < classes; ++k) {
    if (first_row[at(k)] == 0) continue;
    level_of[at(k)] = static_cast<double>(column.levels.size());
    column.levels.push_back(fmt::format("{}", k));
    column.noticed.level_line.push_back(first_row[at(k)]);
  }
  for (double& label : labels) label = level_of[static_cast<std::size_t>(label)];
  column.values = std::move(labels);
  return column;
}

Table make_table(const GenerateOptions& options, const Shape& shape, const Settings& settings) {
  const Blocks blocks(options, settings, shape.noisy_labels);
  const Index rows = options.rows, cols = settings.features;
  if (rows > std::numeric_limits<Index>::max() / 16 / cols)
    throw Error(Code::memory, fmt::format("{} rows of {} features do not fit in memory", rows, cols));
  std::vector<double> labels(at(rows));
  Table table;
  table.file = fmt::format("generated {}", options.shape);
  table.schema = Schema::numbered(cols);
  table.x = shape.prepare != nullptr ? make_dense(blocks, shape.prepare(settings), rows, cols, labels.data())
                                     : make_sparse(blocks, Words(settings), rows, cols, labels.data());
  table.side.push_back(class_column(std::move(labels), settings.classes));
  return table;
}

[[noreturn]] void no_memory(const GenerateOptions& options) {
  throw Error(Code::memory,
              fmt::format("no memory for {} rows of the shape {}", options.rows, options.shape));
}

}  // namespace

std::span<const ShapeInfo> shapes() {
  static const std::vector<ShapeInfo> list = [] {
    std::vector<ShapeInfo> infos;
    for (const Shape& shape : all_shapes()) infos.push_back(shape.info);
    return infos;
  }();
  return list;
}

Table generate(const GenerateOptions& options) {
  const Shape& shape = find_shape(options.shape);
  const Settings settings = settings_of(options, shape.info);
  try {
    return make_table(options, shape, settings);
  } catch (const std::bad_alloc&) {
    no_memory(options);
  } catch (const std::length_error&) {
    no_memory(options);
  }
}

GenerateOptions with_defaults(const GenerateOptions& options) {
  const Settings settings = settings_of(options, find_shape(options.shape).info);
  GenerateOptions full = options;
  full.features = settings.features;
  full.classes = settings.classes;
  full.margin = settings.margin;
  full.noise = settings.noise;
  full.separation = settings.separation;
  return full;
}

std::vector<GaussianTruth> gaussians_truth(const GenerateOptions& options) {
  return shapes_detail::gaussian_classes(settings_for(options, "gaussians"));
}

PlaneTruth linear_truth(const GenerateOptions& options) {
  return shapes_detail::separating_plane(settings_for(options, "linear"));
}

std::vector<double> sparse_truth(const GenerateOptions& options, Index label) {
  const Settings settings = settings_for(options, "sparse");
  if (label < 0 || label >= settings.classes)
    throw Error(Code::usage,
                fmt::format("expected a class from 0 to {}, got {}", settings.classes - 1, label));
  return Words(settings).probabilities(label);
}

}  // namespace discern
