// Mistakes that a hand-written kernel invites, one at a time: what the model reports, or which static check fails.
#include <doctest/doctest.h>

#include <string>

#include "tests/ladder/rungs.hpp"
#include "tests/programs/host_tensor.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using model::hazard_kind;
using right = model::ordinary_machine;

struct finding {
  bool found = false;
  hazard_kind kind{};
  std::string says{};
};

/// What the model says of rung K on a machine that gets a verb wrong.
template <class K, class Machine>
finding report_of(const ladder_shape& s = {64, 256, 640}) {
  host_tensor<bf16> A({s.m, s.k}), B({s.n, s.k}), C({s.m, s.n});
  A.fill(1);
  B.fill(2);
  try {
    ladder::run_on_model_with<K, Machine>({.workers = 1}, A.in(), B.in(), C.view());
  } catch (const model::hazard& h) {
    return {true, h.kind, h.what()};
  }
  return {};
}

/// The report is of this kind, and has these words in it.
void check(const finding& f, hazard_kind kind, const char* words) {
  CHECK(f.found);
  CHECK(f.kind == kind);
  CAPTURE(f.says);
  const bool says_so = f.says.find(words) != std::string::npos;
  CHECK(says_so);
}

// ---- threads that copy

struct without_proxy_fence : right {
  using right::right;
  void fence_proxy_async() {}
};
TEST_CASE("no proxy fence between the threads' stores and wgmma") {
  for (const finding& f :
       {report_of<ladder::one_tile, without_proxy_fence>(), report_of<ladder::core_matrices, without_proxy_fence>(),
        report_of<ladder::swizzles, without_proxy_fence>()})
    check(f, hazard_kind::missing_proxy_fence, "it must call fence_proxy_async before the barrier");
}

struct without_barrier : right {
  using right::right;
  void named_barrier_sync(int, int) {}
};
TEST_CASE("no barrier between the threads' stores and wgmma") {
  check(report_of<ladder::one_tile, without_barrier>(), hazard_kind::read_before_full,
        "its fence_proxy_async and a barrier must come between");
}
TEST_CASE("no barrier between the threads' stores and loads") {
  check(report_of<ladder::simt, without_barrier>(), hazard_kind::read_before_full, "load_shared");
}
/// Leaves out the second barrier of each trip.
struct without_second_barrier : right {
  using right::right;
  int calls = 0;
  void named_barrier_sync(int id, int threads) {
    if (calls++ % 2 == 0) right::named_barrier_sync(id, threads);
  }
};
TEST_CASE("no barrier before the threads overwrite the tile") {
  check(report_of<ladder::simt, without_second_barrier>(), hazard_kind::read_before_full,
        "which thread 0 wrote; a barrier must come between");
}

/// Pretends that there is no end to a matrix.
struct without_bounds : right {
  using right::right;
  template <class T>
  static piece load_piece(const global_matrix<const T>& m, int row, int) {
    return right::load_piece(m, row + m.rows, 0);
  }
};
TEST_CASE("a load outside of the matrix") {
  check(report_of<ladder::one_tile, without_bounds>(), hazard_kind::out_of_range,
        "lies outside of A, which is 64 x 640");
}

// ---- descriptors

template <class K>
constexpr matrix_descriptor exchanged(int k) {
  matrix_descriptor d = K::descriptor(0, k);
  const unsigned leading = d.leading_bytes;
  d.leading_bytes = d.stride_bytes;
  d.stride_bytes = leading;
  return d;
}
TEST_CASE("LBO and SBO exchanged: the static check fails") {
  using ladder::one_tile, ladder::core_matrices, ladder::wgmma_reads;
  static_assert(!wgmma_reads(major::k, one_tile::cols, one_tile::pieces, one_tile::place, exchanged<one_tile>));
  static_assert(!wgmma_reads(major::k, core_matrices::cols, core_matrices::pieces, core_matrices::place,
                             exchanged<core_matrices>));
}
/// The same at run time.
struct exchanges_offsets : right {
  using right::right;
  static std::uint64_t exchanged(std::uint64_t bits) {
    matrix_descriptor d = decode(bits);
    std::swap(d.leading_bytes, d.stride_bytes);
    return encode(d);
  }
  template <wgmma_instruction I, class D>
  void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    right::wgmma<I>(d, exchanged(a), exchanged(b), accumulate);
  }
};
TEST_CASE("LBO and SBO exchanged: the model sees no hazard, as all the bytes were written, but the result is wrong") {
  host_tensor<bf16> A({64, 64}), B({256, 64}), C({64, 256}), D({64, 256});
  A.fill(1);
  B.fill(2);
  ladder::run_on_model<ladder::one_tile>(A.in(), B.in(), C.view());
  ladder::run_on_model_with<ladder::one_tile, exchanges_offsets>({}, A.in(), B.in(), D.view());
  int differ = 0;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 256; ++j) differ += C.number(i, j) != D.number(i, j);
  CHECK(differ > 64 * 256 / 2);
}

TEST_CASE("a descriptor without the swizzle, and threads that do not swizzle: the static check fails") {
  using ladder::swizzles, ladder::wgmma_reads;
  const auto plain = [](int k) {
    matrix_descriptor d = swizzles::descriptor(0, k);
    d.swizzle = swizzle_mode::none;
    return d;
  };
  static_assert(!wgmma_reads(major::k, swizzles::cols, swizzles::pieces, swizzles::place, plain));
  const auto unswizzled = [](int row, int n) { return static_cast<unsigned>(row * swizzles::row_bytes + n * 16); };
  static_assert(!wgmma_reads(major::k, swizzles::cols, swizzles::pieces, unswizzled,
                             [](int k) { return swizzles::descriptor(0, k); }));
}
TEST_CASE("a box without the swizzle that the descriptor names: the static check fails") {
  using ladder::tma, ladder::wgmma_reads;
  constexpr auto lands = [](swizzle_mode mode) {  // where TMA writes piece n of a row
    return [mode](int row, int n) {
      tma_box box = tma::a_box;
      box.swizzle = mode;
      return static_cast<unsigned>(smem_offset(box, n * 8, row));
    };
  };
  constexpr auto descriptor = [](int k) { return tma::descriptor(tma::a_tile, 0, k); };
  static_assert(wgmma_reads(major::k, tma::rows, tma::depth / 8, lands(swizzle_mode::b128), descriptor));
  static_assert(!wgmma_reads(major::k, tma::rows, tma::depth / 8, lands(swizzle_mode::none), descriptor));
}
TEST_CASE("a tile that does not begin where the pattern does") {
  static_assert(ladder::stages::stage_bytes % alignment(ladder::stages::b_tile) == 0);
  static_assert((ladder::stages::stage_bytes + 8) % alignment(ladder::stages::b_tile) !=
                0);  // barriers among the stages
}

// ---- wgmma

struct without_wgmma_fence : right {
  using right::right;
  void wgmma_fence() {}
};
struct without_wgmma_wait : right {
  using right::right;
  template <int N>
  void wgmma_wait() {}
};
TEST_CASE("no wgmma fence, no wait") {
  check(report_of<ladder::one_tile, without_wgmma_fence>(), hazard_kind::missing_wgmma_fence, "wgmma_fence");
  check(report_of<ladder::one_tile, without_wgmma_wait>({64, 256, 64}), hazard_kind::register_in_flight,
        "a wgmma_wait that covers it must come first");
  // With more tiles a thread that does not wait is too early for those that have yet to multiply.
  check(report_of<ladder::one_tile, without_wgmma_wait>(), hazard_kind::read_before_full,
        "which warpgroup (thread 0) wrote");
  check(report_of<ladder::tma, without_wgmma_wait>(), hazard_kind::read_before_full, "phase 1 of full[0] of A and B");
}

// ---- TMA and mbarriers

struct other_parity : right {
  using right::right;
  void mbarrier_wait(std::uint32_t barrier, int parity) { right::mbarrier_wait(barrier, parity ^ 1); }
};
TEST_CASE("a wait for the wrong parity") {
  check(report_of<ladder::tma, other_parity>(), hazard_kind::read_before_full,
        "phase 0 of full[0] of A and B is not complete");
  CHECK(report_of<ladder::stages, other_parity>().found);
}

struct without_init_fence : right {
  using right::right;
  void mbarrier_init_fence() {}
};
TEST_CASE("barriers that are not published to TMA") {
  check(report_of<ladder::tma, without_init_fence>(), hazard_kind::barrier_not_ready, "mbarrier_init_fence is missing");
}

template <int More>
struct other_bytes : right {
  using right::right;
  void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    right::mbarrier_arrive_expect(barrier, bytes + More);
  }
};
TEST_CASE("more or fewer bytes announced than are copied") {
  check(report_of<ladder::tma, other_bytes<16>>(), hazard_kind::deadlock, "16 bytes outstanding");
  CHECK(report_of<ladder::tma, other_bytes<-16>>().found);
}

/// Waits until all but two groups of products are complete, where one is right.
struct waits_for_too_few : right {
  using right::right;
  template <int N>
  void wgmma_wait() {
    right::wgmma_wait<N == 1 ? 2 : N>();
  }
};
TEST_CASE("a stage that is filled again while products on it are in flight") {
  check(report_of<ladder::stages, waits_for_too_few>(), hazard_kind::overwrite_while_read, "its wgmma_wait");
}

}  // namespace
