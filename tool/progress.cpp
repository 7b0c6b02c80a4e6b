#include "tool/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sectile::tool {

progress_style progress_style::standard_error() {
  using std::chrono::milliseconds;
  if (std::getenv("SECTILE_NO_PROGRESS") != nullptr) return {};
  const bool terminal = isatty(STDERR_FILENO) == 1;
  return {.out = stderr, .terminal = terminal, .interval = terminal ? milliseconds{100} : milliseconds{10000}};
}

std::string progress_line(const std::string& label, std::int64_t done, std::int64_t total, double seconds) {
  constexpr int width = 30;
  const double share = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(share * width);
  std::string line = fmt::format("{}  [{:#>{}}{:->{}}] {:3.0f} %  {:.0f} s", label, "", filled, "", width - filled,
                                 std::min(share * 100, done < total ? 99.0 : 100.0), seconds);
  if (done > 0 && done < total) line += fmt::format(", {:.0f} s left", seconds / share - seconds);
  return line;
}

progress::progress(std::string label, std::int64_t total, progress_style style)
    : label_(std::move(label)), total_(total), style_(style), due_((begin_ + style.delay).time_since_epoch().count()) {}

progress::~progress() {
  if (!shown_) return;
  if (style_.terminal) {
    std::fputs("\r\x1b[K", style_.out);
    std::fflush(style_.out);
  } else {
    show(clock::now());
  }
}

void progress::add(std::int64_t pieces) {
  done_.fetch_add(pieces, std::memory_order_relaxed);
  const clock::time_point now = clock::now();
  if (!style_.out || now.time_since_epoch().count() < due_.load(std::memory_order_relaxed)) return;
  const std::unique_lock one_printer(printing_, std::try_to_lock);
  if (!one_printer || now.time_since_epoch().count() < due_.load(std::memory_order_relaxed)) return;
  due_ = (now + style_.interval).time_since_epoch().count();
  show(now);
}

void progress::show(clock::time_point now) {
  const std::string line = progress_line(label_, done(), total_, std::chrono::duration<double>(now - begin_).count());
  fmt::print(style_.out, "{}{}{}", style_.terminal ? "\r" : "", line, style_.terminal ? "\x1b[K" : "\n");
  std::fflush(style_.out);
  shown_ = true;
}

}  // namespace sectile::tool
