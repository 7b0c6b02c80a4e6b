// Sparse matrices of every type: random sizes, strides and bits through compress and decompress, and what is refused.
//
//   fuzz_sparse [matrices = 2000] [seed = 1]
//
// decompress o compress gives back every bit but the sign of a zero that is not stored; compress o decompress gives
// back the values and the metadata; pruned matrices are sparse and keep the largest; the first group that holds too
// much is named; metadata that is not legal is refused. Exits with 1 if a law broke.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sectile/dsl/launch/sparse.hpp>

#include "random.hpp"
#include "report.hpp"

namespace sectile_fuzz {
namespace {

using namespace sectile;

void require(bool ok, const std::string& law) {
  if (!ok) throw finding(law);
}

template <class T>
std::uint32_t bits_of(T x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

template <class T>
T from_bits(std::uint32_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Zero of either sign.
template <class T>
bool zero(T x) {
  const std::uint32_t sign = std::is_integral_v<T> ? 0 : std::uint32_t{1} << (8 * sizeof(T) - 1);
  return (bits_of(x) & ~sign) == 0;
}

/// How large an element is; of floating types the bits without the sign are in order.
template <class T>
std::int64_t magnitude_of(T x) {
  if constexpr (std::is_same_v<T, s8>) return x < 0 ? -std::int64_t{x} : std::int64_t{x};
  if constexpr (std::is_same_v<T, u8>) return std::int64_t{x};
  return bits_of(x) & ((std::uint32_t{1} << (8 * sizeof(T) - 1)) - 1);
}

template <class T>
struct sparse_case {
  static constexpr int group = sizeof(T) == 4 ? 2 : 4;
  static constexpr int kept = group / 2;

  random_source& random;
  std::int64_t m;
  std::int64_t k;
  std::int64_t stride;
  std::vector<T> dense;

  explicit sparse_case(random_source& source) : random(source) {
    m = random.once_in(3) ? random.between(1, 200) : random.between(1, 70);
    k = group * random.between(1, random.once_in(3) ? 80 : 20);
    stride = random.once_in(2) ? k : k + random.between(0, 9);
    dense.resize(static_cast<std::size_t>(m * stride));
    for (T& x : dense) x = random_element();
  }

  /// Any bits, zeros of both signs and special values among them.
  T random_element() {
    if (random.once_in(6))
      return from_bits<T>(
          static_cast<std::uint32_t>(random.one_of<std::uint64_t>({0, 0x80, 0x8000, 0x8000'0000, ~0u})));
    return from_bits<T>(static_cast<std::uint32_t>(random.next()));
  }

  T& at(std::int64_t row, std::int64_t col) { return dense[static_cast<std::size_t>(row * stride + col)]; }
  T* group_at(std::int64_t row, std::int64_t g) { return &at(row, g * group); }

  /// Zeros in random places of each group until it may be stored.
  void thin_out() {
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t g = 0; g < k / group; ++g) {
        T* const x = group_at(row, g);
        const auto others = [&] { return std::count_if(x, x + group, [](T e) { return !zero(e); }); };
        while (others() > kept || random.once_in(8)) x[random.below(group)] = from_bits<T>(0);
      }
    }
  }

  void check_round_trip() {
    thin_out();
    check_sparse(dense.data(), m, k, stride);
    const sparse_matrix<T> stored = compress(dense.data(), m, k, stride);
    check_metadata(stored);
    const std::vector<T> back = decompress(stored);
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t col = 0; col < k; ++col) {
        const T before = at(row, col);
        const T after = back[static_cast<std::size_t>(row * k + col)];
        require(bits_of(before) == bits_of(after) || (zero(before) && bits_of(after) == 0), "decompress o compress");
      }
    }
    const sparse_matrix<T> again = compress(back.data(), m, k);
    require(decompress(again).size() == back.size(), "compress o decompress: size");
    const std::vector<T> twice = decompress(again);
    require(std::memcmp(twice.data(), back.data(), back.size() * sizeof(T)) == 0, "compress o decompress");
    require(count_stored(stored) <= m * k / 2, "half is stored");
  }

  static std::int64_t count_stored(const sparse_matrix<T>& s) {
    return std::count_if(s.values.begin(), s.values.end(), [](T x) { return !zero(x); });
  }

  void check_prune() {
    const std::vector<T> before = dense;
    prune(dense.data(), m, k, stride);
    check_sparse(dense.data(), m, k, stride);
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t g = 0; g < k / group; ++g) {
        const T* const was = &before[static_cast<std::size_t>(row * stride + g * group)];
        const T* const is = group_at(row, g);
        for (int i = 0; i < group; ++i)
          require(bits_of(was[i]) == bits_of(is[i]) || zero(is[i]), "prune changes to zero only");
        require(kept_are_largest(was, is), "prune keeps the largest");
      }
    }
  }

  /// As many elements as are stored are at least as large as every other.
  static bool kept_are_largest(const T* was, const T* is) {
    std::int64_t magnitudes[group];
    for (int i = 0; i < group; ++i) magnitudes[i] = magnitude_of(was[i]);
    std::sort(magnitudes, magnitudes + group);
    for (int i = 0; i < group; ++i) {
      if (!zero(was[i]) && zero(is[i]) && magnitude_of(was[i]) > magnitudes[group - kept]) return false;
    }
    return true;
  }

  /// The first group, in order, that holds too much is the one that is named.
  void check_refusal() {
    thin_out();
    const std::int64_t row = random.below(m);
    const std::int64_t g = random.below(k / group);
    for (int i = 0; i < group; ++i) group_at(row, g)[i] = from_bits<T>(0x31);
    const std::string place = "row " + std::to_string(row) + ", columns " + std::to_string(g * group) + " to " +
                              std::to_string(g * group + group - 1);
    try {
      compress(dense.data(), m, k, stride);
    } catch (const launch_error& why) {
      require(std::string(why.what()).find(place) != std::string::npos, "the group is named: " + place);
      return;
    }
    require(false, "too full a group is stored: " + place);
  }

  void check_broken_metadata() {
    thin_out();
    sparse_matrix<T> s = compress(dense.data(), m, k, stride);
    std::uint32_t& word =
        s.metadata[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(s.metadata.size())))];
    const int bit = 4 * static_cast<int>(random.below(8));
    const auto nibble = static_cast<std::uint32_t>(random.below(16));
    word = (word & ~(0xFu << bit)) | nibble << bit;
    const std::uint32_t low = nibble & 3;
    const std::uint32_t high = nibble >> 2;
    const bool legal = sizeof(T) == 4 ? nibble == 4 || nibble == 14 : low < high;
    bool accepted = true;
    try {
      decompress(s);
    } catch (const launch_error&) {
      accepted = false;
    }
    require(accepted == legal, "metadata " + std::to_string(nibble) + " is accepted exactly if it is legal");
  }
};

/// Every group of a matrix has four bits of its own.
void check_places(random_source& random) {
  const int bits = random.one_of({8, 16, 32});
  const std::int64_t m = random.between(1, 150);
  const std::int64_t groups = random.between(1, 60);
  std::vector<std::int64_t> used;
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t g = 0; g < groups; ++g) {
      const metadata_place at = metadata_place_of(bits, row, g);
      require(at.row >= 0 && at.row < metadata_rows(m) && at.col >= 0 && at.bit % 4 == 0 && at.bit >= 0 &&
                  at.bit < 32 && at.col < metadata_cols(groups * sparse_group(bits), bits),
              "metadata lies in its matrix");
      require(metadata_group_at(bits, at) == matrix_group{row, g}, "the group of a place");
      used.push_back((at.row * 100'000 + at.col) * 32 + at.bit);
    }
  }
  std::sort(used.begin(), used.end());
  require(std::adjacent_find(used.begin(), used.end()) == used.end(), "every group has bits of its own");
}

template <class T>
void check_type(random_source& random) {
  switch (random.below(4)) {
    case 0:
      return sparse_case<T>(random).check_prune();
    case 1:
      return sparse_case<T>(random).check_refusal();
    case 2:
      return sparse_case<T>(random).check_broken_metadata();
    default:
      return sparse_case<T>(random).check_round_trip();
  }
}

int run(std::int64_t count, std::uint64_t seed) {
  report out;
  constexpr void (*types[])(random_source&) = {check_type<f16>,  check_type<bf16>, check_type<tf32>, check_type<e4m3>,
                                               check_type<e5m2>, check_type<s8>,   check_type<u8>,   check_places};
  for (std::int64_t number = 0; number < count; ++number) {
    random_source random(seed, static_cast<std::uint64_t>(number));
    const auto which = static_cast<std::size_t>(number) % std::size(types);
    try {
      types[which](random);
    } catch (const std::exception& what) {
      out.found(number, what.what());
    }
  }
  std::printf("%lld matrices, seed %llu: %lld findings\n", static_cast<long long>(count),
              static_cast<unsigned long long>(seed), static_cast<long long>(out.findings));
  return out.findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sectile_fuzz

int main(int argc, char** argv) {
  const auto argument = [&](int i, long long otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  return sectile_fuzz::run(argument(1, 2000), static_cast<std::uint64_t>(argument(2, 1)));
}
