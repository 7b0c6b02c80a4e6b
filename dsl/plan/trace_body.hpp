// Running a body on the planner.
#pragma once
#include <sectile/dsl/plan/planner.hpp>
#include <utility>

namespace sectile {

/// The small problem that a body is traced on: every operand has `tiles` tiles along every mode; the output tile is the
/// last one, or the one at (row, col), with batches that differ. Scalars all have the same value. Trips are numbered
/// from `first_trip` on. Functions that the body gives to map() and its like are asked for answers to `question` and
/// its multiples.
struct scenario {
  int tiles = 3;
  int row = -1;
  int col = -1;
  int scalar = 0;
  int first_trip = 0;
  float question = 0.125f;
  bool last_part = false;
};

/// Operand I's argument for a body traced on scenario s.
template <class K, int I>
constexpr auto traced_argument(const scenario& s) {
  typename body_argument<K, I>::type a{};
  if constexpr (operand_at<K, I>::kind != operand_kind::scalar) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    for (int i = 0; i < f.tile.rank; ++i) {
      handle_access::tile_count(a)[i] = s.tiles;
      handle_access::extent(a)[i] = static_cast<int>(f.elements_for(s.tiles * f.tile.extent[i], i));
    }
  } else {
    a = typename body_argument<K, I>::type(static_cast<typename operand_at<K, I>::element_type>(s.scalar));
  }
  return a;
}

/// What is known of a body's loops: of a first run nothing, of later ones where each loop ends and how many trips to
/// make.
struct known_loops {
  loop_table loops{};
  int end[max_positions]{};
};
/// What a run shows of them.
constexpr known_loops loops_of(const trace_log& run) {
  known_loops known{run.loops, {}};
  for (int i = 0; i < max_positions; ++i) known.end[i] = run.loop_end[i];
  return known;
}

/// Modes of a matrix that is stored, the last of them; 2 where none is.
template <class K>
inline constexpr int rank_of_outputs = [](int rank, const operand_table& table) {
  for (int i = 0; i < table.count; ++i)
    if (table.at[i].kind == operand_kind::output) rank = table.at[i].tile.rank;
  return rank;
}(2, all_operands<K>);
template <class K, int... I>
constexpr planner<K> trace_body(const scenario& s, const known_loops& known, std::integer_sequence<int, I...>,
                                event_observer observer = {}, fragment_lives* lives = nullptr) {
  static_assert(reading_of_body<planner<K>>);
  planner<K> sm{};
  sm.observer = observer;
  sm.lives = lives;
  sm.first_trip = s.first_trip;
  sm.question = s.question;
  sm.takes_last_part = s.last_part;
  sm.loops = known.loops;
  for (int i = 0; i < max_positions; ++i) sm.loop_end[i] = known.end[i];
  for (int i = 0; i < max_rank; ++i) sm.tile.at[i] = s.tiles - 1 - (s.row >= 0 && i < s.tiles ? i : 0);
  constexpr int rank = rank_of_outputs<K>;
  if (s.row >= 0) sm.tile.at[rank - 2] = s.row;
  if (s.col >= 0) sm.tile.at[rank - 1] = s.col;
  K::body(sm, traced_argument<K, I>(s)...);
  sm.finish();
  return sm;
}
template <class K>
constexpr planner<K> trace_body(const scenario& s, const known_loops& known = {}, fragment_lives* lives = nullptr) {
  end_trial();
  return trace_body<K>(s, known, std::make_integer_sequence<int, operand_count<K>>{}, {}, lives);
}

}  // namespace sectile
