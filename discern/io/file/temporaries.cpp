#include "discern/io/file/temporaries.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <vector>

namespace discern {
namespace {

// A signal handler reaches globals only, and must not wait: it takes the list when it is free or not at all.
enum class List { free, taken, abandoned };
std::atomic<List> list{List::free};
static_assert(std::atomic<List>::is_always_lock_free);
bool replaced = false;
std::vector<std::string>* listed = nullptr;  // never destroyed: it is of use until the process has ended

bool take_list() noexcept {
  List expected = List::free;
  return list.compare_exchange_strong(expected, List::taken);
}

class ListGuard {
 public:
  ListGuard() {
    while (!take_list()) std::this_thread::yield();
  }
  ~ListGuard() { list = List::free; }
  ListGuard(const ListGuard&) = delete;
  ListGuard& operator=(const ListGuard&) = delete;
};

void strike_out(const std::string& path) {
  listed->erase(std::remove(listed->begin(), listed->end(), path), listed->end());
}

}  // namespace

int create_temporary(const std::string& path, mode_t mode) {
  const ListGuard guard;
  if (listed == nullptr) listed = new std::vector<std::string>;
  listed->push_back(path);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) listed->pop_back();
  return descriptor;
}

int replace_by_temporary(const std::string& path, const std::string& target) {
  const ListGuard guard;
  if (std::rename(path.c_str(), target.c_str()) != 0) return -1;
  replaced = true;
  strike_out(path);
  return 0;
}

void remove_temporary(const std::string& path) {
  const ListGuard guard;
  ::unlink(path.c_str());
  strike_out(path);
}

bool abandon_temporaries(Abandon when) noexcept {
  if (!take_list()) return false;
  if (replaced && when == Abandon::before_replacing) {
    list = List::free;
    return false;
  }
  list = List::abandoned;
  if (listed == nullptr) return true;
  for (const std::string& path : *listed) ::unlink(path.c_str());
  return true;
}

}  // namespace discern
