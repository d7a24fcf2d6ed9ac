#include "discern/io/file/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include "discern/base/error.hpp"

namespace discern {

// What the handler knows of a mapping. The handler cannot wait for a lock, so it must notice when another
// thread is changing a slot: the slot of the address that faulted is not being changed.
struct MappedFile::Slot {
  std::atomic<std::uint32_t> version{0};  // odd while begin and end are being changed
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};   // 0: the slot is free
  std::atomic<bool> incomplete{false};  // some pages were replaced by zeros
  const MappedFile* file = nullptr;     // for check_mapped_files(); guarded by MappedFiles::mutex

  void set(std::uintptr_t first, std::uintptr_t last) {
    ++version;
    begin = first;
    end = last;
    ++version;
  }
  // The end of the mapping if it holds the address, otherwise 0.
  std::uintptr_t end_of_mapping_at(std::uintptr_t address) const {
    const std::uint32_t before = version;
    const std::uintptr_t first = begin, last = end;
    const bool stable = before % 2 == 0 && version == before;
    return stable && first <= address && address < last ? last : 0;
  }
};

// A signal handler can reach nothing but globals.
struct MappedFiles {
  static constexpr std::size_t most = 256;
  static std::mutex mutex;  // of those who map and unmap; the handler does not take it
  static std::array<MappedFile::Slot, most> slots;
  static struct sigaction previous_handler;
  static std::uintptr_t page;

  // Leaves file.slot_ null when there is no room.
  static void take_slot(MappedFile& file) {
    const auto first = reinterpret_cast<std::uintptr_t>(file.bytes_.data());
    const std::lock_guard lock(mutex);
    for (MappedFile::Slot& slot : slots) {
      if (slot.end != 0) continue;
      slot.incomplete = false;
      slot.file = &file;
      slot.set(first, first + file.bytes_.size());
      file.slot_ = &slot;
      return;
    }
  }
  static void give_back(MappedFile::Slot* slot) {
    const std::lock_guard lock(mutex);
    slot->file = nullptr;
    slot->set(0, 0);
  }

  // Several threads may fault at once; each replaces what is gone from its own page on.
  static bool replace_by_zeros(std::uintptr_t address) {
    for (MappedFile::Slot& slot : slots) {
      const std::uintptr_t end = slot.end_of_mapping_at(address);
      if (end == 0) continue;
      const std::uintptr_t first = address / page * page;
      void* const place = reinterpret_cast<void*>(first);
      slot.incomplete = true;
      return ::mmap(place, end - first, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == place;
    }
    return false;
  }

  static void on_bus_error(int signal, siginfo_t* info, void* context) {
    const int reason = errno;
    if (!replace_by_zeros(reinterpret_cast<std::uintptr_t>(info->si_addr))) pass_on(signal, info, context);
    errno = reason;
  }
  static void pass_on(int signal, siginfo_t* info, void* context) {
    if ((previous_handler.sa_flags & SA_SIGINFO) != 0)
      return previous_handler.sa_sigaction(signal, info, context);
    if (previous_handler.sa_handler != SIG_DFL && previous_handler.sa_handler != SIG_IGN)
      return previous_handler.sa_handler(signal);
    // What nobody handles ends the process as it would have without us.
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }

  static bool install_handler() {
    page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, nullptr, &previous_handler) == 0 && ::sigaction(SIGBUS, &action, nullptr) == 0;
  }
};

constinit std::mutex MappedFiles::mutex;
constinit std::array<MappedFile::Slot, MappedFiles::most> MappedFiles::slots;
struct sigaction MappedFiles::previous_handler {};
constinit std::uintptr_t MappedFiles::page = 4096;

std::shared_ptr<const MappedFile> MappedFile::map(int descriptor, const struct stat& info,
                                                  const std::string& name) {
  static const bool installed = MappedFiles::install_handler();
  if (!installed) return nullptr;
  const auto size = static_cast<std::size_t>(info.st_size);
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  const std::shared_ptr<MappedFile> file(new MappedFile);
  file->bytes_ = {static_cast<const char*>(memory), size};
  file->name_ = name;
  file->info_ = info;
  file->descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (file->descriptor_ >= 0) MappedFiles::take_slot(*file);
  return file->slot_ == nullptr ? nullptr : file;
}

MappedFile::~MappedFile() {
  if (slot_ != nullptr) MappedFiles::give_back(slot_);
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MappedFile::release(std::size_t first, std::size_t count) const {
  // Whole pages only: a part of a page may still be wanted by the neighbour.
  const std::size_t page = MappedFiles::page;
  const std::size_t begin = (first + page - 1) / page * page;
  const std::size_t end = (first + count) / page * page;
  if (end > begin) ::madvise(const_cast<char*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
}

void MappedFile::check_unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) throw_file_changed(name_);
  if (now.st_size < info_.st_size)
    throw Error(Code::io,
                fmt::format("the file was cut short while it was read, from {} bytes to {}", info_.st_size,
                            now.st_size),
                {name_, 0, ""});
  if (now.st_size != info_.st_size || now.st_mtim.tv_sec != info_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != info_.st_mtim.tv_nsec)
    throw_file_changed(name_);
  if (slot_->incomplete)
    throw Error(Code::io, "the system could not read a part of the file", {name_, 0, ""});
}

void check_mapped_files() {
  const std::lock_guard lock(MappedFiles::mutex);
  for (const MappedFile::Slot& slot : MappedFiles::slots)
    if (slot.file != nullptr) slot.file->check_unchanged();
}

void throw_file_changed(const std::string& file) {
  throw Error(Code::io, "the file changed while it was read", {file, 0, ""});
}

}  // namespace discern
