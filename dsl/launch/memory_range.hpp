// Which bytes of memory a tensor takes, and whether two tensors have one in common.
#pragma once
#include <cstdint>

namespace sectile {

/// A set of bytes: runs of `run` bytes, repeated along modes whose strides are larger than a run. Strides ascend.
struct byte_set {
  static constexpr int max_modes = 5;

  std::int64_t first = 0;  // address
  std::int64_t run = 0;    // bytes
  int modes = 0;
  std::int64_t count[max_modes]{};
  std::int64_t stride[max_modes]{};  // bytes

  /// Bytes from the first to behind the last.
  constexpr std::int64_t reach() const {
    std::int64_t bytes = run;
    for (int d = 0; d < modes; ++d) bytes += (count[d] - 1) * stride[d];
    return bytes;
  }
  constexpr std::int64_t last() const { return first + reach() - 1; }
};

/// The largest reach of a tensor, bytes: GPUs have virtual addresses of up to 57 bits.
constexpr std::int64_t longest_reach = std::int64_t{1} << 57;

/// Repeats a set `count` times, `stride` bytes apart, in ascending order of strides. False if it then reaches too far.
/// Precondition: count >= 1, stride >= 0.
constexpr bool repeat(byte_set& s, std::int64_t count, std::int64_t stride) {
  if (count == 1 || stride == 0) return true;
  if (stride > (longest_reach - s.reach()) / (count - 1)) return false;
  if (s.modes == 0 && stride <= s.run) {  // the runs touch: one longer run
    s.run += (count - 1) * stride;
    return true;
  }
  if (const int outer = s.modes - 1; outer >= 0 && stride == s.count[outer] * s.stride[outer]) {
    s.count[outer] *= count;  // one longer mode
    return true;
  }
  s.count[s.modes] = count;
  s.stride[s.modes++] = stride;
  return true;
}

enum class sharing : std::uint8_t { none, some, undecided };

namespace detail {

/// Whether first + sum of stride[i] * x[i], with low[i] <= x[i] <= high[i], can lie strictly between two bounds.
struct reachable_sum {
  static constexpr int max_terms = 2 * byte_set::max_modes;
  static constexpr int patience = 100'000;  // steps of the search

  std::int64_t above = 0, below = 0;  // the bounds
  int terms = 0;
  std::int64_t stride[max_terms]{};  // descending, all different
  std::int64_t low[max_terms]{}, high[max_terms]{};
  int steps = 0;

  constexpr void add(std::int64_t by, std::int64_t from, std::int64_t to) {
    int i = 0;
    while (i < terms && stride[i] > by) ++i;
    if (i == terms || stride[i] != by) {
      for (int j = terms++; j > i; --j) {
        stride[j] = stride[j - 1];
        low[j] = low[j - 1];
        high[j] = high[j - 1];
      }
      stride[i] = by;
      low[i] = high[i] = 0;
    }
    low[i] += from;
    high[i] += to;
  }

  /// Tries the terms from `i` on, the largest strides first: few values of each come near enough for the rest.
  /// Precondition: without terms, `sum` lies between the bounds.
  constexpr bool search(int i, std::int64_t sum) {
    if (++steps > patience) return false;
    if (i == terms) return true;       // the last term was chosen between the bounds
    std::int64_t least = 0, most = 0;  // what the terms behind this one can add
    for (int j = i + 1; j < terms; ++j) {
      least += stride[j] * low[j];
      most += stride[j] * high[j];
    }
    std::int64_t x = floor_quotient(above - most - sum, stride[i]) + 1;
    if (x < low[i]) x = low[i];
    for (; x <= high[i] && sum + stride[i] * x + least < below; ++x)
      if (search(i + 1, sum + stride[i] * x) || steps > patience) return steps <= patience;
    return false;
  }

  static constexpr std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }
};

}  // namespace detail

/// Whether two sets have a byte in common; undecided if their strides interleave in so wild a way that the search takes
/// too long. Exact, not a comparison of first and last bytes: two column ranges of one matrix share nothing.
/// Precondition: first >= 0 and reach() <= longest_reach in both.
constexpr sharing shared_bytes(const byte_set& a, const byte_set& b) {
  if (a.last() < b.first || b.last() < a.first) return sharing::none;
  detail::reachable_sum difference{};  // of where a run of a and a run of b begin
  difference.above = -a.run;
  difference.below = b.run;
  for (int d = 0; d < a.modes; ++d) difference.add(a.stride[d], 0, a.count[d] - 1);
  for (int d = 0; d < b.modes; ++d) difference.add(b.stride[d], 1 - b.count[d], 0);
  // Without strides these are two runs, of which the first line has seen that they meet.
  const bool found = difference.search(0, a.first - b.first);
  if (difference.steps > detail::reachable_sum::patience) return sharing::undecided;
  return found ? sharing::some : sharing::none;
}

}  // namespace sectile
