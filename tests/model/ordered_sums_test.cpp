// Numbers of tiles that warps of several clusters add up in order, and what they must not do.
#include <doctest/doctest.h>

#include <vector>

#include "kit.hpp"

using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::numbers_range;
using sectile::model::options;
using sectile::model::schedule_mode;
using sectile::model::simulate;

namespace {

/// A vector of two parts, each of 48 elements (a warp's lanes have one, and half of them another) and three tiles.
constexpr int parts = 2, tiles = 3, elements = 48, lanes = 32;
const grid shape{.clusters = parts * tiles, .threads = lanes};

constexpr std::uint64_t token = 1000;

struct memory {
  std::vector<std::uint64_t> words = {token, token - 1, 77};  // of which the first is none of these
  std::vector<float> numbers = std::vector<float>(std::size_t{parts} * tiles * elements);
  std::vector<float> sums = std::vector<float>(std::size_t{parts} * elements);

  options with(options how) {
    how.tickets = tickets();
    how.counters = 1 + parts;
    how.numbers.first = 1;
    how.numbers.numbers = numbers.data();
    how.numbers.add({"v", parts, tiles, elements, 1});
    return how;
  }
  sectile::ticket_counters tickets() { return {words.data(), token}; }
};

/// What a warp may get wrong.
enum class mistake {
  none,
  no_meeting_before,
  no_meeting_behind,
  ticket_first,
  nobody_is_last,
  all_are_last,
  another_slot,
  another_part,
  another_count,
  another_counter,
  backwards,
  a_tile_twice,
  a_tile_less,
  beyond_the_end
};

void leave(machine& hw, memory& m, int part, int tile) {
  for (int i = hw.thread(); i < elements; i += lanes)
    hw.store_number(m.numbers.data(), (part * tiles + tile) * elements + i, static_cast<float>(100 * tile + i), true);
}
void add_up(machine& hw, memory& m, int part, mistake made) {
  const int first = made == mistake::another_part ? (part + 1) % parts : part;
  for (int i = hw.thread(); i < elements; i += lanes) {
    float sum = 0;
    for (int n = 0; n < tiles - (made == mistake::a_tile_less); ++n) {
      const int tile = made == mistake::backwards ? tiles - 1 - n : n;
      const int last = made == mistake::beyond_the_end ? 1000 : 0;
      const auto add = [&] {
        sum += hw.load_number(m.numbers.data(), (first * tiles + tile + last) * elements + i, true);
      };
      add();
      if (made == mistake::a_tile_twice) add();
    }
    m.sums[static_cast<std::size_t>(part * elements + i)] = sum;
  }
}
/// Clusters make the tiles of part 0, then those of part 1.
void run(memory& m, const options& how, mistake made = mistake::none) {
  simulate(shape, m.with(how), [&](machine& hw) {
    const int part = hw.cluster_index() / tiles, tile = hw.cluster_index() % tiles;
    const int slot = made == mistake::another_slot ? 0 : tile;
    if (made != mistake::ticket_first) leave(hw, m, part, slot);
    if (made != mistake::no_meeting_before) hw.warp_sync();
    std::uint32_t before = 0;
    if (hw.thread() == 0)
      before = static_cast<std::uint32_t>(hw.take_place(m.tickets(), made == mistake::another_counter ? 0 : 1 + part,
                                                        tiles + (made == mistake::another_count)));
    if (made == mistake::ticket_first) leave(hw, m, part, slot);
    if (made != mistake::no_meeting_behind) hw.warp_sync();
    const bool last = hw.shuffle(before, 0) == tiles - 1;
    if ((last || made == mistake::all_are_last) && made != mistake::nobody_is_last) add_up(hw, m, part, made);
  });
}

TEST_CASE("whoever comes last finds the numbers of all tiles, and the launch's token is in the counters") {
  for (const schedule_mode mode : {schedule_mode::fair, schedule_mode::random, schedule_mode::systematic})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      memory m;
      run(m, {.schedule = mode, .seed = seed, .preemptions = 1, .max_schedules = 40, .workers = 1});
      for (int i = 0; i < parts * elements; ++i)
        CHECK(m.sums[static_cast<std::size_t>(i)] == static_cast<float>(300 + 3 * (i % elements)));
      for (const std::uint64_t word : m.words) CHECK(word == token);
    }
}

/// What is found of a mistake; a kind and words.
void expect(mistake made, hazard_kind kind, const char* words) {
  CAPTURE(static_cast<int>(made));
  memory m;
  try {
    run(m, {.workers = 1}, made);
  } catch (const sectile::model::hazard& found) {
    CAPTURE(found.what());
    CHECK(found.kind == kind);
    CHECK(std::string(found.what()).find(words) != std::string::npos);
    return;
  }
  FAIL("nothing was noticed");
}
TEST_CASE("what a warp gets wrong is told in terms of the vector") {
  expect(mistake::no_meeting_before, hazard_kind::read_before_full,
         "its warp has taken no ticket that comes behind it");
  expect(mistake::ticket_first, hazard_kind::read_before_full, "its warp has taken no ticket that comes behind it");
  expect(mistake::no_meeting_behind, hazard_kind::read_before_full, "without knowing that its own warp's ticket");
  expect(mistake::all_are_last, hazard_kind::read_before_full, "without knowing that its own warp's ticket");
  expect(mistake::another_part, hazard_kind::read_before_full, "of part 1 of v, which nobody has left yet");
  expect(mistake::nobody_is_last, hazard_kind::never_written,
         "nobody adds the number of tile 0 of 3 for element 0 of part 0 of v, which cluster 0 has left");
  expect(mistake::a_tile_less, hazard_kind::never_written, "nobody adds the number of tile 2 of 3");
  expect(mistake::another_slot, hazard_kind::written_twice, "where cluster 0 has left that of another tile");
  expect(mistake::another_count, hazard_kind::barrier_misuse,
         "it counts up to 4 tickets of v, of which 3 tiles are added up");
  expect(mistake::another_counter, hazard_kind::out_of_range, "ticket counter -1 of sums in order, which have 2");
  expect(mistake::backwards, hazard_kind::wrong_element, "of part 0 of v behind that of tile 2");
  expect(mistake::a_tile_twice, hazard_kind::wrong_element, "of part 0 of v behind that of tile 0");
  expect(mistake::beyond_the_end, hazard_kind::out_of_range, "of the tiles' in the workspace, which are 288");
}

}  // namespace
