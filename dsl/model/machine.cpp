// The verbs: each one counts, lets others go first if the schedule says so, and hands over to its subject.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/expected_vector.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tickets.hpp>
#include <utility>

namespace sectile::model {
namespace {

void note(cuda_thread& t, verb what, int value = 0) { note(t, {.what = what, .value = value}); }
void note_box(cuda_thread& t, verb what, std::uint32_t address, std::uint32_t barrier, const tensor_map& map,
              const int* coord, int rank, std::uint32_t mask) {
  verb_record r{.what = what, .address = address, .barrier = barrier, .value = bytes(map.box), .mask = mask};
  r.tensor = map.base;
  std::copy(coord, coord + rank, r.coordinate);
  note(t, r);
}
void note_words(cuda_thread& t, verb what, std::uint32_t address, int bytes_per_lane) {
  note(t, {.what = what, .address = address, .value = 32 * bytes_per_lane});
}

cuda_thread& entered(cuda_thread& t) {
  t.all->enter(t, false);
  return t;
}

/// The same at verbs by which roles meet.
cuda_thread& entered_meeting(cuda_thread& t) {
  t.all->enter(t, true);
  return t;
}

/// Throws unless the element that begins there is one of a vector that the kernel stores, or combines into.
void require_vector(const cuda_thread& t, const std::byte* to, bool combined, const char* verb) {
  const label_set& labels = t.all->what.how.labels;
  for (const tensor_label& l : labels.tensors)
    if (l.covered && l.by_element && l.combined == combined && find_element(l, to)) return;
  report(hazard_kind::out_of_range,
         text(verb, " of ", name(t), " writes ", name_element(labels, to),
              ", which belongs to no vector that the kernel ", combined ? "combines into" : "stores"));
}

/// red.global, by any of the threads that simulate clusters. add.f32 takes subnormal numbers in memory for zeros; max
/// and min compare bits (see hopper/arithmetic.hpp), which is an order of all numbers in which -0 comes before +0.
void combine_in_memory(float* to, float x, reduction how) {
  const auto flushed = [](float y) { return std::fpclassify(y) == FP_SUBNORMAL ? std::copysign(0.0f, y) : y; };
  const auto combine = [&](float y) {
    if (how == reduction::max) return machine::maximum(y, x);
    if (how == reduction::min) return machine::minimum(y, x);
    return flushed(machine::add(flushed(y), flushed(x)));
  };
  const std::atomic_ref<float> memory(*to);
  float before = memory.load(std::memory_order_relaxed);
  while (!memory.compare_exchange_weak(before, combine(before), std::memory_order_relaxed)) {
  }
}

}  // namespace

cta& cta_at(const cuda_thread& t, int rank, const char* verb) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= t.all->ctas.size())
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": the cluster of ", t.all->ctas.size(), " has no cta ", rank));
  return *t.all->ctas[static_cast<std::size_t>(rank)];
}

void machine::mbarrier_init(std::uint32_t barrier, int arrivals) {
  note(self_, {.what = verb::mbarrier_init, .barrier = barrier, .value = arrivals});
  initialise_barrier(entered(self_), barrier, arrivals);
}

void machine::mbarrier_init_fence() { fence_initialised_barriers(entered(self_)); }

void machine::mbarrier_wait(std::uint32_t barrier, int parity) {
  note(self_, {.what = verb::mbarrier_wait, .barrier = barrier, .value = parity});
  // Who must wait anyway has nothing to give away.
  const bool waits = would_wait(self_, barrier, parity);
  wait_for_phase(waits ? entered(self_) : entered_meeting(self_), barrier, parity);
}

void machine::mbarrier_arrive(std::uint32_t barrier) {
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .mask = 1u << cta_rank()});
  arrive(entered_meeting(self_), *self_.block, barrier);
}

void machine::mbarrier_arrive_at(std::uint32_t barrier, int cta_rank) {
  cta& at = cta_at(entered_meeting(self_), cta_rank, "mbarrier_arrive_at");
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .mask = 1u << cta_rank});
  arrive(self_, at, barrier);
}

void machine::mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .value = bytes, .mask = 1u << cta_rank()});
  arrive_and_expect(entered_meeting(self_), barrier, bytes);
}

void machine::cluster_sync() {
  note(self_, verb::cluster_sync);
  sync_cluster(entered_meeting(self_));
}
void machine::griddepcontrol_wait() {
  note(self_, verb::griddepcontrol_wait);
  entered(self_).awaited_grids = true;
}
void machine::griddepcontrol_launch_dependents() {
  note(self_, verb::griddepcontrol_launch);
  entered(self_);
}
void machine::named_barrier_sync(int id, int threads) {
  note(self_, {.what = verb::named_barrier_sync, .address = static_cast<std::uint32_t>(id), .value = threads});
  sync_named(entered_meeting(self_), id, threads);
}
bool machine::named_barrier_any(int id, int threads, bool yes) {
  note(self_, {.what = verb::named_barrier_sync, .address = static_cast<std::uint32_t>(id), .value = threads});
  return sync_named(entered_meeting(self_), id, threads, yes);
}
void machine::named_barrier_arrive(int id, int threads) {
  note(self_, {.what = verb::named_barrier_arrive, .address = static_cast<std::uint32_t>(id), .value = threads});
  arrive_named(entered_meeting(self_), id, threads);
}

namespace {

/// Throws if the kernels before may still run whose results t's `verb` would read, or overwrite.
void require_awaited_grids(const cuda_thread& t, const char* verb) {
  if (!t.all->what.shape.overlaps || t.awaited_grids || !t.all->checked()) return;
  report(hazard_kind::too_early,
         text(verb, " of ", name(t), " comes before its griddepcontrol_wait: the kernel before ",
              "this one on the stream may not have ended"));
}

/// The same for a verb of this name, which reads or writes `bytes` of host memory, and is noted.
void note_access(cuda_thread& t, const char* name, verb what, std::size_t bytes) {
  require_awaited_grids(t, name);
  note(t, what, static_cast<int>(bytes));
}

}  // namespace

void machine::load_box(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int* coord,
                       int rank, int cta_mask, const std::uint16_t* offset) {
  const std::uint32_t mask = cta_mask == own_cta ? 1u << cta_rank() : static_cast<std::uint32_t>(cta_mask);
  require_awaited_grids(self_, "tma_load");
  note_box(self_, verb::tma_load, destination, barrier, map, coord, rank, mask);
  // Loads in a row count as one.
  model::load_box(self_.loading ? entered(self_) : entered_meeting(self_), destination, map, barrier, coord, rank, mask,
                  offset);
  self_.loading = true;
}

void machine::copy_async(std::uint32_t to, const std::byte* from, int byte, long long row, bool there) {
  require_awaited_grids(self_, "copy_async");
  model::copy_async(entered(self_), to, there ? from + row + byte : nullptr);
}
void machine::mbarrier_arrive_copied(std::uint32_t barrier) {
  // One record for the warp, whose lanes copy as much each.
  verb_record r{.what = verb::copies, .barrier = barrier, .mask = 1u << cta_rank()};
  if (!self_.copies.empty()) r.address = self_.copies.front().to;
  r.value = static_cast<int>(32 * 16 * self_.copies.size());
  note(self_, r);
  arrive_copied(entered_meeting(self_), barrier);
}

void machine::store_box(const tensor_map& map, std::uint32_t source, const int* coord, int rank) {
  require_awaited_grids(self_, "tma_store");
  note_box(self_, verb::tma_store, source, 0, map, coord, rank, 0);
  model::store_box(entered(self_), map, source, coord, rank);
}

void machine::bulk_commit() {
  note(self_, verb::bulk_commit);
  commit_bulk_group(entered(self_));
}
void machine::wait_for_bulk_reads(int newest) {
  note(self_, verb::bulk_wait_read, newest);
  model::wait_for_bulk_reads(entered(self_), newest);
}
void machine::wait_for_bulk_writes(int newest) {
  note(self_, verb::bulk_wait, newest);
  model::wait_for_bulk_writes(entered(self_), newest);
}

void machine::fence_proxy_async() {
  note(self_, verb::fence_proxy_async);
  entered(self_).clock.fence();
  show_copies(self_);
}

void machine::wgmma_fence() {
  note(self_, verb::wgmma_fence);
  fence_wgmma(entered(self_));
}
void machine::wgmma_commit() {
  note(self_, verb::wgmma_commit);
  commit_wgmma(entered(self_));
}
void machine::wait_for_wgmma(int newest) {
  note(self_, verb::wgmma_wait, newest);
  model::wait_for_wgmma(entered(self_), newest);
}

void machine::issue_wgmma(const wgmma_instruction& i, void* d, register_state& d_state, const std::uint32_t* a,
                          register_state* a_state, const wgmma_operands& operands) {
  note(
      self_,
      {.what = verb::wgmma, .a = operands.a_descriptor, .b = operands.b_descriptor, .instruction = &i, .registers = d});
  model::issue_wgmma(entered(self_), i, {d, &d_state, a, a_state}, operands);
}

void machine::store_matrices(std::uint32_t address, const std::uint32_t (&r)[4], int matrices, bool transposed) {
  note_words(self_, verb::store_shared, address, 4 * matrices);
  model::store_matrices(entered(self_), address, r, matrices, transposed);
}

void machine::load_matrices(std::uint32_t (&r)[4], std::uint32_t address, bool transposed) {
  note_words(self_, verb::load_shared, address, 16);
  model::load_matrices(entered(self_), r, address, transposed);
}

void machine::store_shared(std::uint32_t address, float x, float y) {
  store_shared(address, std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y));
}
void machine::store_shared(std::uint32_t address, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t words[] = {x, y};
  note_words(self_, verb::store_shared, address, 8);
  store_words(entered(self_), address, words, 2);
}
void machine::store_shared(std::uint32_t address, std::uint32_t x) {
  note_words(self_, verb::store_shared, address, 4);
  store_words(entered(self_), address, &x, 1);
}
void machine::store_shared(std::uint32_t address, const std::uint32_t (&x)[4]) {
  note_words(self_, verb::store_shared, address, 16);
  store_words(entered(self_), address, x, 4);
}
void machine::load_shared_at(std::uint32_t (&r)[4], std::uint32_t from, int cta_rank) {
  note_words(self_, verb::load_shared, from, 16);
  cuda_thread& t = entered(self_);
  load_words_at(t, cta_at(t, cta_rank, "load_shared_at"), r, 4, from);
}
void machine::store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta_rank) {
  note(self_, {.what = verb::store_async, .address = to, .barrier = barrier, .value = 4, .mask = 1u << cta_rank});
  cuda_thread& t = entered(self_);
  cta& at = cta_at(t, cta_rank, "store_shared_async");
  store_word_at(t, at, to, x);
  complete_transaction(t, at, barrier, 4);
}
void machine::load_words(std::uint32_t* r, int count, std::uint32_t address) {
  note_words(self_, verb::load_shared, address, 4 * count);
  model::load_words(entered(self_), r, count, address);
}
void machine::load_shared(std::uint32_t (&r)[4], std::uint32_t from) {
  note_words(self_, verb::load_shared, from, 16);
  load_quad(entered(self_), r, from);
}
std::uint32_t machine::load_shared(std::uint32_t from) {
  note_words(self_, verb::load_shared, from, 4);
  const std::byte* const meant = std::exchange(self_.metadata, nullptr);
  const std::uint32_t word = load_word(entered(self_), from);
  if (meant != nullptr && self_.block->memory.is_tracked()) {
    const copy_source there = self_.block->memory.source(from / 16 * 16);
    if (there.from + from % 16 != meant)
      report(hazard_kind::wrong_element,
             text("load_shared of ", name(self_), " takes ", name_bytes(*self_.block, from),
                  " for metadata of other rows, or of another K step, than the product's"));
  }
  return word;
}
void machine::copy_element(void* to, std::uint32_t from, std::uint32_t bytes) {
  note_access(self_, "copy_to_global", verb::store_global, bytes);
  copy_out(entered(self_), to, from, bytes);
}
std::uint32_t machine::read_global(const void* from, std::size_t bytes) {
  note_access(self_, "load_global", verb::load_global, bytes);
  const label_set& labels = self_.all->what.how.labels;
  for (const tensor_label& l : labels.tensors)
    if (!l.covered && find_element(l, static_cast<const std::byte*>(from))) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, from, bytes);
      return bits;
    }
  report(hazard_kind::out_of_range, text("load_global of ", name(self_), " reads ",
                                         name_element(labels, static_cast<const std::byte*>(from)),
                                         ", which belongs to no input of the kernel"));
}
void machine::write_global(void* to, std::uint32_t bits, std::size_t bytes) {
  note_access(self_, "store_global", verb::store_global, bytes);
  cuda_thread& t = entered(self_);
  require_vector(t, static_cast<const std::byte*>(to), false, "store_global");
  check_vector(t, static_cast<const std::byte*>(to), bits, "store_global");
  t.all->note_global_write(t, t.trips.now, to, bytes);
  if (t.all->computes) std::memcpy(to, &bits, bytes);
}
void machine::write_global(void* to, const std::uint32_t (&x)[4]) {
  note_access(self_, "store_global", verb::store_global, sizeof x);
  cuda_thread& t = entered(self_);
  const auto* const first = static_cast<const std::byte*>(to);
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof x != 0)
    report(hazard_kind::misaligned,
           text("store_global of ", name(self_), ": 16 bytes do not begin at a multiple of 16"));
  require_vector(t, first, false, "store_global");
  require_vector(t, first + sizeof x - 1, false, "store_global");
  t.all->note_global_write(t, t.trips.now, to, sizeof x);
  if (t.all->computes) std::memcpy(to, x, sizeof x);
}
void machine::combine_global(float* to, float x, reduction how) {
  note_access(self_, "red.global", verb::store_global, sizeof x);
  cuda_thread& t = entered(self_);
  require_vector(t, reinterpret_cast<const std::byte*>(to), true, "red.global");
  check_vector(t, reinterpret_cast<const std::byte*>(to), std::bit_cast<std::uint32_t>(x), "red.global");
  t.all->note_combined(to);
  if (t.all->computes) combine_in_memory(to, x, how);
}
void machine::store_workspace(std::byte* sums, long long offset, const std::uint32_t (&x)[4]) {
  note_access(self_, "store_workspace", verb::store_global, sizeof x);
  model::store_workspace(entered(self_), sums, offset, x);
}
void machine::load_workspace(std::uint32_t (&r)[4], const std::byte* sums, long long offset) {
  note_access(self_, "load_workspace", verb::load_global, sizeof r);
  model::load_workspace(entered(self_), r, sums, offset);
}
int machine::take_ticket(const ticket_counters& of, int counter, int tickets) {
  note_access(self_, "take_ticket", verb::store_global, sizeof *of.first);
  return model::take_ticket(entered_meeting(self_), of, counter, tickets);
}
void machine::await_tickets(const ticket_counters& of, int counter, int tickets) {
  note_access(self_, "await_tickets", verb::load_global, sizeof *of.first);
  model::await_tickets(entered_meeting(self_), of, counter, tickets);
}
void machine::open_tickets(const ticket_counters& of, int counter) {
  note_access(self_, "open_tickets", verb::store_global, sizeof *of.first);
  model::open_tickets(entered(self_), of, counter);
}
std::uint64_t machine::draw_ticket(const ticket_counters& of, int counter) {
  note_access(self_, "draw_ticket", verb::store_global, sizeof *of.first);
  return model::draw_ticket(entered(self_), of, counter);
}
int machine::number_drawn(const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
  return model::number_drawn(entered(self_), of, counter, found, tickets);
}
void machine::close_draws(const ticket_counters& of, int counter) {
  note_access(self_, "close_draws", verb::store_global, sizeof *of.first);
  model::close_draws(entered(self_), of, counter);
}
void machine::leave_number(float* numbers, long long at, float x) {
  note_access(self_, "store_number", verb::store_global, sizeof x);
  model::store_number(entered(self_), numbers, at, x);
}
float machine::find_number(const float* numbers, long long at) {
  note_access(self_, "load_number", verb::load_global, sizeof(float));
  return model::load_number(entered(self_), numbers, at);
}
void machine::leave_numbers(float* numbers, long long at, const std::uint32_t (&x)[4]) {
  note_access(self_, "store_numbers", verb::store_global, sizeof x);
  cuda_thread& t = entered(self_);
  for (int i = 0; i < 4; ++i) model::store_number(t, numbers, at + i, std::bit_cast<float>(x[i]));
}
void machine::find_numbers(std::uint32_t (&r)[4], const float* numbers, long long at) {
  note_access(self_, "load_numbers", verb::load_global, sizeof r);
  cuda_thread& t = entered(self_);
  for (int i = 0; i < 4; ++i) r[i] = std::bit_cast<std::uint32_t>(model::load_number(t, numbers, at + i));
}
int machine::take_place(const ticket_counters& of, int counter, int tickets) {
  note_access(self_, "take_place", verb::store_global, sizeof *of.first);
  return model::take_place(entered(self_), of, counter, tickets);
}
std::uint64_t machine::ask_counter(const ticket_counters& of, int counter) {
  note_access(self_, "ask_for_place", verb::store_global, sizeof *of.first);
  return model::ask_for_place(entered(self_), of, counter);
}
int machine::place_asked_for(const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
  return model::place_asked_for(entered(self_), of, counter, found, tickets);
}
void machine::warp_sync() {
  note(self_, verb::shuffle);
  sync_warp(entered(self_));
}
float machine::shuffle_xor(float x, int lane_mask) {
  note(self_, verb::shuffle);
  return std::bit_cast<float>(model::shuffle_xor(entered(self_), std::bit_cast<std::uint32_t>(x), lane_mask));
}
std::uint32_t machine::shuffle(std::uint32_t x, int lane) {
  note(self_, verb::shuffle);
  return model::shuffle(entered(self_), x, lane);
}
void machine::change_registers(int count, bool increase) {
  note(self_, verb::set_registers, count);
  model::change_registers(entered(self_), count, increase);
}

}  // namespace sectile::model
