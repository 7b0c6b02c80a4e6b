// Files that the tool writes: complete or not there, whatever ends the program; and refused before they are worked for.
#include "tool/files.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

#include "tool/input_error.hpp"

namespace {

namespace fs = std::filesystem;
using sectile::tool::input_error;
using sectile::tool::output_file;
using sectile::tool::require_other_file;
using sectile::tool::require_own_place;
using sectile::tool::require_writable;
using sectile::tool::write_text;

struct scratch {
  fs::path folder;
  scratch() {
    std::string name = (fs::temp_directory_path() / "sectile-files-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
  }
  ~scratch() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  fs::path operator/(const std::string& name) const { return folder / name; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), {}); }
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Why no file can be written there.
std::string refusal(const fs::path& path) {
  try {
    require_writable(path);
    return "accepted";
  } catch (const input_error& error) {
    const std::string words = error.what();
    REQUIRE(words.starts_with(path.string() + ": it cannot be written ("));
    return words.substr(path.string().size() + 24);
  }
}

/// The status of a process that does `work`, as waitpid() has it; 0 at its end, 77 for an input_error.
int status_of(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (const input_error&) {
      _exit(77);
    }
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

void write(output_file& file, const std::string& text) { file.write(std::as_bytes(std::span<const char>(text))); }

TEST_CASE("a file is there when it is complete, and what was there stays until then") {
  const scratch s;
  write_text(s / "a", "old");
  {
    output_file file(s / "a");
    write(file, "new");
    CHECK(content(s / "a") == "old");
  }
  CHECK(content(s / "a") == "old");
  write_text(s / "a", "new");
  CHECK(content(s / "a") == "new");
  CHECK(s.files() == 1);
  CHECK(refusal(s / "a") == "accepted");
  CHECK(refusal(s / "b") == "accepted");
  CHECK(s.files() == 1);
}

TEST_CASE("a signal that ends the program takes the unfinished file along") {
  const scratch s;
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU}) {
    CAPTURE(signal);
    const int status = status_of([&] {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      std::signal(signal, SIG_DFL);
      output_file file(s / "a");
      write(file, "half");
      raise(signal);
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(s.files() == 0);
  }
}

TEST_CASE("a signal that is ignored stays so, and handlers are back afterwards") {
  const scratch s;
  const int status = status_of([&] {
    std::signal(SIGHUP, SIG_IGN);
    for (const int signal : {SIGTERM, SIGXFSZ}) std::signal(signal, SIG_DFL);
    {
      output_file file(s / "a");
      write(file, "whole");
      raise(SIGHUP);
      file.put_in_place();
    }
    if (std::signal(SIGHUP, SIG_DFL) != SIG_IGN || std::signal(SIGTERM, SIG_DFL) != SIG_DFL ||
        std::signal(SIGXFSZ, SIG_DFL) != SIG_DFL)
      _exit(1);
  });
  CHECK(status == 0);
  CHECK(content(s / "a") == "whole");
  CHECK(s.files() == 1);
}

TEST_CASE("a file over the limit is refused, and nothing of it is left") {
  const scratch s;
  const int status = status_of([&] {
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_DFL);
    write_text(s / "a", std::string(5000, 'x'));
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 77);
  CHECK(s.files() == 0);
}

TEST_CASE("what is no place for a file is refused, without waiting for anyone") {
  const scratch s;
  REQUIRE(mkfifo((s / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("loop", s / "loop");
  std::ofstream(s / "file") << "x";
  CHECK(refusal(s.folder) == "it is a folder)");
  CHECK(refusal(s / "") == "it is a folder)");
  CHECK(refusal(s / "pipe") == "it is a pipe, not a file)");
  CHECK(refusal("/dev/full") == "it is a device, not a file)");
  CHECK(refusal("/dev/null") == "it is a device, not a file)");
  CHECK(refusal("/proc/self/fd/1") == "it is an open file of a program, not a place for one)");
  CHECK(refusal("/dev/stdout") == "it is an open file of a program, not a place for one)");
  CHECK(refusal(s / "no/file") == "no folder " + (s / "no").string() + ")");
  CHECK(refusal(s / "file/below") == "no folder " + (s / "file").string() + ")");
  CHECK(refusal(s / "loop") == "it is a link that leads to itself)");
  CHECK(refusal("") == "it has no name)");
  CHECK(refusal(s / std::string(300, 'n')) == "File name too long)");
  CHECK(refusal(std::string(5000, 'n')) != "accepted");
  CHECK(refusal("/proc/x") != "accepted");
  if (geteuid() == 0) return;  // may write everywhere
  fs::permissions(s / "file", fs::perms::owner_read);
  CHECK(refusal(s / "file") == "Permission denied)");
  fs::permissions(s.folder, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(refusal(s / "new") == "Permission denied)");
  fs::permissions(s.folder, fs::perms::owner_all);
}

TEST_CASE("a name may be as long as names may be") {
  const scratch s;
  write_text(s / std::string(255, 'n'), "x");
  CHECK(content(s / std::string(255, 'n')) == "x");
  CHECK(s.files() == 1);
}

TEST_CASE("a link stays, and what it leads to is written") {
  const scratch s;
  fs::create_directory(s / "below");
  fs::create_symlink("below/target", s / "link");
  write_text(s / "link", "one");
  CHECK(fs::is_symlink(s / "link"));
  CHECK(content(s / "below/target") == "one");
  write_text(s / "link", "two");
  CHECK(content(s / "below/target") == "two");
  CHECK(s.files() == 2);
}

TEST_CASE("who may read a file stays as it was") {
  const scratch s;
  write_text(s / "a", "one");
  fs::permissions(s / "a", fs::perms::owner_read | fs::perms::owner_write);
  write_text(s / "a", "two");
  CHECK(fs::status(s / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("what stands in the place of the unfinished file is left alone") {
  const scratch s;
  const std::string part = "a." + std::to_string(getpid()) + ".part";
  std::ofstream(s / "victim") << "old";
  fs::create_symlink("victim", s / part);
  write_text(s / "a", "new");
  CHECK(content(s / "victim") == "old");
  CHECK(content(s / "a") == "new");
}

TEST_CASE("a file that is larger than the disk is refused with both numbers") {
  const scratch s;
  CHECK_NOTHROW(sectile::tool::require_room(s / "a", 1));
  try {
    sectile::tool::require_room(s / "a", 0x1p80);
    FAIL("accepted");
  } catch (const input_error& error) {
    const std::string words = error.what();
    CHECK(words.find("it takes 1208925819614629174706176 bytes, and the disk has ") != std::string::npos);
  }
}

TEST_CASE("an output that is an input is refused, by whichever name") {
  const scratch s;
  std::ofstream(s / "a") << "x";
  fs::create_symlink("a", s / "link");
  fs::create_hard_link(s / "a", s / "same");
  for (const char* name : {"a", "link", "same"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(
        require_other_file("--out", s / name, {{"--b", std::nullopt}, {"--a", s / "a"}}),
        ("--out " + (s / name).string() + ": that is the file of --a, which would be lost; write to another").c_str(),
        input_error);
  }
  CHECK_NOTHROW(require_other_file("--out", s / "new", {{"--a", s / "a"}, {"--b", s / "none"}}));
}

TEST_CASE("two outputs in one place are refused, whether or not a file is there") {
  const scratch s;
  std::ofstream(s / "a") << "x";
  fs::create_symlink("a", s / "link");
  fs::create_symlink("new", s / "leads_there");
  const auto refused = [&](const char* one, const char* other) {
    CHECK_THROWS_WITH_AS(require_own_place("--out-b", s / one, {"--out", s / other}),
                         ("--out-b " + (s / one).string() + ": --out goes there as well; write to another").c_str(),
                         input_error);
  };
  refused("a", "a");
  refused("a", "link");
  refused("new", "new");
  refused("new", "leads_there");
  CHECK_NOTHROW(require_own_place("--out-b", s / "new", {"--out", s / "other"}));
  CHECK_NOTHROW(require_own_place("--out-b", s / "new", {"--out", std::nullopt}));
}

}  // namespace
