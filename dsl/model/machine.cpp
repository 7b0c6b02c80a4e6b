// The verbs: each one counts, lets others go first if the schedule says so, and hands over to its subject.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/expected_vector.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/names.hpp>
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

void machine::observe_trip(int trip) { self_.trips.begin(trip, self_.clock); }

void machine::observe_share(int tile, int part, int parts) { self_.share_observed = {tile, part, parts}; }

void machine::load_observed(int operand, const int* tile, int rank, unsigned sharers) {
  if (self_.all->checked())
    self_.all->tiles.observe_load(self_, operand, {tile, static_cast<std::size_t>(rank)}, sharers);
}
void machine::observe_store(int operand, bool own) {
  note(self_, verb::tile_stored, operand);
  if (self_.all->checked() && !own) report_wrong_store(self_, operand);
}

void machine::sums_observed(int meeting, int part, int parts, bool floating, bool whole, const std::uint32_t* words,
                            int count) {
  if (!self_.all->checked() || !self_.all->computes) return;
  const sums_name which{meeting, part, parts, floating};
  const std::span<const std::uint32_t> all(words, static_cast<std::size_t>(count));
  if (whole)
    sums_observed_by(self_).observe_whole(self_, which, all);
  else
    sums_observed_by(self_).observe_part(self_, which, all);
}

void machine::observe_stale_tile(int operand) {
  if (self_.all->checked()) report_stale_tile(self_, operand);
}

void machine::observe_factors(const observed_tile& a, const observed_tile& b, int blocks, int steps, int first) {
  if (self_.all->checked()) self_.product = {a, b, blocks, steps, first};
}
void machine::observe_read(const observed_tile& tile, int blocks, int of_block, int at_once) {
  if (self_.all->checked()) self_.reading = {tile, {}, blocks, of_block, 0, at_once};
}
void machine::observe_read_end() { self_.reading = {}; }
std::byte* machine::expect_values(const observed_tile& tile, int blocks, bool transposed) {
  return model::expect_values(self_, tile, blocks, transposed);
}
void machine::observe_coord(int rows, int m, int i, coord taken) {
  if (!self_.all->checked()) return;
  const grid& shape = self_.all->what.shape;
  const int sharers = shape.sharers > 0 ? shape.sharers : shape.threads / 128 - 1;
  coord right = element_of_register(thread_, m, i);
  right.row += (thread_ / 128 - 1) % sharers * (rows / sharers);
  if (taken == right) return;
  report(hazard_kind::wrong_element,
         text(name(self_), " takes register ", i, " of block ", m, " of a fragment for its element (", taken.row, ", ",
              taken.col, "); it is element (", right.row, ", ", right.col, ")"));
}

void machine::observe_place(int at, int next, bool planned) {
  if (planned && self_.all->what.places->take(at, next)) return;
  report(hazard_kind::order_of_uses,
         text(name(self_), " uses the results of products in another order than was planned: a condition chooses ",
              "between fragments; use both and choose by mask() or a factor of 0 or 1"));
}

void machine::observe_other_path(bool beside_a_product) {
  const char* order =
      "; or an expression has sm.accumulator(a * b) beside a load or another product, which g++ evaluates in another "
      "order than the planner and nvcc: give each a statement of its own, auto x = sm.accumulator(a * b)";
  report(hazard_kind::other_path,
         text(name(self_), " comes to an operation that was not planned there: the body took another path than in the ",
              "runs that the planner tried; loads, products, uses and stores must not stand under a run-time if, nor ",
              "be left out by a continue or return", beside_a_product ? order : ""));
}

void machine::observe_state(const char* what, float first, float again) {
  report(
      hazard_kind::function_with_state,
      text("the function given to ", what, " answers ", first, " and then ", again, " to the same question, asked by ",
           name(self_), ": it keeps something from call to call (what it captured by reference, or something ",
           "static); each element is a question of its own, asked in no order"));
}

void machine::observe_order(const char* what, std::initializer_list<float> of, float one, float other) {
  std::string all;
  for (const float& x : of) all += text(&x == of.begin() ? "" : &x + 1 == of.end() ? " and " : ", ", x);
  report(
      hazard_kind::function_of_order,
      text("the function given to ", what, " makes ", one, " of ", all, ", and ", other, " of the same numbers when ",
           of.size() == 2 ? "they come the other way round" : "the last two are joined first", ", as ", name(self_),
           " asks it: a row and a column are joined in an order of their threads', so it must be ",
           of.size() == 2 ? "commutative" : "associative"));
}

void machine::metadata_observed(const tensor_map& map, int col, int row) {
  constexpr int words = 128;  // of a block: one for each thread
  const std::int64_t first = std::int64_t{col} * words;
  const bool inside = first < map.extent[0] && row < map.extent[1];
  self_.metadata = inside ? map.base + row * map.stride_bytes[1] + 4 * (first + thread_ % words) : nullptr;
}
namespace {

/// The CTA of t's cluster that has this rank.
cta& cta_at(const cuda_thread& t, int rank, const char* verb) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= t.all->ctas.size())
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": the cluster of ", t.all->ctas.size(), " has no cta ", rank));
  return *t.all->ctas[static_cast<std::size_t>(rank)];
}

}  // namespace

void machine::observe_numbers(const float* first, int count, const edge_number* edge) {
  if (self_.all->checked()) self_.numbers.tell(first, count, edge);
}
const float* machine::numbers_of(int thread) const { return numbers_of(thread, cta_rank()); }
const float* machine::numbers_of(int thread, int cta_rank) const {
  if (!self_.all->checked()) return nullptr;
  const cuda_thread& other = *cta_at(self_, cta_rank, "numbers_of").threads.at(static_cast<std::size_t>(thread));
  if (const auto told = other.numbers.find(self_.numbers.told); !told.empty()) return told.data();
  report(hazard_kind::divergent, text(name(self_), " joins its numbers with those of ", name(other),
                                      ", which has not come to this exchange, or left it long ago"));
}
bool machine::has_edge(int thread, int cta_rank) const {
  const cuda_thread& other = *cta_at(self_, cta_rank, "has_edge").threads.at(static_cast<std::size_t>(thread));
  return !other.numbers.find_edge(self_.numbers.told).empty();
}
edge_number machine::edge_of(int thread, int cta_rank, int n) const {
  const cuda_thread& other = *cta_at(self_, cta_rank, "edge_of").threads.at(static_cast<std::size_t>(thread));
  const auto edge = other.numbers.find_edge(self_.numbers.told);
  if (!edge.empty()) return edge[static_cast<std::size_t>(n)];
  const float number = numbers_of(thread, cta_rank)[n];
  return {number, number, true};
}
void machine::observe_vector(const observed_vector& what, const float* first, int count) {
  if (!self_.all->checked()) return;
  self_.numbers.tell(first, count);
  self_.vector = what;
  auto& elements = self_.own_warp().combined_elements;
  elements.erase(
      elements.begin(),
      elements.lower_bound(self_.numbers.told - std::min<std::uint64_t>(self_.numbers.told, observed_numbers::kept)));
}
void machine::observe_joined(const char* what, float found, float right) {
  if (!self_.all->checked() || std::memcmp(&found, &right, sizeof found) == 0 || (found != found && right != right))
    return;
  report(hazard_kind::wrong_element, text(what, " of ", name(self_), " makes ", found, " of numbers that are ", right,
                                          " when they are joined by their places"));
}

bool machine::looks_at_numbers() const { return self_.all->checked() && self_.all->computes; }
void machine::observe_misplaced(const char* what, const char* mode, std::int64_t told, std::int64_t tile) {
  report(hazard_kind::wrong_element,
         text(what, " of ", name(self_), " is told that its fragment is tile ", told, " along ", mode,
              ", but it is made of tile ", tile, ": the place is the fragment's own, in units of its shape, as its ",
              "tiles were loaded"));
}
void machine::observe_apart(std::int64_t left, std::int64_t right) {
  report(hazard_kind::wrong_element, text("a * b of ", name(self_), " sums over a mode, along which a begins at ", left,
                                          " and b at ", right, ": load what they are made of at one coordinate"));
}
void machine::observe_miscounted(const char* what, const char* mode, std::int64_t told, std::int64_t size) {
  report(hazard_kind::beyond_edge,
         text(what, " of ", name(self_), " is told that there are ", told, " columns, but along ", mode, " there are ",
              size, ": zeros behind them would count; say size<\"", mode, "\">(C)"));
}
void machine::observe_beyond(const char* what, bool sums, const edge_number& x) {
  report(hazard_kind::beyond_edge,
         text(what, " of ", name(self_), sums ? " adds" : " takes", " number ", x.at, " along ", x.mode,
              ", of which there are ", x.size, ": it is ", x.beyond, " there and changes the ", sums ? "sum" : "result",
              "; mask() the fragment first, so that what is not there ",
              sums ? "is 0" : "changes nothing: -infinity in a maximum, infinity in a minimum"));
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
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .mask = 1u << cta_rank_});
  arrive(entered_meeting(self_), *self_.block, barrier);
}

void machine::mbarrier_arrive_at(std::uint32_t barrier, int cta_rank) {
  cta& at = cta_at(entered_meeting(self_), cta_rank, "mbarrier_arrive_at");
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .mask = 1u << cta_rank});
  arrive(self_, at, barrier);
}

void machine::mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
  note(self_, {.what = verb::mbarrier_arrive, .barrier = barrier, .value = bytes, .mask = 1u << cta_rank_});
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
  const std::uint32_t mask = cta_mask == own_cta ? 1u << cta_rank_ : static_cast<std::uint32_t>(cta_mask);
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
  verb_record r{.what = verb::copies, .barrier = barrier, .mask = 1u << cta_rank_};
  if (!self_.copies.empty()) r.address = self_.copies.front().to;
  r.value = static_cast<int>(32 * 16 * self_.copies.size());
  note(self_, r);
  arrive_copied(entered_meeting(self_), barrier);
}
void machine::observe_row(int operand, std::uint32_t number, bool possible) {
  if (!self_.all->checked() || possible) return;
  const auto& names = self_.all->what.how.labels.operands;
  const auto o = static_cast<std::size_t>(operand);
  report(hazard_kind::out_of_range, text("an element of ", o < names.size() ? names[o] : text("operand ", operand),
                                         " is ", static_cast<std::int32_t>(number), ", as ", name(self_),
                                         " finds: there is no such row to pick; -1 picks a "
                                         "row of zeros"));
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
int machine::take_ticket(std::uint32_t* counters, int counter, int tickets) {
  note_access(self_, "take_ticket", verb::store_global, sizeof *counters);
  return model::take_ticket(entered_meeting(self_), counters, counter, tickets);
}
void machine::await_tickets(const std::uint32_t* counters, int counter, int tickets) {
  note_access(self_, "await_tickets", verb::load_global, sizeof *counters);
  model::await_tickets(entered_meeting(self_), counters, counter, tickets);
}
int machine::draw_ticket(std::uint32_t* counter, int tickets) {
  note_access(self_, "draw_ticket", verb::store_global, sizeof *counter);
  return model::draw_ticket(entered(self_), counter, tickets);
}
void machine::leave_number(float* numbers, long long at, float x) {
  note_access(self_, "store_number", verb::store_global, sizeof x);
  model::store_number(entered(self_), numbers, at, x);
}
float machine::find_number(const float* numbers, long long at) {
  note_access(self_, "load_number", verb::load_global, sizeof(float));
  return model::load_number(entered(self_), numbers, at);
}
int machine::take_place(std::uint32_t* counters, int counter, int tickets) {
  note_access(self_, "take_place", verb::store_global, sizeof *counters);
  return model::take_place(entered(self_), counters, counter, tickets);
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
