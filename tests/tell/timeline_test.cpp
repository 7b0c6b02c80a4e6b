// Timelines of kernels: what is in them follows from the plan, and what follows from them is what one knows of
// pipelines.
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <sectile/kernels/attention.hpp>
#include <sstream>

#include "tests/exhaustively.hpp"
#include "tests/programs/kept_outputs.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/tell/timeline_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <int Stages>
using large =
    matmul<128, 256, 64, configuration{.stages = Stages, .cluster = {2, 1}, .consumers = 2, .persistent = true}>;
using small = matmul<64, 64, 64, configuration{.stages = 3, .consumers = 1}>;
using attention = kernels::attention<64, kernels::attention_mask::causal>;

/// Of one run, whoever asks.
template <class K>
const timeline& made() {
  static const tell::kernel_timeline k = tell::timeline_of_kernel<K>();
  CHECK(k.refused == "");
  return k.shown;
}

/// Every fill of a ring brings as many bytes as the plan's barriers wait for; as many are announced.
template <class K>
void check_bytes(const timeline& t) {
  const plan& p = plan_of<K>;
  for (const auto& [which, what] : fills_of(t)) CHECK(what.bytes == p.ring[std::get<1>(which)].transaction_bytes);
  for_each(t, timeline_kind::expect, [&](const timeline_event& e) {
    CHECK(e.did.bytes == p.ring[t.from.barriers.at(static_cast<std::size_t>(e.did.barrier)).ring].transaction_bytes);
  });
}

template <class K>
void check_kernel(int rings, int lanes_of_a_cta) {
  const timeline t = made<K>();
  check_sound(t);
  check_states(t);
  check_bytes<K>(t);
  CHECK(static_cast<int>(t.from.rings.size()) == rings);
  CHECK(static_cast<int>(t.from.lanes.size()) == lanes_of_a_cta * t.from.cluster_size);
  // Each stage of the ring that is used most comes round at least twice more.
  int most = 0;
  for (const auto& [which, what] : fills_of(t)) most = std::max(most, std::get<3>(which) + 1);
  CHECK(most >= 3);
  const tell::timeline_statistics s = tell::statistics_of(t);
  for (int cta = 0; cta < t.from.cluster_size; ++cta) {
    const auto c = static_cast<std::size_t>(cta);
    CHECK(s.tensor_busy.at(c) > 0);
    CHECK(s.tensor_busy.at(c) <= s.last_product.at(c) - s.first_product.at(c));
  }
}

TEST_CASE("what is copied, announced and waited for agrees with the plan") {
  check_kernel<large<4>>(1, 3);
  check_kernel<small>(1, 2);
  if constexpr (exhaustively) check_kernel<sparse_product>(1, 2);
  check_kernel<attention>(plan_of<attention>.rings, 4);
}

TEST_CASE("products are those of the plan") {
  const timeline t = made<large<4>>();
  const product_plan& product = plan_of<large<4>>.products.at[0];
  for_each(t, timeline_kind::product, [&](const timeline_event& e) {
    CHECK(e.did.count == product.m_blocks * product.k_steps);
    CHECK(e.end - e.start == e.did.count * tell::wgmma_cycles(product.instruction));
    if (e.did.trip == 0) CHECK(e.did.fenced);
  });
  // Two tiles of ten trips for two consumers of two CTAs.
  CHECK(count(t, timeline_kind::product) == 2 * 10 * 2 * 2);
  int of_tile[2]{};
  for_each(t, timeline_kind::product, [&](const timeline_event& e) {
    REQUIRE((e.did.tile == 0 || e.did.tile == 1));
    ++of_tile[e.did.tile];
  });
  CHECK(of_tile[0] == of_tile[1]);
  // The producer knows the tile and the trip that it copies for.
  int copies = 0;
  for_each(t, timeline_kind::copy, [&](const timeline_event& e) {
    REQUIRE((e.did.tile == 0 || e.did.tile == 1));
    CHECK(e.did.fill * 4 + e.did.uses.at(0).stage == e.did.tile * 10 + e.did.trip);
    ++copies;
  });
  CHECK(copies == 2 * 10 * 2 * 2);
}

TEST_CASE("more stages: the consumers wait less for copies, the producer less for stages") {
  const tell::cycles two = starved(made<large<2>>()), four = starved(made<large<4>>());
  CHECK(two > four);
  if constexpr (exhaustively) {
    const tell::cycles three = starved(made<large<3>>());
    CHECK(two > three);
    CHECK(three > four);
  }
  // With four the tensor cores have always something to do.
  const tell::timeline_statistics s = tell::statistics_of(made<large<4>>());
  CHECK(s.tensor_busy.at(0) == s.last_product.at(0) - s.first_product.at(0));
}

TEST_CASE("a deferred epilogue is put out under the next tile's products") {
  const timeline t = made<large<4>>();
  REQUIRE(plan_of<large<4>>.epilogue[0].deferred);
  const tell::timeline_statistics s = tell::statistics_of(t);
  tell::cycles first_store = t.length;
  for_each(t, timeline_kind::store, [&](const timeline_event& e) { first_store = std::min(first_store, e.start); });
  CHECK(first_store < s.last_product.at(0));
  // Two consumers store their halves of two tiles.
  CHECK(s.bytes_stored.at(0) == 2 * 128 * 256 * 2);
}

TEST_CASE("a kernel that may cut its last tiles has a timeline as any other") {
  constexpr configuration how{.stages = 3, .consumers = 2, .persistent = true, .streamed = true};
  if constexpr (exhaustively) {
    const timeline t = made<matmul<128, 256, 64, how>>();
    check_sound(t);
    check_states(t);
    CHECK(tell::statistics_of(t).bytes_stored.at(0) > 0);
  }
}

/// Tiles that are drawn, in clusters of so many CTAs above each other.
template <int Ctas>
using drawn = matmul<128, 256, 64,
                     configuration{.stages = 3,
                                   .cluster = {Ctas, 1},
                                   .consumers = 2,
                                   .persistent = true,
                                   .dynamic = true}>;
template <int Ctas>
void check_numbers_drawn() {
  const timeline t = made<drawn<Ctas>>();
  check_sound(t);
  // (CTAs of a cluster are not in step: who draws is behind, so that a copy may begin before the other CTA knows that
  // its stage is free.)
  if (Ctas == 1) check_states(t);
  const auto is_about = [&](const timeline_event& e) {
    return e.did.barrier >= 0 &&
           t.from.barriers.at(static_cast<std::size_t>(e.did.barrier)).name.starts_with("drawn");
  };
  int sent = 0, waited = 0, read = 0;
  for_each(t, timeline_kind::arrive, [&](const timeline_event& e) {
    if (e.did.count > 0 || !is_about(e)) return;
    const std::string to = e.did.ctas == 1 ? "CTA 0" : "CTA 1";
    CHECK(tell::action_text(t, e) == "sends the number of the next work item to " + to);
    ++sent;
  });
  for_each(t, timeline_kind::wait_barrier, [&](const timeline_event& e) { waited += is_about(e); });
  for_each(t, timeline_kind::read, [&](const timeline_event& e) {
    read += tell::action_text(t, e) == "reads 4 bytes of drawn work from shared memory";
  });
  CHECK(sent >= 2 * Ctas);    // two tiles at least, to each CTA
  CHECK(waited == 3 * sent);  // by three roles of each
  CHECK(read == sent);        // by the producers, which are threads
}
TEST_CASE("numbers that are drawn: sent to each CTA once for each tile, and all roles wait for them") {
  if constexpr (exhaustively) check_numbers_drawn<1>();
  check_numbers_drawn<2>();
}

/// Of a tile of 128 x 96, in bf16 and in f32.
template <class K>
void check_outputs_of_tiles() {
  const timeline t = made<K>();
  std::int64_t bytes[2]{};
  for_each(t, timeline_kind::store, [&](const timeline_event& e) {
    REQUIRE((e.did.tile == 0 || e.did.tile == 1));
    bytes[e.did.tile] += e.did.bytes;
  });
  for (const std::int64_t of_tile : bytes) CHECK(of_tile == t.from.cluster_size * 128 * 96 * (2 + 4));
  for_each(t, timeline_kind::product, [&](const timeline_event& e) { CHECK((e.did.tile == 0 || e.did.tile == 1)); });
}
TEST_CASE("all outputs of a tile are stored as that tile's") {
  if constexpr (exhaustively) check_outputs_of_tiles<kept_sums<bf16, float, of_clusters>>();
}

TEST_CASE("ping-pong: one consumer computes while the other multiplies") {
  const timeline t = made<attention>();
  bool together = false;
  for_each(t, timeline_kind::compute, [&](const timeline_event& c) {
    for_each(t, timeline_kind::product, [&](const timeline_event& p) {
      together = together || (p.by != c.by && p.start < c.end && c.start < p.end);
    });
  });
  CHECK(together);
  CHECK(count(t, timeline_kind::arrive_in_order) > 0);
}

TEST_CASE("the same bytes, whoever runs it") {
  const auto on = [](int workers) {
    const auto run = [&](const tell::example_sizes& s) {
      std::vector<tell::example_memory> memory(3);
      run_on_model_with<small>({.workers = workers}, tell::example_argument<small, 0>(s, memory[0]),
                               tell::example_argument<small, 1>(s, memory[1]),
                               tell::example_argument<small, 2>(s, memory[2]));
    };
    return tell::choose_timeline(plan_of<small>, run);
  };
  const tell::kernel_timeline one = on(1), four = on(4);
  CHECK(tell::facts_of(one).dump() == tell::facts_of(four).dump());
  CHECK(tell::draw_timeline(one.shown).svg == tell::draw_timeline(four.shown).svg);
  CHECK(tell::facts_of(one).dump() == tell::facts_of(tell::timeline_of_kernel<small>()).dump());
  // Another order of the model's is another log, but the same timeline.
  const timeline drawn = tell::watch([] {
    const tell::example_sizes s = tell::sizes_for(plan_of<small>).at(0);
    std::vector<tell::example_memory> memory(3);
    run_on_model_with<small>(
        {.schedule = schedule_mode::random, .seed = 7}, tell::example_argument<small, 0>(s, memory[0]),
        tell::example_argument<small, 1>(s, memory[1]), tell::example_argument<small, 2>(s, memory[2]));
  });
  CHECK(tell::facts_of(drawn)["events"].dump() == tell::facts_of(one.shown)["events"].dump());
}

TEST_CASE("facts: ids, states and steps hang together") {
  const timeline t = made<large<2>>();
  const nlohmann::ordered_json j = tell::facts_of(t);
  CHECK(j["complete"] == true);
  CHECK(j["constants"].size() == std::size(tell::nominal_constants));
  const std::size_t events = j["events"].size();
  REQUIRE(events == t.events.size());
  for (const auto& e : j["events"]) {
    CHECK(e["lane"] < j["lanes"].size());
    for (const auto& c : e["causes"]) CHECK(c < events);
  }
  tell::cycles before = 0;
  std::vector<int> seen(events);
  for (const auto& s : j["steps"]) {
    CHECK(s["at"] >= before);
    before = s["at"];
    ++seen.at(s["event"].get<std::size_t>());
    CHECK(s["stages"].size() == 2);
    CHECK(s["stages"][0][0].get<std::string>().size() == 2);
  }
  for (std::size_t i = 0; i < events; ++i) CHECK(seen[i] <= 2);
  // When all is done, nobody holds a stage.
  CHECK(j["steps"].back()["stages"][0][0] == "ee");
}

/// Of "<svg ... viewBox="x y width height"".
double width_of(const std::string& svg) {
  std::istringstream box(svg.substr(svg.find("viewBox=\"") + 9));
  double x = 0, y = 0, width = 0;
  box >> x >> y >> width;
  return width;
}

TEST_CASE("the picture says what it is, and is small enough") {
  const timeline t = made<large<4>>();
  for (const tell::figure& f : {tell::draw_timeline(t), tell::draw_timeline_start(t)}) {
    CHECK(f.svg.starts_with("<svg "));
    CHECK(contains(f.svg, "role=\"img\""));
    CHECK(contains(f.svg, "<title>Pipeline timeline"));
    CHECK(contains(f.svg, tell::nominal_note().c_str()));
    CHECK(contains(f.alt, "the tensor cores are busy"));
    CHECK(!contains(f.svg, "nan"));
    CHECK(f.svg.size() < 62'000);
    CHECK(width_of(f.svg) <= 960);  // of a page's column at 1440 pixels, and a little that a browser takes back
  }
}

TEST_CASE("CTAs that share an SM share what it has one of, and nothing else") {
  using enum timeline_kind;
  const timeline one = made<small>(), three = tell::timeline_of(tell::side_by_side(one.from, 3));
  check_sound(three);
  check_states(three);
  for (const timeline_kind k : {copy, product, store, wait_full, release}) CHECK(count(three, k) == 3 * count(one, k));
  tell::cycles free = 0;  // one copy engine
  for_each(three, copy, [&](const timeline_event& e) {
    CHECK(e.start >= free);
    free = e.start + tell::copy_cycles(e.did.bytes);
  });
  const tell::timeline_statistics alone = tell::statistics_of(one), all = tell::statistics_of(three);
  CHECK(all.tensor_busy.at(0) == 3 * alone.tensor_busy.at(0));
  CHECK(three.length > one.length);
  CHECK(three.length < 3 * one.length);
  std::map<int, tell::cycles> gone;  // the first CTA does not wait until the others are done
  for_each(three, wait_cluster, [&](const timeline_event& e) { gone[cta_of(three, e.lane)] = e.end; });
  CHECK(gone.at(0) < gone.at(2));

  const tell::figure f = tell::draw_timeline(three);
  for (const char* words : {"CTA 0: ", "CTA 2: ", "with 3 CTAs on an SM"}) CHECK(contains(f.svg, words));
  CHECK(!contains(f.svg, "the others do the same"));
  CHECK(width_of(f.svg) <= 960);
}

TEST_CASE("two pictures with one axis can be compared") {
  const timeline t = made<large<4>>();
  const std::string own = tell::draw_timeline(t).svg;
  CHECK(tell::draw_timeline(t, t.length).svg == own);
  CHECK(tell::draw_timeline(t, t.length / 2).svg == own);  // at least so many
  const std::string longer = tell::draw_timeline(t, 2 * t.length).svg;
  CHECK(longer != own);
  CHECK(width_of(longer) <= 960);
}

}  // namespace
