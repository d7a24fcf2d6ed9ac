// The extension module discern._core: the public interface of the library for Python. It converts and forwards;
// what is learned is learned in the library. The estimators in the package beside it are what users see.
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "discern/base/code_name.hpp"

namespace discern::python {
namespace {

// discern::Error becomes discern.Error, which has its members.
void translate_errors(nb::module_& m) {
  const nb::object type = nb::module_::import_("discern._errors").attr("Error");
  m.attr("Error") = type;
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* payload) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          const nb::handle exception(static_cast<PyObject*>(payload));
          const nb::object value = exception(error.what(), name_of(error.code()), error.place().file,
                                             error.place().line, error.place().column);
          PyErr_SetObject(exception.ptr(), value.ptr());
        }
      },
      nb::object(type).release().ptr());
}

}  // namespace
}  // namespace discern::python

NB_MODULE(_core, m) {
  m.doc() = "The public interface of the Discern library.";
  discern::python::translate_errors(m);
  discern::python::bind_model(m);
  discern::python::bind_frame(m);
  discern::python::bind_functions(m);
}
