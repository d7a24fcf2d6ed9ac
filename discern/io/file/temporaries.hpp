// The temporary files of this process. A signal handler may end the process at any moment, and must leave
// none of them behind: either it takes them away, and no file is put in its place any more, or it is too
// late.
#pragma once

#include <sys/types.h>

#include <string>

namespace discern {

// As open(2) with O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC.
int create_temporary(const std::string& path, mode_t mode);
// As rename(2) and unlink(2), of what was created here.
int replace_by_temporary(const std::string& path, const std::string& target);
void remove_temporary(const std::string& path);

enum class Abandon {
  before_replacing,  // not if a file has been put in its place: what the process was to do is done
  always
};

// For a signal handler that is about to end the process: removes the files that there are, after which the
// functions above wait for the end. False when it did not: a file is being put in its place at this moment,
// or has been.
bool abandon_temporaries(Abandon when) noexcept;

}  // namespace discern
