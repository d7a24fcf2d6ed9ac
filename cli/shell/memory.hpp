// How the program's heap behaves.
#pragma once

namespace discern::cli {

// Fits allocate and free vectors of some hundred kilobytes by the dozen. Unless told otherwise the C library
// gives each of them back to the system, which clears every page anew when the next one is written to. This
// keeps what is freed, and asks for huge pages where vectors come from: one fault instead of 512. (Text of
// 100,000 sparse rows to a model: 3,800 instead of 10,300 faults, a twentieth less time.) Where the C library
// is another one, nothing changes.
void keep_freed_memory();

// Lets the program end with an error, and without a temporary file, when memory runs out where no exception
// may pass: nlohmann-json allocates in its destructor.
void prepare_for_lack_of_memory();
// For when the program cannot go on: ends it so if that is why.
void end_if_memory_ran_out();
// Says so on standard error, for which it needs none, and returns the exit code.
int tell_lack_of_memory() noexcept;

}  // namespace discern::cli
