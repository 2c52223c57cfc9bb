// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/atomic_file.hpp>

#include "test_files.hpp"

#include <sys/resource.h>

#include <csignal>

using namespace claros;

namespace {

/// Files may not grow beyond `bytes`: writing then fails as on a full disk, for root too.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

TEST_CASE("atomic file: content appears at once, on commit") {
  const TestFolder folder;
  folder.put("a #b", "old");
  {
    AtomicFile file(folder / "a #b");
    file.write("new ");
    file.write("content");
    CHECK(folder.get("a #b") == "old");
    file.commit();
  }
  CHECK(folder.get("a #b") == "new content");
  CHECK(folder.files() == 1);
  write_atomically(folder / "empty", "");
  CHECK(folder.get("empty").empty());
  CHECK(folder.files() == 2);
}

TEST_CASE("atomic file: without commit nothing changes and nothing stays") {
  const TestFolder folder;
  folder.put("kept", "old");
  { AtomicFile(folder / "kept").write("new"); }
  CHECK(folder.get("kept") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: two at a time in one folder, and a name as long as may be") {
  const TestFolder folder;
  AtomicFile first(folder / "first"), second(folder / "second");
  first.write("1");
  second.write("2");
  second.commit();
  first.commit();
  CHECK(folder.get("first") == "1");
  CHECK(folder.get("second") == "2");
  const std::string longest(255, 'n');
  write_atomically(folder / longest, "x");
  CHECK(folder.get(longest) == "x");
}

TEST_CASE("atomic file: a full disk is an error and leaves what was there") {
  const TestFolder folder;
  folder.put("result", "old");
  std::string text;
  {
    const FileSizeLimit limit(4096);
    text = complaint([&] { write_atomically(folder / "result", std::string(100000, 'x')); });
  }
  check_mentions(text, {"result", "cannot be written", "make room"});
  CHECK(folder.get("result") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: folders that cannot hold it, targets that cannot be replaced") {
  const TestFolder folder;
  const auto file = folder.put("file", "x");
  check_mentions(complaint([&] { write_atomically(folder / "none/result", "x"); }),
                 {"none/result", "cannot be created"});
  check_mentions(complaint([&] { write_atomically(file / "result", "x"); }), {"cannot be created"});
  check_mentions(complaint([&] { write_atomically("/proc/claros-result", "x"); }), {"cannot be created"});
  check_mentions(complaint([&] { write_atomically(folder.path(), "x"); }), {"not a regular file"});
  check_mentions(complaint([&] { write_atomically("/dev/full", "x"); }), {"not a regular file"});
  check_mentions(complaint([&] { write_atomically(folder / "none/", "x"); }), {"names no file"});
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: a target that became a folder meanwhile") {
  const TestFolder folder;
  const std::string text = complaint([&] {
    AtomicFile late(folder / "late");
    std::filesystem::create_directory(folder / "late");
    late.commit();
  });
  check_mentions(text, {"late", "cannot be put in place"});
  CHECK(folder.files() == 1);
}

TEST_CASE(
    "atomic files that are synced together are as whole, and a folder that is not there cannot be synced") {
  const TestFolder folder;
  {
    const UnsyncedFiles together;
    write_atomically(folder / "a", "first");
    write_atomically(folder / "a", "second");
    CHECK(folder.get("a") == "second");
    CHECK(folder.files() == 1);
    CHECK_THROWS_AS(write_atomically(folder / "no" / "b", "text"), Error);
  }
  sync_disk(folder.path());
  CHECK(complaint([&] { sync_disk(folder / "no"); }).find("may not be on disk") != std::string::npos);
}
