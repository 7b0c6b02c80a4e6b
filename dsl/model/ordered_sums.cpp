#include <sectile/dsl/model/ordered_sums.hpp>

#include <iterator>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tickets.hpp>

namespace sectile::model {
namespace {

/// Which tile's number, of which element of a vector.
struct number_place {
  const summed_vector* vector;
  std::size_t group, slot, element;
  /// The element, counted in all groups.
  std::size_t of_all() const { return group * vector->elements + element; }
};
number_place place_of(const numbers_range& r, std::size_t number) {
  const summed_vector* v = &r.vectors.front();
  while (number >= v->first_number + v->numbers()) ++v;
  number -= v->first_number;
  return {v, number / v->elements / v->slots, number / v->elements % v->slots, number % v->elements};
}
std::string name_number(const numbers_range& r, std::size_t number) {
  const number_place p = place_of(r, number);
  if (const std::size_t columns = p.vector->columns; columns > 0)
    return text("bytes ", 4 * p.element, " to ", 4 * p.element + 3, " of summand ", p.slot, " of ", p.vector->slots,
                " of row ", p.group / columns, ", tile ", p.group % columns, " of ", p.vector->name);
  return text("the number of tile ", p.slot, " of ", p.vector->slots, " for element ", p.element, " of part ", p.group,
              " of ", p.vector->name);
}

ordered_sums_state& state_of(const cuda_thread& t, const char* verb) {
  if (t.all->what.ordered == nullptr)
    report(hazard_kind::out_of_range, text(verb, " of ", name(t), ": the launch has no workspace for sums in order"));
  return *t.all->what.ordered;
}
/// Number `at` behind `numbers`, of all that the launch has.
std::size_t number_at(const cuda_thread& t, const numbers_range& r, const float* numbers, long long at,
                      const char* verb) {
  const auto i = numbers - r.numbers + at;
  if (i < 0 || static_cast<std::size_t>(i) >= r.count)
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": number ", i, " of the tiles' in the workspace, ", "which are ", r.count));
  return static_cast<std::size_t>(i);
}
/// The vector that a counter belongs to.
const summed_vector& vector_of_counter(const numbers_range& r, std::size_t counter) {
  const summed_vector* v = &r.vectors.front();
  while (counter >= v->first_counter + v->counters()) ++v;
  return *v;
}
/// Counter `counter` of the launch, counted from these.
std::size_t counter_at(const cuda_thread& t, const numbers_range& r, int counter) {
  const int i = counter - r.first;
  if (i < 0 || static_cast<std::size_t>(i) >= r.counters)
    report(hazard_kind::out_of_range,
           text("take_place of ", name(t), ": ticket counter ", i, " of sums in order, ", "which have ", r.counters));
  return static_cast<std::size_t>(i);
}

int warp_of(const cuda_thread& t) { return t.index / 32; }

/// Throws unless t may read what a tile has left there.
void require_handed_over(const cuda_thread& t, const ordered_sums_state& state, std::size_t i) {
  const ordered_sums_state::number& n = state.numbers[i];
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::read_before_full,
           text("load_number of ", name(t), " reads ", name_number(state.range, i), why));
  };
  if (n.writer < 0) refuse(", which nobody has left yet");
  if (n.ticket < 0)
    refuse(text(", which cluster ", n.writer, " has left, but its warp has taken no ticket that comes behind it"));
  const auto found = t.all->ordered.last.find({t.block->rank, warp_of(t), static_cast<int>(n.ticket)});
  if (found == t.all->ordered.last.end() || !comes_before(t, found->second))
    refuse(text(", which cluster ", n.writer, " has left, without knowing that its own warp's ticket of counter ",
                n.ticket, " was the last"));
}

/// Throws unless t adds the tiles of an element in their order.
void require_order(cuda_thread& t, const ordered_sums_state& state, std::size_t i) {
  const number_place p = place_of(state.range, i);
  std::size_t& next = t.all->ordered.next[{&t, p.vector, p.of_all()}];
  if (p.slot < next)
    report(hazard_kind::wrong_element,
           text("load_number of ", name(t), " adds ", name_number(state.range, i),
                p.vector->columns > 0 ? " behind those of summand " : " behind that of tile ", next - 1));
  next = p.slot + 1;
}

}  // namespace

void ordered_sums_state::check() const {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i].writer >= 0 && !numbers[i].added)
      report(hazard_kind::never_written, text("nobody adds ", name_number(range, i), ", which cluster ",
                                              numbers[i].writer, " has left\n  schedule: any"));
}

void store_number(cuda_thread& t, float* numbers, long long at, float x) {
  ordered_sums_state& state = state_of(t, "store_number");
  const std::size_t i = number_at(t, state.range, numbers, at, "store_number");
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  ordered_sums_state::number& n = state.numbers[i];
  if (c.checked()) {
    if (c.computes && n.writer >= 0)
      report(
          hazard_kind::written_twice,
          text("store_number of ", name(t), " leaves ", name_number(state.range, i), ", where cluster ", n.writer,
               " has left ", place_of(state.range, i).vector->columns > 0 ? "others before" : "that of another tile"));
    c.ordered.left[i] = {c.write_mark(t), &t};
  }
  if (!c.computes) return;
  n.writer = c.index;
  state.range.numbers[i] = x;
}

float load_number(cuda_thread& t, const float* numbers, long long at) {
  ordered_sums_state& state = state_of(t, "load_number");
  const std::size_t i = number_at(t, state.range, numbers, at, "load_number");
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  ordered_sums_state::number& n = state.numbers[i];
  if (c.checked()) {
    require_handed_over(t, state, i);
    require_order(t, state, i);
    if (c.computes && n.added)
      report(hazard_kind::wrong_element, text("load_number of ", name(t), " adds ", name_number(state.range, i),
                                              ", which somebody has added before"));
  }
  if (c.computes) n.added = true;
  return state.range.numbers[i];
}

std::uint64_t ask_for_place(cuda_thread& t, const ticket_counters& of, int counter) {
  require_counters(t, of, "take_place");
  ordered_sums_state& state = state_of(t, "take_place");
  const std::size_t which = counter_at(t, state.range, counter);
  const summed_vector& v = vector_of_counter(state.range, which);
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  if (c.checked()) {
    for (auto i = c.ordered.left.begin(); i != c.ordered.left.end();) {
      const deed& d = i->second;
      const number_place p = place_of(state.range, i->first);
      const bool of_it = p.vector == &v && p.group == (which - v.first_counter) / v.warps;
      const bool handed = of_it && d.by->block == t.block && warp_of(*d.by) == warp_of(t) && comes_before(t, d);
      if (handed && c.computes) state.numbers[i->first].ticket = static_cast<std::int64_t>(which);
      i = handed ? c.ordered.left.erase(i) : std::next(i);
    }
  }
  const int before = c.ordered.taken[{t.block->rank, t.index}]++;
  int& answer = state.answers[{c.index, t.block->rank, t.index, before}];
  if (c.computes)  // else as in the run that has left its numbers
    answer = take_ticket_of(ticket_word{of.first + counter}, of.token, static_cast<int>(v.slots));
  return of.token + static_cast<std::uint64_t>(answer);
}

int place_asked_for(cuda_thread& t, const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
  ordered_sums_state& state = state_of(t, "take_place");
  const std::size_t which = counter_at(t, state.range, counter);
  const summed_vector& v = vector_of_counter(state.range, which);
  if (static_cast<std::size_t>(tickets) != v.slots)
    report(hazard_kind::barrier_misuse, text("take_place of ", name(t), ": it counts up to ", tickets, " tickets of ",
                                             v.name, ", of which ", v.slots, " tiles are added up"));
  cluster& c = *t.all;
  const std::lock_guard lock(state.mutex);
  const int before = static_cast<int>(found - of.token);
  if (c.checked() && before == tickets - 1)
    c.ordered.last[{t.block->rank, warp_of(t), static_cast<int>(which)}] = {c.write_mark(t), &t};
  return before;
}

int take_place(cuda_thread& t, const ticket_counters& of, int counter, int tickets) {
  return place_asked_for(t, of, counter, ask_for_place(t, of, counter), tickets);
}

}  // namespace sectile::model
