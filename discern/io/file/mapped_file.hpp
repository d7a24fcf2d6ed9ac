// A file mapped into memory for reading, and what happens when somebody else changes it meanwhile.
//
// Mapped bytes are those of the file: a program that writes to the file changes them under the reader, and
// when the file is cut short, touching a page beyond its new end raises SIGBUS, which would end the process.
// The first mapping therefore installs a handler for SIGBUS. It replaces the pages that are gone by zeros,
// marks the mapping as incomplete and lets the reader go on. A fault at any other address goes to the handler
// that was installed before.
//
// So every reader of mapped bytes must be memory-safe whatever the bytes are, even if they differ when they
// are read twice, and must call check_unchanged() before its result is used.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace discern {

class MappedFile {
 public:
  // Maps an open regular file, about which fstat gave `info`. Null when it cannot be mapped, or when so many
  // files are mapped that the handler has no room for another; it can then still be read.
  static std::shared_ptr<const MappedFile> map(int descriptor, const struct stat& info,
                                               const std::string& name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  // Tells the system that these bytes will not be read again soon.
  void release(std::size_t first, std::size_t count) const;
  // Throws Code::io when the file was written to or cut short since it was mapped, or could not be read.
  void check_unchanged() const;

 private:
  struct Slot;
  friend void check_mapped_files();
  friend struct MappedFiles;
  MappedFile() = default;

  std::string name_;  // as errors name it
  int descriptor_ = -1;
  struct stat info_ {};  // when it was mapped
  std::string_view bytes_;
  Slot* slot_ = nullptr;
};

// check_unchanged() of all files that this process has mapped.
void check_mapped_files();

// The Error about a file whose bytes were found to differ between two looks at them.
[[noreturn]] void throw_file_changed(const std::string& file);

}  // namespace discern
