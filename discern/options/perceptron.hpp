// The perceptron (Rosenblatt 1958), for two classes and for more.
//
// A sample is y = [x 1], its label t = -1 or +1, the weights a = [w b]; it is misclassified when t a.y <= 0.
// From a = 0, for at most `epochs` passes over the rows:
//
//   batch        a <- a + h sum over the misclassified of s t y                once a pass
//   sequential   a <- a + h s t y                 at each misclassified sample, in the order of the file or
//                                                 with `shuffle` in a new random order every pass
//   fractional   a <- a + lambda |a.y| / |y|^2 t y    likewise; with lambda = 1 as far as the plane
//                                                 a.y = 0, with lambda = 2 to its mirror image
//                                                 (relaxation: Agmon 1954, Motzkin and Schoenberg 1954).
//                                                 Where a.y = 0, as at the start: a <- a + t y
//   sgd          a <- a + h sum over the misclassified of a batch of s t y     in a new random order every
//                                                 pass; one sample a batch is online learning
//
// s is the sample weight (none with fractional correction). The step h is the learning rate, or it divided by
// k or sqrt(k): k counts passes of batch, corrections of sequential and steps of sgd, from 1.
//
// With K > 2 classes there is a score each, g_k = a_k.y (Kesler's construction; Duda, Hart and Stork, section
// 5.12). A sample of class i is misclassified when some other class j has g_j >= g_i. With the largest
// such g_j, the first of equals, a_i <- a_i + h y and a_j <- a_j - h y. (Then |y|^2 is 2 |y|^2 above.)
//
// A pass without a mistake ends the training: the plane separates the classes. When there is such a plane, h
// is constant and the weights are equal, the mistakes made on the way are at most
//
//   m (R / margin)^2,     R = max |y|,     margin = min t a.y / |a|,     (Novikoff 1962)
//
// for any a that separates, also for the one found; m is the largest number of samples corrected at once (1
// for sequential). For K classes it is twice that, with the margin min (a_i - a_j).y / |a|. R, the margin,
// the bound and the mistakes are reported. When there is none the training goes on to its limit, and says so.
//
// `averaged` gives the mean of a over all steps (Polyak and Ruppert; Freund and Schapire 1999), `pocket` the
// best a that was met (Gallant 1990): of each pass the one that got most samples right in a row is tried
// on all rows.
//
// y is in the coordinates that the user chose: standardised features (centred, divided by their standard
// deviation; 0/1 columns made from text as they are), or the features of the file.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"

namespace discern {

enum class PerceptronVariant { sequential, batch, fractional, sgd };
inline std::span<const std::string_view> value_names(PerceptronVariant) {
  static constexpr std::array<std::string_view, 4> names{"sequential", "batch", "fractional", "sgd"};
  return names;
}

enum class Increment { constant, inverse, inverse_sqrt };
inline std::span<const std::string_view> value_names(Increment) {
  static constexpr std::array<std::string_view, 3> names{"constant", "inverse", "inverse-sqrt"};
  return names;
}

struct Perceptron {
  PerceptronVariant variant = PerceptronVariant::sequential;
  double learning_rate = 1;
  Increment schedule = Increment::constant;
  double lambda = 1.5;
  Index batch_size = 1;
  Index epochs = 1000;
  bool shuffle = false;
  bool averaged = false;
  bool pocket = false;
  bool no_bias = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Perceptron>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.variant, Field{"variant", "when and by how much a perceptron corrects"});
  visit(options.learning_rate, Field{"learning-rate", "length of a correction, above 0; not of fractional"});
  visit(options.schedule,
        Field{"schedule",
              "how the correction falls with the corrections, steps or passes k: 1, 1/k, 1/sqrt(k)"});
  visit(options.lambda, Field{"lambda", "of fractional correction: 1 is as far as the plane, 2 its mirror"});
  visit(options.batch_size, Field{"batch-size", "samples a step of sgd", 1});
  visit(options.epochs, Field{"epochs", "passes over the data (at most, where it stops by itself)", 1});
  visit(options.shuffle, Field{"shuffle", "take the samples in a new random order every epoch"});
  visit(options.averaged, Field{"averaged", "give the mean of the weights over all steps"});
  visit(options.pocket, Field{"pocket", "give the weights met that make the fewest mistakes"});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
}

}  // namespace discern
