// Fragments, rows and numbers combine element by element, each operation rounded once: bit for bit what a float
// computes, on the machine of wgmma and in the plain reading. And functions of the program's own, which may not keep a
// state.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/typed.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// C = Epilogue of A B^T, for one tile of C whose products are whole numbers.
template <class Epilogue>
struct computed {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 32}, {"N", 16}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    const auto at = sm.tile_of(C);
    const auto [m, n] = at;
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    Epilogue::store(sm, C, at, acc);
  }
};

/// Runs the program on the model, and in the plain reading exhaustively or if `Plain`; expected(x, i, j) of the product
/// x.
template <class Epilogue, bool Plain = exhaustively, class Expected>
void check(Expected expected) {
  using K = computed<Epilogue>;
  static_assert(verified<K>);
  typed_matrix<bf16> A(64, 32), B(16, 32);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  float x[64][16]{};
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 32; ++k) x[i][j] += static_cast<float>(A(i, k) * B(j, k));
  const auto compare = [&](const typed_matrix<float>& C) {
    int wrong = 0;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 16; ++j) {
        const float found = C.data[C.place(i, j)], right = expected(x, i, j);
        wrong += std::memcmp(&found, &right, sizeof found) != 0;
      }
    CHECK(wrong == 0);
  };
  typed_matrix<float> C(64, 16), D(64, 16);
  run_on_model<K>(A.in(), B.in(), C.out());
  compare(C);
  if constexpr (Plain) {
    run_portable_on_model<K, portable::simt>(A.in(), B.in(), D.out());
    compare(D);
  }
}

float largest(const float (&row)[16]) {
  float top = row[0];
  for (float x : row) top = std::max(top, x);
  return top;
}
float sum(const float (&row)[16]) {
  float s = 0;
  for (float x : row) s += x;  // of whole numbers: exact in any order
  return s;
}

struct with_numbers {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    auto y = 3 - (acc + 1.5f);
    y *= 0.3f;
    y /= 7.0f;
    y = 2.0 / (y - 100);
    y += 0.125f;
    y -= 1;
    auto z = min(max(0.25f, y * acc), 90.0f);
    z = -z / (acc + bf16(0.5f));
    sm.store(C, at, clamp(z, -0.75f, max(y, 0.5f)));
  }
};
TEST_CASE("a fragment and a number: + - * / in both orders and in place, max, min, clamp, minus") {
  check<with_numbers>([](const auto& x, int i, int j) {
    const float a = x[i][j];
    float y = 3.0f - (a + 1.5f);
    y *= 0.3f;
    y /= 7.0f;
    y = 2.0f / (y - 100.0f);
    y += 0.125f;
    y -= 1.0f;
    const float z = std::min(std::max(0.25f, y * a), 90.0f);
    return std::min(std::max(-z / (a + 0.5f), -0.75f), std::max(y, 0.5f));
  });
}

struct with_rows {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    auto top = row_max(acc);
    auto y = acc - top;
    y = y / (top + 300) + top * acc;
    top /= 3.0f;
    top -= 0.5f;
    top = 1.0f / (top * top + 2);
    y += top;
    y *= map(top, [](float u) { return u + 0.25f; });
    auto l = row_sum(acc);
    l += row_sum(acc);
    l *= 0.5f;
    y -= l.total();
    y /= max(reciprocal(top), 1.0f);
    sm.store(C, at, fma(y, acc, top));
  }
};
TEST_CASE("a fragment and rows: + - * / in both orders and in place") {
  check<with_rows, true>([](const auto& x, int i, int j) {
    const float a = x[i][j];
    float top = largest(x[i]);
    float y = (a - top) / (top + 300.0f) + top * a;
    top /= 3.0f;
    top -= 0.5f;
    top = 1.0f / (top * top + 2.0f);
    y += top;
    y *= top + 0.25f;
    y -= sum(x[i]);
    y /= std::max(1.0f / top, 1.0f);
    return std::fma(y, a, top);
  });
}

struct with_fragments {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    auto y = acc * acc + 1.0f;
    auto z = acc / y;
    z *= y;
    z /= y;
    z = map(z, y, [](float a, float b) { return a < 0 ? b : a + b; });
    acc = 0.5f;
    z -= acc;
    sm.store(C, at, max(z, min(y, z + 2)));
  }
};
TEST_CASE("two fragments: +, /, in place, a function of both; a number everywhere") {
  check<with_fragments>([](const auto& x, int i, int j) {
    const float a = x[i][j], y = a * a + 1.0f;
    float z = a / y;
    z *= y;
    z /= y;
    z = z < 0 ? y : z + y;
    z -= 0.5f;
    return std::max(z, std::min(y, z + 2.0f));
  });
}

// ---- functions that keep something from call to call

struct counting {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    int calls = 0;
    sm.store(C, at, map(acc, [&](float x) { return x + static_cast<float>(calls++); }));
  }
};
struct alternating {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    bool odd = false;
    mask(
        acc, {0, 0}, [&](int, int) { return odd = !odd; }, 0.0f);
    sm.store(C, at, acc);
  }
};
struct remembering {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    float best = 0;
    sm.store(C, at, map(acc, [&](float x) { return best = x > best ? x : best; }));
  }
};
struct counting_rows {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    int calls = 0;
    acc *= map_rows([&](auto& hw, float x) { return hw.add(x, static_cast<float>(calls++)); }, row_max(acc));
    sm.store(C, at, acc);
  }
};

/// What is joined otherwise in another order, and what rounding alone parts.
struct differences {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    sm.store(C, at, acc + row_reduce(acc, [](float a, float b) { return a - b; }));
  }
};
struct averages {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    sm.store(C, at, acc + col_reduce(acc, [](float a, float b) { return (a + b) / 2; }));
  }
};
struct rounded_sums {
  static constexpr void store(auto& sm, auto C, auto at, auto& acc) {
    sm.store(C, at, acc + row_reduce(acc, [](float a, float b) { return static_cast<float>(bf16(a + b)); }));
  }
};

template <class Epilogue>
std::string report(model::hazard_kind kind = model::hazard_kind::function_with_state) {
  using K = computed<Epilogue>;
  static_assert(verified<K>);
  typed_matrix<bf16> A(64, 32), B(16, 32);
  typed_matrix<float> C(64, 16);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  try {
    run_on_model<K>(A.in(), B.in(), C.out());
  } catch (const model::hazard& h) {
    CHECK(h.kind == kind);
    return h.what();
  }
  return "";
}

TEST_CASE("a function that joins numbers otherwise in another order is found by the model") {
  constexpr auto kind = model::hazard_kind::function_of_order;
  const std::string turned = report<differences>(kind), apart = report<averages>(kind);
  CHECK(turned.find("the function given to row_reduce makes ") == 0);
  CHECK(turned.find("when they come the other way round") != std::string::npos);
  CHECK(apart.find("the function given to col_reduce makes ") == 0);
  CHECK(apart.find("when the last two are joined first") != std::string::npos);
  CHECK(report<rounded_sums>(kind) == "");
}

TEST_CASE("a function that counts, alternates or remembers is found by the model") {
  CHECK(report<counting>().find("the function given to map answers") != std::string::npos);
  CHECK(report<alternating>().find("the function given to mask answers") != std::string::npos);
  if constexpr (exhaustively)
    CHECK(report<remembering>().find("the function given to map answers") != std::string::npos);
  if constexpr (exhaustively)
    CHECK(report<counting_rows>().find("the function given to map_rows answers") != std::string::npos);
}

}  // namespace
