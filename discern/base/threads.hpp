// Threads: the only header through which the library runs things in parallel (oneTBB inside).
// Results never depend on the number of threads; see stats/fold.hpp for how.
#pragma once

#include <cstdint>
#include <functional>

namespace discern {

// Calls body(0), ..., body(count-1), in any order, on the threads of the enclosing with_threads.
// An exception thrown by a body is rethrown here; which one, when several throw, is not defined, so
// bodies that can fail on user data record their failure and the caller reports the first in order.
// Returning means that all calls were made: a loop inside a loop that has failed may leave calls out, but
// then it throws.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body);

// Runs `work` with at most `threads` threads (0: all of the machine's).
void with_threads(int threads, const std::function<void()>& work);

int thread_count();  // the number of threads that parallel_for may use here

}  // namespace discern
