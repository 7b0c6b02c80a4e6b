// Which member of a family runs: by the cost model, corrected where a table holds measurements of similar problems.
#pragma once
#include <utility>

#include <sectile/dsl/launch/argument_rules.hpp>
#include <sectile/dsl/launch/cost_model.hpp>
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/launch/workspace.hpp>

namespace sectile {

/// A number that changes with the configurations of a family and with their order.
template <class P>
constexpr std::uint64_t fingerprint() {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a, 64 bits
  const auto add = [&](std::uint64_t x) { h = (h ^ x) * 1099511628211u; };
  const operand_table all = operand_table_in<P>({});
  for (int o = 0; o < all.count; ++o) {
    for (const char c : all.at[o].name) add(static_cast<unsigned char>(c));
    const auto& type = all.at[o].type.name;  // (tables were made when it had room for 8)
    for (std::size_t i = 0; i < sizeof type; ++i)
      if (i < 8 || type[i] != 0) add(static_cast<unsigned char>(type[i]));
    add(static_cast<std::uint64_t>(all.at[o].order));
    for (int d = 0; d < all.at[o].tile.rank; ++d) add(static_cast<std::uint64_t>(all.at[o].mode_at(d)));
  }
  for (int i = 0; i < count_configurations<P>(); ++i) {
    const configuration c = P::how.at[i];
    for (int m = 0; m < max_tiled_modes; ++m)
      add(static_cast<std::uint64_t>(c.tile[m].along.name)), add(static_cast<std::uint64_t>(c.tile[m].elements));
    for (const int x : {c.stages, c.cluster.rows, c.cluster.cols, c.consumers, int(c.persistent), int(c.pingpong),
                        int(c.swap), c.stagger, c.group, int(c.rows), int(c.overlap)})
      add(static_cast<std::uint64_t>(x));
    if (c.split > 1) add(static_cast<std::uint64_t>(c.split));
    if (c.apart) add(std::uint64_t{1} << 45);
    if (c.own_tiles) add(1);  // (1 is no split)
    if (c.abreast) add(std::uint64_t{1} << 44);
    if (c.output_buffers > 0) add(static_cast<std::uint64_t>(c.output_buffers) << 16);
    if (c.variant != 0) add(static_cast<std::uint64_t>(c.variant) << 32);
    if (c.dynamic) add(std::uint64_t{1} << 48);
    if (c.streamed) add(std::uint64_t{1} << 47);
    if (c.batches > 1) add(static_cast<std::uint64_t>(c.batches) << 49);
    if (c.full_turns) add(std::uint64_t{1} << 46);
    if (c.fan_in > 0) add(static_cast<std::uint64_t>(c.fan_in) << 24);
  }
  return h;
}

/// A family as data, for code that is compiled once.
struct family_facts {
  const timed_kernel* members = nullptr;
  int count = 0;
  const operand_table* operands = nullptr;
  std::uint64_t fingerprint = 0;
  const measured_table* tables = nullptr;
  int table_count = 0;
  const member_bounds* bounds = nullptr;
};
/// What a choice goes by.
enum class choice_reason : std::uint8_t {
  model,      // the cost model alone: nothing was measured on such a GPU
  corrected,  // the cost model, corrected by similar problems that were measured
  measured    // this very problem was measured
};
/// The member that a launch takes, why, and how long it will take.
struct member_choice {
  int member = 0;
  choice_reason why = choice_reason::model;
  double microseconds = 0;  // as the cost model predicts
};
/// Members that a choice leaves out.
class members_passed_over {
 public:
  static constexpr int most = 512;
  void add(int i) { passed_[i / 64] |= std::uint64_t{1} << i % 64; }
  bool has(int i) const { return (passed_[i / 64] >> i % 64 & 1) != 0; }

 private:
  std::uint64_t passed_[most / 64]{};
};
/// As many bytes of a workspace as a member may ask for.
inline constexpr std::uint64_t any_workspace = std::uint64_t{1} << 62;
/// Of the members that need no workspace of more than so many bytes; if all need more, any, which the launch refuses.
member_choice choose(const family_facts& family, const problem_size& sizes, const gpu_constants& gpu,
                     std::uint64_t workspace_bytes = 0, const members_passed_over& passed_over = {});

/// The last choices of a thread for one family.
class remembered_choices {
 public:
  /// The member, or -1.
  int find(const problem_size& sizes, const gpu_constants* gpu, std::uint64_t workspace_bytes = 0) const;
  void keep(const problem_size& sizes, const gpu_constants* gpu, int member, std::uint64_t workspace_bytes = 0);

 private:
  static constexpr int kept = 16;
  struct entry {
    problem_size sizes{};
    const gpu_constants* gpu = nullptr;
    std::uint64_t workspace_bytes = 0;
    int member = -1;
  };
  entry last_[kept]{};
  int next_ = 0;
};

template <class P>
inline constexpr operand_table operands_of_program = operand_table_in<P>({});

namespace detail {

template <class P, class Members>
struct costs_of_members;
template <class P, int... I>
struct costs_of_members<P, std::integer_sequence<int, I...>> {
  static constexpr timed_kernel all[sizeof...(I)] = {{cost_of<member<P, I>>, operands_of_program<P>}...};
  static constexpr member_bounds bounds{all, sizeof...(I)};
};
template <class P>
constexpr bool tables_fit() {
  for (int i = 0; i < measured_tables<P>.count; ++i)
    if (measured_tables<P>.at[i].family != fingerprint<P>() || !measured_tables<P>.at[i].is_ordered()) return false;
  return true;
}

/// Where the size along each mode of a program is read off.
struct mode_place {
  mode_id along = mode_id::any;
  int operand = 0, position = 0;
};
struct mode_places {
  int count = 0;
  mode_place at[max_tiled_modes]{};
};
template <class P>
constexpr mode_places find_modes() {
  mode_places all{};
  const operand_table operands = operand_table_in<P>({});
  const cut_table cuts = find_cuts(operands);
  for (int o = 0; o < operands.count; ++o) {
    const int groups = cuts.groups[o];
    const int rank = operands.at[o].tile.rank;
    const bool gathered = operands.at[o].has_index();  // given as a matrix; its index says how many rows a body has
    for (int d = gathered ? rank - 1 : 0; d < rank; ++d) {
      const mode_id m = without_prime(operands.at[o].mode_at(d));
      bool known = all.count == max_tiled_modes || d == groups;  // no mode of a launch's tensor
      for (int i = 0; i < all.count; ++i) known = known || all.at[i].along == m;
      if (!known) all.at[all.count++] = {m, o, gathered ? 1 : groups >= 0 && d > groups ? d - 1 : d};
    }
  }
  return all;
}

}  // namespace detail

template <class P>
inline constexpr family_facts family_facts_of = [] {
  static_assert(count_configurations<P>() <= members_passed_over::most, "a family has at most 512 configurations");
  static_assert(
      detail::tables_fit<P>(),
      "a measured table is of another family, of this one before its configurations changed, or out of order: leave it "
      "out (those of Sectile with cmake -DSECTILE_TABLES=OFF), measure with `sectile tune KERNEL --out TABLE.json` "
      "and make it anew with `sectile tune --table TABLE.json --header HEADER.hpp`");
  return family_facts{detail::costs_of_members<P, member_numbers<P>>::all,
                      count_configurations<P>(),
                      &operands_of_program<P>,
                      fingerprint<P>(),
                      measured_tables<P>.at,
                      measured_tables<P>.count,
                      &detail::costs_of_members<P, member_numbers<P>>::bounds};
}();

/// Which member of family P a launch takes for a problem of these sizes on a GPU:
/// choice<P>({{"M", 4096}, {"N", 4096}, {"K", 512}}).
template <class P>
member_choice choice(const problem_size& sizes, const char* gpu = "NVIDIA H200") {
  return choose(family_facts_of<P>, sizes, constants_of(gpu));
}

/// The arguments of a launch without their types.
struct argument_facts {
  tensor_facts tensor[max_operands]{};
};
template <class... Arguments>
argument_facts facts_of_all(const Arguments&... arguments) {
  argument_facts facts;
  int n = 0;
  const auto take = [&](const auto& a) {
    if constexpr (requires { facts_of(a).extent; }) facts.tensor[n] = facts_of(a);
    ++n;
  };
  (take(arguments), ...);
  return facts;
}

/// The sizes of a problem, from the arguments of a launch: tensors and scalars, in the order of the operands.
template <class P, class... Arguments>
problem_size sizes_of(const Arguments&... arguments) {
  static constexpr detail::mode_places places = detail::find_modes<P>();
  const argument_facts facts = facts_of_all(arguments...);
  problem_size sizes;
  for (int i = 0; i < places.count; ++i) {
    const std::int64_t size = facts.tensor[places.at[i].operand].extent[places.at[i].position];
    constexpr std::int64_t most = 0x7FFFFFFF;  // more is refused by the launch
    sizes.set(i, {places.at[i].along, static_cast<int>(size < most ? size : most)});
  }
  return sizes;
}

/// The bytes of the workspace behind the operands; 0: there is none.
template <class... Arguments>
std::uint64_t workspace_of(const Arguments&... arguments) {
  if constexpr (ends_with_workspace<Arguments...>) {
    const workspace& w = detail::argument_at<sizeof...(Arguments) - 1>(arguments...);
    return w.data == nullptr ? 0 : w.bytes;
  } else {
    return 0;
  }
}

template <class P>
inline thread_local remembered_choices choices_of{};
/// The member for these arguments, remembered by their sizes and the workspace's. Never allocates.
template <class P, class... Arguments>
int pick_member(const gpu_constants& gpu, const Arguments&... arguments) {
  remembered_choices& known = choices_of<P>;
  const problem_size sizes = sizes_of<P>(arguments...);
  const std::uint64_t given = workspace_of(arguments...);
  int member = known.find(sizes, &gpu, given);
  if (member < 0) {
    member = choose(family_facts_of<P>, sizes, gpu, given).member;
    known.keep(sizes, &gpu, member, given);
  }
  return member;
}

}  // namespace sectile
