// Running a kernel on the CPU model: the same lowered code, the same checks, host pointers instead of device pointers.
#pragma once
#include <sectile/dsl.hpp>  // first: what a compiler lists of the way to a header is short then

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <sectile/dsl/launch/combined_outputs.hpp>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/model_labels.hpp>
#include <sectile/dsl/launch/model_options.hpp>
#include <sectile/dsl/launch/other_members.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/launch/scattered_rows.hpp>
#include <sectile/dsl/launch/workspace_bytes.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <sectile/dsl/model/tickets.hpp>
#include <sectile/dsl/model/told_numbers.hpp>
#include <sectile/dsl/model/trips.hpp>
#include <sectile/dsl/model/watched_elements.hpp>
#include <sectile/dsl/roles/entry.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>

namespace sectile {

namespace model {

/// What the simulator has to know of how a kernel is to run.
inline options options_of(const model_options& how) {
  options o;
  o.schedule = how.schedule;
  o.seed = how.seed;
  o.preemptions = how.preemptions;
  o.max_schedules = how.max_schedules;
  o.replay = how.replay;
  o.explored = how.explored;
  o.check_hazards = how.check_hazards;
  o.workers = how.workers;
  o.progress = how.progress;
  return o;
}

inline tensor_map encode_map(const map_request& r, bool writable) {
  if (r.im2col) return make_im2col_map(r.base, r.extent, r.stride_bytes + 1, r.box, r.bounds);
  void* base = const_cast<void*>(r.base);
  return writable ? make_tensor_map(base, r.box.rank, r.extent, r.stride_bytes + 1, r.box, r.box.element_bits)
                  : make_tensor_map(r.base, r.box.rank, r.extent, r.stride_bytes + 1, r.box, r.box.element_bits);
}
inline told_map encode_map_at(const map_request& r, operand_kind kind, void* to) {
  const tensor_map map = *static_cast<tensor_map*>(to) = encode_map(r, kind == operand_kind::output);
  told_map told{.base = map.base, .rank = map.rank, .element_bits = map.box.element_bits, .swizzle = map.box.swizzle};
  told.im2col = map.im2col;
  told.bounds = map.bounds;
  for (int d = 0; d < map.rank; ++d) {
    told.extent[d] = map.extent[d];
    told.stride_bytes[d] = map.stride_bytes[d];
    told.box[d] = map.box.extent[d];
  }
  return told;
}

/// Clusters that find room at once on the model, for `items` work items. A persistent kernel gets fewer clusters than
/// items, so that the model, too, carries its rings from tile to tile; and where tiles are cut for the end, as many as
/// leave some for it.
inline int clusters_for(const plan& p, int items) {
  constexpr int most = 64;
  if (!p.how.streamed) {
    const int each = 2 * p.how.tiles_at_once();
    return std::min(most, (items + each - 1) / each);
  }
  int clusters = std::min(most, 2 * items / 5 + 1);
  while (items % clusters == 0) ++clusters;
  return clusters;
}

/// And those that a launch of K has there.
template <class K>
int clusters_launched(int items) {
  constexpr const plan& p = plan_of<K>;
  return p.how.persistent ? clusters_for(p, items) : items * p.how.clusters_of_a_tile();
}

}  // namespace model

template <class K, class... Arguments>
void run_on_model_with(const model_options& how, const Arguments&... arguments);

/// Host memory for the workspace of one kernel and such operands; none, if it needs none.
class host_workspace {
 public:
  explicit host_workspace(std::size_t bytes) : pieces_((bytes + sizeof(piece) - 1) / sizeof(piece)) {}
  workspace view() { return {pieces_.data(), pieces_.size() * sizeof(piece)}; }

 private:
  struct alignas(16) piece {
    std::uint32_t word[4]{};
  };
  std::vector<piece> pieces_;
};

namespace model {

/// What a counter of tickets may hold when a launch begins: nearly its token, that of the next launch, a few tickets of
/// the one before, which was broken off, or anything.
constexpr std::uint64_t left_in_counter(std::uint64_t token, long long counter) {
  constexpr std::uint64_t step = 1ull << token_step_bits, apart[] = {~0ull, step, 3 - step, step << 31};
  return token + apart[counter % 4];
}

/// Gives the simulator the workspace of a launch, with anything in its counters: of the parts' sums as much as the
/// launch was given.
inline void take_workspace(const plan& p, const given_operands& given, const parameter_places& to, options& o) {
  const workspace_layout& w = to.in_workspace;
  auto* const first = static_cast<std::byte*>(given.workspace);
  o.tickets = to.counters->tickets;
  o.counters = to.counters->counters;
  for (int i = 0; i < o.counters; ++i) o.tickets.first[i] = left_in_counter(o.tickets.token, i);
  const auto size = [](auto x) { return static_cast<std::size_t>(x); };
  const std::size_t sums = given.workspace_bytes > size(w.sums) ? given.workspace_bytes - size(w.sums) : 0;
  o.workspace = {size(to.work->count) * size(p.how.cluster.size()), size(w.split_tickets), first + w.sums,
                 std::min(size(w.sum_bytes), sums)};
  if (p.how.dynamic) o.drawn = {o.counters - 1, to.work->count};
  o.numbers.first = static_cast<int>(w.split_tickets);
  o.numbers.numbers = reinterpret_cast<float*>(first + w.numbers);
  for (int i = 0; i < p.operands; ++i) {
    if (!adds_in_order(p, i)) continue;
    const operand_facts& v = p.operand[i].facts;
    const order_of_tiles t = order_of_sum(p, i, to.tile_count[p.work], scattered_sizes_of(p, given.tensor));
    o.numbers.add({.name = v.name,
                   .groups = size(t.groups),
                   .slots = size(t.slots),
                   .elements = size(numbers_of_a_tile(v)),
                   .warps = size(warps_of_a_sum(p, v)),
                   .columns = v.is_scattered() ? size(to.tile_count[i][v.tile.rank - 1]) : 0});
  }
}

/// The tiles of all groups, whose numbers are in the host's memory.
template <class K>
int count_tiles_of_groups(const auto& parameters) {
  constexpr int cut = walked_cut<K>;
  const body_arguments<K>& all = parameters.arguments;
  const auto* const said = static_cast<const std::int32_t*>(parameters.vector[ends_of_cut<K, cut>].data);
  group_walk walk{};
  walk.find(
      std::numeric_limits<int>::max(), count_groups<K>(all), rows_of_groups<K, cut>(all),
      [&](int e, int before) { return bounds_of_group<K, cut>(all, e, before, said[e]); },
      [&](const group_place& at) { return items_of_group<K>(parameters.work, all, at.size); });
  return walk.count();
}

/// Runs a kernel that has been proven.
template <class K, class... Arguments>
void run_kernel(const model_options& how, const Arguments&... arguments) {
  constexpr const plan& p = plan_of<K>;
  using tested = typename machine_under_test<K, machine>::type;
  static_assert(std::is_base_of_v<tensor_map, typename tested::tensor_map>);
  launch_arguments<K, typename tested::tensor_map> given(arguments...);
  prepare(launchable_of<K>, given.given, encode_map_at, given.places, known_path_of<K>);
  const auto& parameters = given.parameters;
  options o = options_of(how);
  o.registers_per_thread = launch_registers(p);
  o.labels = name_everything(p);
  for (int i = 0; i < p.operands; ++i)
    if (p.operand[i].facts.is_gathered())
      name_gathered(p, i, given.given, o.labels);
    else if (p.operand[i].facts.has_tensor_map() && p.operand[i].facts.is_tiled())
      name_tensor(p, i, given.given.tensor[i], parameters.map[i], o.labels);
    else if (p.operand[i].facts.kind != operand_kind::scalar)
      o.labels.tensors.push_back(name_tensor(p, i, given.given.tensor[i]));
  take_group_ends(p, given.given, o.labels);
  fill_combined_on_host(p, given.given.tensor);
  int likely = parameters.work.count;  // work items
  if constexpr (walks_groups<K>()) likely /= given.places.tile_count[p.work][0];
  const int at_once = how.clusters > 0 ? how.clusters : clusters_for(p, likely);
  grid shape{share_out_work(p, given.places, at_once), p.how.ctas(), p.threads,
             static_cast<std::uint32_t>(p.shared_bytes), p.how.sharers()};
  shape.parts = p.how.clusters_of_a_tile();
  shape.linked = p.how.streamed;
  shape.overlaps = p.how.overlap != launch_overlap::none;
  if constexpr (needs_workspace(p)) take_workspace(p, given.given, given.places, o);
  if constexpr (p.how.dynamic && walks_groups<K>())
    o.drawn = {.counter = o.drawn.counter, .items = count_tiles_of_groups<K>(parameters), .close = true};
  simulate(shape, o, [&](machine& hw) {
    hw.observe_trip(outside_of_loops);
    if constexpr (std::is_same_v<tested, machine>) {
      kernel_entry<K>(hw, parameters);
    } else {
      tested other{hw};
      kernel_entry<K>(other, parameters);
    }
  });
  if constexpr (needs_workspace(p))
    if (how.check_hazards) require_all_taken(o.tickets, o.counters);
}

/// Runs the member of family P that an H200 would be given for these arguments.
template <class P, class... Arguments, int... I>
void run_member(std::integer_sequence<int, I...>, const model_options& how, const Arguments&... arguments) {
  static_assert(verified<P>);
  constexpr violation v = check_arguments<member<P, 0>, Arguments...>();  // one message is enough
  static_assert(decltype(reason<v>())::verified);
  if constexpr (v.holds()) {
    using runner = void (*)(const model_options&, const Arguments&...);
    static constexpr runner members[] = {run_on_model_with<member<P, I>, Arguments...>...};
    start_best_member<P>(
        constants_of("NVIDIA H200"), [&](int i) { members[i](how, arguments...); }, arguments...);
  }
}

}  // namespace model

/// Runs kernel K on the CPU; of a family the member that is best for the sizes. Arguments as the kernel's operands:
/// tensor views of host memory (16-byte aligned), and scalars; behind them a workspace as a launch takes it, of host
/// memory (see host_workspace). Throws launch_error for arguments that no machine would
/// take, model::hazard for what the model finds.
template <class K, class... Arguments>
void run_on_model_with(const model_options& how, const Arguments&... arguments) {
  if constexpr (is_family<K>) {
    model::run_member<K>(member_numbers<K>{}, how, arguments...);
  } else {
    static_assert(verified<K> != is_in_error<K>());
    if constexpr (runnable<K>) {  // one message is enough
      constexpr violation v = check_arguments<K, Arguments...>();
      static_assert(decltype(reason<v>())::verified);
      if constexpr (v.holds()) model::run_kernel<K>(how, arguments...);
    }
  }
}

/// run_on_model_with() and a workspace that is made for this run, if kernel K needs one: for code that runs any kernel.
template <class K, class... Arguments>
void run_on_model_by_itself(const model_options& how, const Arguments&... arguments) {
  if constexpr (is_family<K>) {
    run_on_model_with<K>(how, arguments...);  // which has members that need none
  } else if constexpr (needs_workspace(plan_of<K>)) {
    host_workspace memory(workspace_bytes<K>(arguments...));
    run_on_model_with<K>(how, arguments..., memory.view());
  } else {
    run_on_model_with<K>(how, arguments...);
  }
}

/// run_on_model_with() the default options: a fair schedule, hazards looked for, one worker for each core.
template <class K, class... Arguments>
void run_on_model(const Arguments&... arguments) {
  static_assert(verified<K> != is_in_error<K>());  // here as well: it is one step less from the program's line
  run_on_model_with<K>({}, arguments...);
}

}  // namespace sectile
