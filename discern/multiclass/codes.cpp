#include "discern/multiclass/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"

namespace discern {
namespace {

constexpr Index most_exhaustive = 11;      // classes: 1023 machines
constexpr Index exhaustive_by_itself = 7;  // classes: 63 machines
constexpr double candidates = 200;         // random codes to choose from, fewer when there are many classes
constexpr int most_draws = 1000;           // for a machine that is not there yet

using Row = std::vector<std::int8_t>;  // of a code matrix: the sides of a machine, -1, 0 or +1 a class

Sides sides_of(const Row& row) {
  Sides sides;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] > 0) sides.positive.push_back(static_cast<std::int32_t>(k));
    if (row[k] < 0) sides.negative.push_back(static_cast<std::int32_t>(k));
  }
  return sides;
}

// The first class is on the positive side of every machine; the others go through all patterns but the one
// that splits nothing.
CodeMatrix exhaustive_code(Index classes) {
  if (classes > most_exhaustive)
    throw Error(Code::usage,
                fmt::format("`code` exhaustive is for at most {} classes ({} machines), and there "
                            "are {}; take dense or sparse",
                            most_exhaustive, (1 << (most_exhaustive - 1)) - 1, classes));
  CodeMatrix code;
  for (std::uint32_t pattern = 0; pattern + 1 < (1U << (classes - 1)); ++pattern) {
    Row row(static_cast<std::size_t>(classes), 1);
    for (std::size_t k = 1; k < row.size(); ++k) row[k] = (pattern >> (k - 1) & 1U) != 0 ? 1 : -1;
    code.push_back(sides_of(row));
  }
  return code;
}

// The side of a class is drawn again until both sides have one; the sign of the first that has one is +1, so
// that a machine and the one with its sides exchanged are the same.
Row random_row(Index classes, bool sparse, Random& random) {
  Row row(static_cast<std::size_t>(classes));
  while (true) {
    bool positive = false, negative = false;
    for (std::int8_t& side : row) {
      const auto drawn = random.below(sparse ? 4 : 2);
      side = drawn > 1 ? std::int8_t{0} : drawn == 1 ? std::int8_t{1} : std::int8_t{-1};
      positive |= side > 0;
      negative |= side < 0;
    }
    if (positive && negative) break;
  }
  const std::int8_t sign = *std::find_if(row.begin(), row.end(), [](std::int8_t side) { return side != 0; });
  for (std::int8_t& side : row) side = static_cast<std::int8_t>(side * sign);
  return row;
}

// Shorter than asked when there are not that many machines, or hardly.
CodeMatrix random_code(Index classes, Index length, bool sparse, Random& random) {
  std::set<Row> rows;
  CodeMatrix code;
  for (int draws = 0; static_cast<Index>(code.size()) < length && draws < most_draws; ++draws) {
    Row row = random_row(classes, sparse, random);
    if (!rows.insert(row).second) continue;
    code.push_back(sides_of(row));
    draws = -1;
  }
  return code;
}

}  // namespace

double least_distance(const CodeMatrix& code, Index classes) {
  Eigen::MatrixXi sides = Eigen::MatrixXi::Zero(static_cast<Index>(code.size()), classes);
  for (std::size_t l = 0; l < code.size(); ++l) {
    for (const std::int32_t k : code[l].positive) sides(static_cast<Index>(l), k) = 1;
    for (const std::int32_t k : code[l].negative) sides(static_cast<Index>(l), k) = -1;
  }
  int largest = std::numeric_limits<int>::min();
  for (Index i = 0; i < classes; ++i)
    for (Index j = i + 1; j < classes; ++j) {
      const Eigen::ArrayXi product = sides.col(i).array() * sides.col(j).array();
      if (product.minCoeff() >= 0) return 0;
      largest = std::max(largest, product.sum());
    }
  return 0.5 * (static_cast<double>(code.size()) - largest);
}

CodeMatrix output_code(const MulticlassOptions& options, Index classes, std::uint64_t seed) {
  const bool few = classes <= exhaustive_by_itself && options.code_length == 0;
  if (options.code == CodeKind::exhaustive || (options.code == CodeKind::automatic && few))
    return exhaustive_code(classes);
  const bool sparse = options.code == CodeKind::sparse;
  const Index usual = std::llround(std::ceil((sparse ? 15 : 10) * std::log2(static_cast<double>(classes))));
  const Index length = options.code_length > 0 ? options.code_length : usual;
  const auto words = static_cast<double>(classes);
  const double affordable = std::clamp(1e9 / (words * words * static_cast<double>(length)), 1.0, candidates);
  Random random(seed);
  CodeMatrix best;
  double farthest = 0;
  for (int n = 0; n < static_cast<int>(affordable); ++n) {
    CodeMatrix code = random_code(classes, length, sparse, random);
    const double distance = least_distance(code, classes);
    if (distance <= farthest) continue;
    farthest = distance;
    best = std::move(code);
  }
  if (best.empty())
    throw Error(Code::usage,
                fmt::format("`code_length` {}: no random code of that length tells all of {} classes apart; "
                            "the usual length is {}",
                            length, classes, usual));
  return best;
}

}  // namespace discern
