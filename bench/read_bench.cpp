// Reads one file and says how long it took, for bench/read.py:
//
//   read_bench FILE [THREADS [FORMAT [TARGET]]]
//
// prints {"seconds":..,"cpu":..,"rows":..,"cols":..,"parsed_bytes":..,"peak_rss":..,"check":..} where
// parsed_bytes is the size of the table in memory and check a sum over its values (so that readers can be
// compared).
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <exception>

#include "discern/base/threads.hpp"
#include "discern/io/table/read.hpp"

namespace {

struct Size {
  std::int64_t bytes = 0;
  double sum = 0;
};

template <class T>
void add(Size& size, const discern::DenseMatrix<T>& x) {
  size.bytes += x.rows * x.cols * static_cast<std::int64_t>(sizeof(T));
  for (const T v : x.values.span())
    if (v == v) size.sum += static_cast<double>(v);
}

template <class T>
void add(Size& size, const discern::SparseMatrix<T>& x) {
  size.bytes += x.values.size() * static_cast<std::int64_t>(sizeof(T) + sizeof(std::uint32_t)) +
                x.starts.size() * static_cast<std::int64_t>(sizeof(std::int64_t));
  for (const T v : x.values.span()) size.sum += static_cast<double>(v);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: read_bench FILE [THREADS [FORMAT [TARGET]]]\n");
    return 2;
  }
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  discern::ReadOptions options;
  if (argc > 3) options.format = argv[3];
  if (argc > 4) options.side.push_back({argv[4], true, true});
  try {
    discern::Table table;
    const auto start = std::chrono::steady_clock::now();
    discern::with_threads(threads, [&] { table = discern::read_table(argv[1], options); });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Size size;
    std::visit([&](const auto& x) { add(size, x); }, table.x);
    for (const auto& side : table.side)
      size.bytes += static_cast<std::int64_t>(side.values.size() * sizeof(double));
    const auto in_seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    fmt::print(R"({{"seconds":{},"cpu":{},"rows":{},"cols":{},"parsed_bytes":{},"peak_rss":{},"check":{}}})"
               "\n",
               seconds.count(), in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime), table.rows(),
               column_count(table.x), size.bytes, std::int64_t{usage.ru_maxrss} * 1024, size.sum);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
