// Parts of tiles that meet in a workspace: clusters that run one after the other, and what they must not read.
#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "kit.hpp"

using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::options;
using sectile::model::schedule_mode;
using sectile::model::simulate;

namespace {

constexpr int parts = 3, tiles = 2, threads = 64;

constexpr std::uint64_t token = 0xFEDC'BA98'7654'3210;

struct memory {
  std::vector<std::uint64_t> words = {0, ~0ull, token - 1, token + parts};  // of two meetings, and whatever was there
  std::vector<std::byte> sums = std::vector<std::byte>(std::size_t{tiles} * parts * threads * 16);

  options with(options how) {
    how.tickets = tickets();
    how.counters = static_cast<int>(words.size());
    how.workspace = {tiles, words.size(), sums.data(), sums.size()};
    return how;
  }
  sectile::ticket_counters tickets() { return {words.data(), token}; }
};
const grid shape{.clusters = parts * tiles, .threads = threads, .parts = parts};

constexpr long long place(int tile, int part, int thread) {
  return ((static_cast<long long>(tile) * parts + part) * threads + thread) * 16;
}

/// What a part may get wrong.
enum class mistake {
  none,
  no_barrier,
  no_ticket,
  told_to_nobody,
  other_tile,
  twice,
  other_count,
  other_token,
  elsewhere
};

/// Every thread leaves its number; the last part of a tile adds them up. Returns the sums of threads, by tile.
std::array<std::uint32_t, tiles> add_up(memory& m, const options& how, mistake made = mistake::none) {
  std::array<std::uint32_t, tiles> found{};
  simulate(shape, m.with(how), [&](machine& hw) {
    const int tile = hw.cluster_index() % tiles, part = hw.cluster_index() / tiles, thread = hw.thread();
    const std::uint32_t own[4] = {static_cast<std::uint32_t>(100 * part + thread), 0, 0, 0};
    hw.store_workspace(m.sums.data(), place(tile, part, thread), own);
    if (made == mistake::twice) hw.store_workspace(m.sums.data(), place(tile, part, thread), own);
    if (made != mistake::no_barrier) hw.named_barrier_sync(1, threads);
    bool last = made == mistake::no_ticket && part == parts - 1;
    const sectile::ticket_counters given{m.words.data() + (made == mistake::elsewhere),
                                         token + (made == mistake::other_token)};
    const int counted = made == mistake::other_tile ? part % tiles : tile;
    if (thread == 0 && made != mistake::no_ticket)
      last = hw.take_ticket(given, counted, parts + (made == mistake::other_count)) == parts - 1;
    if (made == mistake::told_to_nobody)
      last = part == (tile + parts - 1) % parts;  // that is the last in the fair schedule
    else
      last = hw.named_barrier_any(1, threads, last);
    if (!last) return;
    std::uint32_t sum = 0;
    for (int other = 0; other < parts; ++other) {
      std::uint32_t word[4]{};
      hw.load_workspace(word, m.sums.data(), place(tile, other, thread));
      sum += word[0];
    }
    if (thread == 5) found[static_cast<std::size_t>(tile)] = sum;
  });
  return found;
}

TEST_CASE("the last part of each tile finds what all have left, and the launch's token is in the counters") {
  for (const schedule_mode mode : {schedule_mode::fair, schedule_mode::random, schedule_mode::systematic})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      memory m;
      const auto found =
          add_up(m, {.schedule = mode, .seed = seed, .preemptions = 1, .max_schedules = 40, .workers = 1});
      for (const std::uint32_t sum : found) CHECK(sum == 315);
      for (int tile = 0; tile < tiles; ++tile) CHECK(m.words[static_cast<std::size_t>(tile)] == token);
    }
}

template <class F>
std::optional<kit::caught> hazard_of(F run) {
  try {
    run();
  } catch (const sectile::model::hazard& h) {
    return kit::caught{h.kind, h.what()};
  }
  return std::nullopt;
}
std::optional<kit::caught> what_is_found(mistake made) {
  memory m;
  return hazard_of([&] { add_up(m, {.workers = 1}, made); });
}
TEST_CASE("what a part gets wrong is told in terms of the workspace") {
  const auto early = what_is_found(mistake::no_barrier);
  REQUIRE(early);
  CHECK(early->kind == hazard_kind::read_before_full);
  CHECK(early->says("has left a part, but taken no ticket that comes behind it"));
  const auto silent = what_is_found(mistake::told_to_nobody);
  REQUIRE(silent);
  CHECK(silent->kind == hazard_kind::read_before_full);
  CHECK(silent->says("without knowing of a ticket of its own CTA, or of a wait, that says it is there"));
  const auto without = what_is_found(mistake::no_ticket);
  REQUIRE(without);
  CHECK(without->kind == hazard_kind::read_before_full);
  const auto twice = what_is_found(mistake::twice);
  REQUIRE(twice);
  CHECK(twice->kind == hazard_kind::written_twice);
  const auto count = what_is_found(mistake::other_count);
  REQUIRE(count);
  CHECK(count->kind == hazard_kind::barrier_misuse);
  CHECK(count->says("it counts up to 4 tickets of a tile that has 3 parts"));
  CHECK(what_is_found(mistake::other_tile));
  const auto token_of_another = what_is_found(mistake::other_token);
  REQUIRE(token_of_another);
  CHECK(token_of_another->kind == hazard_kind::barrier_misuse);
  CHECK(token_of_another->says("it counts from 18364758544493064721, which is not this launch's token, "));
  const auto elsewhere = what_is_found(mistake::elsewhere);
  REQUIRE(elsewhere);
  CHECK(elsewhere->kind == hazard_kind::out_of_range);
  CHECK(elsewhere->says("the launch has no ticket counters there"));
}

/// A part whose threads store, and of which the last one, when all have, does what `then` says.
template <class F>
std::optional<kit::caught> behind_all_stores(bool barrier, F then) {
  memory m;
  return hazard_of([&] {
    simulate(shape, m.with({.workers = 1}), [&](machine& hw) {
      const int tile = hw.cluster_index() % tiles, part = hw.cluster_index() / tiles;
      const std::uint32_t own[4] = {7, 0, 0, 0};
      hw.store_workspace(m.sums.data(), place(tile, part, hw.thread()), own);
      if (barrier) hw.named_barrier_sync(1, threads);
      if (hw.thread() == threads - 1) then(hw, m, tile, part);
    });
  });
}
TEST_CASE("that others have stored before says nothing: a barrier does") {
  const auto reads = [](machine& hw, memory& m, int tile, int part) {
    std::uint32_t word[4]{};
    hw.load_workspace(word, m.sums.data(), place(tile, part, 0));
    CHECK(word[0] == 7);
  };
  CHECK(!behind_all_stores(true, reads));
  const auto read = behind_all_stores(false, reads);
  REQUIRE(read);
  CHECK(read->kind == hazard_kind::read_before_full);
  CHECK(read->says("without having waited for it"));
  const auto adds = [](machine& hw, memory& m, int tile, int) {
    if (hw.take_ticket(m.tickets(), tile, parts) < parts - 1) return;
    std::uint32_t word[4]{};
    hw.load_workspace(word, m.sums.data(), place(tile, 0, 0));
  };
  CHECK(!behind_all_stores(true, adds));
  const auto added = behind_all_stores(false, adds);
  REQUIRE(added);
  CHECK(added->says("has left a part, but taken no ticket that comes behind it"));
}

/// Whoever comes last to the first meeting waits for the others at a second one, as `asked` says.
std::optional<kit::caught> meet_again(bool waits, bool others_come) {
  memory m;
  return hazard_of([&] {
    simulate(shape, m.with({.workers = 1}), [&](machine& hw) {
      const int tile = hw.cluster_index() % tiles, part = hw.cluster_index() / tiles;
      bool last = false;
      if (hw.thread() == 0) last = hw.take_ticket(m.tickets(), tile, parts) == parts - 1;
      last = hw.named_barrier_any(1, threads, last);
      const std::uint32_t own[4] = {7, 0, 0, 0};
      hw.store_workspace(m.sums.data(), place(tile, part, hw.thread()), own);
      hw.named_barrier_sync(1, threads);
      if (hw.thread() == 0 && last && waits) hw.await_tickets(m.tickets(), tiles + tile, parts - 1);
      if (hw.thread() == 0 && others_come) hw.take_ticket(m.tickets(), tiles + tile, parts);
      if (!last) return;
      if (waits) hw.named_barrier_sync(1, threads);
      for (int other = 0; other < parts; ++other) {
        std::uint32_t word[4]{};
        hw.load_workspace(word, m.sums.data(), place(tile, other, hw.thread()));
        CHECK(word[0] == 7);
      }
    });
    for (const std::uint64_t word : m.words) CHECK(word == token);
  });
}
/// Parts of two CTAs, which have counters of their own; the second one knows when the first one has its ticket.
std::optional<kit::caught> tell_the_peer(bool asks_for_itself) {
  memory m;
  const grid pairs{.clusters = parts, .cluster_size = 2, .threads = threads, .parts = parts};
  return hazard_of([&] {
    simulate(pairs, m.with({.workers = 1}), [&](machine& hw) {
      const int part = hw.cluster_index(), rank = hw.cta_rank();
      const std::uint32_t own[4] = {7, 0, 0, 0};
      if (rank == 0) hw.store_workspace(m.sums.data(), place(0, part, hw.thread()), own);
      hw.named_barrier_sync(1, threads);
      if (rank == 0 && hw.thread() == 0) hw.take_ticket(m.tickets(), 0, parts);
      hw.cluster_sync();
      if (rank == (asks_for_itself ? 0 : 1) && part == parts - 1 && hw.thread() == 0) {
        std::uint32_t word[4]{};
        hw.load_workspace(word, m.sums.data(), place(0, 0, 0));
        CHECK(word[0] == 7);
      }
      hw.cluster_sync();
    });
  });
}
TEST_CASE("a ticket of another CTA of the cluster says nothing") {
  CHECK(!tell_the_peer(true));
  const auto found = tell_the_peer(false);
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::read_before_full);
  CHECK(found->says("without knowing of a ticket of its own CTA"));
}

TEST_CASE("the last part waits for the others at a later meeting") {
  CHECK(!meet_again(true, true));
  const auto lucky = meet_again(false, true);  // the model has run the others before
  REQUIRE(lucky);
  CHECK(lucky->says("or of a wait, that says it is there"));
  CHECK(lucky->kind == hazard_kind::read_before_full);
  const auto forever = meet_again(true, false);
  REQUIRE(forever);
  CHECK(forever->kind == hazard_kind::deadlock);
  CHECK(forever->says("waits forever for 2 tickets of counter 2, of which 0 were taken"));
}

TEST_CASE("counters are opened ahead of tickets, behind them, or not at all, and only those that there are") {
  for (const bool late : {false, true}) {
    memory m;
    int last = 0;
    simulate(shape, m.with({.workers = 1}), [&](machine& hw) {
      const auto open = [&](bool now) {
        if (now && hw.cluster_index() == 0 && hw.thread() < 2 * tiles) hw.open_tickets(m.tickets(), hw.thread());
      };
      open(!late);
      if (hw.thread() == 0 && hw.take_ticket(m.tickets(), hw.cluster_index() % tiles, parts) == parts - 1) ++last;
      open(late);
    });
    CHECK(last == tiles);
    CHECK(m.words[0] == token);
    CHECK(m.words[1] == token);
    CHECK(m.words[2] == token);
    CHECK(m.words[3] == token + parts);  // somebody may be about to take it back
  }
  for (const int counter : {-1, 2 * tiles}) {
    memory m;
    const auto found = hazard_of([&] {
      simulate(shape, m.with({.workers = 1}), [&](machine& hw) {
        if (hw.thread() == 0) hw.open_tickets(m.tickets(), counter);
      });
    });
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::out_of_range);
    CHECK(found->says("there is no ticket counter number"));
  }
}

TEST_CASE("the workspace has an end, and is moved in pieces of 16 bytes") {
  memory m;
  const auto kind = [&](long long offset, int clusters = parts * tiles) {
    const auto found = hazard_of([&] {
      simulate(shape, m.with({.workers = 1}), [&](machine& hw) {
        std::uint32_t word[4]{};
        if (hw.thread() == 0 && hw.cluster_index() < clusters) hw.store_workspace(m.sums.data(), offset, word);
      });
    });
    REQUIRE(found);
    return found->kind;
  };
  const auto end = static_cast<long long>(m.sums.size());
  CHECK(kind(end) == hazard_kind::out_of_range);
  CHECK(kind(end - 8) == hazard_kind::out_of_range);
  CHECK(kind(-16) == hazard_kind::out_of_range);
  CHECK(kind(8) == hazard_kind::misaligned);
  CHECK(kind(0) == hazard_kind::written_twice);     // by all parts
  CHECK(kind(0, 2) == hazard_kind::written_twice);  // by the first cluster and one more
}

TEST_CASE("any thread's yes is told to all that meet, and to no later meeting") {
  const grid one{.clusters = 1, .threads = threads};
  for (int asked = 0; asked < threads; asked += 21) {
    int yes = 0, no = 0;
    simulate(one, {}, [&](machine& hw) {
      yes += hw.named_barrier_any(1, threads, hw.thread() == asked) ? 1 : 0;
      no += hw.named_barrier_any(1, threads, false) ? 1 : 0;
    });
    CHECK(yes == threads);
    CHECK(no == 0);
  }
}

TEST_CASE("clusters that are no whole number of parts are no grid") {
  CHECK_THROWS_AS(simulate(grid{.clusters = 5, .threads = 32, .parts = 2}, {}, [](machine&) {}), std::invalid_argument);
}

}  // namespace
