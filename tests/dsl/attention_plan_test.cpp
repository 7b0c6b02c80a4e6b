// The plan of attention: what overlaps with what, and who gives which stage back when.
#include <doctest/doctest.h>

#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/attention_backward.hpp>
#include <string_view>

namespace {

using namespace sectile;
using kernels::attention;
using kernels::attention_mask;

constexpr const plan& p = plan_of<attention<128, attention_mask::none>>;
static_assert(p.refusal.holds());

enum operand_number { q, k, v, o };  // ring numbers of the inputs, too

/// The position of event number n (from 0) of a kind, -1 if there are not so many.
int place_of(event_kind kind, int n) {
  for (int x = 0; x < p.positions; ++x)
    if (p.steps[x].kind == kind && n-- == 0) return x;
  return -1;
}
const step& product_number(int n) { return p.steps[place_of(event_kind::issue, n)]; }

/// In the order of the text: scores of the first tile; scores and values in the loop; values of the last tile.
enum product_in_text { first_scores, scores, values, last_values };

/// The first place behind product n at which something is waited for.
int wait_behind(int n) {
  for (int x = place_of(event_kind::issue, n) + 1; x < p.positions; ++x)
    if (p.steps[x].wait >= 0) return x;
  return -1;
}

}  // namespace

TEST_CASE("Q, K and V have rings of their own: they are loaded at different places") {
  REQUIRE(p.rings == 3);
  CHECK(p.ring[q].stages == 2);
  CHECK(p.ring[k].stages == 2);
  CHECK(p.ring[v].stages == 2);
  for (const operand_number ring : {q, k, v}) {
    CHECK(p.ring[ring].members == 1);
    CHECK(p.ring[ring].member[0] == ring);
    CHECK(p.ring[ring].stage_bytes == 128 * 128 * 2);
    CHECK(p.ring[ring].transaction_bytes == 128 * 128 * 2);
    CHECK(p.ring[ring].empty_arrivals == 2);  // the consumers of this CTA
  }
}

TEST_CASE("of what a work item loads once CTAs that walk keep the next one's as well, if stages for it are asked for") {
  const plan& of_one_tile = plan_of<attention<128, attention_mask::causal>>;
  CHECK(!of_one_tile.how.persistent);
  CHECK(of_one_tile.operand[q].facts.stages == 2);
  CHECK(of_one_tile.ring[q].stages == 1);
  CHECK(plan_of<kernels::drawn_attention<128>>.ring[q].stages == 2);
  const plan& without_room = plan_of<kernels::drawn_attention<256>>;
  CHECK(without_room.operand[q].facts.stages == 0);
  CHECK(without_room.ring[q].stages == 1);
}

TEST_CASE("brief sequences have smaller tiles, and sums in the same order") {
  const plan& brief = plan_of<kernels::drawn_attention<64, true>>;
  CHECK(brief.operand[q].facts.tile.extent[2] == 128);
  CHECK(brief.ring[k].stages == 3);
  CHECK(plan_of<kernels::drawn_attention<64>>.operand[q].facts.tile.extent[2] == 192);
  CHECK(same_sums<kernels::drawn_attention<64>, kernels::drawn_attention<64, true>>);
}

TEST_CASE("shared memory: two tiles of Q, two of K, two of V, panels for each consumer, barriers") {
  CHECK(p.ring[q].offset == 0);
  CHECK(p.ring[k].offset == 2 * 32768);
  CHECK(p.ring[v].offset == 4 * 32768);
  CHECK(p.epilogue[0].offset == 6 * 32768);
  CHECK(p.ring[q].full_barrier == 6 * 32768 + 2 * p.epilogue[0].buffers * 8192);
  for (const operand_number ring : {q, k, v}) CHECK(p.ring[ring].empty_barrier == p.ring[ring].full_barrier + 16);
  CHECK(p.ring[k].full_barrier == p.ring[q].full_barrier + 32);
  CHECK(p.ring[v].full_barrier == p.ring[k].full_barrier + 32);
  CHECK(p.shared_bytes == p.ring[v].full_barrier + 32);
}

TEST_CASE("128 columns are two panels of a 128-byte swizzle") {
  for (const operand_number x : {q, k, v}) {
    CHECK(p.operand[x].swizzle == swizzle_mode::b128);
    CHECK(p.operand[x].panels == 2);
    CHECK(p.operand[x].boxes_per_panel == 1);
    CHECK(p.operand[x].box.rank == 4);
    CHECK(p.operand[x].box.extent[0] == 64);
    CHECK(p.operand[x].box.extent[1] == 128);
    CHECK(p.operand[x].box.extent[2] == 1);
    CHECK(p.operand[x].box.extent[3] == 1);
  }
}

TEST_CASE("scores are Q times K transposed, values are a fragment times an MN-major V") {
  REQUIRE(p.products.count == 4);
  for (const product_in_text n : {first_scores, scores}) {
    CHECK(p.products.at[n].a_operand == q);
    CHECK(p.products.at[n].b_operand == k);
    CHECK(p.products.at[n].b.major == major::k);
    CHECK(!p.products.at[n].instruction.a_in_registers);
  }
  for (const product_in_text n : {values, last_values}) {
    CHECK(p.products.at[n].a_operand == -1);
    CHECK(p.products.at[n].b_operand == v);
    CHECK(p.products.at[n].b.major == major::mn);
    CHECK(p.products.at[n].instruction.a_in_registers);
  }
  for (int n = 0; n < 4; ++n) {
    CHECK(p.products.at[n].instruction.n == 128);
    CHECK(p.products.at[n].k_steps == 8);
    CHECK(p.products.at[n].m_blocks == 1);
  }
}

TEST_CASE("the next scores and this tile's values are in flight together") {
  CHECK(product_number(scores).wait == -1);
  CHECK(product_number(scores).wait_after == -1);
  CHECK(product_number(values).wait == -1);
  CHECK(product_number(values).wait_after == -1);
}

TEST_CASE("the softmax waits for the scores only: the values stay in flight") {
  const int softmax = wait_behind(values);
  CHECK(p.steps[softmax].wait == 1);
  CHECK(p.steps[softmax].settle);
  CHECK(p.steps[softmax].keep[k] == 0);  // the tile of K has been read
  CHECK(p.steps[softmax].release[k] == 1);
  CHECK(p.steps[softmax].keep[v] == 1);  // that of V has not
  CHECK(p.steps[softmax].release[v] == 0);
}

TEST_CASE("rescaling the output waits for the values, and only then V's stage goes back") {
  int rescale = wait_behind(values) + 1;
  while (p.steps[rescale].wait < 0) ++rescale;
  CHECK(p.steps[rescale].kind == event_kind::touch);
  CHECK(p.steps[rescale].wait == 0);
  CHECK(p.steps[rescale].settle);
  CHECK(p.steps[rescale].keep[v] == 0);
  CHECK(p.steps[rescale].release[v] == 1);
  CHECK(p.steps[rescale].release[k] == 0);
  CHECK(rescale < place_of(event_kind::issue, last_values));
}

TEST_CASE("the first scores have nothing to overlap with") {
  const int softmax = wait_behind(first_scores);
  CHECK(p.steps[softmax].wait == 0);
  CHECK(p.steps[softmax].release[k] == 1);
  CHECK(p.steps[softmax].release[q] == 0);
}

TEST_CASE("Q goes back at the end") {
  const int last = wait_behind(last_values);
  CHECK(p.steps[last].wait == 0);
  CHECK(p.steps[last].release[q] == 1);
  for (int x = 0; x < last; ++x) CHECK(p.steps[x].release[q] == 0);
}

TEST_CASE("a turn at the tensor cores goes around both products of the loop") {
  CHECK(product_number(scores).wait_in_order);
  CHECK(!product_number(scores).arrive_in_order);
  CHECK(!product_number(values).wait_in_order);
  CHECK(product_number(values).arrive_in_order);
}

TEST_CASE("the products outside the loop have a turn each") {
  for (const product_in_text n : {first_scores, last_values}) {
    CHECK(product_number(n).wait_in_order);
    CHECK(product_number(n).arrive_in_order);
  }
}

TEST_CASE("turns of e4m3 are full: they are passed behind a wait, where those of bf16 are behind a product") {
  constexpr const plan& full = plan_of<kernels::attention_of<kernels::attention_form{.dim = 128}, e4m3>>;
  REQUIRE(full.refusal.holds());
  int turns = 0, waits[3]{-1, -1, -1};
  for (int x = 0; x < full.positions; ++x) {
    if (!full.steps[x].arrive_in_order) continue;
    CHECK(full.steps[x].kind == event_kind::touch);
    REQUIRE(turns < 3);
    waits[turns++] = full.steps[x].wait;
  }
  CHECK(turns == 3);
  CHECK(waits[0] == 0);
  CHECK(waits[1] == 1);  // in the loop the product with the values goes on
  CHECK(waits[2] == 0);
}

TEST_CASE("every product writes registers that ordinary instructions have touched") {
  for (int n = 0; n < 4; ++n) CHECK(product_number(n).fence);
}

TEST_CASE("the loop is passed over as a whole when it has no trip") {
  const int loop = place_of(event_kind::loop, 0);
  CHECK(loop < place_of(event_kind::issue, scores));
  CHECK(p.steps[loop].loop_end > place_of(event_kind::issue, values));
  CHECK(p.steps[loop].loop_end < place_of(event_kind::issue, last_values));
}

TEST_CASE("a thread holds scores, outputs and packed scores: 64 + 64 + 32 registers") {
  CHECK(plan_of<attention<128, attention_mask::causal>>.accumulator_registers == 64 + 64 + 32);
  CHECK(p.consumer_registers == 240);
  CHECK(p.producer_registers == 24);
}

TEST_CASE("without a mask the kernel is persistent, and its epilogue runs under the other consumer's products") {
  CHECK(p.how.persistent);
  CHECK(!p.epilogue[0].deferred);
  CHECK(p.accumulator_registers == 64 + 64 + 32);
  CHECK(!plan_of<attention<128, attention_mask::causal>>.how.persistent);
}

TEST_CASE("a head dimension of 64 has three consumers with 64 rows of queries each") {
  constexpr const plan& small = plan_of<attention<64, attention_mask::causal>>;
  CHECK(small.how.rows == traversal::reversed);
  CHECK(small.threads == 512);
  CHECK(small.ring[q].transaction_bytes == 192 * 64 * 2);
  CHECK(small.ring[k].transaction_bytes == 128 * 64 * 2);
  CHECK(small.ring[k].empty_arrivals == 3);
  CHECK(small.operand[q].panels == 1);
  CHECK(small.producer_registers == 32);
  CHECK(small.consumer_registers == 160);
  CHECK(small.accumulator_registers == 64 + 32 + 32);
}

TEST_CASE("queries and heads are walked, the head dimension is one tile") {
  for (int mode = 0; mode < 3; ++mode) CHECK(p.operand[k].stepped[mode]);
  CHECK(!p.operand[k].stepped[3]);
  CHECK(!p.operand[v].stepped[3]);
}

TEST_CASE("of packed sequences a producer knows the places of queries and of keys, and has registers for both") {
  using kernels::attention_form, kernels::attention_of;
  constexpr const plan& packed = plan_of<attention_of<attention_form{.dim = 128, .varlen = true}>>;
  CHECK(p.producer_registers == 24);
  CHECK(packed.producer_registers == 40);
  CHECK(packed.consumer_registers == 232);
  CHECK(packed.accumulator_registers == p.accumulator_registers);
}

TEST_CASE("gradients of packed sequences hold what plain ones do, and walk over the ends of their own tiles") {
  using kernels::attention_form, kernels::attention_keys_backward, kernels::attention_queries_backward;
  constexpr attention_form plain{.dim = 128, .lse = true}, packed{.dim = 128, .lse = true, .varlen = true};
  const auto check = [](const plan& of_plain, const plan& of_packed, std::string_view walked) {
    CHECK(of_packed.accumulator_registers == of_plain.accumulator_registers);
    CHECK(of_packed.rings == of_plain.rings);
    CHECK(of_packed.ring[0].stages == of_plain.ring[0].stages);
    CHECK(walks_groups(of_packed));
    CHECK(of_packed.operand[ends_of(of_packed, of_packed.work)].facts.name == walked);
  };
  check(plan_of<attention_keys_backward<plain>>, plan_of<attention_keys_backward<packed>>, "key_ends");
  check(plan_of<attention_queries_backward<plain>>, plan_of<attention_queries_backward<packed>>, "query_ends");
}
