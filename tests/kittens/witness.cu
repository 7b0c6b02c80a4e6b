// ThunderKittens as a witness of layouts/adapt: where its own tiles say that an element lies, and where from_kittens()
// does, for every element of tiles of every swizzle. Its functions are __device__; those of the tile are compiled for
// the host as well, so that no GPU is needed. Ends with 1 if the two differ.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sectile/layouts.hpp>
#include <sectile/layouts/adapt/kittens.hpp>

#include "types/shared/sv.cuh"
// and, behind all that stays on the device:
#undef __device__
#define __device__ __attribute__((host)) __attribute__((device))
namespace kittens {
__device__ inline int no_lane() { return 0; }
}  // namespace kittens
#define laneid no_lane  // which a part of a tile asks for that is not used here
#include "types/shared/st.cuh"

namespace {

int tiles = 0, elements = 0, wrong = 0;

template <class T, int Rows, int Columns, bool Swizzled, int Bytes>
void ask() {
  using tile = kittens::st<T, Rows, Columns, Swizzled, Bytes>;
  constexpr sectile::swizzled_layout ours = sectile::from_kittens<tile>();
  ++tiles;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Columns; ++c) {
      const auto theirs = static_cast<std::int64_t>(tile::idx(std::uint32_t{0}, int2{r, c}));
      ++elements;
      if (ours(r, c) * static_cast<std::int64_t>(sizeof(T)) == theirs) continue;
      if (wrong++ < 10)
        std::printf("%d x %d of %d bits, swizzle %d bytes: (%d, %d) is at byte %lld, here at %lld\n", Rows, Columns,
                    static_cast<int>(8 * sizeof(T)), tile::swizzle_bytes, r, c, static_cast<long long>(theirs),
                    static_cast<long long>(ours(r, c) * sizeof(T)));
    }
}

/// Of every swizzle that the columns are whole spans of; 0: the one that the tile chooses.
template <class T, int Rows, int Columns>
void ask_swizzles() {
  constexpr int bytes = Columns * static_cast<int>(sizeof(T));
  ask<T, Rows, Columns, true, 0>();
  if constexpr (bytes % 32 == 0 && sizeof(T) < 4) ask<T, Rows, Columns, true, 32>();
  if constexpr (bytes % 64 == 0) ask<T, Rows, Columns, true, 64>();
  if constexpr (bytes % 128 == 0) ask<T, Rows, Columns, true, 128>();
  ask<T, Rows, Columns, false, 0>();
}
template <class T>
void ask_type() {
  ask_swizzles<T, 16, 32>(), ask_swizzles<T, 64, 64>(), ask_swizzles<T, 64, 96>(), ask_swizzles<T, 128, 128>();
  ask_swizzles<T, 32, 160>(), ask_swizzles<T, 64, 256>();
}

}  // namespace

int main() {
  ask_type<kittens::bf16>(), ask_type<kittens::half>(), ask_type<float>(), ask_type<kittens::fp8e4m3>();
  std::printf("%d tiles, %d elements, %d elsewhere\n", tiles, elements, wrong);
  return wrong > 0 || elements == 0 ? 1 : 0;
}
