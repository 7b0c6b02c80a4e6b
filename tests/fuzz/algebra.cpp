// Random expressions of the layout algebra against brute force: every operation of every expression is checked by its
// definition on tables of offsets, and every refusal must be justified.
//
//   fuzz_algebra [expressions = 20000] [seed = 1] [first = 0]
//
// Prints how often each operation was done and refused, and why; exits with 1 if a law broke. An expression is named by
// its number: "fuzz_algebra 1 SEED NUMBER" runs it alone.

#include <chrono>
#include <cstdlib>

#include "laws_by_mode.hpp"
#include "laws_of_swizzles.hpp"
#include "laws_of_trees.hpp"

namespace sectile_fuzz {
namespace {

flavour random_flavour(random_source& random) {
  return random.one_of({flavour::compact, flavour::compact, flavour::compact, flavour::padded, flavour::any,
                        flavour::backwards, flavour::powers, flavour::powers, flavour::deep, flavour::large});
}

layout leaf(case_state& state) {
  layout l = random_layout(state.random, random_flavour(state.random));
  check_meaning(state, l);
  return l;
}

/// One operation on l, and perhaps on another layout; nothing where it is refused.
std::optional<layout> apply(case_state& state, const layout& l, const layout& other) {
  random_source& random = state.random;
  const auto size = [&] { return size_of(l) < 100'000 ? sectile::size(l) : 64; };
  switch (random.below(22)) {
    case 0:
      return check_coalesce(state, l);
    case 1:
      return check_coalesce_by_profile(state, l);
    case 2:
      return check_filter(state, l);
    case 3:
      return check_complement(state, l, random.once_in(20) ? random.between(-2, 0) : random.between(1, 300));
    case 4:
      return check_right_inverse(state, l);
    case 5:
      return check_left_inverse(state, l);
    case 6:
      check_questions(state, l);
      check_profiles(state, l);
      return std::nullopt;
    case 7:
      return check_composition(state, l, other);
    case 8:
    case 9:
      return check_composition(state, l, random_tile(random, size()));
    case 10:
      return check_composition_by_mode(state, l, random_tiler(random, tree_of(l), 2));
    case 11:
      return check_divide(state, l, random.once_in(4) ? other : random_tile(random, size()));
    case 12:
    case 13:
      return check_divide_by_mode(state, l, random_tiler(random, tree_of(l), 2));
    case 14:
      return check_product(state, l, random.once_in(2) ? other : random_tile(random, 24));
    case 15:
      return check_product_by_mode(state, l, random_tiler(random, tree_of(l), 2));
    case 16:
      return check_grid_product(state, l, random_tile(random, 24), random.once_in(2));
    case 17:
      return check_common(state, l, random.once_in(2) ? other : l);
    case 18:
      return check_modes(state, l);
    case 19:
      return check_slice(state, l);
    case 20:
      return random.once_in(2) ? check_ordered(state, l) : check_tile_to_shape(state, l);
    default:
      return check_recast(state, l);
  }
}

/// A random tree of operations, from its leaves up.
layout grow(case_state& state, std::int64_t levels) {
  if (levels == 0) return leaf(state);
  const layout l = grow(state, levels - 1);
  const layout other = grow(state, state.random.below(levels));
  const std::optional<layout> r = apply(state, l, other);
  if (!r) return state.random.once_in(2) ? l : other;
  check_meaning(state, *r);
  // What has grown too large for tables gives way to something fresh now and then.
  return is_small(*r) || state.random.once_in(3) ? *r : leaf(state);
}

void run_case(case_state& state) {
  if (state.random.once_in(16)) check_making(state);
  const layout l = grow(state, state.random.between(1, 4));
  if (state.random.once_in(3)) check_swizzles(state, l);
}

int run(std::int64_t count, std::uint64_t seed, std::int64_t first) {
  report out;
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t number = first; number < first + count; ++number) {
    case_state state{random_source(seed, static_cast<std::uint64_t>(number)), out};
    try {
      run_case(state);
    } catch (const finding& what) {
      out.found(number, what.what());
    } catch (const sectile::layout_error& refusal) {
      // Operands of a law are put together from layouts that are as large as they may be.
      if (limit_of(refusal.what()) == grounds::capacity) {
        out.note("expressions that ended at the limit of 24 leaves or 100 levels");
      } else {
        out.found(number, std::string("refused where nothing may be: ") + refusal.what());
      }
    } catch (const std::exception& what) {
      out.found(number, std::string("another exception: ") + what.what());
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  out.print();
  std::printf("%lld expressions, seed %llu, %.1f s: %lld findings\n", static_cast<long long>(count),
              static_cast<unsigned long long>(seed), seconds.count(), static_cast<long long>(out.findings));
  return out.findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sectile_fuzz

int main(int argc, char** argv) {
  const auto argument = [&](int i, long long otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  return sectile_fuzz::run(argument(1, 20000), static_cast<std::uint64_t>(argument(2, 1)), argument(3, 0));
}
