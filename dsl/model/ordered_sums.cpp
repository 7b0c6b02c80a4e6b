#include <sectile/dsl/model/ordered_sums.hpp>

#include <iterator>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

/// Which of the launch's numbers, or counters, it is.
template <class T>
std::size_t place_among(const cuda_thread& t, const T* all, std::size_t count, const T* one, const char* verb,
                        const char* what) {
  const auto at = one - all;
  if (all == nullptr || at < 0 || static_cast<std::size_t>(at) >= count)
    report(hazard_kind::out_of_range, text(verb, " of ", name(t), ": the workspace has no ", what, " number ",
                                           all == nullptr ? 0 : at, " of sums in order, but ", count));
  return static_cast<std::size_t>(at);
}
ordered_sums_state& state_of(const cuda_thread& t, const char* verb) {
  if (t.all->what.ordered == nullptr)
    report(hazard_kind::out_of_range, text(verb, " of ", name(t), ": the launch has no workspace for sums in order"));
  return *t.all->what.ordered;
}
std::size_t number_at(const cuda_thread& t, const ordered_sums_state& s, const float* numbers, long long at,
                      const char* verb) {
  return place_among<float>(t, s.range.numbers, s.range.count, numbers + at, verb, "number");
}
std::string name_number(std::size_t i) { return text("number ", i, " of the tiles' in the workspace"); }

bool comes_before(const cuda_thread& t, const ordered_sums_view::deed& d) {
  return d.by == &t || knows(t.clock.seen, d.at);
}
int warp_of(const cuda_thread& t) { return t.index / 32; }

/// Throws unless t may read what a tile has left there.
void require_handed_over(const cuda_thread& t, const ordered_sums_state::number& n, std::size_t i) {
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::read_before_full, text("load_number of ", name(t), " reads ", name_number(i), why));
  };
  if (n.writer < 0) refuse(", where no tile has left its own yet");
  if (n.ticket < 0)
    refuse(text(", which cluster ", n.writer, " has left, but its warp has taken no ticket that comes behind it"));
  const auto found = t.all->ordered.last.find({t.block->rank, warp_of(t), static_cast<int>(n.ticket)});
  if (found == t.all->ordered.last.end() || !comes_before(t, found->second))
    refuse(text(", which cluster ", n.writer, " has left, without knowing that its own warp's ticket of counter ",
                n.ticket, " was the last"));
}

}  // namespace

void ordered_sums_state::check() const {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i].writer >= 0 && !numbers[i].added)
      report(hazard_kind::never_written, text("nobody adds ", name_number(i), ", which cluster ", numbers[i].writer,
                                              " has left: a sum lacks a tile\n  schedule: any"));
}

void store_number(cuda_thread& t, float* numbers, long long at, float x) {
  ordered_sums_state& state = state_of(t, "store_number");
  const std::size_t i = number_at(t, state, numbers, at, "store_number");
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  ordered_sums_state::number& n = state.numbers[i];
  if (c.checked()) {
    if (c.computes && n.writer >= 0)
      report(hazard_kind::written_twice, text("store_number of ", name(t), " writes ", name_number(i),
                                              ", where cluster ", n.writer, " has left that of another tile"));
    c.number_writes(t);
    c.ordered.left[i] = {t.clock.mark(t.clock.writes), &t};
  }
  if (!c.computes) return;
  n.writer = c.index;
  state.range.numbers[i] = x;
}

float load_number(cuda_thread& t, const float* numbers, long long at) {
  ordered_sums_state& state = state_of(t, "load_number");
  const std::size_t i = number_at(t, state, numbers, at, "load_number");
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  ordered_sums_state::number& n = state.numbers[i];
  if (c.checked()) require_handed_over(t, n, i);
  if (c.checked() && c.computes && n.added)
    report(hazard_kind::wrong_element,
           text("load_number of ", name(t), " adds ", name_number(i), ", which has been added before"));
  if (c.computes) n.added = true;
  return state.range.numbers[i];
}

int take_place(cuda_thread& t, std::uint32_t* counters, int counter, int tickets) {
  ordered_sums_state& state = state_of(t, "take_place");
  const std::size_t which = place_among<std::uint32_t>(t, state.range.tickets, state.range.counters,
                                                       counters + counter, "take_place", "counter");
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  if (c.checked()) {
    for (auto i = c.ordered.left.begin(); i != c.ordered.left.end();) {
      const ordered_sums_view::deed& d = i->second;
      const bool handed = d.by->block == t.block && warp_of(*d.by) == warp_of(t) && comes_before(t, d);
      if (handed && c.computes) state.numbers[i->first].ticket = static_cast<std::int64_t>(which);
      i = handed ? c.ordered.left.erase(i) : std::next(i);
    }
    c.number_writes(t);
  }
  const int before = c.ordered.taken[{t.block->rank, t.index}]++;
  int& answer = state.answers[{c.index, t.block->rank, t.index, before}];
  if (c.computes) {
    std::uint32_t& taken = state.range.tickets[which];
    answer = static_cast<int>(taken);
    taken = answer >= tickets - 1 ? 0 : taken + 1;
  }  // else as in the run that has left its numbers
  if (c.checked() && answer == tickets - 1)
    c.ordered.last[{t.block->rank, warp_of(t), static_cast<int>(which)}] = {t.clock.mark(t.clock.writes), &t};
  return answer;
}

}  // namespace sectile::model
