// The planner has tried a body on a few sizes, tiles and scalars. A launch tries it on its own: what a kernel does must be
// what was planned and proven, also where a condition waits for one particular scalar.
#pragma once
#include <algorithm>
#include <cstring>

#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile {

/// The trace of the body for these arguments and this output tile. Loops turn as in the planner's first run, but their
/// trips are numbered from `first_trip` on.
template <class K>
trace trace_of_launch(const body_arguments<K>& arguments, const tile_coordinates<max_rank>& tile, int first_trip) {
  planner<K> sm{};
  sm.first_trip = first_trip;
  sm.loops = plan_of<K>.loops;
  for (int i = 0; i < plan_of<K>.positions; ++i) sm.loop_end[i] = plan_of<K>.steps[i].loop_end;
  sm.tile = tile;
  arguments.read_body(sm);
  sm.finish();
  return sm.log;
}

/// Throws if a loop asks for more trips than anybody could mean. It may pass over its tiles several times, but not for
/// hours.
template <class K>
void check_trips(const trace& t, const body_arguments<K>& arguments) {
  constexpr std::int64_t always_possible = 1 << 20;
  std::int64_t most = 0;  // tiles of one operand
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto count = [&]<int O>(std::integral_constant<int, O>) {
      if constexpr (operand_at<K, O>::kind != operand_kind::scalar) {
        std::int64_t tiles = 1;
        for (int d = 0; d < operand_handle<K, O>::rank; ++d) tiles *= arguments.template at<O>().tiles(d);
        most = std::max(most, tiles);
      }
    };
    (count(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, operand_count<K>>{});
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::loop && t.at[i].coordinate[0] > std::max(most, always_possible))
      throw launch_error("with these sizes and scalars a loop asks for " + std::to_string(t.at[i].coordinate[0]) +
                         " trips, but no operand has more than " + std::to_string(most) +
                         " tiles; pipelined() takes the number of trips, such as A.tiles(1)");
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Throws if the body does something else for these arguments than it was planned to do: for the first and the last tile of
/// the output, and for the CTAs of their clusters, which must agree about what they share. Arguments that are the same as
/// the thread's last ones for this kernel are not tried again.
template <class K>
void check_path(const body_arguments<K>& arguments) {
  thread_local body_arguments<K> tried{};
  thread_local bool tried_any = false;
  const bool known = [&]<int... I>(std::integer_sequence<int, I...>) {
    return tried_any && (same_bits(tried.template at<I>(), arguments.template at<I>()) && ...);
  }(std::make_integer_sequence<int, operand_count<K>>{});
  if (known) return;

  constexpr const plan& p = plan_of<K>;
  constexpr int o = p.epilogue.operand, rank = operand_handle<K, o>::rank;
  constexpr int rows = p.how.cluster.rows, cols = p.how.cluster.cols;
  static const trace base = [] {  // not a constant: operands are evaluated in the same order as below
    const volatile int tiles = scenario{}.tiles;
    return trace_body<K>({tiles}, {}).log;
  }();
  for (const bool last : {false, true}) {
    tile_coordinates<max_rank> first_of_cluster{};
    for (int d = 0; last && d < rank; ++d) first_of_cluster.at[d] = arguments.template at<o>().tiles(d) - 1;
    first_of_cluster.at[rank - 2] -= first_of_cluster.at[rank - 2] % rows;
    first_of_cluster.at[rank - 1] -= first_of_cluster.at[rank - 1] % cols;
    trace first{};
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        tile_coordinates<max_rank> tile = first_of_cluster;
        tile.at[rank - 2] += r;
        tile.at[rank - 1] += c;
        const trace t = trace_of_launch<K>(arguments, tile, last ? last_trips : 0);
        check_trips<K>(t, arguments);
        if (const violation v = check_same_text(p, base, t); !v.holds())
          throw launch_error(std::string("with these sizes and scalars ") + v.says.text);
        if (r + c == 0) {
          first = t;
          continue;
        }
        cta_difference d{};
        compare_ctas(first, t, d);
        for (int i = 0; i < p.operands; ++i) {
          const operand_plan& op = p.operand[i];
          const bool shared = op.facts.kind == operand_kind::input && (!op.varies_with_row || r == 0) && (!op.varies_with_col || c == 0);
          if (shared && (d.load[i] || d.trips))
            throw launch_error("operand " + std::string(op.facts.name) +
                               ": with these sizes and scalars, CTAs of a cluster that share its loads ask for different "
                               "tiles, or turn a loop differently often; use a cluster of 1 x 1");
        }
      }
  }
  tried = arguments;
  tried_any = true;
}

}  // namespace sectile
