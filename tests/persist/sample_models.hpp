// Small models built by hand that together use everything a model file can hold: every shape of predictor,
// every link, every kind of step, texts of any bytes, and numbers that JSON has no word for. The tests of
// the model file, the models kept from earlier versions (see make_models.cpp) and the fuzzer start from them.
//
// All numbers are short binary fractions, so that scores are exact whatever the order of the sums.
#pragma once

#include <string>
#include <vector>

#include "discern/model/shape/model.hpp"

namespace discern {

struct SampleModel {
  std::string name;
  Model model;
};

Model two_class_model();   // numbered columns, no steps, a centre, logistic
Model many_steps_model();  // text columns, steps of every phase, three classes, softmax
Model regression_model();  // powers, no link, no certificate to speak of
Model quadratic_model();   // three classes, named columns, standardised
Model additive_model();    // two classes, every kind of term, text columns
Model kernel_sum_model();  // two classes, a centre and a scale
Model network_model();     // three classes, two hidden layers, a centre and a scale
Model decision_model();    // three classes, costs, rejecting and other priors
Model reduced_model();     // three classes by output codes, isotonic calibration
Model calibrated_model();  // two classes, Platt's calibration
Model bases_model();       // every kind of basis, each of some columns only
Model indicators_model();  // two classes, indicators of missing cells, a level for all other texts
Model dates_model();       // dates taken apart
Model odd_texts_model();   // empty, long and non-UTF-8 texts; NaN and infinities in the summary

std::vector<SampleModel> sample_models();

}  // namespace discern
