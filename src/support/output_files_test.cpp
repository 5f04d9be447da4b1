#include "pto/output_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "support/file.hpp"
#include "testing/catch_main.hpp"
#include "testing/temp_dir.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

struct OutputDir : test::TempDir {
  [[nodiscard]] std::string text(const std::string& name) const { return *read_file(path / name); }
  [[nodiscard]] size_t entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

void write(OutputFiles& files, const fs::path& file, std::string_view text) {
  const auto out = files.open(file);
  REQUIRE(out);
  (*out)->write(text);
}

TEST_CASE("a file that cannot be replaced takes the others back", "[output]") {
  const OutputDir folder;
  folder.put("a", "old a");
  folder.put("c", "old c");
  OutputFiles files;
  for (const char* name : {"a", "b", "c", "d"}) write(files, folder.path / name, "new");
  fs::create_directory(folder.path / "d");  // after the files were prepared: the last rename fails
  const auto done = files.commit();
  REQUIRE_FALSE(done);
  CHECK(done.error().message.find("cannot replace " + (folder.path / "d").string()) == 0);
  CHECK(folder.text("a") == "old a");
  CHECK(folder.text("c") == "old c");
  CHECK_FALSE(fs::exists(folder.path / "b"));
  CHECK(folder.entries() == 3);
}

TEST_CASE("what is not committed leaves nothing behind", "[output]") {
  const OutputDir folder;
  folder.put("a", "old");
  {
    OutputFiles files;
    write(files, folder.path / "a", "new");
    write(files, folder.path / "b", "new");
    CHECK(folder.entries() == 3);
  }
  CHECK(folder.entries() == 1);
  CHECK(folder.text("a") == "old");
}

TEST_CASE("temporary names cannot be foreseen and links at their place are not followed", "[output]") {
  const OutputDir folder;
  std::vector<std::string> names;
  for (int i = 0; i < 2; ++i) {
    OutputFiles files;
    write(files, folder.path / "a", "x");
    names.push_back(fs::directory_iterator(folder.path)->path().filename().string());
    struct stat status {};
    REQUIRE(lstat((folder.path / names.back()).c_str(), &status) == 0);
    CHECK(S_ISREG(status.st_mode));
  }
  CHECK(names[0] != names[1]);
}

TEST_CASE("modes are kept, also before the file is finished", "[output]") {
  const OutputDir folder;
  fs::permissions(folder.put("a", "old"),
                  fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  CHECK(write_file(folder.path / "a", "new"));
  CHECK(fs::status(folder.path / "a").permissions() == fs::perms::owner_all);
  CHECK(folder.text("a") == "new");
}

TEST_CASE("two names of one file are one file", "[output]") {
  const OutputDir folder;
  const fs::path a = folder.put("a", "x");
  fs::create_hard_link(a, folder.path / "hard");
  fs::create_symlink("a", folder.path / "soft");
  fs::create_symlink("none", folder.path / "dangling");
  const auto distinct = [](const fs::path& output, const fs::path& other, bool input) {
    const NamedFile both[] = {{"one", output}, {"two", other}};
    return bool(input ? check_distinct({both, 1}, {both + 1, 1}) : check_distinct(both, {}));
  };
  for (const bool input : {false, true}) {
    CHECK_FALSE(distinct(a, a, input));
    CHECK_FALSE(distinct(a, folder.path / "hard", input));
    CHECK_FALSE(distinct(folder.path / "soft", a, input));
    CHECK_FALSE(distinct(folder.path / "." / "a", a, input));
    CHECK_FALSE(distinct(folder.path / "dangling", folder.path / "none", input));
    CHECK(distinct(a, folder.path / "b", input));
    CHECK(distinct(folder.path / "b", folder.path / "c", input));
    CHECK(distinct("/dev/null", "/dev/null", input));
  }
  CHECK_FALSE(distinct("-", "-", false));
}

TEST_CASE("what lies below a folder is decided behind links", "[output]") {
  const OutputDir folder;
  fs::create_directory(folder.path / "in");
  folder.put("out", "x");
  folder.put("in/a", "x");
  fs::create_symlink("../out", folder.path / "in/link");
  fs::create_symlink("../none", folder.path / "in/dangling");
  fs::create_symlink("..", folder.path / "in/up");
  fs::create_symlink("a", folder.path / "in/inside");
  const fs::path in = folder.path / "in";
  for (const char* name : {"a", "new", "inside", "../in/a", "sub/new"}) CHECK(lies_below(in, in / name));
  for (const char* name :
       {"../out", "link", "dangling", "up/out", "up/new", "../in2", "/etc/passwd", "sub/../../out"}) {
    INFO(name);
    CHECK_FALSE(lies_below(in, in / name));
  }
  CHECK_FALSE(lies_below(folder.path / "i", in / "a"));
}

TEST_CASE("no more is read than a file may have", "[output]") {
  const OutputDir folder;
  const fs::path file = folder.put("a", "12345");
  CHECK(*read_file(file, 5) == "12345");
  CHECK_FALSE(read_file(file, 4));
  CHECK_FALSE(read_file("/dev/zero", 1 << 20));
  CHECK(read_head(file, 3)->size() == 3);
  CHECK_FALSE(read_head("/dev/zero", 3));
  CHECK_FALSE(read_file(folder.path, 5));
}

}  // namespace
}  // namespace pto
