// The WMMA reading: warps multiply through nvcuda::wmma.
//
// The accumulator of a CTA's tile is cut into fragments of 256 elements, 8 for each lane, and every warp owns the
// fragments of one rectangle. Which element a lane holds where is not specified: so the elements of a fragment can be
// mapped one by one and combined with those of another fragment of the same type, but rows and columns are unknown
// until they are stored.
#pragma once
#include <sectile/dsl/portable/reading.hpp>
#include <sectile/dsl/portable/wmma_product.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::portable {

/// `rows` is a template's, so that the refusal waits for its use.
constexpr violation elements_have_no_place(const char* what, int rows) {
  if (rows < 0) return {};
  return refuse(rule::program_is_not_traceable, what,
                " to know where an element is; nvcuda::wmma does not say: the WMMA reading of this body does not "
                "exist, the SIMT reading does");
}

/// What the kernel's products have in common, the plan has seen to that: the K of a step and the type of the sums.
template <class K, class How>
constexpr wgmma_instruction any_product() {
  return portable_plan_of<K, How>.program.products.at[0].instruction;
}

template <class K, class Machine, int M, int N>
struct wmma_reading : reading<wmma_reading<K, Machine, M, N>, K, wmma<M, N>, Machine> {
  using base = reading<wmma_reading, K, wmma<M, N>, Machine>;
  using base::base;
  static constexpr bool knows_places = false;
  static constexpr fragment_shape shape{M, N};
  static constexpr int warps = base::threads / 32;

  constexpr int warp() const { return this->hw.uniform(this->hw.thread() / 32); }

  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc& acc, const A&, const B&) {
    static_assert(is_tile<A>::value, "the portable readings multiply tiles in shared memory, not computed fragments");
    using type = typename operand_at<K, A::operand>::element_type;
    constexpr wmma_product p = product_of<Form, Acc, A, B>();
    this->meet(acc);
    this->hw.template wmma_multiply<p, type, typename Acc::element_type>(
        acc.atom, warp(), this->template tile_in_shared<A::operand>(), this->template tile_in_shared<B::operand>());
  }

  /// By way of shared memory, a fragment at a time: there its rows and columns are known.
  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>& tensor, const tile_at<K, I>& at, const Fragment& x) {
    using type = typename Fragment::element_type;
    constexpr warp_part part = split_over_warps(Fragment::rows, Fragment::cols, shape, warps);
    constexpr int across = Fragment::cols / N / part.cols;
    // Sums in f16 are held as nvcuda::wmma holds those; other fragments of 16 bits are packed pairs of f32 sums.
    constexpr wgmma_instruction any = any_product<K, wmma<M, N>>();
    constexpr bool pairs = element_of<type>().bits == 16 && any.d.bits == 32;
    constexpr int step = fragment_k(any.b);
    using staged = std::conditional_t<pairs, float, type>;
    constexpr int pitch = staging_pitch(shape) * 4 / static_cast<int>(sizeof(staged));
    const int w = warp(), row = w / across * part.rows * M, col = w % across * part.cols * N;
    auto* const staging = reinterpret_cast<staged*>(this->hw.shared() + portable_plan_of<K, wmma<M, N>>.staging +
                                                    w * staging_bytes(shape));
    unroll<part.rows * part.cols>([&](auto f) {
      this->hw.template wmma_unload<M, N, step, f, pitch, type>(x.atom, staging);
      this->hw.warp_sync();
      put<I>(tensor, at, row + f / part.cols * M, col + f % part.cols * N, staging, pitch);
      this->hw.warp_sync();
    });
  }

  template <int Rows>
  constexpr coord coord_of(int, int) const {
    static_assert(decltype(reason<elements_have_no_place("mask() needs", Rows)>())::verified);
    return {};
  }

 private:
  template <product_form Form, class Acc, class A, class B>
  static constexpr wmma_product product_of() {
    constexpr warp_part part = split_over_warps(Acc::rows, Acc::cols, shape, warps);
    static_assert(part.rows > 0, "the WMMA reading cannot split this accumulator over the warps in whole fragments");
    wmma_product p{};
    p.m = M;
    p.n = N;
    p.k = fragment_k(operand_facts_of<K, A::operand>().type);
    p.k_steps = A::cols / p.k;
    p.rows = part.rows;
    p.cols = part.cols;
    p.warps_across = Acc::cols / N / part.cols;
    p.a = {portable_plan_of<K, wmma<M, N>>.tile[A::operand], base::template k_is_contiguous<A>(true)};
    p.b = {portable_plan_of<K, wmma<M, N>>.tile[B::operand], base::template k_is_contiguous<B>(false)};
    p.negate = Form.negate_a != Form.negate_b;
    p.saturate = Form.saturate;
    return p;
  }

  /// Writes the staged fragment that begins at (row, col) of the output's tile: eight neighbours of a row per lane.
  template <int I, class Staged>
  constexpr void put(const operand_handle<K, I>& tensor, const tile_at<K, I>& at, int row, int col,
                     const Staged* staging, int pitch) const {
    using out = typename operand_at<K, I>::element_type;
    constexpr int rank = operand_handle<K, I>::rank;
    constexpr operand_facts facts = operand_facts_of<K, I>();
    const int first = this->hw.thread() % 32 * 8, r = first / N, c = first % N;
    unsigned char* const to = this->template output_element<I>(tensor, at, row + r, col + c);
    if (!to) return;
    const Staged* const from = staging + r * pitch + c;
    const long long left =
        handle_access::extent(tensor)[rank - 1] - (static_cast<long long>(at.at[rank - 1]) * facts.cols() + col + c);
    if (facts.order == row_major && this->all.place[I].aligned && left >= 8) {
      struct alignas(sizeof(out) == 1 ? 8 : 16) eight {
        out x[8];
      } line;
      for (int i = 0; i < 8; ++i) line.x[i] = convert<out>(from[i]);
      this->hw.store(to, line);
    } else {
      const long long step = this->all.place[I].stride_bytes[rank - 1];
      const int count = left < 8 ? static_cast<int>(left) : 8;
      for (int i = 0; i < count; ++i) this->hw.store(to + i * step, convert<out>(from[i]));
    }
  }
};

}  // namespace sectile::portable

namespace sectile {

/// Rows of a fragment whose elements are nowhere in particular. (What is asserted comes last: behind an assertion that
/// fails clang++ sees no members.)
template <class K, class Machine, int M, int N, class Rows, class T>
struct line_vector<portable::wmma_reading<K, Machine, M, N>, Rows, true, T> {
  using reading_type = portable::wmma_reading<K, Machine, M, N>;
  reading_type* reading = nullptr;
  static constexpr int pairs = 1, numbers = 2;
  static constexpr register_place place(int n) { return {0, 2 * n}; }
  T value[1][2]{};
  static_assert(decltype(reason<portable::elements_have_no_place("row_max(), row_sum() and arithmetic by rows need",
                                                                 Rows::extent)>())::verified);
};
template <class K, class Machine, int M, int N, class Rows>
struct placed_rows<portable::wmma_reading<K, Machine, M, N>, Rows> {
  struct nothing {
    portable::wmma_reading<K, Machine, M, N>* reading = nullptr;
    static constexpr int pairs = 0;
  };
  nothing value, column;
  static_assert(decltype(reason<portable::elements_have_no_place("row_argmax() and row_argmin() need",
                                                                 Rows::extent)>())::verified);
};
template <class K, class Machine, int M, int N, class Cols>
struct line_vector<portable::wmma_reading<K, Machine, M, N>, Cols, false> {
  using reading_type = portable::wmma_reading<K, Machine, M, N>;
  reading_type* reading = nullptr;
  static constexpr int pairs = 1, numbers = 2;
  static constexpr register_place place(int n) { return {0, n}; }
  float value[1][2]{};
  static_assert(
      decltype(reason<portable::elements_have_no_place("reductions of columns need", Cols::extent)>())::verified);
};

}  // namespace sectile
