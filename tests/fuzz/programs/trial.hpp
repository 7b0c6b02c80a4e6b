// Running one generated program: its verdict, and if it has all proofs, random shapes on the model against the naive
// reading.
#pragma once
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/sparse.hpp>
#include <string>
#include <tuple>

#include "tests/fuzz/programs/naive.hpp"
#include "tool/random.hpp"

namespace sectile::naive {

/// Independent draws from a seed.
struct draws {
  std::uint64_t seed = 0, count = 0;
  int below(int n) { return static_cast<int>((tool::hash(seed, count++) >> 8) % static_cast<std::uint64_t>(n)); }
};

/// The size of every mode, the same in all operands, with a prime or without.
struct mode_sizes {
  char name[max_operands * max_rank]{};
  std::int64_t size[max_operands * max_rank]{};
  int count = 0;
  std::int64_t of(char mode) const {
    for (int i = 0; i < count; ++i)
      if (name[i] == mode) return size[i];
    return 0;
  }
};

/// What a program says about one of its modes.
struct mode_rules {
  int tile = 0;           // the largest of any operand
  int granule = 1;        // sizes are multiples
  bool one_tile = false;  // some operand is not stepped along it
  int smallest_tile = 1 << 30;
};
inline mode_rules rules_of(const plan& p, char mode) {
  mode_rules r{};
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const operand_facts& f = op.facts;
    for (int d = 0; f.kind != operand_kind::scalar && d < f.tile.rank; ++d) {
      if (f.mode_name[d][0] != mode) continue;
      r.tile = std::max(r.tile, f.tile.extent[d]);
      if (!op.stepped[d]) {
        r.one_tile = true;
        r.smallest_tile = std::min(r.smallest_tile, f.tile.extent[d]);
      }
      if (f.type.bits == 1) r.granule = 8;
      if (f.sparse && d == 1) r.granule = std::max(r.granule, 4);
    }
  }
  return r;
}

/// Sizes from one element to a few tiles; what hangs over an edge is as likely as what fits.
inline mode_sizes random_sizes(const plan& p, draws& d) {
  mode_sizes s{};
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    for (int m = 0; f.kind != operand_kind::scalar && m < f.tile.rank; ++m) {
      const char mode = f.mode_name[m][0];
      if (s.of(mode)) continue;
      const mode_rules r = rules_of(p, mode);
      const bool is_output = p.operand[p.work].facts.mode_name[0][0] == mode ||
                             p.operand[p.work].facts.mode_name[1][0] == mode;
      const int most_tiles = r.tile == 1 ? 3 : is_output ? (r.tile >= 192 ? 2 : 3) : 1 + d.below(p.how.stages + 2);
      std::int64_t size = 0;
      switch (d.below(5)) {
        case 0:
          size = 1 + d.below(r.tile);
          break;  // less than a tile
        case 1:
          size = std::int64_t{r.tile} * (1 + d.below(most_tiles));
          break;  // whole tiles
        default:
          size = 1 + d.below(r.tile * most_tiles);
          break;
      }
      if (r.one_tile) size = 1 + size % r.smallest_tile;
      size = (size + r.granule - 1) / r.granule * r.granule;
      if (r.one_tile && size > r.smallest_tile) size = r.smallest_tile;
      s.name[s.count] = mode;
      s.size[s.count++] = size;
    }
  }
  return s;
}

/// The tensors and numbers of one run, by operand.
template <class K>
struct operand_set {
  static constexpr int count = operand_count<K>;
  template <int I>
  using element_at = typename operand_at<K, I>::element_type;
  template <int I>
  static constexpr bool is_scalar = operand_at<K, I>::kind == operand_kind::scalar;

  template <int I, bool Scalar = is_scalar<I>>
  struct holder {
    tensor<element_at<I>> data;
  };
  template <int I>
  struct holder<I, true> {
    element_at<I> data;
  };

  template <class Sequence>
  struct storage;
  template <int... I>
  struct storage<std::integer_sequence<int, I...>> : holder<I>... {
    storage(const mode_sizes& s, draws& d) : holder<I>{make<I>(s, d)}... {}
  };
  storage<std::make_integer_sequence<int, count>> all;
  mode_sizes sizes;
  std::vector<double> expected;
  std::vector<bool> stored;

  operand_set(const mode_sizes& s, draws& d) : all(s, d), sizes(s) {
    const auto& c = tensor_of<plan_of<K>.work>();
    expected.assign(index_end(c), 0);
    stored.assign(index_end(c), false);
  }

  template <int I>
  auto& tensor_of() {
    return static_cast<holder<I>&>(all).data;
  }

  template <int I>
  static holder<I> make(const mode_sizes& s, draws& d) {
    if constexpr (is_scalar<I>) {
      return {static_cast<element_at<I>>(d.below(4))};
    } else {
      constexpr operand_facts f = operand_facts_of<K, I>();
      std::int64_t extent[max_rank]{};
      for (int m = 0; m < f.tile.rank; ++m) extent[m] = s.of(f.mode_name[m][0]);
      return {tensor<element_at<I>>(f.tile.rank, extent, f.order, d.below(3))};
    }
  }

  template <class T>
  static std::size_t index_end(const tensor<T>& t) {
    std::size_t n = 1;
    for (int d = 0; d < t.rank; ++d) n *= static_cast<std::size_t>(t.extent[d]);
    return n;
  }
  template <class T>
  static std::size_t index_in(const tensor<T>& t, const std::int64_t (&at)[max_rank]) {
    std::size_t n = 0;
    for (int d = 0; d < t.rank; ++d) n = n * static_cast<std::size_t>(t.extent[d]) + static_cast<std::size_t>(at[d]);
    return n;
  }
  void expect(const std::int64_t (&at)[max_rank], double x) {
    const auto& c = tensor_of<plan_of<K>.work>();
    if (!c.has(at)) return;
    expected[index_in(c, at)] = x;
    stored[index_in(c, at)] = true;
  }

  /// Small whole numbers, more zeros than anything else; of a sparse operand two of four are zero.
  void fill(draws& d) {
    each([&]<int I>() {
      if constexpr (!is_scalar<I>) {
        auto& t = tensor_of<I>();
        constexpr operand_facts f = operand_facts_of<K, I>();
        if (f.kind == operand_kind::output) return;
        const int group = f.type.bits == 32 ? 2 : 4;
        t.for_each([&](const auto& at) {
          int x = f.type.kind == number::bits ? d.below(2) : d.below(4) == 0 ? d.below(5) - 2 : d.below(3) - 1;
          if (f.type.kind == number::unsigned_integer) x = x < 0 ? 3 : x;
          if (f.sparse && static_cast<int>(at[1] % group) < group / 2 == (at[1] / group + at[0]) % 2) x = 0;
          t.set(at, x);
        });
      }
    });
  }

  template <class F>
  static void each(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f.template operator()<I>(), ...); }
    (std::make_integer_sequence<int, count>{});
  }

  /// What a launch takes for operand I.
  template <int I>
  auto argument() {
    if constexpr (is_scalar<I>)
      return tensor_of<I>();
    else if constexpr (operand_at<K, I>::kind == operand_kind::output)
      return tensor_of<I>().template view_as<element_at<I>>();
    else
      return tensor_of<I>().template view_as<const element_at<I>>();
  }
  /// What a naive body takes.
  template <int I>
  typename body_argument<K, I>::type handle() {
    if constexpr (is_scalar<I>) {
      return typename body_argument<K, I>::type(tensor_of<I>());
    } else {
      operand_handle<K, I> h{};
      constexpr operand_facts f = operand_facts_of<K, I>();
      for (int d = 0; d < f.tile.rank; ++d) {
        const int size = static_cast<int>(tensor_of<I>().extent[d]);
        handle_access::extent(h)[d] = size;
        handle_access::tile_count(h)[d] = (size + f.tile.extent[d] - 1) / f.tile.extent[d];
      }
      return h;
    }
  }
};

/// Runs K's body for every output tile, one after the other.
template <class K, int... I>
exactness run_naively(operand_set<K>& s, std::integer_sequence<int, I...>) {
  exactness watch{};
  constexpr int o = plan_of<K>.work;
  const auto c = s.template handle<o>();
  constexpr int rank = operand_handle<K, o>::rank;
  tile_coordinates<max_rank> at{};
  for (;;) {
    machine<K, operand_set<K>> sm{s, watch, at};
    K::body(sm, s.template handle<I>()...);
    int d = rank - 1;
    while (d >= 0 && ++at.at[d] == handle_access::tile_count(c)[d]) at.at[d--] = 0;
    if (d < 0) return watch;
  }
}

/// Sparse operands are compressed on the way to a launch.
template <class T>
struct compressed {
  sparse_matrix<T> matrix;
};
template <class K, int I>
auto launch_argument(operand_set<K>& s) {
  if constexpr (operand_at<K, I>::sparse) {
    auto v = s.template argument<I>();
    return compress(v.data, v.extent[0], v.extent[1], v.stride[0]);
  } else {
    return s.template argument<I>();
  }
}
template <class X>
const X& as_view(const X& x) {
  return x;
}
template <sparse_element T>
auto as_view(const sparse_matrix<T>& x) {
  return x.view();
}
template <class K, int... I>
void run_modelled(operand_set<K>& s, const model_options& how, std::integer_sequence<int, I...>) {
  const auto arguments = std::make_tuple(launch_argument<K, I>(s)...);
  run_on_model_by_itself<K>(how, as_view(std::get<I>(arguments))...);
}

/// What a run was and what was wrong with it; nothing if it was right.
struct trial {
  std::string shape, wrong;
  bool exact = true;
};

inline std::string text(const mode_sizes& s) {
  std::string t;
  for (int i = 0; i < s.count; ++i) t += (i ? " " : "") + std::string(1, s.name[i]) + "=" + std::to_string(s.size[i]);
  return t;
}

template <class K>
std::string compare(operand_set<K>& s, bool exact) {
  auto& c = s.template tensor_of<plan_of<K>.work>();
  double squares = 0;
  for (const double x : s.expected) squares += x * x;
  const double rms = std::sqrt(squares / static_cast<double>(s.expected.size()));
  std::string first;
  int wrong = 0;
  c.for_each([&](const auto& at) {
    const std::size_t i = s.index_in(c, at);
    const double found = c.number(at), expected = s.expected[i];
    const double bar = exact ? 0 : 0x1p-6 * (std::abs(expected) + rms);
    if (s.stored[i] && (found == expected || std::abs(found - expected) <= bar)) return;
    if (wrong++) return;
    for (int d = 0; d < c.rank; ++d) first += (d ? ", " : "element ") + std::to_string(at[d]);
    first += " is " + std::to_string(found) + ", not " + std::to_string(expected);
  });
  if (wrong) return std::to_string(wrong) + " elements are wrong: " + first;
  if (const int n = c.touched()) return std::to_string(n) + " bytes beside the output were written";
  return {};
}

/// One random run of K, a pure function of the seed.
template <class K>
trial try_program(std::uint64_t seed) {
  draws d{seed};
  constexpr auto all = std::make_integer_sequence<int, operand_count<K>>{};
  const mode_sizes sizes = random_sizes(plan_of<K>, d);
  trial o{text(sizes), {}};
  operand_set<K> s(sizes, d);
  s.fill(d);
  const exactness watch = run_naively<K>(s, all);
  o.exact = watch.exact;
  try {
    run_modelled<K>(
        s, {.schedule = seed % 3 != 0 ? schedule_mode::random : schedule_mode::fair, .seed = seed, .workers = 1}, all);
    o.wrong = compare<K>(s, watch.exact);
  } catch (const std::exception& e) {
    o.wrong = e.what();
  }
  return o;
}

}  // namespace sectile::naive
