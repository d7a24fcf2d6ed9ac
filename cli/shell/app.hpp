// The program: from the words of the command line to an exit code.
//
//   0    done
//   1    the data, the model or the system is at fault
//   2    the command line is at fault
//   3    a fit stopped short of its tolerance under --strict
//   130  interrupted (128 + the signal)
#pragma once

namespace discern::cli {

int run_program(int count, char** words);

}  // namespace discern::cli
