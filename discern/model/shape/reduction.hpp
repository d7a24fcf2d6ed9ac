// Many classes from machines that tell two sides apart. Machine l says on which side of it a row lies, by a
// margin m_l >= 0 for its positive side; a class is on one side of it, c_lk = +1 or -1, or on neither, 0.
//
//   one-vs-rest   machine k: class k against all others
//   one-vs-one    a machine for each pair i < j: class i against class j
//   output codes  any sides; the signs c_.k are the code word of class k
//   joint         the K scores of a linear machine (or the score of two classes), where they are calibrated
//
// How the margins decide, s_l = +1 or -1 being the sign of m_l:
//
//   max         argmax_k m_k                                                        (joint, one-vs-rest)
//   unanimous   the class whose signs are those of all its machines; none or several: undecided
//   vote        argmax_k sum_l c_lk s_l: the most wins, for codes the least Hamming distance, zeros counting
//               half; ties by the larger sum_l c_lk m_l
//   sum         argmax_k sum_l c_lk m_l in one-vs-one, argmin_k sum_l L(c_lk m_l) for codes, L the loss of
//               the machines (Allwein, Schapire and Singer 2000)
//
// and what is left of a tie goes to the first class. Probabilities, where the margins are log-odds, of a link
// or a calibration, r_l = 1 / (1 + exp(-m_l)):
//
//   joint, one-vs-rest   p_k = r_k / sum_j r_j
//   one-vs-one           min_p sum_{i != j} (r_ji p_i - r_ij p_j)^2, sum_k p_k = 1   (Wu, Lin and Weng 2004)
//   output codes         p_k ~ prod_l (1 / (1 + exp(-c_lk m_l)))^(2/D), D the mean number of machines that
//                        tell two classes apart: where it is two, the likelihood of the code word
//
// A class that is decided for always has the largest probability. Where it does not by these formulas, which
// votes and sums need not follow, the nearest probabilities are given (in squares) in which it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/model/shape/predictor.hpp"
#include "discern/options/multiclass.hpp"

namespace discern {

// The classes on the two sides of a machine, ascending; the others are on neither. No class on the negative
// side: all but the first of the positive one.
struct Sides {
  std::vector<std::int32_t> positive, negative;
};
using CodeMatrix = std::vector<Sides>;

CodeMatrix one_vs_rest_code(Index classes);  // of two classes one machine, with class 1 on its positive side
CodeMatrix one_vs_one_code(Index classes);

// Machine by machine a function from scores to log-odds. Platt: a g + b. Isotonic: P rises from point to
// point, linearly between them and not at all beyond the first and the last; it is never 0 or 1.
struct Calibration {
  Vector slope, offset;       // Platt's a and b, a machine each; empty: isotonic
  std::vector<Index> starts;  // where the points of each machine start, and at last where they end
  Vector scores, proba;       // of the points

  bool isotonic() const { return slope.size() == 0; }
  double log_odds(Index machine, double score) const;
};

struct Reduction {
  Strategy strategy = Strategy::joint;
  Combining combining = Combining::max;
  std::string loss = "logistic";  // of the machines, a name in loss/all.hpp; for sums over output codes
  CodeMatrix code;
  std::optional<Calibration> calibration = {};

  Index machines() const { return static_cast<Index>(code.size()); }
};

// The margins of the machines, rows x machines, from the scores of the predictor: these themselves, the
// differences of two a machine, or for joint models with probabilities the log-odds of the classes; then
// calibrated.
Matrix margins_of(const Reduction& reduction, const Matrix& scores, Link link);

// What the machines together say about some rows, given the scores of the predictor: rows x classes, for two
// classes one score. The scores are what decides: margins, wins or sums.
struct Combined {
  std::vector<std::int32_t> labels;
  Matrix scores;
  Matrix proba;  // empty without a link or a calibration
};
Combined combine(const Reduction& reduction, const Matrix& scores, Link link, Index classes);

// The name of some classes, "a + b + ..." or "rest" for none, and of a machine: "a : b", "a : rest", "a + c :
// b + d".
std::string side_name(const std::vector<std::int32_t>& side, const std::vector<std::string>& classes);
std::string machine_name(const Sides& sides, const std::vector<std::string>& classes);

// "one-vs-one, 325 machines, by vote"
std::string reduction_text(const Reduction& reduction);

}  // namespace discern
