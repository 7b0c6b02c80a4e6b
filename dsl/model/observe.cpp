// What a kernel tells the model beside its instructions: which tiles, numbers and places it believes to work with, held
// against what they are.
#include <algorithm>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/expected_vector.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/observations.hpp>

namespace sectile::model {

void observations::observe_trip(int trip) { self_.trips.begin(trip, self_.clock); }

void observations::observe_share(int tile, int part, int parts) { self_.share_observed = {tile, part, parts}; }
void observations::observe_meeting(int group, int parts) {
  self_.share_observed.group = group;
  self_.share_observed.meeting = parts;
}

void observations::load_observed(int operand, const int* tile, int rank, unsigned sharers) {
  if (self_.all->checked())
    self_.all->tiles.observe_load(self_, operand, {tile, static_cast<std::size_t>(rank)}, sharers);
}
void observations::observe_store(int operand, bool own) {
  note(self_, {.what = verb::tile_stored, .value = operand});
  if (self_.all->checked() && !own) report_wrong_store(self_, operand);
}

void observations::sums_observed(int meeting, int part, int parts, bool floating, bool whole,
                                 const std::uint32_t* words, int count) {
  if (!self_.all->checked() || !self_.all->computes) return;
  const sums_name which{meeting, part, parts, floating};
  const std::span<const std::uint32_t> all(words, static_cast<std::size_t>(count));
  if (whole)
    sums_observed_by(self_).observe_whole(self_, which, all);
  else
    sums_observed_by(self_).observe_part(self_, which, all);
}

void observations::observe_state(int meeting, int part, int parts, const std::uint32_t* words, int count) {
  sums_observed(meeting, part, parts, false, false, words, count);
}
void observations::observe_merge(int meeting, int part, int parts, const std::uint32_t* words, int count) {
  if (!self_.all->checked() || !self_.all->computes) return;
  sums_observed_by(self_).observe_merge(self_, {meeting, part, parts, false}, {words, static_cast<std::size_t>(count)});
}
void observations::observe_merged(int meeting, int parts) {
  if (!self_.all->checked() || !self_.all->computes) return;
  sums_observed_by(self_).observe_merged(self_, {meeting, 0, parts, false});
}

void observations::observe_stale_tile(int operand) {
  if (self_.all->checked()) report_stale_tile(self_, operand);
}

void observations::observe_factors(const observed_tile& a, const observed_tile& b, int blocks, int steps, int first,
                                   int row) {
  if (self_.all->checked()) self_.product = {a, b, blocks, steps, first, row};
}
void observations::observe_read(const observed_tile& tile, int blocks, int of_block, int at_once) {
  if (self_.all->checked()) self_.reading = {tile, {}, blocks, of_block, 0, self_.share() * blocks * 64, at_once};
}
void observations::observe_read_end() { self_.reading = {}; }
std::byte* observations::expect_values(const observed_tile& tile, int blocks, bool transposed) {
  return model::expect_values(self_, tile, blocks, transposed);
}
void observations::observe_coord(int rows, int m, int i, coord taken) {
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

void observations::observe_place(int at, int next, bool planned) {
  if (planned && self_.all->what.places->take(at, next)) return;
  report(hazard_kind::order_of_uses,
         text(name(self_), " uses the results of products in another order than was planned: a condition chooses ",
              "between fragments; use both and choose by mask() or a factor of 0 or 1"));
}

void observations::observe_other_path(bool beside_a_product) {
  const char* order =
      "; or an expression has sm.accumulator(a * b) beside a load or another product, which g++ evaluates in another "
      "order than the planner and nvcc: give each a statement of its own, auto x = sm.accumulator(a * b)";
  report(hazard_kind::other_path,
         text(name(self_), " comes to an operation that was not planned there: the body took another path than in the ",
              "runs that the planner tried; loads, products, uses and stores must not stand under a run-time if, nor ",
              "be left out by a continue or return", beside_a_product ? order : ""));
}

void observations::observe_state(const char* what, float first, float again) {
  report(
      hazard_kind::function_with_state,
      text("the function given to ", what, " answers ", first, " and then ", again, " to the same question, asked by ",
           name(self_), ": it keeps something from call to call (what it captured by reference, or something ",
           "static); each element is a question of its own, asked in no order"));
}

void observations::observe_order(const char* what, std::initializer_list<float> of, float one, float other) {
  std::string all;
  for (const float& x : of) all += text(&x == of.begin() ? "" : &x + 1 == of.end() ? " and " : ", ", x);
  report(
      hazard_kind::function_of_order,
      text("the function given to ", what, " makes ", one, " of ", all, ", and ", other, " of the same numbers when ",
           of.size() == 2 ? "they come the other way round" : "the last two are joined first", ", as ", name(self_),
           " asks it: a row and a column are joined in an order of their threads', so it must be ",
           of.size() == 2 ? "commutative" : "associative"));
}

void observations::metadata_observed(const tensor_map& map, int col, int row) {
  constexpr int words = 128;  // of a block: one for each thread
  const std::int64_t first = std::int64_t{col} * words;
  const bool inside = first < map.extent[0] && row < map.extent[1];
  self_.metadata = inside ? map.base + row * map.stride_bytes[1] + 4 * (first + thread_ % words) : nullptr;
}
void observations::observe_numbers(const float* first, int count, const edge_number* edge) {
  if (self_.all->checked()) self_.numbers.tell(first, count, edge);
}
const float* observations::numbers_of(int thread) const { return numbers_of(thread, cta_rank()); }
const float* observations::numbers_of(int thread, int cta_rank) const {
  if (!self_.all->checked()) return nullptr;
  const cuda_thread& other = *cta_at(self_, cta_rank, "numbers_of").threads.at(static_cast<std::size_t>(thread));
  if (const auto told = other.numbers.find(self_.numbers.told); !told.empty()) return told.data();
  report(hazard_kind::divergent, text(name(self_), " joins its numbers with those of ", name(other),
                                      ", which has not come to this exchange, or left it long ago"));
}
bool observations::has_edge(int thread, int cta_rank) const {
  const cuda_thread& other = *cta_at(self_, cta_rank, "has_edge").threads.at(static_cast<std::size_t>(thread));
  return !other.numbers.find_edge(self_.numbers.told).empty();
}
edge_number observations::edge_of(int thread, int cta_rank, int n) const {
  const cuda_thread& other = *cta_at(self_, cta_rank, "edge_of").threads.at(static_cast<std::size_t>(thread));
  const auto edge = other.numbers.find_edge(self_.numbers.told);
  if (!edge.empty()) return edge[static_cast<std::size_t>(n)];
  const float number = numbers_of(thread, cta_rank)[n];
  return {number, number, true};
}
void observations::observe_vector(const observed_vector& what, const float* first, int count) {
  if (!self_.all->checked()) return;
  self_.numbers.tell(first, count);
  self_.vector = what;
  auto& elements = self_.own_warp().combined_elements;
  elements.erase(
      elements.begin(),
      elements.lower_bound(self_.numbers.told - std::min<std::uint64_t>(self_.numbers.told, observed_numbers::kept)));
}
void observations::observe_joined(const char* what, float found, float right) {
  if (!self_.all->checked() || std::memcmp(&found, &right, sizeof found) == 0 || (found != found && right != right))
    return;
  report(hazard_kind::wrong_element, text(what, " of ", name(self_), " makes ", found, " of numbers that are ", right,
                                          " when they are joined by their places"));
}

bool observations::looks_at_numbers() const { return self_.all->checked() && self_.all->computes; }
void observations::observe_misplaced(const char* what, const char* mode, std::int64_t told, std::int64_t tile) {
  report(hazard_kind::wrong_element,
         text(what, " of ", name(self_), " is told that its fragment is tile ", told, " along ", mode,
              ", but it is made of tile ", tile, ": the place is the fragment's own, in units of its shape, as its ",
              "tiles were loaded"));
}
void observations::observe_unmasked(coord at, float stays) {
  report(hazard_kind::wrong_element,
         text("mask of ", name(self_), " is told that it is not needed for a tile in which element (", at.row, ", ",
              at.col, ") is not visible: it stays ", stays,
              "; `needed` holds for every tile that has something to hide, or is left out"));
}
void observations::observe_other_part(const char* vector, const char* mode, std::int64_t told, std::int64_t tile) {
  report(hazard_kind::wrong_element,
         text("the part of ", vector, " that ", name(self_), " reads is that of tile ", told, " along ", mode,
              ", but it meets a fragment that is made of tile ", tile, ": load it at the tile's own coordinate",
              ", in blocks as well; where another one's numbers are meant, in_registers() of them"));
}
void observations::observe_apart(std::int64_t left, std::int64_t right) {
  report(hazard_kind::wrong_element, text("a * b of ", name(self_), " sums over a mode, along which a begins at ", left,
                                          " and b at ", right, ": load what they are made of at one coordinate"));
}
void observations::observe_miscounted(const char* what, const char* mode, std::int64_t told, std::int64_t size) {
  report(hazard_kind::beyond_edge,
         text(what, " of ", name(self_), " is told that there are ", told, ", but along ", mode, " there are ", size,
              ": zeros behind them would count; say size<\"", mode, "\">(C)"));
}
void observations::observe_beyond(const char* what, bool sums, const edge_number& x) {
  report(hazard_kind::beyond_edge,
         text(what, " of ", name(self_), sums ? " adds" : " takes", " number ", x.at, " along ", x.mode,
              ", of which there are ", x.size, ": it is ", x.beyond, " there and changes the ", sums ? "sum" : "result",
              "; mask() the fragment first, so that what is not there ",
              sums ? "is 0" : "changes nothing: -infinity in a maximum, infinity in a minimum"));
}
void observations::observe_infinite(std::int64_t at, std::int64_t size, float x) {
  report(hazard_kind::beyond_edge,
         text("a * b of ", name(self_), " takes number ", at, " along what it sums over, of which there are ", size,
              ": the factor in registers is ", x,
              " there, and times the other one's 0 that is no number; mask() it first, "
              "so that what is not there is 0"));
}
void observations::observe_row(int operand, std::uint32_t number, bool possible, bool names) {
  if (!self_.all->checked() || possible) return;
  const auto& operands = self_.all->what.how.labels.operands;
  const auto o = static_cast<std::size_t>(operand);
  report(hazard_kind::out_of_range,
         text("an element of ", o < operands.size() ? operands[o] : text("operand ", operand), " is ",
              static_cast<std::int32_t>(number), ", as ", name(self_), " finds: there is no such row to ",
              names ? "add to" : "pick; -1 picks a row of zeros"));
}

}  // namespace sectile::model
