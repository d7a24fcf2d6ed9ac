// Stands in for the library of Debian's liblinear-train and turns that program into one that only reads:
// the first function it calls after its own read_problem says how long that took, and ends it.
//
// Built by bench/read.py as liblinear.so.4. Prints what the other readers of the comparison print.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

const auto start = std::chrono::steady_clock::now();

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

const long bare = peak_kilobytes();

}  // namespace

struct problem {
  int l;  // rows
  int n;  // columns
};

extern "C" {

const char* check_parameter(const problem* data, const void*) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("{\"seconds\": %.6f, \"rows\": %d, \"peak_rss\": %ld}\n", seconds.count(), data->l,
              (peak_kilobytes() - bare) * 1024);
  std::fflush(stdout);
  _exit(0);
}

// Never reached; the program only has to find them.
void train() {}
void cross_validation() {}
void find_parameters() {}
void save_model() {}
void set_print_string_function() {}
void free_and_destroy_model() {}
void destroy_param() {}
void check_regression_model() {}
void check_oneclass_model() {}
}
