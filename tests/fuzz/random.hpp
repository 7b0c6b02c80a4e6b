#pragma once
// Random numbers that are the same on every machine: case number n of a seed can be run again alone.

#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace sectile_fuzz {

/// SplitMix64 (Steele, Lea, Flood 2014). Cheap to start, so every case has a generator of its own.
struct random_source {
  std::uint64_t state = 0;

  random_source(std::uint64_t seed, std::uint64_t number) : state(seed * 0x9E37'79B9'7F4A'7C15u ^ number) { next(); }

  std::uint64_t next() {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15u;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBu;
    return z ^ z >> 31;
  }

  /// A whole number from 0 to n - 1. Precondition: n >= 1.
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }

  /// A whole number from low to high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }

  /// True once in n times.
  bool once_in(std::int64_t n) { return below(n) == 0; }

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *std::next(choices.begin(), static_cast<std::ptrdiff_t>(below(static_cast<std::int64_t>(choices.size()))));
  }
};

}  // namespace sectile_fuzz
