// checked<K> without a GPU: it is a kernel that proofs and model take as they take K, its pieces of shared memory lie
// apart with guards between them, and what the debug machine leaves behind reads as it should.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/checked_report.hpp>
#include <sectile/dsl/tell/memory_text.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/attention_backward.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <sectile/layouts.hpp>  // whose names are none of a launch
#include <string>

#include "tests/exhaustively.hpp"
#include "tests/programs/gathers.hpp"
#include "tests/programs/groups.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using hopper::doing, hopper::fault, hopper::fault_report;
using test::host_tensor, test::exhaustively;

using tiny = test::matmul<64, 128, 64, configuration{.stages = 2, .consumers = 1}>;
/// Two CTAs above each other that share B, each with two consumers.
using pair =
    test::matmul<128, 64, 64, configuration{.stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true}>;
/// The same, whose tiles are drawn.
using drawn =
    test::matmul<128, 64, 64,
                 configuration{.stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true, .dynamic = true}>;
/// No room for guards between nine stages.
using full = test::matmul<64, 128, 64, configuration{.stages = 9, .consumers = 1}>;

static_assert(verified<checked<drawn>>);
#ifdef SECTILE_EXHAUSTIVELY  // what is proven exhaustively alone
static_assert(verified<checked<pair>> && verified<checked<tiny>> && verified<checked<full>> &&
              verified<checked<kernels::gemm_bf16>>);
#endif
static_assert(checked_kernel<checked<tiny>>);

TEST_CASE("an ordinary plan has no guards and no notes") {
  constexpr plan p = plan_of<kernels::gemm_bf16>;
  CHECK(p.guards.note_bytes == 0);
  CHECK(p.guards.count == 0);
  CHECK(count_guards(map_shared_memory(p)) == 0);
}

/// Guards and pieces take turns, and together they are all of shared memory.
void check_cover(const plan& p) {
  const shared_map m = map_shared_memory(p);
  int covered = 0, guards = 0;
  for (int offset = 0; offset < m.bytes; offset += 4) {
    int pieces = 0;
    for (int i = 0; i < m.count; ++i) pieces += m.at[i].holds(offset);
    CHECK(pieces <= 1);
    covered += pieces;
    if (pieces) continue;
    const guard g = guard_at(m, offset);
    CHECK(g.begin <= offset);
    CHECK(offset < g.end);
    guards += offset == g.begin;
  }
  CHECK(covered > 0);
  CHECK(guards == p.guards.count);
}

TEST_CASE("a checked plan: a guard behind every tile, before the first and around the barriers") {
  constexpr plan p = plan_of<checked<tiny>>, q = plan_of<tiny>;
  CHECK(p.guards.count >= 1 + 2 * 2 + 1 + 1);
  CHECK(p.guards.note_bytes == 4 * (4 + 4 * 2 + 3 * 4));
  CHECK(p.ring[0].offset == stage_guard);
  CHECK(p.ring[0].stage_bytes == q.ring[0].stage_bytes + 2 * stage_guard);
  CHECK(p.ring[0].transaction_bytes == q.ring[0].transaction_bytes);
  CHECK(p.epilogue[0].buffers == q.epilogue[0].buffers);
  check_cover(p);
  check_cover(plan_of<checked<pair>>);
  check_cover(plan_of<checked<full>>);
  check_cover(plan_of<checked<kernels::gemm_bf16>>);
}

TEST_CASE("the plan in words says how many guards there are") {
  const std::string text = tell::memory_text(plan_of<checked<tiny>>);
  CHECK(text.find("notes of the debug machine") != std::string::npos);
  CHECK(text.find(std::to_string(plan_of<checked<tiny>>.guards.count) + " guards in the gaps") != std::string::npos);
  CHECK(tell::memory_text(plan_of<tiny>).find("guard") == std::string::npos);
}

TEST_CASE("a checked plan: what there is no room for") {
  SUBCASE("a GEMM's epilogue makes do with half of its buffers") {
    constexpr plan p = plan_of<checked<kernels::gemm_bf16>>, q = plan_of<kernels::gemm_bf16>;
    CHECK(q.epilogue[0].buffers == 2);
    CHECK(p.epilogue[0].buffers == 1);
    CHECK(p.how.stages == q.how.stages);
    CHECK(p.guards.count >= 1 + 4 * 2 + 1 + 1);
  }
  SUBCASE("guards behind stages only") {
    plan p = plan_of<tiny>;
    p.ring[0].stage_bytes = 107 * 1024;
    const plan apart = with_guards(p);
    CHECK(apart.refusal.holds());
    CHECK(apart.ring[0].stage_bytes == 108 * 1024);
    CHECK(apart.operand[1].stage_offset == p.operand[1].stage_offset);
  }
  SUBCASE("guards around the barriers only") {
    constexpr plan p = plan_of<checked<full>>;
    CHECK(p.ring[0].offset == 0);
    CHECK(p.guards.count >= 2);
  }
  SUBCASE("no room for the notes") {
    plan p = plan_of<tiny>;
    p.ring[0].stage_bytes = 110 * 1024;
    const plan refused = with_guards(p);
    CHECK(refused.refusal.what == rule::stages_do_not_fit_in_shared_memory);
    CHECK(std::string(refused.refusal.says.text).find("use a stage less") != std::string::npos);
  }
}

TEST_CASE("a checked plan: a kernel that stores vectors alone has guards as well") {
  constexpr plan p = plan_of<checked<kernels::attention_delta<kernels::attention_form{.dim = 64, .lse = true}>>>;
  CHECK(p.epilogues == 0);
  CHECK(p.refusal.holds());
  CHECK(p.guards.count == 1 + 4 + 1);  // before four tiles, behind each, and behind the barriers
}

TEST_CASE("the words of guards are unlike each other and unlike zeros") {
  for (int offset = 0; offset < shared_memory_limit; offset += 4) {
    CHECK(guard_word(offset) != 0);
    CHECK(guard_word(offset) != guard_word(offset + 4));
    CHECK(guard_word(offset) != guard_word(offset + 1024));
  }
}

/// C = A B^T by K on the model, as bits.
template <class K>
std::vector<std::uint16_t> product_of() {
  host_tensor<bf16> A({150, 330}), B({200, 330}), C({150, 200});
  A.fill(1);
  B.fill(2);
  C.poison();
  run_on_model_with<K>({.workers = 2}, A.in(), B.in(), C.view());
  CHECK(C.touched() == 0);
  std::vector<std::uint16_t> bits;
  for (const bf16 x : C.elements()) bits.push_back(__builtin_bit_cast(std::uint16_t, x));
  return bits;
}

TEST_CASE("the model computes the same bits") {
  CHECK(product_of<checked<tiny>>() == product_of<tiny>());
  if constexpr (exhaustively) CHECK(product_of<checked<pair>>() == product_of<pair>());
}

/// What the debug machine compares when a kernel ends holds for every right one: as many bytes are copied into a stage
/// as are announced, and each fill is released by as many arrivals as its barrier counts.
template <class K>
void check_final_counts() {
  constexpr plan p = plan_of<K>;
  constexpr int ctas = p.how.cluster.size(), barriers = count_barriers(p);
  for (int trips = 1; trips <= 5; ++trips) {
    loop_table loops = p.loops;
    for (int i = 0; i < loops.count; ++i) loops.trips[i] = trips;
    int arrivals[ctas][barriers]{}, announced[ctas][barriers]{}, copied[ctas][barriers]{};
    for (int cta = 0; cta < ctas; ++cta)
      for (int role = 0; role < count_roles(p); ++role) {
        const auto log = protocol::record<K, 2000>(loops, 2, cta, role);
        REQUIRE(!log.overflow);
        for (int i = 0; i < log.count; ++i) {
          const protocol::action& a = log.at[i];
          if (a.what == protocol::act::arrive) ++arrivals[a.cta][a.barrier];
          if (a.what == protocol::act::expect) ++arrivals[cta][a.barrier], announced[cta][a.barrier] += a.bytes;
          for (int to = 0; to < ctas; ++to)
            if (a.what == protocol::act::load && (a.mask >> to & 1)) copied[to][a.barrier] += a.bytes;
        }
      }
    for (int cta = 0; cta < ctas; ++cta)
      for (int r = 0; r < p.rings; ++r)
        for (int s = 0; s < p.ring[r].stages; ++s) {
          const int full_at = (p.ring[r].full_barrier - p.ring[0].full_barrier) / 8 + s;
          const int empty_at = (p.ring[r].empty_barrier - p.ring[0].full_barrier) / 8 + s;
          CHECK(announced[cta][full_at] == copied[cta][full_at]);
          CHECK(arrivals[cta][full_at] * p.ring[r].empty_arrivals == arrivals[cta][empty_at]);
        }
  }
}

TEST_CASE("what is compared at the end holds for right kernels") {
  check_final_counts<checked<pair>>();
  if constexpr (exhaustively) {
    check_final_counts<checked<tiny>>();
    check_final_counts<checked<kernels::gemm_bf16>>();
    check_final_counts<checked<kernels::attention<64, kernels::attention_mask::causal>>>();
    check_final_counts<checked<kernels::sparse_gemm<f16, f16, float>>>();
  }
}

// ---- a wrong plan stays as wrong

struct never_released : tiny {};

}  // namespace

template <>
inline constexpr sectile::plan sectile::plan_of<never_released> = [] {
  plan p = plan_of<tiny>;
  for (step& s : p.steps) s.keep[0] = -1, s.release[0] = 0;
  return p;
}();
template <>
inline constexpr bool sectile::verified<checked<never_released>> = true;
template <>
inline constexpr sectile::violation sectile::verdict_here<checked<never_released>>{};

namespace {

TEST_CASE("a mistake in K's plan is one in the plan of checked<K>") {
  constexpr violation v = protocol::check_protocol<checked<never_released>, 3>();
  CHECK(v.what == rule::protocol_deadlocks);
  CHECK_THROWS_AS(product_of<checked<never_released>>(), model::hazard);
}

// ---- reports

/// A report with the notes of a kernel, to be filled in.
struct fake {
  plan p;
  fault_report report{};

  explicit fake(const plan& of) : p(of) { report.complete = report.trapped = 1, report.clusters = 4; }
  void role(int cta, int number, std::uint32_t told, int trip) {
    report.notes[cta][role_note(number) + hopper::role_words_of::told] = told;
    report.notes[cta][role_note(number) + hopper::role_words_of::trip] = static_cast<std::uint32_t>(trip);
  }
  void barrier(int cta, int offset, std::uint32_t arrivals, std::uint32_t announced = 0, std::uint32_t copied = 0) {
    std::uint32_t* b = &report.notes[cta][barrier_note(p, (offset - p.ring[0].full_barrier) / 8)];
    b[0] = arrivals, b[1] = announced, b[2] = copied;
  }
  void complain(int cta, int thread, std::uint32_t told) {
    report.cta = static_cast<std::uint32_t>(cta);
    report.notes[cta][hopper::complaint::owner] = static_cast<std::uint32_t>(thread + 1);
    report.notes[cta][hopper::complaint::told] = told;
  }
  std::string text() const {
    return describe(p, report, {"matmul", 7, 2, [](int, int cta, int, int) {
                                  return "output tile (" + std::to_string(cta) + ", 5)";
                                }});
  }
  void expect(const std::string& fragment) const {
    const std::string all = text();
    CAPTURE(all);
    CAPTURE(fragment);
    CHECK(all.find(fragment) != std::string::npos);
  }
};

std::uint32_t waits(int barrier, int parity) {
  return hopper::tell(doing::waiting_for_phase,
                      static_cast<std::uint32_t>(barrier) | (parity ? hopper::parity_bit : 0));
}
std::uint32_t expired(int barrier, int parity) {
  return hopper::tell(fault::wait_expired, static_cast<std::uint32_t>(barrier) | (parity ? hopper::parity_bit : 0));
}

TEST_CASE("report: a producer that waits for a free stage, and the cycle it is in") {
  fake f(plan_of<checked<pair>>);
  const int empty = f.p.ring[0].empty_barrier + 8, first = f.p.ring[0].full_barrier;
  f.complain(1, 0, expired(empty, 0));
  f.role(1, 0, waits(empty, 0), 4);
  f.role(1, 1, waits(first, 1), 3);
  f.role(1, 2, hopper::tell(doing::waiting_at_barrier, 2 | 128 << 8), 3);
  f.role(0, 0, hopper::tell(doing::done, 0), -1);
  f.role(0, 1, hopper::tell(doing::waiting_for_registers, 232), 0);
  f.role(0, 2, hopper::tell(doing::waiting_for_stores, 1), 2);
  f.barrier(1, empty, 3);
  f.barrier(1, first, 1, 24576, 24576);
  CHECK(f.p.ring[0].empty_arrivals == 4);
  CHECK(f.text().find(
            "producer (cta 1, thread 0) has waited 2 s for stage 1 of A and B to be free (empty[1], parity 0) at "
            "k = 4 of output tile (1, 5): 3 of 4 arrivals; 1 more arrival would release it\n") == 0);
  f.expect("\n  kernel matmul, launch 7, cluster 0 of 4, cta 1 of 2; ");
  f.expect("\n  producer (cta 0, thread 0): has ended, and waits for the cluster to leave together");
  f.expect("\n  consumer 0 (cta 0, threads 128-255): waits for setmaxnreg.inc to 232 registers per thread: ");
  f.expect("\n  consumer 1 (cta 0, threads 256-383): waits until at most 1 store group of TMA are in flight");
  f.expect(
      "\n  consumer 0 (cta 1, threads 128-255): waits for stage 0 of A and B to be full (full[0], parity 1) at k = 3 "
      "of "
      "output tile (1, 5): 0 of 1 arrival; 1 more arrival would release it");
  f.expect(
      "\n  consumer 1 (cta 1, threads 256-383): waits at named barrier 2 (consumer 1's own) for 128 threads at k = 3");
}

TEST_CASE("report: a role that waits for the number of its next tile, and the one that draws it") {
  fake f(plan_of<checked<drawn>>);
  const int handed = ticket_full_barrier(f.p.tickets, 1), read = ticket_empty_barrier(f.p.tickets, 1);
  f.complain(1, 128, expired(handed, 0));
  f.barrier(1, handed, 1, 4, 0);
  f.expect("consumer 0 (cta 1, thread 128) has waited 2 s for the number of its next work item (drawn[1], parity 0)");
  f.expect(": it expects 4 bytes; 4 more were announced than copies bring, they never come");
  f.complain(0, 0, expired(read, 0));
  f.barrier(0, read, 3);
  f.expect(
      "producer (cta 0, thread 0) has waited 2 s for all roles to have read the number before (read[1], parity 0)");
  f.expect(": 3 of 5 arrivals; 2 more arrivals would release it");
  f.complain(0, 0, hopper::tell(fault::wrong_load, static_cast<std::uint32_t>(f.p.tickets.offset)));
  f.expect("an operand is read from the numbers of drawn work (byte ");
}

TEST_CASE("report: bytes that never come") {
  fake f(plan_of<checked<tiny>>);
  const int second = f.p.ring[0].full_barrier + 8;
  f.complain(0, 128, expired(second, 0));
  f.barrier(0, second, 1, 24592, 24576);
  f.expect("consumer 0 (thread 128) has waited 2 s for stage 1 of A and B to be full (full[1], parity 0)");
  f.expect(": it expects 24576 bytes; 16 more were announced than copies bring, they never come");
  f.barrier(0, second, 1, 24576, 24592);
  f.expect("copies bring 16 more than were announced");
  f.barrier(0, second, 1, 24576, 24576);
  f.expect("were issued, but not all bytes have landed");
}

TEST_CASE("report: a guard") {
  fake f(plan_of<checked<tiny>>);
  const shared_map m = map_shared_memory(f.p);
  f.report.found = 0x3F803F80;
  const auto told = [&](int offset) {
    f.complain(0, 130, hopper::tell(fault::guard_overwritten, static_cast<std::uint32_t>(offset)));
  };
  told(m.at[1].begin + m.at[1].bytes + 8);
  f.role(0, 1, hopper::tell(doing::running, 0), 2);
  f.expect("the guard behind stage 0 of B (byte ");
  f.expect(" was overwritten: 0x3f803f80 stands where 0x");
  f.expect("; seen by consumer 0 (thread 130) at k = 2");
  told(0);
  f.expect("the guard before stage 0 of A (byte 0 of shared memory)");
  told(m.at[2].begin + m.at[2].bytes);
  f.expect("the guard behind consumer 0's buffers for C");
  f.report.trapped = 0;
  told(m.at[0].begin + m.at[0].pitch + m.at[0].bytes);
  f.expect("the guard behind stage 1 of A");
  f.expect("; seen at the end of the kernel");
  CHECK(f.text().find("producer") == std::string::npos);
}

TEST_CASE("report: wrong addresses, copies, counts, launches") {
  fake f(plan_of<checked<tiny>>);
  const auto told = [&](fault what, int detail) {
    f.complain(0, 128, hopper::tell(what, static_cast<std::uint32_t>(detail)));
  };
  told(fault::wrong_descriptor, f.p.epilogue[0].offset + 16);
  f.expect("a wgmma descriptor starts in consumer 0's buffers for C (byte ");
  told(fault::wrong_load, f.p.shared_bytes + 4);
  f.expect(", which is outside of the kernel's ");
  told(fault::wrong_copy, -16);
  f.expect("a TMA copy begins in byte -16 of shared memory, which is outside of the kernel's ");
  told(fault::wrong_store, f.p.ring[0].offset);
  f.expect("the epilogue writes to stage 0 of A (byte 1024 of shared memory); seen by consumer 0 (thread 128)");
  told(fault::wrong_coordinate, f.p.ring[0].offset);
  f.expect("a TMA copy of stage 0 of A (byte 1024 of shared memory) has a negative coordinate");
  told(fault::wrong_barrier, f.p.guards.notes);
  f.expect("an mbarrier is used in the debug machine's notes");
  told(fault::wrong_launch, 128 | 2 << 16);
  f.expect("the kernel was launched with 128 threads in clusters of 2, its plan has 256 in clusters of 1");
  told(fault::wrong_base, 512);
  f.expect("shared memory begins 512 bytes behind a multiple of 1024");
  told(fault::nothing_moves, 0);
  f.expect("no role of cluster 0 has gone on for 4 s");
  f.report.trapped = 0;
  f.barrier(0, f.p.ring[0].full_barrier, 3, 300, 316);
  f.barrier(0, f.p.ring[0].empty_barrier, 2);
  told(fault::bytes_differ, f.p.ring[0].full_barrier);
  f.expect(
      "copies into stage 0 of A and B brought 316 bytes, its barrier was told of 300; seen at the end of the kernel");
  told(fault::arrivals_differ, f.p.ring[0].empty_barrier);
  f.expect(
      "stage 0 of A and B was filled 3 times and received 2 arrivals that give it back, where its barrier counts 1 for "
      "each fill");
}

TEST_CASE("report: a group that is none") {
  fake f(plan_of<checked<test::groups::rows<bf16, test::groups::plain>>>);
  f.complain(0, 128, hopper::tell(fault::wrong_group, 3));
  f.expect("group 3 of ends ends before it begins, or behind the last row; seen by consumer");
  fake of_two(plan_of<checked<test::groups::rows_meet_others<test::groups::scoring>>>);  // ends and counts
  of_two.complain(0, 128, hopper::tell(fault::wrong_group, 2 * 3));
  of_two.expect("group 3 of ends ends before it begins, or behind the last row; seen by consumer");
  of_two.complain(0, 128, hopper::tell(fault::wrong_group, 2 * 3 + 1));
  of_two.expect("group 3 of counts has less than no rows, or more than its room; seen by consumer");
}

TEST_CASE("report: a number that no row has") {
  static_assert(producer_threads(plan_of<checked<test::gathers::product<test::gathers::walking>>>) == 32);
  fake f(plan_of<checked<test::gathers::product<test::gathers::walking>>>);
  f.complain(0, 5, hopper::tell(fault::wrong_row, 1u << hopper::row_bits | 90));
  f.expect("an element of row is 90: there is no such row to pick; -1 picks a row of zeros; seen by producer");
  f.complain(0, 5, hopper::tell(fault::wrong_row, 1u << hopper::row_bits | hopper::most_told_row));
  f.expect("an element of row is below -1, or 16777215 or more: there is no such row to pick");
}

}  // namespace
