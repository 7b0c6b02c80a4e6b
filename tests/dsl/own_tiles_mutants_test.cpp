// Consumers with tiles of their own whose lowering is wrong: the protocol's proof says what is. (Logs with a mistake,
// and all orders: all_orders/.)
#include <doctest/doctest.h>

#include "tests/dsl/wrong_machine.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using test::on, test::check_refused;

using by_turns =
    test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 2, .own_tiles = true, .persistent = true}>;
static_assert(verified<by_turns>);

constexpr bool is_turn(int barrier) { return barrier == ordered_barrier(2, 0) || barrier == ordered_barrier(2, 1); }

/// What the machine below gets wrong: see lowering_mutants_test.cpp.
enum mistake {
  none,
  takes_no_turn,
  passes_no_turn,
  passes_the_turn_twice,
  says_another_item,         // the first consumer makes what is the other one's
  waits_for_the_other_phase  // the second consumer waits for the phase after the one that it is to wait for
};
mistake made = none;

template <class M>
struct wrong_tiles_recorder : M {
  constexpr void named_barrier_sync(int id, int threads) {
    if (made != takes_no_turn || !is_turn(id)) M::named_barrier_sync(id, threads);
  }
  constexpr void named_barrier_arrive(int id, int threads) {
    if (made != passes_no_turn || !is_turn(id)) M::named_barrier_arrive(id, threads);
    if (made == passes_the_turn_twice) M::named_barrier_arrive(id, threads);
  }
  constexpr void observe_item(int item) {
    M::observe_item(made == says_another_item && this->thread() == warpgroup ? item + 2 : item);
  }
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    M::mbarrier_wait(barrier,
                     made == waits_for_the_other_phase && this->thread() == 2 * warpgroup ? parity ^ 1 : parity);
  }
};

void check_protocol_refuses(mistake m, rule what, const char* fragment) {
  made = m;
  check_refused(test::verdict_on_run<on<by_turns, wrong_tiles_recorder>>(2), what, fragment);
}

}  // namespace

TEST_CASE("a machine that takes turns as it is told passes") { check_protocol_refuses(none, rule::holds, ""); }
TEST_CASE("turns that are not taken, not passed on, passed on twice") {
  check_protocol_refuses(takes_no_turn, rule::protocol_races,
                         "is read by a product whose consumer has not waited for it");
  check_protocol_refuses(passes_no_turn, rule::protocol_deadlocks, "waits forever for a free stage of A");
  check_protocol_refuses(passes_the_turn_twice, rule::protocol_races,
                         "may arrive twice in one round of a named barrier");
}
TEST_CASE("a tile that is another consumer's") {
  check_protocol_refuses(says_another_item, rule::protocol_races, "holds a tile of another work item");
}
TEST_CASE("a phase that another consumer waits for") {
  check_protocol_refuses(waits_for_the_other_phase, rule::protocol_races, "holds a tile of another work item");
}
