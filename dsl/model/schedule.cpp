#include <charconv>
#include <limits>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/schedule.hpp>
#include <stdexcept>

namespace sectile::model {
namespace {

/// 1284 is "1,284".
std::string with_commas(long n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

struct schedule_reader {
  std::string_view text;
  std::size_t at = 0;

  [[noreturn]] void refuse(const char* expected) const {
    throw std::invalid_argument(model::text("schedule '", text, "': ", expected, " is expected at character ", at + 1,
                                            "; a schedule is spelled like 0:17.2,40.1"));
  }
  std::uint32_t number() {
    std::uint32_t n = 0;
    const char* const begin = text.data() + at;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), n);
    if (error != std::errc{} || n > std::numeric_limits<std::int32_t>::max()) refuse("a number");
    at += static_cast<std::size_t>(end - begin);
    return n;
  }
  void sign(char c) {
    if (at == text.size() || text[at] != c) refuse(c == ':' ? "':'" : c == '.' ? "'.'" : "','");
    ++at;
  }
};

}  // namespace

std::string describe(const schedule_count& count) {
  const auto at_most = [](int bound) {
    return text(" with at most ", bound, bound == 1 ? " preemption" : " preemptions");
  };
  const std::string run = text(with_commas(count.run), count.run == 1 ? " schedule" : " schedules",
                               count.clusters > 1 ? text(" of ", count.clusters, " clusters") : "");
  if (count.all()) return text("all ", run, at_most(count.bound));
  const std::string rest = text("the first of those with ", count.all_to + 1);
  if (count.all_to < 0) return text(run, ": none to its end");
  if (count.all_to == 0) return text(run, ": the default, and ", rest, " preemption");
  return text(run, ": all", at_most(count.all_to), ", and ", rest);
}

std::string spell(const recorded_schedule& schedule) {
  std::string spelled = text(schedule.cluster, ":");
  const char* separator = "";
  for (const departure& d : schedule.departures) {
    spelled += text(separator, d.decision, ".", d.choice);
    separator = ",";
  }
  return spelled;
}

recorded_schedule parse_schedule(std::string_view text) {
  schedule_reader read{text};
  recorded_schedule schedule;
  schedule.cluster = static_cast<int>(read.number());
  read.sign(':');
  while (read.at < text.size()) {
    if (!schedule.departures.empty()) read.sign(',');
    departure d;
    d.decision = read.number();
    read.sign('.');
    d.choice = read.number();
    const bool later = schedule.departures.empty() || schedule.departures.back().decision < d.decision;
    if (!later) read.refuse("a later decision than the one before");
    if (d.choice == 0) read.refuse("a choice from 1 on");
    schedule.departures.push_back(d);
  }
  return schedule;
}

}  // namespace sectile::model
