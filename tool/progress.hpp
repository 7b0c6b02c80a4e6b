// A progress bar on stderr for work that takes longer than two seconds; shorter work prints nothing. On a terminal one
// line is redrawn; elsewhere (a log, a CI run) a line is added now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace sectile::tool {

/// Where and how often progress is shown.
struct progress_style {
  std::FILE* out = nullptr;  // nullptr: nothing is shown
  bool terminal = false;
  std::chrono::milliseconds delay{2000};      // nothing is shown before
  std::chrono::milliseconds interval{10000};  // between two lines

  /// stderr, as a terminal or as a log, whichever it is; nowhere if SECTILE_NO_PROGRESS is set in the environment.
  static progress_style standard_error();
};

/// "label  [######------]  50 %  12 s, 12 s left": what is shown after `seconds` with `done` of `total`.
std::string progress_line(const std::string& label, std::int64_t done, std::int64_t total, double seconds);

/// Counts finished pieces of work. add() may be called by any thread, costs one atomic add, and prints when it is time.
struct progress {
  progress(std::string label, std::int64_t total, progress_style style = progress_style::standard_error());
  ~progress();  // leaves the terminal's line empty, or the log with its last line
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void add(std::int64_t pieces = 1);
  std::int64_t done() const { return done_.load(std::memory_order_relaxed); }

 private:
  using clock = std::chrono::steady_clock;
  void show(clock::time_point now);

  std::string label_;
  std::int64_t total_;
  progress_style style_;
  clock::time_point begin_ = clock::now();
  std::atomic<std::int64_t> done_{0};
  std::atomic<clock::rep> due_;
  std::mutex printing_;
  bool shown_ = false;
};

}  // namespace sectile::tool
