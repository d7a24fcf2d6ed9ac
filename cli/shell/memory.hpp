// How the program's heap behaves.
#pragma once

namespace discern::cli {

// Fits allocate and free vectors of some hundred kilobytes by the dozen. Unless told otherwise the C library
// gives each of them back to the system, which clears every page anew when the next one is written to. This
// keeps what is freed, and asks for huge pages where vectors come from: one fault instead of 512. (Text of
// 100,000 sparse rows to a model: 3,800 instead of 10,300 faults, a twentieth less time.) Where the C library
// is another one, nothing changes.
void keep_freed_memory();

}  // namespace discern::cli
