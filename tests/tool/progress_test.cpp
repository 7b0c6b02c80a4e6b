// Progress: the line that is shown, silence for short work, and a count that no thread loses.
#include "tool/progress.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sectile::tool;
using std::chrono::milliseconds;

/// What was printed to a temporary file.
struct printed {
  std::FILE* file = std::tmpfile();
  printed() { REQUIRE(file != nullptr); }
  ~printed() { std::fclose(file); }
  printed(const printed&) = delete;
  printed& operator=(const printed&) = delete;

  std::string text() const {
    std::rewind(file);
    std::string all;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) all += static_cast<char>(c);
    return all;
  }
};

}  // namespace

TEST_CASE("a line shows the share, the time and what is left of it") {
  CHECK(progress_line("run", 0, 10, 2) == "run  [------------------------------]   0 %  2 s");
  CHECK(progress_line("run", 5, 10, 3) == "run  [###############---------------]  50 %  3 s, 3 s left");
  CHECK(progress_line("run", 10, 10, 4) == "run  [##############################] 100 %  4 s");
  CHECK(progress_line("run", 11, 10, 4) == "run  [##############################] 100 %  4 s");
  CHECK(progress_line("run", 0, 0, 4) == "run  [##############################] 100 %  4 s");
}

TEST_CASE("a hundred per cent is shown only when all is done") {
  CHECK(progress_line("run", 999, 1000, 1).find(" 99 %") != std::string::npos);
}

TEST_CASE("work that is done before the delay prints nothing") {
  const printed out;
  {
    progress bar("short", 3, {.out = out.file, .terminal = true, .delay = milliseconds{60000}});
    bar.add(3);
  }
  CHECK(out.text().empty());
}

TEST_CASE("a log gets whole lines and the last state") {
  const printed out;
  {
    progress bar("long", 2, {.out = out.file, .delay = milliseconds{0}, .interval = milliseconds{60000}});
    bar.add();
    bar.add();
  }
  const std::string text = out.text();
  CHECK(text.find("long  [###############---------------]  50 %") == 0);
  CHECK(text.find("\nlong  [##############################] 100 %") != std::string::npos);
  CHECK(text.back() == '\n');
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a terminal's line is redrawn and left empty") {
  const printed out;
  {
    progress bar("long", 2, {.out = out.file, .terminal = true, .delay = milliseconds{0}, .interval = milliseconds{0}});
    bar.add();
    bar.add();
  }
  const std::string text = out.text();
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.front() == '\r');
  CHECK(text.ends_with("\r\x1b[K"));
}

TEST_CASE("no piece is lost between threads") {
  const printed out;
  progress bar("many", 40000, {.out = out.file, .delay = milliseconds{0}, .interval = milliseconds{0}});
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) bar.add(10);
      });
    }
  }
  CHECK(bar.done() == 40000);
}

TEST_CASE("who sets SECTILE_NO_PROGRESS hears nothing on stderr") {
  const printed out;
  const int stderr_itself = dup(STDERR_FILENO);
  std::fflush(stderr);
  dup2(fileno(out.file), STDERR_FILENO);
  const auto work = [] {
    progress_style at_once = progress_style::standard_error();
    at_once.delay = at_once.interval = milliseconds{0};
    progress("long", 1, at_once).add();
  };
  setenv("SECTILE_NO_PROGRESS", "1", 1);
  work();
  const std::string with = out.text();
  unsetenv("SECTILE_NO_PROGRESS");
  work();
  const std::string without = out.text();
  dup2(stderr_itself, STDERR_FILENO);
  close(stderr_itself);
  CHECK(with == "");
  CHECK(without.find("long  [###") != std::string::npos);
}
