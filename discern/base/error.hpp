// How Discern reports a user's mistake: one exception type with a code, a message and a place, and
// Result<T> for callers who prefer values to exceptions.
//
// Every function of the library throws Error and nothing else for what a user can get wrong (a bad
// cell, a damaged model, an unknown option). Broken promises inside the library are asserts. Not
// converging is neither: it is a status of the fit.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace discern {

enum class Code {
  usage,          // the caller asked for something that does not exist or does not fit together
  data,           // the content of a data file is at fault
  model,          // a model file is damaged, foreign or too new
  io,             // the system refused to open, read, write or rename
  memory,         // the work would need more memory than allowed; found before allocating
  not_converged,  // a fit stopped short of its tolerance and the caller asked for that to be an error
  interrupted     // the caller's monitor asked to stop, and there is nothing usable yet
};

// Where a fault was found. Empty or zero members are unknown.
struct Place {
  std::string file;
  std::int64_t line = 0;  // 1-based line of the file
  std::string column;     // the name (or 1-based number) of the column
};

class Error : public std::exception {
 public:
  Error(Code code, std::string message, Place place = {});

  Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const Place& place() const noexcept { return place_; }
  // "file:line: column 'name': message", with the unknown parts left out.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Code code_;
  std::string message_;
  Place place_;
  std::string text_;
};

// A value or the Error that stands in its place.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  // Throws the Error when there is no value.
  const T& value() const& {
    if (!ok()) throw error();
    return std::get<0>(state_);
  }
  T&& value() && {
    if (!ok()) throw error();
    return std::get<0>(std::move(state_));
  }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Runs `work` and turns a thrown Error into a Result: attempt([&] { return load_model(path); }).
template <class F>
auto attempt(F&& work) -> Result<std::invoke_result_t<F>> {
  try {
    return std::forward<F>(work)();
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace discern
