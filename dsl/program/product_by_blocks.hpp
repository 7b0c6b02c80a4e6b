// A product that is made in parts: each consumer makes a block of 64 rows after the other, in the registers of one, and
// adds each to other sums before it makes the next. So sums of 128 rows by 128 columns have room beside what is added.
#pragma once
#include <sectile/dsl/program/elementwise.hpp>

namespace sectile {

/// Why tiles have no product in parts: a is none, its sums are no f32, or they do not fit each other.
template <class A, class B>
constexpr violation check_in_parts() {
  if constexpr (is_tile<A>::value &&
                std::is_same_v<
                    sum_type<typename operand_at<typename std::remove_pointer_t<decltype(B::reading)>::kernel,
                                                 B::operand>::element_type>,
                    float>)
    return check_product(
        {{A::rows, B::cols, A::row_extent::name, B::col_extent::name}, matrix_shape_of<A>(), matrix_shape_of<B>()});
  else
    return refuse(
        rule::values_do_not_combine,
        "in_parts(a * b) adds f32 to f32, of two tiles that sm.load() brings; of others write sm.accumulator(a * b)");
}

/// In how many parts a reading makes it, a consumer's blocks where they are many. (Sparse factors have metadata for all
/// of them, and portable readings wait for each product as it is.)
template <class R, class Left, int Rows>
constexpr int parts_of_product() {
  constexpr int blocks = Rows / 64 / R::sharers;
  if constexpr (R::has_rings && is_tile<Left>::value)
    return blocks < 1 || Left::facts.sparse ? 1 : blocks;
  else
    return 1;
}

/// What sm.in_parts(a * b) is: the first part has been issued.
template <class R, class A, class B, product_form Form>
struct product_by_blocks {
  using reading_type = R;
  using rows = std::conditional_t<R::swaps, typename B::col_extent, typename A::row_extent>;  // in registers
  using cols = std::conditional_t<R::swaps, typename A::row_extent, typename B::col_extent>;
  static constexpr int parts = parts_of_product<R, std::conditional_t<R::swaps, B, A>, rows::extent>();

  tile_product<A, B, Form> product;
  fragment<R, float, along<rows::extent / parts, rows::name>, cols> sums;
  bool added = false;  // and the last part is in `sums`

  constexpr product_by_blocks(R& r, const tile_product<A, B, Form>& p) : product(p), sums(r) { issue<0>(); }
  template <int Part>
  constexpr void issue() {
    sums.fresh = true;
    if constexpr (R::swaps)
      sums.reading->template issue<product_form{Form.negate_b, Form.negate_a, Form.saturate, Part, parts}>(
          sums, transpose(product.b), transpose(product.a));
    else
      sums.reading->template issue<product_form{Form.negate_a, Form.negate_b, Form.saturate, Part, parts}>(
          sums, product.a, product.b);
    sums.fresh = false;
  }
};
template <class R, class A, class B, product_form Form>
struct value_facts<product_by_blocks<R, A, B, Form>> : told_as<value_kind::product_in_parts> {};

/// a * b * y + z, each part of a * b as soon as it is complete.
template <class R, class A, class B, product_form Form, class Y, class Rows, class Cols>
constexpr auto fma(product_by_blocks<R, A, B, Form>& x, const Y& y, const fragment<R, float, Rows, Cols>& z) {
  using sums = fragment<R, float, Rows, Cols>;
  static_assert(decltype(fit<product_and_sum, sums, Y, sums>())::verified);
  if constexpr (is_planner<R>) {
    if (x.added)
      z.reading->note_meaningless("a product in parts is added once: the last one's registers were those of all");
    z.reading->adds_to(z.id);
    note_number(z, y);
  }
  x.sums.touch();
  touch_value(y);
  z.touch();
  constexpr int blocks = x.sums.atoms;
  typename sums::block made[sums::atoms < 1 ? 1 : sums::atoms];  // a result that lived so long would count beside z
  unroll<x.parts>([&](auto part) {
    if constexpr (part > 0) {
      x.template issue<part>();
      x.sums.touch();
    }
    if constexpr (R::computes)
      SECTILE_UNROLL for (int m = 0; m < blocks; ++m) SECTILE_UNROLL for (int i = 0; i < sums::atom_registers; ++i)
          made[part * blocks + m][i] =
              z.reading->hw.fma(x.sums.atom[m][i], number_at(y, part * blocks + m, i), z.atom[part * blocks + m][i]);
  });
  x.added = true;
  sums result(*z.reading, filled_here{}, z.place, x.sums.place, place_of(y));
  if constexpr (R::computes)
    SECTILE_UNROLL for (int m = 0; m < sums::atoms; ++m) SECTILE_UNROLL for (int i = 0; i < sums::atom_registers; ++i)
        result.atom[m][i] = made[m][i];
  return result;
}

}  // namespace sectile
