// The portable readings: what a body means on GPUs before Hopper.
//
// A CTA makes one output tile. It copies the tiles that the body loads into shared memory with ordinary threads, and
// multiplies them with nvcuda::wmma (one warp at a time, sm_70 and later) or with plain multiplications (SIMT). The
// configuration's stages, clusters, order of tiles and ping-pong are Hopper's; besides its tile, only `consumers`
// counts: it says how many warpgroups of 128 threads a CTA has.
#pragma once

namespace sectile::portable {

/// The extent of a fragment; 0 x 0 for readings without fragments.
struct fragment_shape {
  int m = 0, n = 0;
  constexpr bool is_wmma() const { return m > 0; }
  /// Whether wmma has such fragments.
  constexpr bool exists() const { return (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32); }
};

/// Through nvcuda::wmma with fragments of M x N: 16 x 16, 32 x 8 or 8 x 32 (CUDA C++ Programming Guide, "Warp Matrix
/// Functions"). tf32 has 16 x 16 only.
template <int M = 16, int N = 16>
struct wmma {
  static constexpr fragment_shape shape{M, N};
};

/// Every thread multiplies for itself.
struct simt {
  static constexpr fragment_shape shape{};
};

}  // namespace sectile::portable
