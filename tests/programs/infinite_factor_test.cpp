// Factors in registers that hang over the edge of what is summed over: there the other one has zeros, and the model
// reports what is no finite number.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

/// C = (1 / A) B^T, of which 1 / 0 is infinite.
template <class T, bool Masks = false, bool Swaps = false>
struct inverse_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", float>(), input<"B(N,K)", T>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", Swaps ? 16 : 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = Swaps};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto depth = size<"K">(A);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = 1.0f / in_registers(sm.load(A, {m, k}));
      if constexpr (Masks)
        mask(
            a, {m, k}, [=](int, int col) { return col < depth; }, 0.0f);
      acc += cast<T>(a) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// What the model says of a product of `rows` rows that sums over `depth`, all of whose numbers are `number`.
template <class K>
std::string report_of(int rows, int depth, float number = 2) {
  using element = typename operand_at<K, 1>::element_type;
  constexpr int columns = 64, padded = 96;
  const std::vector<float> a(static_cast<std::size_t>(rows) * padded, number);
  const std::vector<element> b(static_cast<std::size_t>(columns) * padded, element(1.0F));
  std::vector<float> c(static_cast<std::size_t>(rows) * columns);
  try {
    run_on_model<K>(matrix(a.data(), rows, depth, padded), matrix(b.data(), columns, depth, padded),
                    matrix(c.data(), rows, columns));
  } catch (const model::hazard& why) {
    CHECK(why.kind == model::hazard_kind::beyond_edge);
    return why.what();
  }
  return "";
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

template <class T, bool Swaps = false>
void check_edges() {
  using plain = inverse_product<T, false, Swaps>;
  CHECK(report_of<plain>(64, 64) == "");
  CHECK(report_of<plain>(7, 64) == "");  // of rows that are not there nobody asks
  CHECK(says(report_of<plain>(7, 40), ", of which there are 40: the factor in registers is inf there"));
  CHECK(report_of<inverse_product<T, true, Swaps>>(7, 40) == "");
  CHECK(report_of<plain>(64, 40, 0) == "");  // rows that are infinite before the edge as well
}

}  // namespace

TEST_CASE("infinite factors of 16 bits") {
  check_edges<bf16>();
  check_edges<f16>();
  CHECK(says(report_of<inverse_product<bf16>>(64, 37), "a * b of consumer"));
  CHECK(says(report_of<inverse_product<bf16>>(64, 37), "mask() it first, so that what is not there is 0"));
}

TEST_CASE("infinite factors whose lanes exchange words") { check_edges<tf32>(); }

TEST_CASE("what 8 bits make of infinity is finite") { CHECK(report_of<inverse_product<e4m3>>(64, 40) == ""); }

TEST_CASE("infinite factors where registers hold the transpose") { check_edges<bf16, true>(); }
