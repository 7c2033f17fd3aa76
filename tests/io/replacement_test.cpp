// SPDX-License-Identifier: Apache-2.0
// Files that have no name until they are whole, and hidden ones where a file system has no such.
#include <doctest/doctest.h>
#include <weft/io/replacement.h>

#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

namespace weft::testing {
namespace {

using detail::Replacement;
using Meanwhile = Replacement::Meanwhile;

void write_word(const Replacement& file) { REQUIRE(::write(file.descriptor(), "word", 4) == 4); }

const Bytes word = bytes_of("word");

TEST_CASE("a file without a name leaves nothing, whatever happens") {
  const TemporaryFolder folder;
  {
    const Replacement file(folder.path("x"));
    write_word(file);
    CHECK(folder.files() == 0);
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a hidden file is gone with what held it") {
  const TemporaryFolder folder;
  {
    const Replacement file(folder.path("x"), Meanwhile::hidden);
    write_word(file);
    CHECK(folder.files() == 1);
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a file takes the place of what was there, and its mode") {
  for (const Meanwhile meanwhile : {Meanwhile::nameless, Meanwhile::hidden}) {
    const TemporaryFolder folder;
    const std::string path = folder.path("x"), link = folder.path("link");
    write_bytes(path, Bytes(100));
    REQUIRE(::chmod(path.c_str(), 0604) == 0);
    REQUIRE(::symlink("x", link.c_str()) == 0);
    Replacement file(link, meanwhile);
    write_word(file);
    CHECK(read_bytes(path).size() == 100);
    file.take_place();
    CHECK(read_bytes(path) == word);
    struct stat status {};
    REQUIRE(::lstat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0604);
    CHECK(status.st_nlink == 1);
    CHECK(folder.files() == 2);
  }
}

TEST_CASE("two files of one target: the later one stays") {
  const TemporaryFolder folder;
  const std::string path = folder.path("x");
  Replacement first(path), second(path);
  write_word(second);
  first.take_place();
  CHECK(read_bytes(path).empty());
  second.take_place();
  CHECK(read_bytes(path) == word);
  CHECK(folder.files() == 1);
}

TEST_CASE("a name of the longest kind, and folders that are not there") {
  const TemporaryFolder folder;
  for (const Meanwhile meanwhile : {Meanwhile::nameless, Meanwhile::hidden}) {
    std::string many;  // of characters of two bytes
    for (int k = 0; k < 127; ++k) many += "\xC3\xA4";
    for (const std::string& name : {std::string(255, 'x'), many, "x" + many}) {
      const std::string path = folder.path(name);
      Replacement(path, meanwhile).take_place();
      CHECK(read_bytes(path).empty());
    }
    CHECK_THROWS_WITH_AS(Replacement(folder.path("no/x"), meanwhile),
                         doctest::Contains("No such file or directory"), FileError);
  }
  CHECK(folder.files() == 3);
}

}  // namespace
}  // namespace weft::testing
