// Parts of a tile that the body puts together itself, by sm.own_trips() and sm.merge(f, x ..), as the planner watches
// them: what is made of a part and used behind that is named there, and f loses nothing of what it is given.
//
// What two parts have made becomes one only if f reads both, and gives x what they are together. A fragment is known by
// its number; numbers of rows and columns have none, and are told apart by the trip that they are said to be of.
#pragma once
#include <sectile/dsl/plan/trace_log.hpp>
#include <type_traits>

namespace sectile {

/// The trip that numbers of rows or columns are said to be of.
template <class X>
constexpr auto& trip_of_line(X& x) {
  if constexpr (requires { x.share; })
    return x.share.value[0][1];
  else
    return x.value[0][1];
}
template <class X>
constexpr void set_trip_of_line(X& x, int trip) {
  trip_of_line(x) = static_cast<std::remove_reference_t<decltype(trip_of_line(x))>>(trip);
}

/// What f does with each value.
struct merge_watch {
  static constexpr int most = 16, of_lines = 1 << 20;  // no trip has that number
  int key[2 * most]{}, reads[2 * most]{};
  bool changed[2 * most]{};
  int count = 0;  // the values of one part, and behind them those of the next

  template <class X>
  constexpr void add(X& x) {
    key[count] = of_lines + count;
    if constexpr (requires { x.id; })
      key[count] = x.id;
    else
      set_trip_of_line(x, key[count]);
    ++count;
  }
  constexpr void read(int of, int times = 1) {
    for (int n = 0; n < count; ++n)
      if (key[n] == of) reads[n] += times;
  }
  constexpr void change(int of) {
    for (int n = 0; n < count; ++n) changed[n] = changed[n] || key[n] == of;
  }
  /// The first value, from 1 on, of which something is lost; 0: none.
  constexpr int lost() const {
    for (int n = 0; n < count / 2; ++n)
      if (reads[n] <= 0 || reads[count / 2 + n] <= 0 || !changed[n]) return n + 1;
    return 0;
  }
};

/// A trace whose trips and values are told apart by whether they come behind a merge.
struct merge_log : trace_log {
  int part = 0;                  // whose run this is, where loops are split
  bool takes_last_part = false;  // of sm.own_trips(): the last one that has any
  struct own_range {
    mode_id along;
    int first, end;
  } own[max_loops]{};  // what that has given
  int owns = 0;
  static constexpr int kept_trips = 1 + max_loops * traced_trips;

  constexpr void note_own(mode_id along, int first, int count) {
    if (owns < max_loops) own[owns++] = {along, first, first + count};
  }
  /// What the open loop's trip has made has this number, which is no other trip's; outside of loops 0.
  constexpr int trip_now() const { return open_trip[depth] + 1 + (merged_before > 0 ? behind_merge : 0); }
  /// Rows or columns that came into being in a trip with this number are used.
  constexpr void uses_line(int of_trip_number) {
    watch.read(of_trip_number);
    if (merged_before > 0 && of_trip_number < behind_merge) note_flaw(merge_flaw::left_out);
  }
  constexpr void uses_value(int value) {
    if (value + 1 < merged_before && !is_named(value)) note_flaw(merge_flaw::left_out);
  }
  constexpr void stores_part() {
    if (log.shares && merged_before == 0) note_flaw(merge_flaw::stored_before);
  }

 protected:
  static constexpr int behind_merge = 1024 * kept_trips;  // added to numbers of trips that come behind a merge
  int merged_before = 0;  // 1 more than the values that there were when parts became one; 0: they have not
  merge_watch watch;

  constexpr void note_flaw(merge_flaw flaw, int of = 0) {
    if (log.flaw == merge_flaw::none) log.flaw = flaw, log.flaw_of = of;
  }
  /// x is what parts become: may be used behind that.
  template <class X>
  constexpr void name_merged(X& x) {
    if constexpr (!requires { x.id; })
      set_trip_of_line(x, trip_now());
    else if (!is_named(x.id) && names_there < most_named)
      named_there[names_there++] = x.id;
  }
  /// Whether x is what parts have become, or is made of that.
  template <class X>
  constexpr bool is_merged(const X& x) const {
    if constexpr (requires { x.id; })
      return is_named(x.id) || x.id + 1 >= merged_before;
    else
      return trip_of_line(x) >= behind_merge;
  }
  /// f is done with value n of a merge: a line that it gave other numbers is said to be of another trip.
  template <class X>
  constexpr void note_change(X& x, int n) {
    if constexpr (!requires { x.id; }) {
      watch.changed[n] = trip_of_line(x) != watch.key[n];
      name_merged(x);
    }
  }
  /// f is done with all of them.
  constexpr void end_watch() {
    if (const int lost = watch.lost(); lost > 0) note_flaw(merge_flaw::lost, lost);
    watch = {};
  }
  /// How often something has been written to memory but tiles.
  constexpr int written() const {
    int times = 0;
    for (const vector_write& w : log.written) times += w.times;
    return times;
  }

 private:
  static constexpr int most_named = 16;
  int named_there[most_named]{}, names_there = 0;

  constexpr bool is_named(int value) const {
    for (int i = 0; i < names_there; ++i)
      if (named_there[i] == value) return true;
    return false;
  }
};

}  // namespace sectile
