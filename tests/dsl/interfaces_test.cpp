// The roles' concepts: the machines have all verbs, and one that lacks a verb, or has it with another type, is none. (A
// kernel for the chip asks the same of its machine where it is compiled.)
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/roles/interfaces.hpp>

namespace {

using namespace sectile;
using recorder = protocol::recorder<8>;

static_assert(role_machine<model::machine> && has_arithmetic<model::machine>);
static_assert(role_machine<recorder> && !has_arithmetic<recorder>);

struct without_a_fence : recorder {
  void fence_proxy_async() = delete;
};
struct without_parity : recorder {
  void mbarrier_wait(std::uint32_t) {}
};
struct ticket_in_a_float : recorder {
  float take_ticket(const ticket_counters&, int, int) { return 0; }
};
struct computes_with_nothing : recorder {
  static constexpr bool computes = true;
};
static_assert(!role_machine<without_a_fence> && !copies_tiles<without_a_fence> && has_barriers<without_a_fence>);
static_assert(!role_machine<without_parity> && !has_barriers<without_parity> && copies_tiles<without_parity>);
static_assert(!role_machine<ticket_in_a_float> && !has_workspace<ticket_in_a_float>);
static_assert(!role_machine<computes_with_nothing>);

struct same_item_again {
  void look_ahead(recorder&, int) {}
  int next(int, int item) { return item; }
  int tile_of(int, int item, int) { return item; }
};
struct item_of_no_number {
  void look_ahead(recorder&, int) {}
  void next(int, int) {}
  int tile_of(int, int item, int) { return item; }
};
struct item_of_no_tile : same_item_again {
  void tile_of(int, int, int) {}
};
static_assert(source_of_work<same_item_again, recorder, int, int>);
static_assert(!source_of_work<item_of_no_number, recorder, int, int>);
static_assert(!source_of_work<item_of_no_tile, recorder, int, int>);

struct copies {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, in_registers(sm.load(X, {m, n})));
  }
};
struct reading_without_touch : planner<copies> {
  void touch() {}
};
static_assert(reading_of_body<planner<copies>>);
static_assert(!reading_of_body<reading_without_touch>);

}  // namespace

TEST_CASE("a kernel's work comes from a source, by either way") {
  CHECK(source_of_work<work_source<copies, recorder, true>, recorder, producer<copies, recorder>, int>);
  CHECK(verified<copies>);
}
