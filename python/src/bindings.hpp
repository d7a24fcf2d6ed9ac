// The parts of the extension module, and what they share.
#pragma once

#include <nanobind/nanobind.h>

#include "discern/discern.hpp"
#include "settings.hpp"

namespace discern::python {

namespace nb = nanobind;

void bind_model(nb::module_& m);      // Model: what a fitted model tells and predicts
void bind_frame(nb::module_& m);      // Frame: named columns of numbers and text
void bind_functions(nb::module_& m);  // fit, load, cross_validate, compare, path, separable, project

nb::dict certificate_of(const Certificate& certificate);

// Runs the work without the interpreter's lock.
template <class Work>
auto unlocked(const Work& work) {
  const nb::gil_scoped_release release;
  return work();
}

// The same for work that a watch can stop. What was raised meanwhile comes before the error that this caused.
template <class Work>
auto watched(Watch& watch, const Work& work) {
  try {
    return unlocked(work);
  } catch (const Error& error) {
    if (error.code() == Code::interrupted) watch.rethrow();
    throw;
  }
}

}  // namespace discern::python
