// Which member of a family runs, where the one that was picked does not fit: a pick knows sizes and the workspace, and
// no more of what a launch looks at. The others are asked in the order in which a pick would take them.
#pragma once
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/family.hpp>

namespace sectile {

/// How far a kernel is from what it was given.
struct misfit {
  double tiles = 1;         // that there are along modes of which it takes one
  std::uint64_t bytes = 0;  // of the workspace that it needs

  friend constexpr bool operator<(const misfit& a, const misfit& b) {
    return a.tiles != b.tiles ? a.tiles < b.tiles : a.bytes < b.bytes;
  }
};
misfit measure_misfit(const plan& p, const tensor_facts (&t)[max_operands]);

/// What members say of a problem.
class other_members {
 public:
  /// `plans`: of the members, in their order.
  other_members(const family_facts& family, const plan* const* plans, const gpu_constants& gpu,
                const problem_size& sizes, const argument_facts& arguments, std::uint64_t workspace_bytes)
      : family_(family), plans_(plans), gpu_(gpu), sizes_(sizes), arguments_(arguments), bytes_(workspace_bytes) {}

  /// Member `i` does not fit.
  void refuse(int i, const char* why);
  /// The best of those that have not been asked; -1: there is none.
  int next() const;
  /// Throws launch_error: none fits, and why the one that comes nearest does not.
  [[noreturn]] void say_why() const;

 private:
  const family_facts& family_;
  const plan* const* plans_;
  const gpu_constants& gpu_;
  const problem_size& sizes_;
  const argument_facts& arguments_;
  std::uint64_t bytes_;
  members_passed_over asked_{};
  int nearest_ = -1;
  misfit distance_{};
  message why_{};
};

namespace detail {

template <class P, class Start, class... Arguments, int... I>
void start_another(std::integer_sequence<int, I...>, const gpu_constants& gpu, const Start& start, int refused,
                   const char* why, const Arguments&... arguments) {
  static constexpr const plan* plans[] = {&plan_of<member<P, I>>...};
  const problem_size sizes = sizes_of<P>(arguments...);
  const argument_facts facts = facts_of_all(arguments...);
  const std::uint64_t given = workspace_of(arguments...);
  other_members others(family_facts_of<P>, plans, gpu, sizes, facts, given);
  others.refuse(refused, why);
  for (int i = others.next(); i >= 0; i = others.next()) {
    try {
      start(i);
      choices_of<P>.keep(sizes, &gpu, i, given);
      return;
    } catch (const unfit_configuration& e) {
      others.refuse(i, e.what());
    }
  }
  others.say_why();
}

}  // namespace detail

/// start(i) for the member i of family P that is the best of those that fit; it throws unfit_configuration for one that
/// does not. Throws launch_error if none fits.
template <class P, class Start, class... Arguments>
void start_best_member(const gpu_constants& gpu, const Start& start, const Arguments&... arguments) {
  const int best = pick_member<P>(gpu, arguments...);
  try {
    start(best);
  } catch (const unfit_configuration& e) {
    detail::start_another<P>(member_numbers<P>{}, gpu, start, best, e.what(), arguments...);
  }
}

}  // namespace sectile
