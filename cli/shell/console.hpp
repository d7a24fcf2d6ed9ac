// Where a command speaks: results to standard output, words for people to standard error.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "discern/base/progress.hpp"

namespace discern::cli {

// Colours, or nothing where they are not wanted.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string red(std::string_view text) const { return wrapped("31", text); }
  std::string green(std::string_view text) const { return wrapped("32", text); }
  std::string yellow(std::string_view text) const { return wrapped("33", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;
  bool on_;
};

// Colours only on a terminal, and never when NO_COLOR is set (no-color.org).
bool wants_color(int descriptor);

class Console {
 public:
  Console(bool quiet, bool json);

  bool json() const { return json_; }
  bool quiet() const { return quiet_ && !json_; }  // neither words nor results: nobody hears of the fit
  const Paint& out() const { return out_; }
  const Paint& err() const { return err_; }

  void print(std::string_view text);  // a result; throws Code::io when it cannot be written
  void say(std::string_view text);    // for people; nothing under --quiet or --json
  void warn(std::string_view text);   // "discern: warning: ..."

  // Shows a progress line on a terminal for work that takes longer than half a second, and stops the
  // work when a signal asked for it.
  Monitor monitor();

 private:
  void show(const Progress& progress);
  void clear_line();

  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool json_;
  bool live_;  // draw a progress line
  Paint out_;
  Paint err_;
  std::mutex drawing_;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_drawn_;
  bool drawn_ = false;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace discern::cli
