// The figures of the subject, from class densities to networks. Each is computed by the library when it is asked for, is
// the same every time; the sources in this folder are grouped by subject.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "discern/report/figure.hpp"

namespace discern::report {

struct Exhibit {
  std::string_view number;   // "F1"
  std::string_view name;     // "class-densities", as `discern demo` takes it
  std::string_view summary;  // one line
  std::vector<Figure> (*make)();
};

std::span<const Exhibit> exhibits();

// A page of one of them, and the picture book of all.
Page exhibit_page(const Exhibit& exhibit);
Page picture_book();

// What makes them, in the order of the subject.
std::vector<Figure> class_densities();
std::vector<Figure> geometry();
std::vector<Figure> descent();
std::vector<Figure> perceptron_separable();
std::vector<Figure> perceptron_inseparable();
std::vector<Figure> least_squares_descent();
std::vector<Figure> learning_rates();
std::vector<Figure> gaussian_classes();
std::vector<Figure> posterior_sigmoid();
std::vector<Figure> logistic_line();
std::vector<Figure> losses();
std::vector<Figure> ridge_lasso();
std::vector<Figure> multiclass_regions();
std::vector<Figure> xor_space();
std::vector<Figure> basis_line();
std::vector<Figure> solution_region();
std::vector<Figure> ho_kashyap_steps();
std::vector<Figure> separability_proof();
std::vector<Figure> outliers();
std::vector<Figure> logic_networks();
std::vector<Figure> layers();
std::vector<Figure> activations();
std::vector<Figure> radial_units();
std::vector<Figure> perceptron_orders();
std::vector<Figure> fisher_axis();
std::vector<Figure> discriminant_plane();
std::vector<Figure> bayes_densities();
std::vector<Figure> weight_images();
std::vector<Figure> risk();
std::vector<Figure> descents();
std::vector<Figure> normalisation();
std::vector<Figure> truth_tables();

}  // namespace discern::report
