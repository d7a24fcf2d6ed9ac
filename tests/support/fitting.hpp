// Fitting from a test in one line.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "discern/catalogue/models.hpp"
#include "discern/io/table/read.hpp"

namespace discern::support {

struct Request {
  std::string model = "logistic";
  std::vector<std::pair<std::string, std::string>> options =
      {};  // of the model, and --multiclass and the like
  Task task = Task::classification;
  std::string target = "class";
  std::string weight = {};
  std::string class_weight = {};
  std::string positive = {};
  std::string basis = {};
  bool standardize = true;
  DecisionOptions decision = {};
  bool keep_statistics = false;
  InferenceRequest inference = {};
  std::uint64_t seed = 0;
};

// The path of a file in the repository's data folder, in its docs, and of a model kept in
// tests/persist/models.
std::string data_file(const std::string& name);
std::string docs_file(const std::string& name);
std::string kept_model_file(const std::string& name);
// The folder of files as people have them (tests/io/csv/messy_test.cpp).
std::string messy_tables();

// Reads a file as `discern fit` would.
Table read_for(const std::string& path, const Request& request);
// Fits with the defaults of the command line.
FitOutcome fit_table(const Table& table, const Request& request);
FitOutcome fit_file(const std::string& path, const Request& request);

// A dense table of numbers with class labels ("a", "b", ...), for hand-made problems.
Table make_table(const std::vector<std::vector<double>>& rows, const std::vector<std::string>& labels,
                 const std::vector<double>& weights = {});
// The same with compressed sparse rows.
Table as_sparse(const Table& table);

// The weights in the units of the file and the bias at the origin, score by score: w..., b.
std::vector<double> parameters(const Model& model);

}  // namespace discern::support
