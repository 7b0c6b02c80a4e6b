// TMA boxes: what CuTe asks the driver to encode for a tile, and what boxes_of() finds by inversion. The driver's
// function is one here that takes notes, so that no GPU is needed.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12  // CuTe makes tensor maps from this version of CUDA on
#define __CUDACC_VER_MINOR__ 4
#endif
#define CUTLASS_ENABLE_DIRECT_CUDA_DRIVER_CALL 1

#include "witness.hpp"

#include "questions.hpp"

// What follows asserts in classes too, where no note can be made.
#undef CUTE_STATIC_ASSERT_V
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value)

#include <cute/tensor.hpp>
// and, which needs it:
#include <cute/atom/mma_traits_sm90_gmma.hpp>
// and, which needs these:
#include <cute/atom/copy_atom.hpp>
// and, which needs this:
#include <cute/atom/copy_traits_sm90_tma.hpp>

namespace witness {
namespace {

/// The last tensor map that was asked for.
struct asked_map {
  int rank = 0;
  std::uint32_t box[5] = {};
  int swizzle = 0;
} asked;

}  // namespace
}  // namespace witness

extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t rank, void*, const cuuint64_t*,
                                           const cuuint64_t*, const cuuint32_t* box, const cuuint32_t*,
                                           CUtensorMapInterleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                           CUtensorMapFloatOOBfill) {
  witness::asked = {static_cast<int>(rank), {}, static_cast<int>(swizzle)};
  for (cuuint32_t d = 0; d < rank; ++d) witness::asked.box[d] = box[d];
  return CUDA_SUCCESS;
}

namespace witness {
namespace {

template <major Direction, swizzle_mode Mode, class Element, class Atom, int Rows>
void ask_box() {
  constexpr int bits = cute::sizeof_bits<Element>::value, span = span_bytes(Mode) * 8 / bits;
  using Extents = std::conditional_t<Direction == major::k, cute::Shape<cute::Int<Rows>, cute::Int<span>>,
                                     cute::Shape<cute::Int<span>, cute::Int<Rows>>>;
  using Tile = decltype(cute::tile_to_shape(Atom{}, Extents{}));
  alignas(16) static Element memory[16];
  const auto steps = cute::conditional_return<Direction == major::k>(cute::make_stride(4096, cute::Int<1>{}),
                                                                     cute::make_stride(cute::Int<1>{}, 4096));
  const auto matrix = cute::make_tensor(cute::make_gmem_ptr(&memory[0]), cute::make_shape(4096, 4096), steps);
  asked = {};
  cute::make_tma_copy(cute::SM90_TMA_LOAD{}, matrix, Tile{});

  const swizzled_layout tile = from_cute(Tile{});
  const tma_box box = boxes_of(tile, Direction, bits).box;
  bool alike = asked.rank == 2 && asked.swizzle == static_cast<int>(Mode);  // the driver counts the modes alike
  for (int d = 0; d < 2; ++d) alike = alike && static_cast<int>(asked.box[d]) == box.extent[d];
  if (!alike) ++all.wrong;
  all.take("TMA boxes", alike ? "the same" : "ANOTHER BOX",
           to_string(tile) + "\n      here: " + std::to_string(box.extent[0]) + " x " + std::to_string(box.extent[1]) +
               "\n      CuTe: " + std::to_string(asked.box[0]) + " x " + std::to_string(asked.box[1]) + " of rank " +
               std::to_string(asked.rank) + ", swizzle " + std::to_string(asked.swizzle));
}

template <class Element, int Rows>
void ask_k_major() {
  using namespace cute::SM90::GMMA;
  ask_box<major::k, swizzle_mode::b32, Element, Layout_K_SW32_Atom<Element>, Rows>();
  ask_box<major::k, swizzle_mode::b64, Element, Layout_K_SW64_Atom<Element>, Rows>();
  ask_box<major::k, swizzle_mode::b128, Element, Layout_K_SW128_Atom<Element>, Rows>();
}
template <class Element, int Rows>
void ask_mn_major() {
  using namespace cute::SM90::GMMA;
  ask_box<major::mn, swizzle_mode::b32, Element, Layout_MN_SW32_Atom<Element>, Rows>();
  ask_box<major::mn, swizzle_mode::b64, Element, Layout_MN_SW64_Atom<Element>, Rows>();
  ask_box<major::mn, swizzle_mode::b128, Element, Layout_MN_SW128_Atom<Element>, Rows>();
}

const questions here([] {
  ask_k_major<cute::bfloat16_t, 64>(), ask_k_major<cute::bfloat16_t, 128>(), ask_k_major<cute::bfloat16_t, 256>();
  ask_k_major<cute::float_e4m3_t, 128>(), ask_k_major<cute::tfloat32_t, 128>();
  ask_mn_major<cute::bfloat16_t, 16>(), ask_mn_major<cute::bfloat16_t, 64>();
});

}  // namespace
}  // namespace witness
