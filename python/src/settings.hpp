// What Python passes to a fit, as the options of the library; and the monitor that listens to Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "arrays.hpp"
#include "discern/discern.hpp"

namespace discern::python {

// Watches a fit that runs without the interpreter's lock. From time to time, on the thread that called, it takes
// the lock, lets Python handle its signals, and tells `callback` (or None) where the fit is. An exception of
// either asks the fit to stop.
class Watch {
 public:
  explicit Watch(nb::object callback);
  Monitor monitor();
  void rethrow();       // what was raised meanwhile, if anything
  nb::object raised();  // the same as a value; None: nothing was

 private:
  bool heard(const Progress& progress);

  nb::object callback_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_;
  std::atomic<bool> stopped_ = false;
  std::optional<nb::python_error> raised_;
};

ModelOptions model_of(const std::string& name, nb::dict options);
// Throws ValueError for a setting that does not exist. The monitor is that of the watch.
FitOptions fit_options_of(nb::dict settings, Watch& watch);
FoldOptions folds_of(nb::dict settings);

// Rows with their labels (`classes` is a list) or numbers (None). `x` is an array, CSR or a Frame, whose target is
// then the name `y`.
struct Learning {
  std::optional<Rows> rows;
  std::optional<Frame> frame;
  std::string target;
  Labels labels;
  Numbers numbers;
  Task task = Task::classification;
};
Learning learning_of(nb::handle x, nb::handle y, nb::handle classes);

}  // namespace discern::python
