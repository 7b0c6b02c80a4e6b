// The verbs of ordinary threads on the model: what they move, and what is reported.
#include <doctest/doctest.h>

#include <sectile/dsl/model/ordinary.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;
using model::hazard_kind;
using machine = model::ordinary_machine;

/// 4 x 12 numbers, 16 apart: rows begin at multiples of 32 bytes.
struct numbers {
  alignas(16) bf16 at[4 * 16];

  numbers() {
    for (int i = 0; i < 64; ++i) at[i] = bf16(static_cast<float>(i));
  }
  global_matrix<const bf16> in() const { return {at, 4, 12, 16}; }
  global_matrix<bf16> out() { return {at, 4, 12, 16}; }
};

/// Runs the body on one warp. Returns what was reported, "" if nothing.
template <class Body>
std::string run(hazard_kind expected, Body body) {
  try {
    model::simulate({.clusters = 1, .threads = 32, .shared_bytes = 1024}, {.workers = 1}, [&](model::machine& hw) {
      machine mine(hw);
      body(mine);
    });
  } catch (const model::hazard& h) {
    CHECK(h.kind == expected);
    return h.what();
  }
  return "";
}
bool contains(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST_CASE("a piece goes from global to shared memory, an element back") {
  const numbers from;
  numbers to;
  const std::string report = run({}, [&](machine& hw) {
    if (hw.thread() >= 4) return;
    const std::uint32_t at = hw.shared_base() + static_cast<std::uint32_t>(hw.thread()) * 16;
    hw.store_piece(at, hw.load_piece(from.in(), hw.thread(), 8));
    const std::uint32_t word = hw.load_shared(at + 4);  // columns 10 and 11
    hw.store_element(to.out(), hw.thread(), 0, __builtin_bit_cast(float, word << 16));
    hw.store_element(to.out(), hw.thread(), 11, 1.00390625f);  // half way: to the even neighbour
  });
  CHECK(report == "");
  for (int row = 0; row < 4; ++row) {
    CHECK(static_cast<float>(to.at[16 * row]) == static_cast<float>(16 * row + 10));
    CHECK(static_cast<float>(to.at[16 * row + 11]) == 1.0f);
    CHECK(static_cast<float>(to.at[16 * row + 1]) == static_cast<float>(16 * row + 1));
  }
}

TEST_CASE("loads outside of the matrix, across the stride, or not of a multiple of 16 bytes") {
  const numbers x;
  const auto load = [&](hazard_kind kind, const global_matrix<const bf16>& m, int row, int col) {
    return run(kind, [&](machine& hw) { hw.load_piece(m, row, col); });
  };
  CHECK(load({}, x.in(), 3, 8) == "");  // columns 12 .. 15 pad the row
  CHECK(contains(load(hazard_kind::out_of_range, x.in(), 4, 0),
                 "element (4, 0) lies outside of a matrix, which is 4 x 12"));
  CHECK(contains(load(hazard_kind::out_of_range, x.in(), -1, 0), "element (-1, 0)"));
  CHECK(contains(load(hazard_kind::out_of_range, x.in(), 0, 12), "element (0, 12)"));
  CHECK(contains(load(hazard_kind::misaligned, x.in(), 0, 4), "does not begin at a multiple of 16 bytes"));
  CHECK(contains(load(hazard_kind::out_of_range, {x.at, 4, 12, 12}, 0, 8), "reach into the next row, 12 elements on"));
}

TEST_CASE("stores to shared memory: outside, misaligned, over what another thread wrote or reads") {
  const auto store = [&](hazard_kind kind, std::uint32_t offset) {
    return run(kind, [&](machine& hw) {
      if (hw.thread() == 0) hw.store_piece(hw.shared_base() + offset, {});
    });
  };
  CHECK(store({}, 1008) == "");
  CHECK(contains(store(hazard_kind::misaligned, 8), "store_piece of thread 0"));
  CHECK(contains(store(hazard_kind::out_of_range, 1024), "store_piece of thread 0"));
  const std::string twice = run(hazard_kind::overwrite_in_flight, [](machine& hw) {
    if (hw.thread() < 2) hw.store_piece(hw.shared_base(), {});
  });
  CHECK(contains(twice, "a barrier must come between"));
  const std::string read = run(hazard_kind::overwrite_while_read, [](machine& hw) {
    if (hw.thread() == 0) hw.store_piece(hw.shared_base(), {});
    hw.named_barrier_sync(0, 32);
    if (hw.thread() == 1) hw.load_shared(hw.shared_base());
    if (hw.thread() == 2) hw.store_piece(hw.shared_base(), {});
  });
  CHECK(contains(read, "thread 1 reads with ordinary loads"));
}

TEST_CASE("an element that is stored twice, or lies outside") {
  numbers x;
  const std::string twice = run(hazard_kind::written_twice, [&](machine& hw) {
    if (hw.thread() < 2) hw.store_element(x.out(), 1, 2, 0);
  });
  CHECK(contains(twice, "both write"));
  const std::string outside = run(hazard_kind::out_of_range, [&](machine& hw) { hw.store_element(x.out(), 0, 12, 0); });
  CHECK(contains(outside, "store_element of thread 0: element (0, 12) lies outside of a matrix, which is 4 x 12"));
}

}  // namespace
