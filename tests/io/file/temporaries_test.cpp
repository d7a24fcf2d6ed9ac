#include "discern/io/file/temporaries.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "discern/io/file/file.hpp"
#include "tests/io/file/scratch_folder.hpp"

namespace discern::temporaries_test {
namespace {

// A child process each: afterwards no file can be written any more.
TEST(Temporaries, AreTakenAwayAndTheTargetStays) {
  const ScratchFolder folder;
  const std::string target = folder.path("a");
  EXPECT_EXIT(
      {
        FileWriter writer(target);
        writer.write("half");
        // Other tests may have put files in their place before this process was forked.
        const bool done = abandon_temporaries(Abandon::always);
        ::_exit(done && folder.entries() == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Temporaries, AreNotAbandonedOnceAnOutputIsInItsPlace) {
  const ScratchFolder folder;
  const std::string target = folder.path("a");
  EXPECT_EXIT(
      {
        FileWriter writer(target);
        writer.commit();
        const bool early = abandon_temporaries(Abandon::before_replacing);
        const bool late = abandon_temporaries(Abandon::always);
        ::_exit(!early && late && folder.entries() == 1 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace discern::temporaries_test
