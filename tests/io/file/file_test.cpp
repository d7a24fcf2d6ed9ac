#include "discern/io/file/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "discern/base/error.hpp"
#include "tests/io/file/scratch_folder.hpp"

namespace discern::file_test {
namespace {

std::string text_of(const std::string& path) { return std::string(FileContent(path).text()); }

void write(const std::string& path, const std::string& text) {
  FileWriter writer(path);
  writer.write(text);
  writer.commit();
}

template <class Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Code::usage, "nothing was thrown");
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += std::to_string(i * 7919LL % 1000003) + (i % 9 == 0 ? "\n" : ",");
  return text;
}

TEST(FileContent, GivesTheBytesOfAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(text_of(folder.file("a", "a,b\n1,2\n")), "a,b\n1,2\n");
  EXPECT_EQ(text_of(folder.file("b", std::string("x\0y", 3))), std::string("x\0y", 3));
}

TEST(FileContent, AnEmptyFileIsEmptyText) {
  const ScratchFolder folder;
  EXPECT_EQ(text_of(folder.file("a", "")), "");
}

TEST(FileContent, NamesTheFileAndTheSystemsReason) {
  EXPECT_STREQ(error_of([] { text_of("/no/such/file"); }).what(),
               "/no/such/file: cannot open: No such file or directory");
  const ScratchFolder folder;
  const Error error = error_of([&] { text_of(folder.path("")); });
  EXPECT_EQ(error.code(), Code::io);
  EXPECT_NE(std::string(error.what()).find("Is a directory"), std::string::npos) << error.what();
}

TEST(FileContent, ReadsAPipeToItsEnd) {
  const ScratchFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = long_text();
  const pid_t child = ::fork();
  if (child == 0) {
    std::ofstream(pipe) << text;
    ::_exit(0);
  }
  EXPECT_EQ(text_of(pipe), text);
}

TEST(FileContent, StaysReadableAfterRelease) {
  const ScratchFolder folder;
  const std::string text = long_text();
  const FileContent content(folder.file("a", text));
  content.release(0, text.size());
  content.release(100, 1);
  EXPECT_EQ(content.text(), text);
}

class Compressed : public ::testing::TestWithParam<const char*> {};

TEST_P(Compressed, RoundTrips) {
  const ScratchFolder folder;
  const std::string path = folder.path(std::string("a.csv") + GetParam());
  for (const std::string& text : {std::string(), std::string("a,b\n"), long_text()}) {
    write(path, text);
    EXPECT_EQ(text_of(path), text);
  }
  EXPECT_LT(ScratchFolder::content(path).size(), long_text().size() / 2);
}

TEST_P(Compressed, SeveralMembersAreOneText) {
  const ScratchFolder folder;
  const std::string one = folder.path(std::string("one") + GetParam());
  write(one, "first,");
  const std::string first = ScratchFolder::content(one);
  write(one, "second");
  const std::string second = ScratchFolder::content(one);
  EXPECT_EQ(text_of(folder.file(std::string("both") + GetParam(), first + second)), "first,second");
}

TEST_P(Compressed, EveryTruncationIsRefusedByName) {
  const ScratchFolder folder;
  const std::string path = folder.path(std::string("a") + GetParam());
  write(path, "1,2,3\n4,5,6\n4,5,6\n4,5,6\n");
  const std::string whole = ScratchFolder::content(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder.file(std::string("a") + GetParam(), whole.substr(0, size));
    const Error error = error_of([&] { text_of(path); });
    EXPECT_EQ(error.code(), Code::data) << size;
    EXPECT_EQ(error.place().file, path);
  }
}

TEST_P(Compressed, DamageIsRefusedOrHarmless) {
  const ScratchFolder folder;
  const std::string path = folder.path(std::string("a") + GetParam());
  const std::string text = "1,2,3\n4,5,6\n4,5,6\n4,5,6\n";
  write(path, text);
  const std::string whole = ScratchFolder::content(path);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string damaged = whole;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
    folder.file(std::string("a") + GetParam(), damaged);
    const auto result = attempt([&] { return text_of(path); });
    // A few header bits (time stamps, the operating system) mean nothing.
    if (result.ok())
      EXPECT_EQ(result.value(), text) << k;
    else
      EXPECT_EQ(result.error().code(), Code::data) << k;
  }
}

TEST_P(Compressed, APlainFileOfThatNameIsRefused) {
  const ScratchFolder folder;
  EXPECT_EQ(error_of([&] { text_of(folder.file(std::string("a") + GetParam(), "a,b\n1,2\n")); }).code(),
            Code::data);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Compressed, ::testing::Values(".gz", ".zst"),
                         [](const auto& kind) { return std::string(kind.param + 1); });

TEST(FileWriter, LeavesNothingBehindWithoutACommit) {
  const ScratchFolder folder;
  {
    FileWriter writer(folder.path("new"));
    writer.write("half");
    EXPECT_EQ(folder.entries(), 1U);
  }
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(FileWriter, TheOldFileStaysWholeUntilTheCommit) {
  const ScratchFolder folder;
  const std::string path = folder.file("model", "old");
  {
    FileWriter writer(path);
    writer.write("new");
    EXPECT_EQ(ScratchFolder::content(path), "old");
  }
  EXPECT_EQ(ScratchFolder::content(path), "old");
  write(path, "new");
  EXPECT_EQ(ScratchFolder::content(path), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(FileWriter, KeepsThePermissionsOfAReplacedFile) {
  const ScratchFolder folder;
  const std::string path = folder.file("a", "old");
  ::chmod(path.c_str(), 0640);
  write(path, "new");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
}

TEST(FileWriter, WritesThroughALinkAndKeepsIt) {
  const ScratchFolder folder;
  folder.file("target", "old");
  std::filesystem::create_symlink(folder.path("target"), folder.path("link"));
  write(folder.path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(ScratchFolder::content(folder.path("target")), "new");
}

TEST(FileWriter, AFullDiskIsReportedWithItsReason) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "the system has no /dev/full";
  for (const std::size_t size : {std::size_t{1}, std::size_t{3} << 20}) {
    const Error error = error_of([&] { write("/dev/full", std::string(size, 'x')); });
    EXPECT_EQ(error.code(), Code::io);
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
}

// A limit on the size of files stands in for a disk that fills up while writing.
TEST(FileWriter, AnOldFileStaysWholeWhenWritingFails) {
  const ScratchFolder folder;
  const std::string path = folder.file("model", "old");
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 1 << 20;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Error error = error_of([&] { write(path, std::string(std::size_t{4} << 20, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(error.code(), Code::io);
  EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
  EXPECT_EQ(ScratchFolder::content(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(FileWriter, AKillWhileWritingLeavesTheOldFileWhole) {
  const ScratchFolder folder;
  const std::string path = folder.file("model", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter writer(path);
    writer.write(std::string(std::size_t{3} << 20, 'x'));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(ScratchFolder::content(path), "old");
}

TEST(FileWriter, RemovesWhatKilledRunsHaveLeft) {
  const ScratchFolder folder;
  const std::string path = folder.path("model");
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter writer(path);
    writer.write(std::string(std::size_t{3} << 20, 'x'));
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_EQ(folder.entries(), 1U);
  write(path, "new");
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_EQ(ScratchFolder::content(path), "new");
}

// Whoever has the number of a process: what another run still writes to, and what only looks like it, stay.
TEST(FileWriter, LeavesTheFilesOfOthersAlone) {
  const ScratchFolder folder;
  folder.file("discern-1-0.tmp", "");
  std::filesystem::create_directory(folder.path(".discern-1-0.tmp"));
  std::filesystem::create_symlink(folder.path("discern-1-0.tmp"), folder.path(".discern-2-0.tmp"));
  ASSERT_EQ(::mkfifo(folder.path(".discern-3-0.tmp").c_str(), 0600), 0);
  FileWriter other(folder.path("other"));
  other.write("of another run");
  write(folder.path("model"), "new");
  EXPECT_EQ(folder.entries(), 6U);
  other.commit();
  EXPECT_EQ(ScratchFolder::content(folder.path("other")), "of another run");
}

// The child goes on when the file is its own, and by then it is another one.
TEST(FileLock, WaitsForTheFileThatReplacesTheLockedOne) {
  const ScratchFolder folder;
  const std::string path = folder.file("model", "old");
  int asked[2];
  ASSERT_EQ(::pipe(asked), 0);
  auto held = std::make_unique<FileLock>(path, [] { ADD_FAILURE() << "nobody has it"; });
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock(path, [&] { static_cast<void>(::write(asked[1], "w", 1) == 1); });
    const std::string seen = ScratchFolder::content(path);
    ::_exit(seen == "new" ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(asked[0], &byte, 1), 1);
  write(path, "new");
  held.reset();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(FileWriter, AMissingFolderIsReportedWithItsReason) {
  const Error error = error_of([] { FileWriter("/no/such/folder/file"); });
  EXPECT_STREQ(error.what(), "/no/such/folder/file: cannot write: No such file or directory");
  EXPECT_EQ(error.code(), Code::io);
}

TEST(FileWriter, AFolderIsNotWrittenOver) {
  const ScratchFolder folder;
  const Error error = error_of([&] { FileWriter writer(folder.path("")); });
  EXPECT_NE(std::string(error.what()).find("Is a directory"), std::string::npos) << error.what();
}

TEST(FileWriter, WritesSpecialFilesInPlace) {
  const ScratchFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    write(pipe, "through the pipe");
    ::_exit(0);
  }
  EXPECT_EQ(ScratchFolder::content(pipe), "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(WithoutCompression, TakesTheSuffixOff) {
  EXPECT_EQ(without_compression("a.csv.gz"), "a.csv");
  EXPECT_EQ(without_compression("a.csv.zst"), "a.csv");
  EXPECT_EQ(without_compression("a.csv"), "a.csv");
}

}  // namespace
}  // namespace discern::file_test
