// What a loop may carry from trip to trip so that several CTAs share its trips: sums, to which each trip adds what does
// not hang on them (plan/split.hpp). Each body here carries something in its own way.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <string>

namespace {

using namespace sectile;

enum class way : std::uint8_t {
  // sums
  fused,
  in_place,
  taken_away,
  in_two_steps,
  with_the_product,
  by_the_trips_number,
  own_rows,
  tiles,
  // older fragments
  scaled,
  the_other_sign,
  factor,
  larger,
  itself,
  its_product,
  copied,
  to_another,
  sum_of_another,
  begun,
  refilled,
  // older variables
  rows,
  part_of_a_vector,
  tile,
  counter,
  number,
  captured,
  left_factor
};

template <way Way, int Parts = 2>
struct carrying {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(), input<"D(M,N)", f16>(),
                        vector_input<"S(KB,M)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}, {"KB", 1}}, .stages = 4, .consumers = 1, .split = Parts};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C), other = sm.accumulator(C);
    auto halves = sm.accumulator(C, as<f16>());
    if constexpr (Way == way::begun) sum = 1.0f;
    auto older = in_registers(sm.load(S, {0, m}));
    auto vector = sm.load(S, {0, m});
    int trips = 0;
    float number = 1;
    auto last = first_tile(sm, B, n);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = sm.load(A, {m, k}), b = sm.load(B, {n, k});
      const auto scale = sm.load(S, {as<"KB">(k), m});
      auto part = sm.accumulator(a * transpose(b));
      if constexpr (Way == way::fused) sum = fma(part, scale, sum);
      if constexpr (Way == way::in_place) sum += part * scale;
      if constexpr (Way == way::taken_away) sum -= part * scale;
      if constexpr (Way == way::in_two_steps) {
        auto more = part + (sum - part * scale);
        sum = fma(scale, part, more);
      }
      if constexpr (Way == way::with_the_product) {
        sum += part * scale;
        sum += a * transpose(b);
      }
      if constexpr (Way == way::by_the_trips_number) sum = fma(part, (k + 1) * 0.5f, sum);
      if constexpr (Way == way::own_rows) {
        auto own = older;
        own *= scale;
        own = own + 1.0f;
        own = older;
        sum += part * own;
      }
      if constexpr (Way == way::tiles) sum += cast<float>(in_registers(sm.load(D, {m, as<"N">(k)})));

      if constexpr (Way == way::scaled) sum = fma(sum, scale, part);
      if constexpr (Way == way::the_other_sign) sum = part - sum;
      if constexpr (Way == way::factor) sum *= scale;
      if constexpr (Way == way::larger) sum = max(sum, part);
      if constexpr (Way == way::itself) sum += sum;
      if constexpr (Way == way::its_product) sum = sum + part * (sum + part);
      if constexpr (Way == way::copied) {
        auto copy = sum;
        sum = copy;
      }
      if constexpr (Way == way::to_another) other = sum + part;
      if constexpr (Way == way::sum_of_another) {
        sum += part;
        other += sum;
      }
      if constexpr (Way == way::begun) sum += part;
      if constexpr (Way == way::refilled) {
        sum = 0.0f;
        sum += part;
      }

      if constexpr (Way == way::rows) {
        sum += part * older;
        older *= scale;
      }
      if constexpr (Way == way::part_of_a_vector) {
        sum += part * vector;
        vector = scale;
      }
      if constexpr (Way == way::tile) {
        sum += part;
        sum += a * transpose(last);
        last = b;
      }
      if constexpr (Way == way::counter) sum += part * sm.load(S, {as<"KB">(trips++), m});
      if constexpr (Way == way::number) {
        sum += part * number;
        number *= 0.5f;
      }
      if constexpr (Way == way::captured) {
        sum += map(part, [=](float x) { return x * number; });
        number *= 0.5f;
      }
      if constexpr (Way == way::left_factor) {
        halves += a * transpose(b);
        sum += part;
        static_cast<void>(sm.accumulator(halves * b));
      }
    }
    sm.store(C, {m, n}, sum);
  }
  /// The tile of the first trip, which only one body loads.
  static constexpr auto first_tile(auto& sm, auto B, auto n) {
    if constexpr (Way == way::tile)
      return sm.load(B, {n, 0});
    else
      return 0;
  }
};

template <way Way>
loop_use carried() {
  return trace_body<carrying<Way>>({}).log.loops_carry;
}
/// What stands in the way of a split; the rest of the plan is none of this test's business.
template <way Way>
constexpr violation find_refusal() {
  const planner<carrying<Way>> run = trace_body<carrying<Way>>({});
  plan p{};
  p.how = carrying<Way>::how;
  p.loops = run.loops;
  p.products = run.products;
  const violation v = check_split(p, run.log);
  return v.holds() ? check_counted_trips(run) : v;
}
template <way Way>
std::string why_not() {
  constexpr violation v = find_refusal<Way>();  // compilers follow functions of the body while they compile
  return v.says.text;
}

TEST_CASE("a trip adds to a sum what does not hang on it") {
  CHECK(carried<way::fused>() == loop_use::sums);
  CHECK(carried<way::in_place>() == loop_use::sums);
  CHECK(carried<way::taken_away>() == loop_use::sums);
  CHECK(carried<way::in_two_steps>() == loop_use::sums);
  CHECK(carried<way::with_the_product>() == loop_use::sums);
  CHECK(carried<way::by_the_trips_number>() == loop_use::sums);
  CHECK(carried<way::own_rows>() == loop_use::sums);
  CHECK(carried<way::tiles>() == loop_use::sums);
  CHECK(why_not<way::fused>().empty());
  CHECK(why_not<way::in_two_steps>().empty());
  CHECK(why_not<way::by_the_trips_number>().empty());
  CHECK(why_not<way::tiles>().empty());
}
TEST_CASE("what a trip makes of a sum in another way would have to come from the part before") {
  CHECK(carried<way::scaled>() == loop_use::older_fragment);
  CHECK(carried<way::the_other_sign>() == loop_use::older_fragment);
  CHECK(carried<way::factor>() == loop_use::older_fragment);
  CHECK(carried<way::larger>() == loop_use::older_fragment);
  CHECK(carried<way::itself>() == loop_use::older_fragment);
  CHECK(carried<way::its_product>() == loop_use::older_fragment);
  CHECK(carried<way::copied>() == loop_use::older_fragment);
  CHECK(carried<way::to_another>() == loop_use::older_fragment);
  CHECK(carried<way::sum_of_another>() == loop_use::older_fragment);
  CHECK(carried<way::refilled>() == loop_use::older_fragment);
  CHECK(carried<way::begun>() == loop_use::begun_sums);
}
TEST_CASE("variables of the body that a trip changes for the next one") {
  CHECK(carried<way::rows>() == loop_use::older_trip);
  CHECK(carried<way::part_of_a_vector>() == loop_use::older_trip);
  CHECK(why_not<way::tile>().find("a tile is used in another trip than it is loaded in") != std::string::npos);
  CHECK(why_not<way::left_factor>().find("a loop uses or overwrites a fragment from before it") != std::string::npos);
  CHECK(why_not<way::counter>().find("a variable of the body counts them") != std::string::npos);
#if defined(__GNUC__) && !defined(__clang__)  // which follows what a function has captured
  CHECK(why_not<way::captured>().find("a trip changes a number that the next one uses") != std::string::npos);
#endif
  CHECK(why_not<way::number>().find("a trip changes a number that the next one uses") != std::string::npos);
}

}  // namespace
