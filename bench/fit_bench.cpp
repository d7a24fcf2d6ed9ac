// Fits one model to data in memory and says how long it took, for bench/fit.py:
//
//   fit_bench MODEL DATA [TARGET.npy] [name=value ...]
//   fit_bench machine [threads=N]
//
// DATA is any file that the library reads; its labels or targets are the column "label" (LIBSVM), or the one
// column of TARGET.npy. Nothing is done to the features. Names of its own: threads=N, task=regression,
// tolerances=T,T,... (a fit for each) or fits=N (as many, of models that know no tolerance), and
// weights=PREFIX (fit k writes PREFIX.k: for each score its weights and then its bias, as 8-byte floats). All
// others are options of the model. Prints a line of JSON for each fit; only the call of fit() is timed, on
// data that have been read through once. "machine" prints what the threads reach together: the GB/s of
// reading memory, and the GFLOP/s of large matrix products.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/io/table/read.hpp"

namespace {

using discern::Index;
using Clock = std::chrono::steady_clock;

struct Request {
  std::string model, data, target, weights;
  std::vector<std::string> tolerances;
  std::vector<std::pair<std::string, std::string>> options;
  discern::Task task = discern::Task::classification;
  int threads = 0, fits = 1;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Request parse(int argc, char** argv) {
  Request request;
  std::vector<std::string> places;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (equals == std::string::npos)
      places.push_back(argument);
    else if (name == "threads")
      request.threads = std::atoi(value.c_str());
    else if (name == "fits")
      request.fits = std::atoi(value.c_str());
    else if (name == "task")
      request.task = value == "regression" ? discern::Task::regression : discern::Task::classification;
    else if (name == "tolerances")
      request.tolerances = split(value);
    else if (name == "weights")
      request.weights = value;
    else
      request.options.emplace_back(name, value);
  }
  places.resize(3);
  request.model = places[0];
  request.data = places[1];
  request.target = places[2];
  return request;
}

std::vector<double> target_column(const discern::Table& table, const Request& request) {
  if (request.target.empty()) {
    const auto* column = table.find_side("label");
    if (column == nullptr)
      throw discern::Error(discern::Code::usage, request.data + " has no labels: give TARGET.npy");
    return column->values;
  }
  const discern::Table target = discern::read_table(request.target);
  return std::visit(
      [](const auto& x) -> std::vector<double> {
        return {x.values.begin(), x.values.end()};
      },
      target.x);
}

// Fills in labels or targets and returns the number of classes.
Index set_targets(std::vector<double> values, discern::Task task, discern::Targets& targets) {
  if (task == discern::Task::regression) {
    targets.values = std::move(values);
    return 0;
  }
  std::vector<double> classes = values;
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  for (const double value : values)
    targets.labels.push_back(
        static_cast<std::int32_t>(std::lower_bound(classes.begin(), classes.end(), value) - classes.begin()));
  return static_cast<Index>(classes.size());
}

// Reads every value once, so that no fit pays for fetching pages of a mapped file or for starting threads.
// Returns the bytes of the data.
Index touch(const discern::Features& features) {
  Index bytes = 0;
  const auto read = [&]<class T>(const discern::Buffer<T>& buffer) {
    constexpr Index step = 1 << 16;
    std::vector<double> sums(static_cast<std::size_t>(buffer.size() / step + 1));
    discern::parallel_for(static_cast<Index>(sums.size()), [&](Index k) {
      for (Index i = k * step; i < std::min(buffer.size(), (k + 1) * step); ++i)
        sums[static_cast<std::size_t>(k)] += static_cast<double>(buffer[i]);
    });
    bytes += buffer.size() * static_cast<Index>(sizeof(T));
  };
  std::visit(
      [&](const auto& x) {
        read(x.values);
        if constexpr (requires { x.columns; }) {
          read(x.columns);
          read(x.starts);
        }
      },
      features);
  return bytes;
}

void write_weights(const discern::Predictor& predictor, const std::string& path) {
  const auto& linear = std::get<discern::Linear>(predictor);
  const discern::Vector bias = linear.bias_at_origin();
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const double* values, Index count) {
    file.write(reinterpret_cast<const char*>(values),
               static_cast<std::streamsize>(count) * static_cast<std::streamsize>(sizeof(double)));
  };
  for (Index k = 0; k < linear.scores(); ++k) {
    put(linear.weights.row(k).data(), linear.features());
    put(bias.data() + k, 1);
  }
  if (!file) throw discern::Error(discern::Code::io, "could not write the weights", {path, 0, ""});
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void print(const discern::Summary& summary, double seconds, Index bytes) {
  fmt::print(R"({{"seconds":{},"objective":{},"iterations":{},"converged":{},"certificate":{},"kind":"{}",)"
             R"("solver":"{}","bytes":{}}})"
             "\n",
             seconds, number(summary.objective.value_or(NAN)), summary.iterations, summary.converged,
             number(summary.certificate.value), summary.certificate.kind, summary.solver, bytes);
  std::fflush(stdout);
}

void run(const Request& request) {
  // Before the data are read, so that an option that does not exist is known at once.
  discern::ModelOptions options = discern::find_model(request.model).make(request.model);
  for (const auto& [name, value] : request.options) discern::set_option(options, name, value);
  for (const auto& tolerance : request.tolerances) discern::set_option(options, "tol", tolerance);

  discern::ReadOptions reading;
  if (request.target.empty()) reading.side.push_back({"label", false, true});
  const discern::Table table = discern::read_table(request.data, reading);
  discern::Targets targets;
  const Index classes = set_targets(target_column(table, request), request.task, targets);
  const discern::MemorySource source(table.x, targets);
  const discern::Training training{source, request.task, classes, false, {}, {}, {}, 0, {}};
  const Index bytes = touch(table.x);

  const std::size_t fits =
      request.tolerances.empty() ? static_cast<std::size_t>(request.fits) : request.tolerances.size();
  for (std::size_t k = 0; k < fits; ++k) {
    if (!request.tolerances.empty()) discern::set_option(options, "tol", request.tolerances[k]);
    const auto start = Clock::now();
    const discern::Fitted fitted =
        std::visit([&](const auto& chosen) { return fit(chosen, training); }, options);
    const std::chrono::duration<double> seconds = Clock::now() - start;
    if (!request.weights.empty()) write_weights(fitted.predictor, request.weights + "." + std::to_string(k));
    print(fitted.summary, seconds.count(), bytes);
  }
}

// The best of five readings of a gigabyte, in GB/s.
double bandwidth() {
  discern::DenseMatrix<double> x{discern::Buffer<double>(Index{1} << 27), Index{1} << 27, 1};
  std::fill_n(x.values.data(), x.values.size(), 1.0);
  constexpr Index step = 1 << 16;
  std::vector<double> sums(static_cast<std::size_t>(x.rows / step));
  double best = 0;
  for (int trial = 0; trial < 5; ++trial) {
    const auto start = Clock::now();
    discern::parallel_for(static_cast<Index>(sums.size()), [&](Index k) {
      double partial[8] = {};  // independent sums, so that the additions do not wait for one another
      const double* values = x.values.data() + k * step;
      for (Index i = 0; i < step; i += 8)
        for (Index j = 0; j < 8; ++j) partial[j] += values[i + j];
      for (const double value : partial) sums[static_cast<std::size_t>(k)] += value;
    });
    const std::chrono::duration<double> seconds = Clock::now() - start;
    best = std::max(best, static_cast<double>(x.rows) * 8e-9 / seconds.count());
  }
  // A sum that is never looked at would be left out.
  return std::accumulate(sums.begin(), sums.end(), 0.0) > 0 ? best : 0;
}

// The best of ten products of square matrices, one a thread at a time, in GFLOP/s.
double matrix_products() {
  constexpr Index size = 512;
  const int threads = discern::thread_count();
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(size, size), b = Eigen::MatrixXd::Random(size, size);
  std::vector<Eigen::MatrixXd> products(static_cast<std::size_t>(threads), Eigen::MatrixXd(size, size));
  double best = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const auto start = Clock::now();
    discern::parallel_for(threads, [&](Index k) { products[static_cast<std::size_t>(k)].noalias() = a * b; });
    const std::chrono::duration<double> seconds = Clock::now() - start;
    best = std::max(best, 2e-9 * threads * static_cast<double>(size * size * size) / seconds.count());
  }
  return best;
}

void print_machine() {
  fmt::print(R"({{"bandwidth":{},"products":{}}})"
             "\n",
             bandwidth(), matrix_products());
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = parse(argc, argv);
  if (request.model.empty() || (request.data.empty() && request.model != "machine")) {
    fmt::print(stderr, "usage: fit_bench MODEL DATA [TARGET.npy] [name=value ...]\n");
    return 2;
  }
  try {
    discern::with_threads(request.threads, [&] {
      if (request.model == "machine")
        print_machine();
      else
        run(request);
    });
    return 0;
  } catch (const discern::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.code() == discern::Code::usage ? 2 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
