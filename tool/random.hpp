// Standard-normal numbers by index: element i of a seed is a pure function of (seed, i), so that a matrix can be filled
// in any order by any number of threads, and is the same on every machine. Only operations that IEEE 754 rounds exactly
// are used; the logarithm and the sine are written out, because those of C libraries differ in the last bit.
// Source: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958; the hash is the finalizer of
// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstdint>
#include <span>

namespace sectile::tool {

/// 64 well mixed bits for a counter.
constexpr std::uint64_t hash(std::uint64_t seed, std::uint64_t counter) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  return mix(mix(seed + golden) + (counter + 1) * golden);
}

/// Element `index` of the sequence of `seed`: mean 0, variance 1, magnitude below 8.7.
double standard_normal(std::uint64_t seed, std::uint64_t index);

/// out[i] = standard_normal(seed, i) rounded to float, on all cores.
void fill_standard_normal(std::span<float> out, std::uint64_t seed);

}  // namespace sectile::tool
