// Layers whose weights have scales for groups of K, and sums to which each trip of a split loop adds scaled products:
// the bits are those of the parts, each begun with zeros and added in the order of its trips, in the order of the
// parts.
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/shuffle.hpp>
#include <sectile/kernels/group_quantized_linear.hpp>

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// The shipped layer in one configuration and with C in f32.
template <class Weight, int Group, bool Zeros, int Parts, int Consumers = 1, cluster_shape Cluster = cluster_shape{}>
struct layer : kernels::group_quantized_linear<Weight, bf16, Group, Zeros> {
  static constexpr auto operands = sectile::operands(
      input<"W(N,K)", Weight>(), input<"A(M,K)", bf16>(), vector_input<"scale(G,N)", bf16>(with_tiles),
      output<"C(N,M)", float>(), when<Zeros>(vector_input<"zero(G,N)", bf16>(with_tiles)));
  static constexpr configuration how{.tile = {{"N", 64 * Consumers}, {"M", 16}, {"K", Group}, {"G", 1}},
                                     .stages = 3,
                                     .cluster = Cluster,
                                     .consumers = Consumers,
                                     .split = Parts};
};

template <class Weight>
float number_of(const std::vector<unshuffled<Weight>>& w, int at) {
  constexpr element e = element_of<Weight>();
  std::uint8_t byte = 0;
  std::memcpy(&byte, &w[static_cast<std::size_t>(e.bits == 4 ? at / 2 : at)], 1);
  if constexpr (e.kind == number::floating) return static_cast<float>(w[static_cast<std::size_t>(at)]);
  const int code = e.bits == 4 ? byte >> 4 * (at % 2) & 15 : byte;
  return static_cast<float>(e.kind == number::signed_integer && code >= 1 << (e.bits - 1) ? code - (1 << e.bits)
                                                                                          : code);
}

/// A layer's data: n outputs, m rows of A, k inputs.
template <class Weight, int Group>
struct problem {
  static constexpr int bits = element_of<Weight>().bits;
  int n, m, k, groups = (k + Group - 1) / Group;
  std::vector<unshuffled<Weight>> w;
  std::vector<Weight> stored;
  host_tensor<bf16> A{{m, k}};
  std::vector<bf16> scale, zero;

  problem(int outputs, int rows, int inputs) : n(outputs), m(rows), k(inputs) {
    constexpr int least = element_of<Weight>().kind == number::signed_integer ? -8 : 0;
    w.resize(static_cast<std::size_t>(n * k * bits / 8));
    unsigned seed = 9;
    const auto next = [&] { return static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 24); };
    for (auto& x : w) {
      auto byte = static_cast<std::uint8_t>(next());
      if (element_of<Weight>().kind == number::floating) byte &= 0xBF;  // no NaN
      std::memcpy(&x, &byte, 1);
    }
    if constexpr (is_shuffled<Weight>)
      stored = shuffle(w.data(), n, k, k);
    else
      stored = w;
    A.fill(1);
    for (int i = 0; i < n * groups; ++i) {
      scale.push_back(bf16(static_cast<float>(next() + 1) / 97));
      zero.push_back(bf16(static_cast<float>(least + next() % 16)));
    }
  }
  /// Groups first .. last - 1 of K alone, by a kernel of its own.
  template <class K>
  void run_on(host_tensor<float>& C, int first, int last, const model_options& how = {.workers = 2}) const {
    const int begin = first * Group, columns = std::min(k, last * Group) - begin;
    auto a = A.in();
    a.data += begin, a.extent[1] = columns;
    const auto of_groups = [&](const std::vector<bf16>& x) { return tensor(x.data() + first * n, last - first, n); };
    const auto weights = matrix(stored.data() + begin * bits / 8, n, columns, k);
    const auto launch = [&](const auto&... more) {
      host_workspace memory(workspace_bytes<K>(weights, a, of_groups(scale), C.view(), more...));
      run_on_model_with<K>(how, weights, a, of_groups(scale), C.view(), more..., memory.view());
    };
    if constexpr (operand_count<K> == 5)
      launch(of_groups(zero));
    else
      launch();
  }
  double number(int output, int row, bool less_zeros, bool rounded_weights = false) const {
    double sum = 0;
    for (int l = 0; l < k; ++l) {
      const auto of_group = static_cast<std::size_t>(l / Group * n + output);
      const double zeros = less_zeros ? static_cast<double>(static_cast<float>(zero[of_group])) : 0;
      const double weight = (static_cast<double>(number_of<Weight>(w, output * k + l)) - zeros) *
                            static_cast<double>(static_cast<float>(scale[of_group]));
      sum += (rounded_weights ? static_cast<double>(static_cast<float>(bf16(static_cast<float>(weight)))) : weight) *
             A.number(row, l);
    }
    return sum;
  }
};

/// In so many parts: close to what a plain sum gives, on a second schedule as well; and the bits of the parts.
template <class Weight, int Group, bool Zeros, int Parts, int Consumers = 1, cluster_shape Cluster = cluster_shape{}>
void check_parts(int n, int m, int k) {
  CAPTURE(Parts);
  CAPTURE(k);
  using in_parts = layer<Weight, Group, Zeros, Parts, Consumers, Cluster>;
  using whole = layer<Weight, Group, Zeros, 1, Consumers>;
  static_assert(verified<in_parts> && verified<whole>);
  const problem<Weight, Group> p(n, m, k);
  host_tensor<float> C({n, m}), again({n, m}), part({n, m}), sum({n, m});
  p.template run_on<in_parts>(C, 0, p.groups);
  check_close(C, f32_close, [&](int i, int j) { return p.number(i, j, Zeros); });
  p.template run_on<in_parts>(again, 0, p.groups, {.schedule = schedule_mode::random, .seed = 3, .workers = 2});
  CHECK(again.elements() == C.elements());
  std::vector<float> total(C.elements().size());
  for (int i = 0; i < Parts; ++i) {
    const trip_part own = part_of_trips(p.groups, i, Parts);
    std::vector<float> more(total.size());
    if (own.count > 0) {
      p.template run_on<whole>(part, own.first, own.first + own.count);
      more = part.elements();
    }
    for (std::size_t x = 0; x < total.size(); ++x) total[x] = i == 0 ? more[x] : total[x] + more[x];
  }
  CHECK(std::memcmp(total.data(), C.elements().data(), total.size() * sizeof(float)) == 0);
  if (Parts == 1 || p.groups < 4) return;
  p.template run_on<whole>(sum, 0, p.groups);
  CHECK(sum.elements() != C.elements());  // another order is seen
}

TEST_CASE("scales of groups of K, in parts that meet in a cluster: uneven, and more than there are groups") {
  check_parts<shuffled<s4x2>, 128, false, 3>(70, 21, 7 * 128 - 64);
  check_parts<shuffled<s4x2>, 128, false, 8>(64, 5, 5 * 128);
  check_parts<s8, 32, false, 2>(70, 9, 5 * 32 + 16);
  if constexpr (exhaustively) {
    check_parts<s4x2, 64, false, 2, 2, cluster_shape{1, 2}>(133, 40, 6 * 64);
    check_parts<e4m3, 64, false, 5>(70, 9, 9 * 64 + 32);
    check_parts<shuffled<s8>, 128, false, 4>(70, 16, 9 * 128);
  }
}
TEST_CASE("zero points of 4-bit integers") {
  check_parts<shuffled<u4x2>, 128, true, 2>(70, 21, 5 * 128);
  if constexpr (exhaustively) {
    check_parts<s4x2, 64, true, 1>(64, 16, 3 * 64);
    check_parts<u4x2, 64, true, 7>(70, 5, 11 * 64);
    check_parts<shuffled<s4x2>, 128, true, 4, 2>(128, 16, 9 * 128);
  }
}
/// The way of many activations: weights are scaled, and rounded.
template <class Weight, bool Zeros>
struct of_scaled_weights : layer<Weight, 128, Zeros, 1> {
  static constexpr configuration how = [] {
    configuration c = layer<Weight, 128, Zeros, 1>::how;
    c.variant = of_scaled_weights::scales_weights;
    return c;
  }();
};
template <class Weight, bool Zeros>
void check_scaled_weights() {
  static_assert(verified<of_scaled_weights<Weight, Zeros>>);
  const problem<Weight, 128> p(70, 21, 3 * 128 - 64);
  host_tensor<float> C({70, 21}), of_sums({70, 21});
  p.template run_on<of_scaled_weights<Weight, Zeros>>(C, 0, 3);
  check_close(C, f32_close, [&](int i, int j) { return p.number(i, j, Zeros, true); });
  p.template run_on<layer<Weight, 128, Zeros, 1>>(of_sums, 0, 3);
  CHECK(of_sums.elements() != C.elements());  // the rounding is seen
}
TEST_CASE("weights that are scaled and rounded in registers") {
  check_scaled_weights<shuffled<s4x2>, false>();
  check_scaled_weights<u4x2, true>();
  check_scaled_weights<shuffled<s8>, false>();
  if constexpr (exhaustively) check_scaled_weights<e4m3, false>();
}
TEST_CASE("parts of scaled sums that meet in a workspace") {
  static_assert(plan_of<layer<shuffled<s4x2>, 128, false, 9>>.how.uses_workspace());
  check_parts<shuffled<s4x2>, 128, false, 9>(70, 21, 11 * 128);
  if constexpr (exhaustively) check_parts<u4x2, 64, true, 12>(70, 5, 13 * 64);
}

// ---- the same of whatever a trip makes: its own sums, scaled by rows and by a block, and taken away

template <configuration How>
struct scaled_sums {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"rows(KB,M)", float>(),
                        vector_input<"blocks(NB,KB)", float>(with_tiles), output<"C(M,N)", float>());
  static constexpr configuration how = How.with_tile({{"M", 64}, {"N", 64}, {"K", 16}, {"KB", 1}});
  static constexpr void body(auto& sm, auto A, auto B, auto rows, auto blocks, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto block = as<"KB">(k);
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(rows, {block, m});
      sum = fma(sm.load(blocks, {as<"NB">(n), block}), part, sum - part);
    }
    sm.store(C, {m, n}, sum);
  }
};
/// On a GPU for `at_once` clusters, which is what a stream is cut by.
template <configuration How>
void check_scaled_sums(int m, int n, int k, int at_once) {
  using kernel = scaled_sums<How>;
  static_assert(verified<kernel>);
  const int blocks = (k + 15) / 16, columns = (n + 63) / 64;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  const host_vector<float> of_rows(m, 1, 4, blocks), of_blocks(blocks, 1, 5, columns);
  const auto rows = of_rows.batches(), squares = of_blocks.batches();
  host_workspace memory(workspace_bytes<kernel>(A.in(), B.in(), rows, squares, C.view()));
  for (const schedule_mode how : {schedule_mode::fair, schedule_mode::random}) {
    C.poison();
    run_on_model_with<kernel>({.schedule = how, .seed = 5, .workers = 2, .clusters = at_once}, A.in(), B.in(), rows,
                              squares, C.view(), memory.view());
    check_close(C, f32_close, [&](int i, int j) {
      double sum = 0;
      for (int x = 0; x < k; ++x)
        sum += A.number(i, x) * B.number(j, x) * (of_rows(i, x / 16) + of_blocks(x / 16, j / 64) - 1);
      return sum;
    });
  }
}
TEST_CASE("what is added to a sum in several steps, in parts and in the parts of a stream") {
  constexpr configuration in_three{.stages = 4, .consumers = 1, .split = 3};
  constexpr configuration in_nine{.stages = 4, .consumers = 1, .split = 9};
  constexpr configuration streamed{.stages = 4, .consumers = 1, .persistent = true, .streamed = true};
  check_scaled_sums<in_three>(70, 72, 7 * 16 + 8, 0);
  check_scaled_sums<streamed>(70, 72, 64 * 16, 3);
  if constexpr (exhaustively) check_scaled_sums<in_nine>(70, 72, 11 * 16, 0);
}
TEST_CASE("a checked kernel adds up scaled parts") {
  using kernel = layer<shuffled<u4x2>, 128, true, 2>;
  const problem<shuffled<u4x2>, 128> p(64, 16, 3 * 128);
  host_tensor<float> C({64, 16}), expected({64, 16});
  p.run_on<checked<kernel>>(C, 0, 3);
  p.run_on<kernel>(expected, 0, 3);
  CHECK(C.elements() == expected.elements());
}

/// Parts of the member that a launch on an H200 takes.
int parts_picked(int n, int m, int k) {
  using layer = kernels::group_quantized_linear<shuffled<s4x2>, bf16>;
  return layer::how.at[choice<layer>({{"N", n}, {"M", m}, {"K", k}, {"G", k / 128}}).member].split;
}
TEST_CASE("few activations get parts of K where the tiles of weights are fewer than SMs") {
  for (const int m : {1, 16, 64}) {
    CHECK(parts_picked(4096, m, 4096) == 2);
    CHECK(parts_picked(8192, m, 8192) == 2);
    CHECK(parts_picked(4096, m, 14336) == 2);
    CHECK(parts_picked(14336, m, 4096) == 1);
  }
  CHECK(parts_picked(4096, 4096, 4096) == 1);
}

}  // namespace
