// Many independent pieces of work side by side, each on one thread: where there are more of them than threads,
// this keeps every thread busy with no loop inside them to wait for.
#pragma once

#include <cstdint>
#include <functional>

namespace discern {

// Runs `work` on this thread alone: parallel_for within it makes its calls one after the other, which gives
// the same results.
void on_one_thread(const std::function<void()>& work);

// Whether so many pieces of work keep all threads busy for most of the time, so that the loops within them need
// no threads.
bool enough_for_all_threads(std::int64_t count);

// Calls body(0), ..., body(count-1) in parallel, each on one thread. Of several exceptions the one of the
// least number is thrown, and bodies of greater numbers may be left out.
void each_on_one_thread(std::int64_t count, const std::function<void(std::int64_t)>& body);

}  // namespace discern
