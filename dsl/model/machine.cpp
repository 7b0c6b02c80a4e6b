// The verbs: each one counts, lets others go first if the schedule says so, and hands over to its subject.
#include <bit>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

cuda_thread& entered(cuda_thread& t) {
  t.loading = false;
  t.all->enter(t, false);
  return t;
}

/// The same at verbs by which roles meet.
cuda_thread& entered_meeting(cuda_thread& t) {
  t.loading = false;
  t.all->enter(t, true);
  return t;
}

}  // namespace

void machine::tell_trip(int trip) { self_.trips.begin(trip, self_.clock); }

void machine::load_told(int operand, const int* tile, int rank, unsigned sharers) {
  if (self_.all->checked()) self_.all->tiles.tell_load(self_, operand, {tile, static_cast<std::size_t>(rank)}, sharers);
}
void machine::tell_store(int operand, bool own) {
  if (self_.all->checked() && !own) report_wrong_store(self_, operand);
}

void machine::report_disorder() {
  report(hazard_kind::order_of_evaluation,
         text(name(self_), " uses the results of products in another order than was planned: C++ leaves open which ",
              "operand of an expression is evaluated first, and this compiler begins at the other end; give the operands ",
              "names, as in auto x = exp2(p); auto y = exp2(q); and then x + y"));
}

void machine::tell_other_path() {
  report(hazard_kind::other_path,
         text(name(self_), " comes to an operation that was not planned there: the body took another path than in the runs ",
              "that the planner tried; loads, products, uses and stores must not stand under a run-time if, nor be left out ",
              "by a continue or return"));
}

void machine::mbarrier_init(std::uint32_t barrier, int arrivals) {
  initialise_barrier(entered(self_), barrier, arrivals);
}

void machine::mbarrier_init_fence() { fence_initialised_barriers(entered(self_)); }

void machine::mbarrier_wait(std::uint32_t barrier, int parity) {
  // Who must wait anyway has nothing to give away.
  const bool waits = would_wait(self_, barrier, parity);
  wait_for_phase(waits ? entered(self_) : entered_meeting(self_), barrier, parity);
}

void machine::mbarrier_arrive(std::uint32_t barrier) { arrive(entered_meeting(self_), *self_.block, barrier); }

void machine::mbarrier_arrive_at(std::uint32_t barrier, int cta_rank) {
  const cuda_thread& t = entered_meeting(self_);
  if (cta_rank < 0 || static_cast<std::size_t>(cta_rank) >= t.all->ctas.size()) {
    report(hazard_kind::out_of_range,
           text("mbarrier_arrive_at of ", name(t), ": the cluster of ", t.all->ctas.size(), " has no cta ", cta_rank));
  }
  arrive(self_, *t.all->ctas[static_cast<std::size_t>(cta_rank)], barrier);
}

void machine::mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
  arrive_and_expect(entered_meeting(self_), barrier, bytes);
}

void machine::cluster_sync() { sync_cluster(entered_meeting(self_)); }
void machine::named_barrier_sync(int id, int threads) { sync_named(entered_meeting(self_), id, threads); }
void machine::named_barrier_arrive(int id, int threads) { arrive_named(entered_meeting(self_), id, threads); }

void machine::load_box(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int* coord,
                       int rank, int cta_mask) {
  const std::uint32_t mask = cta_mask == own_cta ? 1u << cta_rank_ : static_cast<std::uint32_t>(cta_mask);
  // Loads in a row count as one.
  model::load_box(self_.loading ? entered(self_) : entered_meeting(self_), destination, map, barrier, coord, rank,
                  mask);
  self_.loading = true;
}

void machine::store_box(const tensor_map& map, std::uint32_t source, const int* coord, int rank) {
  model::store_box(entered(self_), map, source, coord, rank);
}

void machine::bulk_commit() { commit_bulk_group(entered(self_)); }
void machine::wait_for_bulk_reads(int newest) { model::wait_for_bulk_reads(entered(self_), newest); }
void machine::wait_for_bulk_writes(int newest) { model::wait_for_bulk_writes(entered(self_), newest); }

void machine::fence_proxy_async() { entered(self_).clock.fence(); }

void machine::wgmma_fence() { fence_wgmma(entered(self_)); }
void machine::wgmma_commit() { commit_wgmma(entered(self_)); }
void machine::wait_for_wgmma(int newest) { model::wait_for_wgmma(entered(self_), newest); }

void machine::issue_wgmma(const wgmma_instruction& i, void* d, register_state& d_state, const std::uint32_t* a,
                          register_state* a_state, const wgmma_operands& operands) {
  model::issue_wgmma(entered(self_), i, {d, &d_state, a, a_state}, operands);
}

void machine::store_matrices(std::uint32_t address, const std::uint32_t (&r)[4], int matrices) {
  model::store_matrices(entered(self_), address, r, matrices);
}

void machine::load_matrices(std::uint32_t (&r)[4], std::uint32_t address, bool transposed) {
  model::load_matrices(entered(self_), r, address, transposed);
}

void machine::store_shared(std::uint32_t address, float x, float y) {
  store_shared(address, std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y));
}
void machine::store_shared(std::uint32_t address, std::uint32_t x, std::uint32_t y) {
  store_words(entered(self_), address, x, y);
}
std::uint32_t machine::load_shared(std::uint32_t from) { return load_word(entered(self_), from); }
void machine::copy_element(void* to, std::uint32_t from, std::uint32_t bytes) {
  copy_out(entered(self_), to, from, bytes);
}
float machine::shuffle_xor(float x, int lane_mask) {
  return std::bit_cast<float>(model::shuffle_xor(entered(self_), std::bit_cast<std::uint32_t>(x), lane_mask));
}
std::uint32_t machine::shuffle(std::uint32_t x, int lane) { return model::shuffle(entered(self_), x, lane); }
void machine::change_registers(int count, bool increase) { model::change_registers(entered(self_), count, increase); }

}  // namespace sectile::model
