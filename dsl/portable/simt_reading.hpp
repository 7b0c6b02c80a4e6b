// The SIMT reading: every thread multiplies and adds for itself, one product after the other in the order of K, each
// rounded once (fma). Nothing of a tensor core is needed, and the result is the same on every machine, bit for bit.
//
// A fragment is spread over the threads as wgmma's is, so whatever a body does element by element or row by row works
// here too.
#pragma once
#include <sectile/dsl/portable/reading.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::portable {

/// Ones that two bytes share.
constexpr s32 common_ones(b1x8 a, b1x8 b) {
  s32 ones = 0;
  for (int i = 0; i < 8; ++i) ones += (a.bits & b.bits) >> i & 1;
  return ones;
}

/// x + y for sums of integers: wrapped, or clamped to what s32 holds.
template <bool Saturate>
constexpr s32 add_integers(s32 x, s32 y) {
  if constexpr (Saturate) {
    const long long sum = static_cast<long long>(x) + y;
    return sum > 2147483647LL ? 2147483647 : sum < -2147483648LL ? -2147483647 - 1 : static_cast<s32>(sum);
  } else {
    return static_cast<s32>(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(y));
  }
}

template <class K, class Machine>
struct simt_reading : reading<simt_reading<K, Machine>, K, simt, Machine> {
  using base = reading<simt_reading, K, simt, Machine>;
  using base::base;

  constexpr int index() const { return this->hw.thread() / warpgroup; }
  constexpr int lane() const { return this->hw.thread() % warpgroup; }

  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc& acc, const A&, const B&) {
    static_assert(is_tile<A>::value, "the portable readings multiply tiles in shared memory, not computed fragments");
    this->meet(acc);
    if constexpr (std::is_same_v<typename Acc::element_type, f16>) {
      // Summed in f32 and rounded when the product of the two tiles is complete.
      sums<float, Acc> wide;
      constexpr int count = Acc::atom_registers;
      unroll<Acc::atoms * count * 2>([&](auto n) {
        constexpr int m = n / 2 / count, i = n / 2 % count;
        wide.at[m][n % (2 * count)] = static_cast<float>(unpack<f16>(acc.atom[m][i], n % 2));
      });
      multiply<Form, A, B>(wide.at);
      unroll<Acc::atoms * count>([&](auto n) {
        constexpr int m = n / count, i = n % count;
        acc.atom[m][i] = this->hw.pack_f16(wide.at[m][2 * i], wide.at[m][2 * i + 1]);
      });
    } else {
      multiply<Form, A, B>(acc.atom);
    }
  }

  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>& tensor, const tile_at<K, I>& at, const Fragment& x) {
    using out = typename operand_at<K, I>::element_type;
    using in = typename Fragment::element_type;
    constexpr bool packed = element_of<in>().bits == 16;
    unroll<Fragment::atoms * Fragment::atom_registers>([&](auto n) {
      constexpr int m = n / Fragment::atom_registers, i = n % Fragment::atom_registers;
      for (int part = 0; part < (packed ? 2 : 1); ++part) {
        const coord p = this->template coord_of<Fragment::rows>(m, packed ? 2 * i + part : i);
        unsigned char* const to = base::swaps ? this->template output_element<I>(tensor, at, p.col, p.row)
                                              : this->template output_element<I>(tensor, at, p.row, p.col);
        if (!to) continue;
        if constexpr (packed)
          this->hw.store(to, convert<out>(unpack<in>(x.atom[m][i], part)));
        else
          this->hw.store(to, convert<out>(x.atom[m][i]));
      }
    });
  }

  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>& vector, const tile_at<K, I>& at, const Rows& x) {
    write_numbers(*this, this->template part_of<I>(vector, at), complete(x));
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>& vector, const tile_at<K, I>& at, const X& x, reduction) {
    combine_into<portable_plan_of<K, simt>.program.operand[I].combined,
                 use_of_output(operand_facts_of<K, I>(), describe<X>())>(*this, this->template part_of<I>(vector, at),
                                                                         complete(x));
  }

  /// Row and column, in the tile, of register i of block m of a fragment with `Rows` rows.
  template <int Rows>
  constexpr coord coord_of(int m, int i) const {
    const coord p = d_coord(lane(), i);
    return {index() * (Rows / this->sharers) + m * 64 + p.row, p.col};
  }

  // ---- columns, as consumers exchange them
  constexpr int warp_of_consumers() const { return this->hw.thread() / 32; }
  static constexpr int exchanging_ctas = 1;
  constexpr void begin_showing(int) { this->hw.sync(); }  // nobody reads any more what was shown before
  constexpr void end_showing() { this->hw.sync(); }
  constexpr void show_columns(int octet, int col, const float (&part)[2]) {
    if (octet != 0) return;
    for (int j = 0; j < 2; ++j) exchange()[warp_of_consumers() * exchanged + col + j] = part[j];
  }
  constexpr void column_shown(int, int first_warp, int col, float (&shown)[4]) const {
    for (int i = 0; i < 4; ++i) shown[i] = exchange()[(first_warp + i) * exchanged + col];
  }

 private:
  static constexpr int exchanged = portable_plan_of<K, simt>.program.exchange.columns;
  constexpr float* exchange() const {
    return reinterpret_cast<float*>(this->hw.shared() + portable_plan_of<K, simt>.exchange);
  }
  template <class T, class Acc>
  struct sums {
    typename Machine::template registers<T, Acc::cols / 2> at[Acc::atoms];
  };

  /// Element (mn, k) of the tile of operand T::operand, as a left or right factor. k counts bytes for operands of one
  /// bit.
  template <class T, bool Left>
  constexpr auto element_at(int mn, int k) const {
    using type = typename operand_at<K, T::operand>::element_type;
    constexpr shared_tile t = portable_plan_of<K, simt>.tile[T::operand];
    constexpr int size = sizeof(type);
    const int at = base::template k_is_contiguous<T>(Left) ? t.at(mn, k * size) : t.at(k, mn * size);
    return *reinterpret_cast<const type*>(this->template tile_in_shared<T::operand>() + at);
  }

  /// d += a * b. Registers come in fours: two columns of the thread's upper row, then of its lower row.
  template <product_form Form, class A, class B, class Block, int Atoms>
  constexpr void multiply(Block (&d)[Atoms]) {
    using left = typename operand_at<K, A::operand>::element_type;
    constexpr int depth = std::is_same_v<left, b1x8> ? A::cols / 8 : A::cols;
    constexpr bool negative = Form.negate_a != Form.negate_b;
    const int row = index() * (A::rows / this->sharers) + first_row(lane()), col = 2 * (lane() % 4);
    for (int k = 0; k < depth; ++k) {
      decltype(this->template prepare<negative>(element_at<A, true>(0, 0))) a[Atoms][2];
      for (int m = 0; m < Atoms; ++m)
        for (int h = 0; h < 2; ++h) a[m][h] = prepare<negative>(element_at<A, true>(row + 64 * m + 8 * h, k));
      unroll<B::cols / 8>([&](auto g) {
        for (int j = 0; j < 2; ++j) {
          const auto b = prepare<false>(element_at<B, false>(8 * g + col + j, k));
          for (int m = 0; m < Atoms; ++m)
            for (int h = 0; h < 2; ++h) {
              auto& sum = d[m][4 * g + 2 * h + j];
              sum = add_product<Form.saturate>(sum, a[m][h], b);
            }
        }
      });
    }
  }
  /// A factor as threads compute with it: a float, or an integer that wraps.
  template <bool Negative, class T>
  static constexpr auto prepare(const T& x) {
    if constexpr (std::is_same_v<T, b1x8>)
      return x;
    else if constexpr (Negative)
      return -static_cast<sum_type<T>>(x);
    else
      return static_cast<sum_type<T>>(x);
  }
  template <bool Saturate>
  constexpr float add_product(float sum, float a, float b) const {
    return this->hw.fma(a, b, sum);
  }
  template <bool Saturate>
  constexpr s32 add_product(s32 sum, s32 a, s32 b) const {
    return add_integers<Saturate>(sum, a * b);
  }
  template <bool Saturate>
  constexpr s32 add_product(s32 sum, b1x8 a, b1x8 b) const {
    return add_integers<Saturate>(sum, common_ones(a, b));
  }
};

}  // namespace sectile::portable
