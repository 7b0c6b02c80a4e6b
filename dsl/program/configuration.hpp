// How a program is laid over the machine. The program says what is computed; a configuration says how large the tiles
// are, and how many stages, warpgroups and CTAs share the work. Everything else (barriers, waits, releases, register
// split) is derived.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sectile/dsl/program/mode.hpp>

namespace sectile {

/// Output tiles that one cluster of CTAs works on together: rows x columns of tiles. Operands that several CTAs of a
/// cluster read alike are fetched once and multicast.
struct cluster_shape {
  int rows = 1;
  int cols = 1;
  constexpr int size() const { return rows * cols; }
  friend constexpr bool operator==(const cluster_shape&, const cluster_shape&) = default;
};

constexpr int largest_cluster = 8;  // CTAs that are portable on sm_90

/// The order in which output tiles are visited along their rows: `reversed` starts with the last, for programs whose
/// later tiles are heavier (causal attention).
enum class traversal : std::uint8_t { forward, reversed };

/// How a kernel overlaps those before and behind it on its stream (programmatic dependent launch). What it computes
/// does not depend on it: nothing of a tensor is touched before the kernel before has ended.
enum class launch_overlap : std::uint8_t {
  none,      // it begins when the kernel before has ended
  prologue,  // its CTAs are placed and set up while the kernel before ends
  both       // and those of the kernel behind may be, as soon as this one's loads are issued
};

/// One way to run a program. Only the tile's extent along a mode that is summed over can change a result, and only in
/// its last bits: see plan/summation.hpp.
struct configuration {
  tile_extents tile{};     // elements along each mode; modes before the last two of an operand have 1 unless said
  int stages = 4;          // ring slots per pipelined operand
  cluster_shape cluster{}; // CTAs that share loads
  int consumers = 2;       // warpgroups that multiply; each takes an equal share of the tile's rows,
  bool own_tiles = false;  // or makes whole tiles by itself, in turn: its epilogue runs under the others' products
  bool abreast = false;    // or makes a whole tile while the others make theirs, one below the other: what these read
                           // alike is loaded once
  bool persistent = false; // one CTA per SM walks many tiles, stores overlap the next tile's loads
  bool dynamic = false;    // which are no fixed ones: a cluster that is about to be done draws the next tile's number
  bool streamed = false;   // the tiles of its last wave are cut along their loop, so that all clusters end together
  bool pingpong = false;   // consumers take turns at the tensor cores: one multiplies, one computes
  bool full_turns = false;  // a turn lasts until its first result is complete, not until all of it is issued
  int split = 1;  // CTAs that share a tile's loops: each makes a part of the trips, one adds the parts up
  bool apart = false;      // and they meet in a workspace even if one cluster has room for them: GPUs place it anywhere
  int fan_in = 0;          // parts that meet there at once, of which the last goes on as one of those that are left; 0:
                           // all of a tile's
  bool swap = false;       // products are made as (b^T a^T)^T: the instruction's 64 rows lie along the output's columns
  int stagger = 0;         // products by which each consumer runs behind the one before it
  int output_buffers = 0;  // panels that a consumer has written and TMA has not, at most; 0: as there is room for
  int group = 8;           // tile rows visited together before moving along columns (L2 reuse)
  int batches = 1;         // batches visited together, tile by tile: the first of each, then the next of each. More than
                           // one takes the place of `group`
  traversal rows = traversal::forward;
  launch_overlap overlap = launch_overlap::none;
  int variant = 0;         // which of its ways the body takes, where it has several: a number of the program's own

  /// Tiles that a CTA works on at the same time, and warpgroups that share one.
  constexpr int tiles_at_once() const { return own_tiles || abreast ? consumers : 1; }
  constexpr int sharers() const { return own_tiles || abreast ? 1 : consumers; }
  /// Tiles of a work item along the work's rows: of a CTA, and of its cluster.
  constexpr int rows_of_cta() const { return abreast ? consumers : 1; }
  constexpr int rows_of_item() const { return cluster.rows * rows_of_cta(); }
  constexpr int tiles_of_item() const { return rows_of_item() * cluster.cols; }
  /// Whether consumers wait for each other at ordered_barrier.
  constexpr bool takes_turns() const { return pingpong || own_tiles || stagger > 0; }
  /// Whether several CTAs make parts of a tile's trips.
  constexpr bool divides_loops() const { return split > 1 || streamed; }
  /// Whether the parts of a tile are too many for one cluster, or kept apart, or of clusters that walk: then they meet
  /// in a workspace in global memory instead of each other's shared memory.
  constexpr bool uses_workspace() const {
    return streamed || (split > 1 && (apart || cluster.size() * split > largest_cluster));
  }
  /// CTAs that are launched as one cluster: each tile's several times, where its loops are split within.
  constexpr int ctas() const { return uses_workspace() ? cluster.size() : cluster.size() * split; }
  /// Groups in which the parts of a tile meet first.
  constexpr int groups_of_parts() const { return fan_in > 0 ? (split + fan_in - 1) / fan_in : 1; }
  /// Clusters that make the same tiles: each a part of the trips.
  constexpr int clusters_of_a_tile() const { return uses_workspace() ? split : 1; }

 private:  // before those who call it: clang++ evaluates no template that it has not read
  template <class T>
  constexpr configuration with(T configuration::*field, const std::type_identity_t<T>& value) const {
    configuration c = *this;
    c.*field = value;
    return c;
  }

 public:
  /// The same with another tile.
  constexpr configuration with_tile(const tile_extents& t) const { return with(&configuration::tile, t); }
  /// The same in clusters of this shape.
  constexpr configuration with_cluster(const cluster_shape& shape) const {
    return with(&configuration::cluster, shape);
  }
  /// The same, each consumer with tiles of its own.
  constexpr configuration with_own_tiles() const { return with(&configuration::own_tiles, true); }
  /// The same, consumers beside each other.
  constexpr configuration with_consumers_abreast() const { return with(&configuration::abreast, true); }
  /// The same with so many rows of tiles visited together.
  constexpr configuration with_group(int rows_of_tiles) const { return with(&configuration::group, rows_of_tiles); }
  /// The same with tiles that are drawn.
  constexpr configuration with_drawn_tiles() const { return with(&configuration::dynamic, true); }
  /// The same with the last wave's tiles cut along their loop.
  constexpr configuration with_streamed_tiles() const { return with(&configuration::streamed, true); }
  /// The same with so many buffers of each consumer for its results.
  constexpr configuration with_output_buffers(int buffers) const {
    return with(&configuration::output_buffers, buffers);
  }
  friend constexpr bool operator==(const configuration&, const configuration&) = default;
};

/// A range of a loop's trips.
struct trip_part {
  int first = 0, count = 0;
};
/// The trips that part `part` of `parts` makes of a loop of so many: by turns one more than `trips` / `parts`, or just
/// as many. It hangs on nothing else, so that neither does the order of the sums.
constexpr trip_part part_of_trips(int trips, int part, int parts) {
  const int each = trips / parts, more = trips % parts;
  return {part * each + (part < more ? part : more), each + (part < more)};
}
/// Whose trip number `trip` is.
constexpr int part_of_trip(int trip, int trips, int parts) {
  const int each = trips / parts, more = trips % parts, longer = more * (each + 1);
  return trip < longer ? trip / (each + 1) : more + (trip - longer) / each;
}

/// Several ways to run one program: a family of kernels.
template <int N>
struct configuration_list {
  static constexpr int count = N;
  configuration at[N]{};
};

/// The configurations of a program: one, or a family of which a launch picks a member.
template <class... C>
requires(std::is_same_v<C, configuration>&&...) constexpr configuration_list<sizeof...(C)> configurations(C... all) {
  return {{all...}};
}

/// Those of two lists.
template <int N, int M>
constexpr configuration_list<N + M> operator+(const configuration_list<N>& a, const configuration_list<M>& b) {
  configuration_list<N + M> all{};
  for (int i = 0; i < N; ++i) all.at[i] = a.at[i];
  for (int i = 0; i < M; ++i) all.at[N + i] = b.at[i];
  return all;
}

template <class X>
inline constexpr int configuration_count_of = 0;
template <>
inline constexpr int configuration_count_of<configuration> = 1;
template <int N>
inline constexpr int configuration_count_of<configuration_list<N>> = N;

/// How many ways program P declares to run; 0 if it does not.
template <class P>
constexpr int count_configurations() {
  if constexpr (requires { P::how; })
    return configuration_count_of<std::remove_cvref_t<decltype(P::how)>>;
  else
    return 0;
}

/// Configuration I of program P.
template <class P, int I = 0>
constexpr configuration find_configuration() {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(P::how)>, configuration>)
    return P::how;
  else
    return P::how.at[I];
}

/// The numbers of P's configurations, as a sequence of types.
template <class P>
using member_numbers = std::make_integer_sequence<int, count_configurations<P>()>;

/// Whether P is a program with several configurations.
template <class P>
inline constexpr bool is_family = (count_configurations<P>() > 1);

/// The first member of P that does not swap: what runs where there is no wgmma.
template <class P>
constexpr int first_upright_member() {
  for (int i = 0; i < count_configurations<P>(); ++i)
    if (!P::how.at[i].swap) return i;
  return 0;
}

/// Whether all members of a family sum in one order. Unless a program says static constexpr auto sums =
/// sectile::any_order, they must.
enum class order_of_sums : std::uint8_t { one_order, any_order };
inline constexpr auto any_order = order_of_sums::any_order;
template <class P>
constexpr order_of_sums declared_order() {
  if constexpr (requires { P::sums; })
    return P::sums;
  else
    return order_of_sums::one_order;
}

/// Program P in its configuration I: the kernel of a family that verified, launch and run_on_model take.
template <class P, int I>
struct member : P {
  static_assert(I >= 0 && I < count_configurations<P>(), "member<P, I>: I counts the configurations of P from 0");
  using program = P;
  static constexpr int number = I;
  static constexpr configuration how = find_configuration<P, I >= 0 && I < count_configurations<P>() ? I : 0>();
};

/// The configuration of a kernel: of a program that has one, or of a member of a family.
template <class K>
inline constexpr configuration configuration_of = [] {
  static_assert(count_configurations<K>() == 1, "a family has several configurations: name one of them, member<K, 0>");
  return find_configuration<K>();
}();

}  // namespace sectile
