// Checks that this machine can run what the program was built for, before anything else runs. This file is
// compiled for every x86-64 and uses nothing that the rest of the program could have been compiled into.
#include <unistd.h>

#include "cli/shell/app.hpp"

namespace {

bool can_run() {
#ifdef DISCERN_NEEDS_AVX2
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

}  // namespace

int main(int count, char** words) {
  if (can_run()) return discern::cli::run_program(count, words);
  constexpr char message[] =
      "discern: error: this build needs a processor with AVX2 and FMA (x86-64-v3), which this machine lacks; "
      "build it with cmake -DDISCERN_ARCH=baseline\n";
  if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) return 1;
  return 1;
}
