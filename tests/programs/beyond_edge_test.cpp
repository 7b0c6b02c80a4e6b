// Sums of tiles that hang over the edge of a matrix: the model reports where what is not there changes one, and only
// there.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

enum class reduced {
  softmax,
  masked_softmax,
  row_max,
  masked_row_max,
  row_min,
  row_reduce,
  unfinished,
  col_max,
  col_min,
  col_reduce,
  col_sum,
  total
};
/// The larger of two, as a program may say it.
constexpr float larger(float a, float b) { return a > b ? a : b; }

template <reduced What, bool Swaps = false, int Columns = 1>
struct reduction_of_a_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}},
                                     .stages = 2,
                                     .cluster = {1, Columns},
                                     .consumers = Swaps ? 1 : 2,
                                     .swap = Swaps};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto columns = size<"N">(C);
    if constexpr (What == reduced::masked_softmax || What == reduced::masked_row_max)
      mask(
          x, {m, n}, [=](int, int col) { return col < columns; }, -infinity);
    if constexpr (What == reduced::softmax || What == reduced::masked_softmax) {
      x = exp(x - row_max(x));
      x *= reciprocal(row_sum(x));
    } else if constexpr (What == reduced::row_max || What == reduced::masked_row_max) {
      x -= row_max(x);
    } else if constexpr (What == reduced::row_min) {
      x -= row_min(x);
    } else if constexpr (What == reduced::row_reduce) {
      x -= row_reduce(x, [](float a, float b) { return larger(a, b); });
    } else if constexpr (What == reduced::unfinished) {
      x -= unfinished_row_max(x).total();
    } else if constexpr (What == reduced::col_max) {
      x -= col_max(x);
    } else if constexpr (What == reduced::col_min) {
      x -= col_min(x);
    } else if constexpr (What == reduced::col_reduce) {
      x -= col_reduce(x, [](float a, float b) { return larger(a, b); });
    } else if constexpr (What == reduced::col_sum) {
      x += 1.0f;
      x -= col_sum(x);
    } else {
      x -= col_sum(x);
    }
    sm.store(C, {m, n}, x);
  }
};

/// What the model reports of a run, or "".
template <class Run>
std::string report_of_run(Run run) {
  try {
    run();
  } catch (const model::hazard& h) {
    CHECK(h.kind == model::hazard_kind::beyond_edge);
    return h.what();
  }
  return "";
}
/// All elements of the product have the sign of `a`, but for those of row 3 and of column 5, if it is `odd`.
template <reduced What, bool Swaps = false, int Columns = 1>
std::string report_of(int rows, int cols, float a = 0.5f, bool odd = false) {
  constexpr int k = 64;
  std::vector<bf16> A(static_cast<std::size_t>(rows) * k, bf16(a)), B(static_cast<std::size_t>(cols) * k, bf16(0.25f));
  for (std::size_t i = 0; odd && i < k; ++i) A[3 * k + i] = bf16(-a), B[5 * k + i] = bf16(-0.25f);
  std::vector<float> C(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  return report_of_run([&] {
    run_on_model<reduction_of_a_product<What, Swaps, Columns>>(tensor(A.data(), rows, k), tensor(B.data(), cols, k),
                                                               tensor(C.data(), rows, cols));
  });
}

enum class looped { plain, masked, ahead };

/// Each tile of keys has a softmax of its own; `ahead` multiplies for the next trip first.
template <looped What>
struct softmax_in_a_loop {
  static constexpr auto operands = sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(),
                                                     input<"V(T,D)", bf16>(col_major), output<"O(S,D)", float>());
  static constexpr configuration how{.tile = {{"S", 64}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 1};
  static constexpr auto softmax(auto s) {
    s = exp(s);
    return cast<bf16>(s * reciprocal(row_sum(s)));
  }
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O) {
    auto [i, d] = sm.tile_of(O);
    auto q = sm.load(Q, {i, 0});
    auto o = sm.accumulator(O);
    const auto keys = size<"T">(K);
    if constexpr (What == looped::ahead) {
      auto s = sm.accumulator(q * transpose(sm.load(K, {0, 0})));
      s -= row_sum(exp(s)).total() * 0.01f;
      for (auto t : sm.pipelined(tiles<"T">(K) - 1)) {
        auto p = exp(s);
        s = q * transpose(sm.load(K, {t + 1, 0}));
        p *= reciprocal(row_sum(p));
        o += cast<bf16>(p) * sm.load(V, {t, d});
      }
      o += softmax(s) * sm.load(V, {tiles<"T">(K) - 1, d});
    } else {
      for (auto t : sm.pipelined(tiles<"T">(K))) {
        auto s = sm.accumulator(q * transpose(sm.load(K, {t, 0})));
        if constexpr (What == looped::masked)
          mask(
              s, {i, t}, [=](int, int key) { return key < keys; }, -infinity);
        o += softmax(s) * sm.load(V, {t, d});
      }
    }
    sm.store(O, {i, d}, o);
  }
};
template <looped What>
std::string report_of_loop(int queries, int keys) {
  constexpr int depth = 64;
  const int pitch = (keys + 7) / 8 * 8;
  const std::vector<bf16> q(static_cast<std::size_t>(queries) * depth, bf16(0.5f)),
      k(static_cast<std::size_t>(keys) * depth, bf16(0.25f)), v(static_cast<std::size_t>(pitch) * depth, bf16(1.0f));
  std::vector<float> o(q.size());
  return report_of_run([&] {
    run_on_model<softmax_in_a_loop<What>>(matrix(q.data(), queries, depth), matrix(k.data(), keys, depth),
                                          matrix_col_major(v.data(), keys, depth, pitch),
                                          matrix(o.data(), queries, depth));
  });
}

enum class order { ascending, first_apart, last_apart, descending, pairs, added_up };

/// The sum of exponentials of each row, whose tiles come in some order.
template <order What, bool Masked>
struct sum_of_exponentials {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), vector_output<"sum(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto X, auto sum) {
    auto [m] = sm.rows_of(X);
    const auto columns = size<"N">(X);
    const auto numbers = [&, row = m](auto j) {
      auto x = cast<float>(in_registers(sm.load(X, {row, j})));
      if constexpr (Masked)
        mask(
            x, {row, j}, [=](int, int col) { return col < columns; }, -infinity);
      return x;
    };
    const auto sum_of = [&](auto j) { return row_sum(exp(numbers(j))); };
    const auto last = tiles<"N">(X) - 1;
    if constexpr (What == order::ascending) {
      auto all = row_sum(numbers(0)) * 0.0f;
      for (auto j : sm.pipelined(tiles<"N">(X))) all += sum_of(j);
      sm.store(sum, {m}, all.total());
    } else if constexpr (What == order::first_apart) {
      auto all = sum_of(0);
      for (auto j : sm.pipelined(last)) all += sum_of(j + 1);
      sm.store(sum, {m}, all.total());
    } else if constexpr (What == order::last_apart) {
      auto all = row_sum(numbers(0)) * 0.0f;
      for (auto j : sm.pipelined(last)) all += sum_of(j);
      all += sum_of(last);
      sm.store(sum, {m}, all.total());
    } else if constexpr (What == order::descending) {
      auto all = sum_of(last);
      for (auto j : sm.pipelined(last)) all += sum_of(last - 1 - j);
      sm.store(sum, {m}, all.total());
    } else if constexpr (What == order::pairs) {
      auto all = row_sum(numbers(0)) * 0.0f;
      for (auto j : sm.pipelined(tiles<"N">(X) / 2)) {
        all += sum_of(2 * j);
        all += sum_of(2 * j + 1);
      }
      sm.store(sum, {m}, all.total());
    } else {
      auto all = exp(numbers(0));
      for (auto j : sm.pipelined(last)) all += exp(numbers(j + 1));
      sm.store(sum, {m}, row_sum(all).total());
    }
  }
};
template <order What, bool Masked>
std::string report_of_rows(int columns) {
  constexpr int rows = 70;
  const int pitch = (columns + 7) / 8 * 8;
  const std::vector<bf16> x(static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch), bf16(0.5f));
  std::vector<float> sum(rows);
  return report_of_run([&] {
    run_on_model<sum_of_exponentials<What, Masked>>(matrix(x.data(), rows, columns, pitch), tensor(sum.data(), rows));
  });
}

enum class of_parts { sum, masked_sum, largest };

/// Rows that two CTAs share: each has a part.
template <of_parts What>
struct shared_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    auto x = in_registers(sm.load(X, {m, n}));
    const auto columns = size<"N">(X);
    if constexpr (What == of_parts::masked_sum)
      mask(
          x, {m, n}, [=](int, int col) { return col < columns; }, -infinity);
    if constexpr (What == of_parts::largest)
      x -= row_max(x);
    else
      x -= row_sum(exp(x)).total();
    sm.store(Y, {m, n}, x);
  }
};
template <of_parts What>
std::string report_of_parts(int columns, float number) {
  constexpr int rows = 8;
  const std::vector<float> x(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), number);
  std::vector<float> y(x.size());
  return report_of_run(
      [&] { run_on_model<shared_rows<What>>(tensor(x.data(), rows, columns), tensor(y.data(), rows, columns)); });
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

template <order What>
void check_order() {
  CAPTURE(static_cast<int>(What));
  CHECK(report_of_rows<What, true>(200) == "");
  CHECK(report_of_rows<What, false>(256) == "");
  CHECK(says(report_of_rows<What, false>(200), " along N, of which there are 200: it is 1 there"));
}

}  // namespace

TEST_CASE("exponentials of what is not there") {
  CHECK(report_of<reduced::softmax>(128, 64) == "");
  CHECK(report_of<reduced::softmax>(100, 64) == "");  // rows that are not there have sums of their own
  CHECK(report_of<reduced::masked_softmax>(128, 44) == "");
  const std::string text = report_of<reduced::softmax>(128, 44);
  CHECK(says(text, "row_sum of consumer "));
  CHECK(says(text, " along N, of which there are 44: it is "));
  CHECK(says(text, "; mask() the fragment first"));
  CHECK(says(report_of<reduced::softmax>(128, 108), "along N, of which there are 108"));  // in the second tile
}

TEST_CASE("a largest and a smallest number that is not there") {
  const std::string text = report_of<reduced::row_max>(128, 44, -0.5f);
  CHECK(says(text, "row_max of consumer "));
  CHECK(says(text, " takes number 44 along N, of which there are 44: it is 0 there and changes the result"));
  CHECK(says(text, "mask() the fragment first, so that what is not there changes nothing: -infinity in a maximum"));
  CHECK(report_of<reduced::row_max>(128, 64, -0.5f) == "");
  CHECK(report_of<reduced::row_max>(100, 64, -0.5f) == "");  // rows that are not there
  CHECK(report_of<reduced::masked_row_max>(128, 44, -0.5f) == "");
  CHECK(says(report_of<reduced::row_min>(128, 44), "row_min of consumer "));
  CHECK(says(report_of<reduced::row_reduce>(128, 44, -0.5f), "row_reduce of consumer "));
  CHECK(says(report_of<reduced::col_max>(70, 64, -0.5f), " takes number 70 along M, of which there are 70"));
  CHECK(says(report_of<reduced::col_min>(70, 64), "col_min of consumer "));
  CHECK(says(report_of<reduced::col_reduce>(70, 64, -0.5f), "col_reduce of consumer "));
  CHECK(report_of<reduced::col_max>(128, 44, -0.5f) == "");  // columns that are not there
}

TEST_CASE("a zero that is not the largest number, or the smallest") {
  CHECK(report_of<reduced::row_max>(128, 44) == "");
  CHECK(report_of<reduced::row_min>(128, 44, -0.5f) == "");
  CHECK(report_of<reduced::row_reduce>(128, 44) == "");
  CHECK(report_of<reduced::col_max>(70, 64) == "");
  // One element of each row is positive, which one of the four threads that share the row has; and of each column.
  CHECK(report_of<reduced::row_max>(128, 44, -0.5f, true) == "");
  CHECK(report_of<reduced::row_min>(128, 44, 0.5f, true) == "");
  CHECK(report_of<reduced::row_reduce>(128, 44, -0.5f, true) == "");
  CHECK(report_of<reduced::col_max>(70, 64, -0.5f, true) == "");
  CHECK(report_of<reduced::col_reduce>(70, 64, -0.5f, true) == "");
}

TEST_CASE("rows of NaN, before which any number goes") {
  const float nan = __builtin_nanf("");
  CHECK(report_of<reduced::masked_row_max>(128, 44, nan) == "");
  CHECK(report_of<reduced::masked_softmax>(128, 44, nan) == "");
}

TEST_CASE("of what threads have of a maximum before they meet nothing is said") {
  CHECK(report_of<reduced::unfinished>(128, 44, -0.5f) == "");
}

TEST_CASE("what is not there in a column") {
  CHECK(report_of<reduced::total>(70, 44) == "");
  CHECK(report_of<reduced::col_sum>(256, 64) == "");
  CHECK(report_of<reduced::col_sum>(128, 44) == "");             // of columns that are not there nobody asks
  const std::string text = report_of<reduced::col_sum>(64, 64);  // all rows of a consumer are missing
  CHECK(says(text, "col_sum of consumer 1"));
  CHECK(says(text, " along M, of which there are 64: it is 1 there"));
}

TEST_CASE("where registers hold the transpose") {
  CHECK(report_of<reduced::masked_softmax, true>(128, 44) == "");
  CHECK(report_of<reduced::softmax, true>(100, 64) == "");
  CHECK(report_of<reduced::row_max, true>(128, 44) == "");
  CHECK(report_of<reduced::row_max, true>(128, 44, -0.5f, true) == "");
  CHECK(says(report_of<reduced::row_max, true>(128, 44, -0.5f), "row_max of consumer"));
  CHECK(says(report_of<reduced::row_reduce, true>(128, 44, -0.5f), "along N, of which there are 44: it is 0 there"));
  CHECK(says(report_of<reduced::softmax, true>(128, 44), "along N, of which there are 44"));
}

TEST_CASE("of a tile that a cluster has beyond the last nothing is said") {
  CHECK(report_of<reduced::masked_softmax, false, 2>(128, 172) == "");  // of which all is masked: -infinity - -infinity
  CHECK(report_of<reduced::softmax, false, 2>(128, 192) == "");
  CHECK(says(report_of<reduced::softmax, false, 2>(128, 172), "along N, of which there are 172"));
}

TEST_CASE("tiles of a loop") {
  CHECK(report_of_loop<looped::plain>(64, 128) == "");
  CHECK(report_of_loop<looped::plain>(40, 128) == "");  // rows that are not there have sums of their own
  CHECK(report_of_loop<looped::masked>(64, 100) == "");
  CHECK(says(report_of_loop<looped::plain>(64, 100), " along T, of which there are 100: it is 1 there"));
  CHECK(says(report_of_loop<looped::plain>(64, 44), " along T, of which there are 44"));
}

TEST_CASE("a tile in front of a loop") {
  CHECK(says(report_of_loop<looped::ahead>(64, 44), " along T, of which there are 44"));
}

TEST_CASE("a tile that a loop has loaded early") {
  CHECK(report_of_loop<looped::ahead>(64, 256) == "");
  CHECK(says(report_of_loop<looped::ahead>(64, 100), " along T, of which there are 100"));
}

TEST_CASE("tiles of rows in any order") {
  check_order<order::ascending>();
  check_order<order::first_apart>();
  check_order<order::last_apart>();
  check_order<order::descending>();
  check_order<order::pairs>();
}

TEST_CASE("rows that CTAs share") {
  CHECK(report_of_parts<of_parts::sum>(128, 1) == "");
  for (const int columns : {100, 40}) {  // of 40 the second CTA has none, but its part is one of the row
    CAPTURE(columns);
    CHECK(report_of_parts<of_parts::masked_sum>(columns, 1) == "");
    CHECK(says(report_of_parts<of_parts::sum>(columns, 1), "row_sum of consumer"));
    CHECK(report_of_parts<of_parts::largest>(columns, 1) == "");
    CHECK(says(report_of_parts<of_parts::largest>(columns, -1), "row_max of consumer"));
  }
}

TEST_CASE("of what is made of tiles in several places nothing is said") {
  CHECK(report_of_rows<order::added_up, false>(200) == "");
}
