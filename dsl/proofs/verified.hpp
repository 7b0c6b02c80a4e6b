// verified<K>: every proof holds for kernel K. A launch requires it, and a kernel's file asserts it.
//
// Each proof is a constant of its own: compilers limit the work of one constant expression, and a kernel that fails the
// first proof should not pay for the last. Of nvcc's passes the device's runs them (refusal.hpp). The others go
// without, as does a build that defines SECTILE_PROVEN for a file whose kernels another compilation proves. One that
// defines SECTILE_PROVE_ONE_IN as a number n proves one kernel in n, by their names: for tests of many variations, all
// of which another build proves.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#if SECTILE_SAYS_WHAT_IS_WRONG
#include <sectile/dsl/plan/summation.hpp>
#include <sectile/dsl/proofs/alignment.hpp>
#include <sectile/dsl/proofs/banks.hpp>
#include <sectile/dsl/proofs/budgets.hpp>
#include <sectile/dsl/proofs/epilogue.hpp>
#include <sectile/dsl/proofs/feeding.hpp>
#include <sectile/dsl/proofs/first_reading.hpp>
#include <sectile/dsl/proofs/fragments.hpp>
#include <sectile/dsl/proofs/gathers.hpp>
#include <sectile/dsl/proofs/legality.hpp>
#include <sectile/dsl/proofs/placed_factors.hpp>
#include <sectile/dsl/proofs/protocol.hpp>
#include <sectile/dsl/proofs/reachability.hpp>
#include <sectile/dsl/proofs/scatters.hpp>
#include <sectile/dsl/proofs/walk.hpp>

namespace sectile {

template <class K>
inline constexpr violation legality_verdict = check_legality(plan_of<K>);
template <class K>
inline constexpr violation reachability_verdict = check_reachability(plan_of<K>);
template <class K>
inline constexpr violation alignment_verdict = check_alignment(plan_of<K>);
template <class K>
inline constexpr violation budgets_verdict = check_budgets(plan_of<K>);
template <class K>
inline constexpr violation protocol_verdict = first_violation<protocol::protocol_runs(head_of<K>)>([](auto run) {
  return protocol::protocol_verdict<K, run>;
});
template <class K>
inline constexpr violation loads_verdict = protocol::check_loads<K>();
template <class K>
inline constexpr violation gathers_verdict = protocol::check_gathers<K>();
template <class K>
inline constexpr violation products_verdict = first_violation<head_of<K>.how.ctas()>([](auto rank) {
  return protocol::feeding_verdict<K, rank>;
});
/// Both halves of what the lowered roles do: what TMA is asked to copy, and what wgmma is given.
template <class K>
constexpr violation check_both_halves() {
  if constexpr (!loads_verdict<K>.holds())
    return loads_verdict<K>;
  else if constexpr (!gathers_verdict<K>.holds())
    return gathers_verdict<K>;
  else
    return products_verdict<K>;
}
template <class K>
inline constexpr violation feeding_verdict = check_both_halves<K>();
template <class K>
inline constexpr violation panels_verdict = check_fragments(plan_of<K>);
template <class K>
inline constexpr violation epilogue_verdict = check_epilogue<K>();
template <class K>
inline constexpr violation scatters_verdict = check_scattered_rows<K>();
template <class K>
inline constexpr violation placed_verdict = check_placed_factors<K>();
template <class K>
inline constexpr violation walk_verdict = check_walk<K>();
/// Registers, panels, the lowered epilogue, left factors in shared memory, and the walk over the work.
template <class K>
constexpr violation check_way_out() {
  if constexpr (!panels_verdict<K>.holds())
    return panels_verdict<K>;
  else if constexpr (!epilogue_verdict<K>.holds())
    return epilogue_verdict<K>;
  else if constexpr (!scatters_verdict<K>.holds())
    return scatters_verdict<K>;
  else if constexpr (!placed_verdict<K>.holds())
    return placed_verdict<K>;
  else
    return walk_verdict<K>;
}
template <class K>
inline constexpr violation fragments_verdict = check_way_out<K>();
template <class K>
inline constexpr violation banks_verdict = check_banks(plan_of<K>);

template <class K>
constexpr violation prove() {
  if constexpr (!legality_verdict<K>.holds())
    return legality_verdict<K>;
  else if constexpr (!alignment_verdict<K>.holds())
    return alignment_verdict<K>;
  else if constexpr (!budgets_verdict<K>.holds())
    return budgets_verdict<K>;
  else if constexpr (!reachability_verdict<K>.holds())
    return reachability_verdict<K>;
  else if constexpr (!fragments_verdict<K>.holds())
    return fragments_verdict<K>;
  else if constexpr (!feeding_verdict<K>.holds())
    return feeding_verdict<K>;
  else if constexpr (!banks_verdict<K>.holds())
    return banks_verdict<K>;
  else
    return protocol_verdict<K>;
}

/// Why K is refused, or `holds`.
template <class K>
inline constexpr violation verdict_of = prove<K>();
/// Of a member of a family the sentence says which one it is.
template <class P, int I>
inline constexpr violation verdict_of<member<P, I>> = [] {
  violation v = prove<member<P, I>>();
  if (!v.holds()) v.says = sentence{} << "configuration " << I << ": " << v.says.text;
  return v;
}();

/// Members of one family sum in one order, unless the program says that they need not; in `open` ones none does.
constexpr violation check_sums(int number, bool same, order_of_sums allowed, bool open = false, bool consumers = false,
                               bool by_place = false) {
  if (same || allowed == any_order) return {};
  if (by_place)
    return refuse(
        rule::members_sum_in_different_orders, "configuration ", number,
        " cuts tiles by their place (.streamed = true): a row's bits hang on how many rows are beside it; say "
        "static constexpr auto sums = sectile::any_order");
  if (open)
    return refuse(
        rule::members_sum_in_different_orders, "configuration ", number,
        " combines by add_in_any_order: its "
        "bits differ from run to run, so they hang on no configuration either; say static constexpr auto sums "
        "= sectile::any_order");
  return refuse(rule::members_sum_in_different_orders, "configurations 0 and ", number,
                " sum in different orders: "
                "a row's bits would depend on which one a launch picks. Give them one ",
                consumers ? "number of consumers, " : "tile along what is summed over, ",
                "or say static constexpr auto sums = sectile::any_order");
}
template <class P>
constexpr violation check_family() {
  return first_violation<count_configurations<P>()>([](auto i) {
    constexpr const summation_order &first = summation_of<member<P, 0>>, &own = summation_of<member<P, i>>;
    return check_sums(i, same_sums<member<P, 0>, member<P, i>>, declared_order<P>(), own.any_order,
                      first.consumers != own.consumers, own.by_place);
  });
}

}  // namespace sectile
#endif

namespace sectile {

#if defined(SECTILE_PROVEN) || !SECTILE_SAYS_WHAT_IS_WRONG
template <class K>
inline constexpr violation verdict_here = violation{};
template <class K, class...>
inline constexpr bool verified = true;
template <class K>
constexpr bool can_run() {
  return true;
}
#else
#if defined(SECTILE_PROVE_ONE_IN)
/// Whether K is among those that are proven here: by the remainder of a hash of its name (FNV-1a).
template <class K>
constexpr bool is_in_sample() {
  std::uint32_t hash = 2166136261u;
  for (const char* c = __PRETTY_FUNCTION__; *c; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
  return (hash ^ hash >> 16) % SECTILE_PROVE_ONE_IN == 0;
}
#else
template <class K>
constexpr bool is_in_sample() {
  return true;
}
#endif

/// The verdict, asked for only when the body has been read, of a kernel that is proven here.
template <class K, bool Readable>
constexpr violation verdict_on() {
  if constexpr (Readable && is_in_sample<K>())
    return verdict_of<K>;
  else
    return {};
}
template <class K>
inline constexpr violation verdict_here = verdict_on<K, body_is_readable<K>(operand_indices<K>{})>();

/// Of a family: the verdict on its members' order of sums, asked for only when all of them hold.
template <class P, bool Verified, int... I>
constexpr violation family_verdict() {
  if constexpr (Verified)
    return check_family<P>();
  else
    return {};
}

/// What is looked at one by one: a kernel's operands, or the members of a family.
template <class Numbers>
struct every_member {};
template <class K>
using what_it_has = std::conditional_t<is_family<K>, every_member<member_numbers<K>>, operand_indices<K>>;

/// Says the verdict, if K was read to its end; if not, the compiler has said why. (And where a path was refused it has
/// said why it cannot follow a function.)
template <class K, reading_ends Reading>
constexpr bool prove_or_say_why() {
  constexpr violation v = verdict_on<K, Reading == reading_ends::well>();
  if constexpr (v.what != rule::function_is_for_the_host_alone || !has_refused_a_path<K>())
    static_assert(decltype(reason<v>())::verified);
  return Reading != reading_ends::in_an_error;
}
template <class P, bool Verified, int... I>
constexpr bool prove_family_or_say_why() {
  static_assert(decltype(reason<family_verdict<P, Verified, I...>()>())::verified);
  return true;
}

/// Whether all proofs hold for kernel K. If not, this does not compile, and the message says why. Of a family: for all
/// its members, whose sums have one order. (The body is called here, and in no function: see refusal.hpp.)
template <class K, class = what_it_has<K>>
inline constexpr bool verified = false;
template <class K, int... I>
inline constexpr auto verified<K, std::integer_sequence<int, I...>> =
    prove_or_say_why<K, end_of<K>(0, [](bool now = true) {
                       if constexpr (body_can_be_called<K, I...>()) {
                         first_reading<K> sm{};
                         if (now) K::body(sm, traced_argument<K, I>({})...);
                         return has_read(sm);
                       } else {
                         return false;
                       }
                     })>();
#if defined(SECTILE_PROVE_ONE_IN)
template <class K, int... I>
requires(!is_in_sample<K>()) inline constexpr auto verified<K, std::integer_sequence<int, I...>> = true;
#endif
template <class P, int... I>
inline constexpr auto verified<P, every_member<std::integer_sequence<int, I...>>> = prove_family_or_say_why<
    P, ((verified<member<P, I>> && body_is_readable<member<P, I>>(operand_indices<member<P, I>>{})) && ...), I...>();

/// The same for code that says no by other means.
template <class K>
constexpr bool can_run() {
  if constexpr (verdict_here<K>.holds())
    return body_is_readable<K>(operand_indices<K>{});
  else
    return false;
}
#endif

/// Whether it can, also of a kernel whose body is no constant, or in which C++ forbids something, of which a compiler
/// has said so: it cannot.
template <class K>
concept runnable = !is_in_error<K>() && requires {
  typename std::bool_constant<verified<K>>;
  typename std::bool_constant<can_run<K>()>;
}
&&can_run<K>();

}  // namespace sectile
