#pragma once
// The functions of the expression language that are the layout algebra: each calls the function of layouts/ of its
// name.

#include <cmath>
#include <span>

#include <sectile/layouts/expression_arguments.hpp>
#include <sectile/layouts/order.hpp>
#include <sectile/layouts/partition.hpp>
#include <sectile/layouts/same.hpp>
#include <sectile/layouts/shape_relations.hpp>
#include <sectile/layouts/swizzle_composition.hpp>

namespace sectile::expressions {

/// Runs a function of (layout, tiler) or (swizzled layout, tiler).
template <class F>
value with_tiler(const arguments& a, F f) {
  return on_layout(a, 0, [&](const auto& l) { return f(l, a.tiler(1)); });
}

/// The same where a layout of coordinates may stand as well.
template <class F>
value by_tiler(const arguments& a, F f) {
  if (const auto* c = std::get_if<coordinate_layout>(&a[0])) return f(*c, a.tiler(1));
  return with_tiler(a, f);
}

/// How many cases is_injective would look at, up to `most`. Its search branches only from the first mode on, counted
/// from the largest stride, whose stride is not beyond the reach of the smaller ones; well-ordered layouts cost
/// nothing.
inline double cases_of_injectivity(const layout& l) {
  const layout axes = sorted_by_stride(filter(l));
  double cases = 1, looked_at = 0;
  bool branched = false;
  for (int k = axes.form.leaves - 1; k >= 0; --k) {
    double reach = 0;
    for (int j = 0; j < k; ++j) {
      reach += static_cast<double>(axes.leaf[j].shape - 1) * std::abs(static_cast<double>(axes.leaf[j].stride));
    }
    const double slack = reach / std::abs(static_cast<double>(axes.leaf[k].stride));
    looked_at += cases * (2 * slack + 3);
    if (slack >= 1) branched = true;
    if (branched) cases *= 2 * slack + 2;
  }
  return looked_at;
}

/// Refuses layouts whose modes interleave so much that is_injective would take seconds.
inline const layout& require_search(const layout& l) {
  if (cases_of_injectivity(l) > 2e7) {
    throw layout_error("whether ", l, " is injective is not looked at here: its modes interleave in too many ways");
  }
  return l;
}

/// f(layout of coordinates) or f(swizzled layout), whichever argument 0 is.
template <class F>
value on_coordinates_or_layout(const arguments& a, F f) {
  if (const auto* c = std::get_if<coordinate_layout>(&a[0])) return f(*c);
  return f(a.swizzled(0));
}

/// The offset of the coordinate, which must fit the profile and may lie beyond the extents.
inline std::int64_t offset_at(const int_tuple& coordinate, const layout& l) { return crd2idx(coordinate, l); }
/// The same of a swizzled layout.
inline std::int64_t offset_at(const int_tuple& coordinate, const swizzled_layout& l) {
  const std::int64_t before = checked_add(l.offset, crd2idx(coordinate, l.inner));
  if (before < 0) throw layout_error("offset ", before, " before the swizzle ", l.pattern, " has no bits to swap");
  return l.pattern(before);
}

/// The slice of a layout, or the modes of a shape, where the coordinate says _. Of a layout that may begin elsewhere
/// than at 0 the slice keeps the offset, as slice() does.
inline value sliced(const int_tuple& coordinate, const arguments& a, int i) {
  if (const auto* c = std::get_if<coordinate_layout>(&a[i])) return slice(coordinate, *c);
  if (std::holds_alternative<swizzled_layout>(a[i]) || std::holds_alternative<typed_tile>(a[i])) {
    return slice(coordinate, a.swizzled(i));
  }
  return on_tree(a, i, [&](const auto& t) { return slice(coordinate, t); });
}

/// An integer argument that is the number of a mode.
inline int mode_number(const arguments& a, int i) { return a.integer(i, 0, max_leaves); }

/// make_layout: of a shape, of a shape and strides, or of layouts as modes.
inline value make_layout_of(const arguments& a) {
  if (a.tuple_at(0) && a.count() == 1) return make_layout(a.numbers(0));
  if (a.tuple_at(0) && a.count() == 2 && a.tuple_at(1)) return make_layout(a.numbers(0), a.numbers(1));
  layout result = empty_tree<layout>();
  for (int i = 0; i < a.count(); ++i) push_mode(result, a.layout(i));
  return checked_layout(wrap(result));
}

/// mode(T, i, j, ...): mode i, of that mode j, and so on.
inline value mode_of(const arguments& a) {
  const auto inner = [&](auto t) {
    for (int i = 1; i < a.count(); ++i) t = mode(t, mode_number(a, i));
    return t;
  };
  if (const auto* c = std::get_if<coordinate_layout>(&a[0])) return inner(*c);
  return a.swizzled_at(0) ? inner(a.swizzled(0)) : on_tree(a, 0, inner);
}

/// select(T, i, j, ...)
inline value selected(const arguments& a) {
  return on_any_tree(a, 0, [&](const auto& t) {
    auto result = empty_tree<std::remove_cvref_t<decltype(t)>>();
    for (int i = 1; i < a.count(); ++i) push_mode(result, mode(t, mode_number(a, i)));
    return wrap(result);
  });
}

/// f(T, X) of two tuples or two layouts.
template <class F>
value on_two_trees(const arguments& a, int other, F f) {
  if (a.tuple_at(0) && a.tuple_at(other)) return value_of(f(a.tuple(0), a.tuple(other)));
  return f(a.layout(0), a.layout(other));
}

/// A o B for whatever A and B are: layouts, swizzles, tilers.
inline value composed_of(const arguments& a) {
  const bool swizzle_first = std::holds_alternative<swizzle>(a[0]),
             swizzle_last = std::holds_alternative<swizzle>(a[1]);
  if (swizzle_first && swizzle_last) return composition(a.swizzle(0), a.swizzle(1));
  if (swizzle_first && a.swizzled_at(1)) {
    const swizzled_layout b = a.swizzled(1);
    return with_swizzle(b.inner, composition(a.swizzle(0), b.pattern), b.offset);
  }
  if (swizzle_first) return composition(a.swizzle(0), a.layout(1));
  if (swizzle_last) return composition(a.layout(0), a.swizzle(1));
  if (a.swizzled_at(0) && a.swizzled_at(1)) return composition(a.swizzled(0), a.swizzled(1));
  if (a.swizzled_at(1)) return composition(a.layout(0), a.swizzled(1));
  return by_tiler(a, [](const auto& l, const tiler& t) { return composition(l, t); });
}

/// f(A, B) of two layouts, swizzled or not.
template <class F>
value on_two_layouts(const arguments& a, F f) {
  if (!a.swizzled_at(0) && !a.swizzled_at(1)) return f(a.layout(0), a.layout(1));
  return f(a.swizzled(0), a.swizzled(1));
}

/// The part at which a slice begins, as a layout that begins there.
inline value beginning(const slice_at& part) { return with_swizzle(part.kept, {}, part.offset); }

/// local_tile(L, TILE, COORDINATE)
inline value local_tile_of(const arguments& a) {
  if (const auto* c = std::get_if<coordinate_layout>(&a[0])) return local_tile(*c, a.tiler(1), a.tuple(2));
  if (a.swizzled_at(0)) return local_tile(a.swizzled(0), a.tiler(1), a.tuple(2));
  return beginning(local_tile(a.layout(0), a.tiler(1), a.tuple(2)));
}

/// local_partition(L, THREADS, THREAD)
inline value local_partition_of(const arguments& a) {
  if (a.swizzled_at(0)) return local_partition(a.swizzled(0), a.layout(1), a.integer(2));
  return beginning(local_partition(a.layout(0), a.layout(1), a.integer(2)));
}

/// recast of a swizzle or a layout.
inline value recast_of(const arguments& a) {
  if (std::holds_alternative<swizzle>(a[0])) return recast(a.swizzle(0), a.bits(1), a.bits(2));
  return on_layout(a, 0, [&](const auto& l) { return recast(l, a.bits(1), a.bits(2)); });
}

/// crd2idx(C, L), crd2idx(C, SHAPE) and crd2idx(C, SHAPE, STRIDE)
inline value crd2idx_of(const arguments& a) {
  if (a.count() == 3) return offset_at(a.tuple(0), make_layout(a.numbers(1), a.numbers(2)));
  if (!a.tuple_at(1)) return on_layout(a, 1, [&](const auto& l) { return offset_at(a.tuple(0), l); });
  offset_at(a.tuple(0), layout_left(a.numbers(1)));  // refuses what does not fit
  return crd2idx(a.tuple(0), a.numbers(1));
}

/// idx2crd(I, SHAPE) and idx2crd(I, SHAPE, STRIDE)
inline value idx2crd_of(const arguments& a) {
  if (a.count() == 3) return value_of(idx2crd(a.integer(0), a.numbers(1), a.numbers(2)));
  return value_of(idx2crd(a.numbers(0), a.tuple_at(1) ? a.numbers(1) : shape(a.swizzled(1))));
}

/// crd2crd(C, FROM, TO)
inline value crd2crd_of(const arguments& a) {
  const int_tuple coordinate = a.numbers(0);
  const int_tuple from = a.numbers(1);
  require_extents(from);
  std::int64_t farthest = 1;
  for (int k = 0; k < coordinate.form.leaves; ++k) {
    farthest = checked_add(farthest, coordinate.leaf[k] < 0 ? -coordinate.leaf[k] : coordinate.leaf[k]);
  }
  checked_multiply(farthest, product(from));  // no index on the way can be larger
  return value_of(crd2crd(coordinate, from, a.numbers(2)));
}

/// The shape that argument i is or has.
inline int_tuple shape_at(const arguments& a, int i) { return a.tuple_at(i) ? a.numbers(i) : shape(a.swizzled(i)); }

/// tile_to_shape(BLOCK, SHAPE) and tile_to_shape(BLOCK, SHAPE, ORDER)
inline value tile_to_shape_of(const arguments& a) {
  return on_layout(a, 0, [&](const auto& l) {
    const int_tuple target = a.numbers(1);
    require_extents(target);
    return a.count() == 2 ? tile_to_shape(l, target) : tile_to_shape(l, target, a.numbers(2));
  });
}

/// Making layouts, asking about them, and taking them apart.
inline std::span<const function> structure_functions() {
  using A = const arguments&;
  static constexpr function table[] = {
      {"make_layout", "SHAPE, STRIDE or LAYOUT, ...", 1, most_arguments, make_layout_of},
      {"layout_left", "SHAPE", 1, 1, [](A a) -> value { return layout_left(a.numbers(0)); }},
      {"layout_right", "SHAPE", 1, 1, [](A a) -> value { return layout_right(a.numbers(0)); }},
      {"make_ordered_layout", "SHAPE, ORDER", 2, 2,
       [](A a) -> value {
         require_extents(a.numbers(0));
         return make_ordered_layout(a.numbers(0), a.numbers(1));
       }},
      {"make_layout_like", "L", 1, 1, [](A a) -> value { return make_layout_like(a.layout(0)); }},
      {"make_layout_tv", "THREADS, VALUES", 2, 2,
       [](A a) -> value { return make_layout_tv(a.layout(0), a.layout(1)).tv; }},
      {"compact_order", "SHAPE, ORDER", 2, 2,
       [](A a) -> value {
         require_extents(a.numbers(0));
         return value_of(compact_order(a.numbers(0), a.numbers(1)));
       }},
      {"make_identity_layout", "SHAPE", 1, 1, [](A a) -> value { return make_identity_layout(a.numbers(0)); }},
      {"tma_coordinates", "L", 1, 1, [](A a) -> value { return tma_coordinates(a.layout(0)); }},
      {"shape", "L", 1, 1,
       [](A a) { return on_coordinates_or_layout(a, [](const auto& l) { return value_of(shape(l)); }); }},
      {"stride", "L", 1, 1, [](A a) -> value { return value_of(stride(a.swizzled(0).inner)); }},
      {"size", "L", 1, 1, [](A a) { return on_coordinates_or_layout(a, [](const auto& l) { return size(l); }); }},
      {"cosize", "L", 1, 1, [](A a) { return on_layout(a, 0, [](const auto& l) { return cosize(l); }); }},
      {"rank", "T", 1, 1,
       [](A a) -> value {
         if (a.tuple_at(0)) return std::int64_t{rank(a.tuple(0))};
         return on_coordinates_or_layout(a, [](const auto& l) { return value(std::int64_t{rank(l)}); });
       }},
      {"depth", "T", 1, 1,
       [](A a) -> value { return std::int64_t{a.tuple_at(0) ? depth(a.tuple(0)) : depth(a.swizzled(0))}; }},
      {"product", "SHAPE", 1, 1, [](A a) -> value { return product(a.numbers(0)); }},
      {"product_each", "SHAPE", 1, 1, [](A a) -> value { return value_of(product_each(a.numbers(0))); }},
      {"mode", "T, I, ...", 2, most_arguments, mode_of},
      {"select", "T, I, ...", 2, most_arguments, selected},
      {"take", "T, BEGIN, END", 3, 3,
       [](A a) {
         return on_any_tree(a, 0, [&](const auto& t) { return take(t, mode_number(a, 1), mode_number(a, 2)); });
       }},
      {"group", "T, BEGIN, END", 3, 3,
       [](A a) {
         return on_any_tree(a, 0, [&](const auto& t) { return group(t, mode_number(a, 1), mode_number(a, 2)); });
       }},
      {"flatten", "T", 1, 1, [](A a) { return on_any_tree(a, 0, [](const auto& t) { return flatten(t); }); }},
      {"unflatten", "T, PROFILE", 2, 2,
       [](A a) { return on_any_tree(a, 0, [&](const auto& t) { return unflatten(t, a.tuple(1)); }); }},
      {"append", "T, X", 2, 2,
       [](A a) { return on_two_trees(a, 1, [](const auto& t, const auto& x) { return append(t, x); }); }},
      {"prepend", "T, X", 2, 2,
       [](A a) { return on_two_trees(a, 1, [](const auto& t, const auto& x) { return prepend(t, x); }); }},
      {"replace", "T, I, X", 3, 3,
       [](A a) {
         return on_two_trees(a, 2, [&](const auto& t, const auto& x) { return replace(t, mode_number(a, 1), x); });
       }},
      {"zip", "A, B", 2, 2,
       [](A a) { return on_two_trees(a, 1, [](const auto& t, const auto& x) { return zip(t, x); }); }},
      {"slice", "COORDINATE, L", 2, 2, [](A a) -> value { return sliced(a.tuple(0), a, 1); }},
      {"dice", "COORDINATE, T", 2, 2,
       [](A a) { return on_tree(a, 1, [&](const auto& t) { return dice(a.tuple(0), t); }); }},
      {"local_tile", "L, TILER, COORDINATE", 3, 3, local_tile_of},
      {"local_partition", "L, THREADS, THREAD", 3, 3, local_partition_of},
      {"crd2idx", "COORDINATE, L or SHAPE or SHAPE, STRIDE", 2, 3, crd2idx_of},
      {"idx2crd", "INDEX, L or SHAPE or SHAPE, STRIDE", 2, 3, idx2crd_of},
      {"crd2crd", "COORDINATE, FROM, TO", 3, 3, crd2crd_of},
  };
  return table;
}

/// The algebra.
inline std::span<const function> algebra_functions() {
  using A = const arguments&;
  static constexpr function table[] = {
      {"coalesce", "L or L, PROFILE", 1, 2,
       [](A a) -> value {
         const auto coalesced = [&](const auto& l) -> value {
           return a.count() == 1 ? coalesce(l) : coalesce(l, a.tuple(1));
         };
         if (const auto* c = std::get_if<coordinate_layout>(&a[0])) return coalesced(*c);
         return on_layout(a, 0, coalesced);
       }},
      {"filter", "L or L, PROFILE", 1, 2,
       [](A a) -> value { return a.count() == 1 ? filter(a.layout(0)) : filter(a.layout(0), a.tuple(1)); }},
      {"filter_zeros", "L", 1, 1, [](A a) -> value { return filter_zeros(a.layout(0)); }},
      {"composition", "A, B", 2, 2, composed_of},
      {"complement", "L or L, COTARGET", 1, 2,
       [](A a) -> value { return a.count() == 1 ? complement(a.layout(0)) : complement(a.layout(0), a.numbers(1)); }},
      {"logical_divide", "L, TILER", 2, 2,
       [](A a) { return by_tiler(a, [](const auto& l, const tiler& t) { return logical_divide(l, t); }); }},
      {"zipped_divide", "L, TILER", 2, 2,
       [](A a) { return by_tiler(a, [](const auto& l, const tiler& t) { return zipped_divide(l, t); }); }},
      {"tiled_divide", "L, TILER", 2, 2,
       [](A a) { return by_tiler(a, [](const auto& l, const tiler& t) { return tiled_divide(l, t); }); }},
      {"flat_divide", "L, TILER", 2, 2,
       [](A a) { return by_tiler(a, [](const auto& l, const tiler& t) { return flat_divide(l, t); }); }},
      {"evenly_divides", "L, TILER", 2, 2, [](A a) -> value { return evenly_divides(a.layout(0), a.tiler(1)); }},
      {"logical_product", "BLOCK, TILER", 2, 2,
       [](A a) { return with_tiler(a, [](const auto& l, const tiler& t) { return logical_product(l, t); }); }},
      {"zipped_product", "BLOCK, TILER", 2, 2, [](A a) -> value { return zipped_product(a.layout(0), a.tiler(1)); }},
      {"tiled_product", "BLOCK, TILER", 2, 2, [](A a) -> value { return tiled_product(a.layout(0), a.tiler(1)); }},
      {"flat_product", "BLOCK, TILER", 2, 2, [](A a) -> value { return flat_product(a.layout(0), a.tiler(1)); }},
      {"blocked_product", "BLOCK, GRID", 2, 2,
       [](A a) { return on_layout(a, 0, [&](const auto& l) { return blocked_product(l, a.layout(1)); }); }},
      {"raked_product", "BLOCK, GRID", 2, 2,
       [](A a) { return on_layout(a, 0, [&](const auto& l) { return raked_product(l, a.layout(1)); }); }},
      {"tile_to_shape", "BLOCK, SHAPE or BLOCK, SHAPE, ORDER", 2, 3, tile_to_shape_of},
      {"right_inverse", "L", 1, 1, [](A a) { return on_layout(a, 0, [](const auto& l) { return right_inverse(l); }); }},
      {"left_inverse", "L", 1, 1, [](A a) { return on_layout(a, 0, [](const auto& l) { return left_inverse(l); }); }},
      {"max_common_layout", "A, B", 2, 2, [](A a) -> value { return max_common_layout(a.layout(0), a.layout(1)); }},
      {"max_common_vector", "A, B", 2, 2, [](A a) -> value { return max_common_vector(a.layout(0), a.layout(1)); }},
      {"nullspace", "L", 1, 1, [](A a) -> value { return nullspace(a.layout(0)); }},
      {"upcast", "L, N", 2, 2, [](A a) -> value { return upcast(a.layout(0), a.integer(1)); }},
      {"downcast", "L, N", 2, 2, [](A a) -> value { return downcast(a.layout(0), a.integer(1)); }},
      {"recast", "L or SWIZZLE, FROM_BITS, TO_BITS", 3, 3, recast_of},
      {"is_injective", "L", 1, 1, [](A a) -> value { return is_injective(require_search(a.swizzled(0).inner)); }},
      {"is_surjective", "L", 1, 1, [](A a) -> value { return is_surjective(a.layout(0)); }},
      {"is_bijective", "L", 1, 1,
       [](A a) -> value {
         if (!a.swizzled_at(0)) return is_bijective(a.layout(0));
         require_search(a.swizzled(0).inner);
         return is_bijective(a.swizzled(0));
       }},
      {"is_compact", "L", 1, 1, [](A a) -> value { return is_compact(a.layout(0)); }},
      {"max_alignment", "L", 1, 1, [](A a) -> value { return max_alignment(a.layout(0)); }},
      {"same_function", "A, B", 2, 2,
       [](A a) { return on_two_layouts(a, [](const auto& l, const auto& m) { return same_function(l, m); }); }},
      {"first_difference", "A, B", 2, 2,
       [](A a) { return on_two_layouts(a, [](const auto& l, const auto& m) { return first_difference(l, m); }); }},
      {"congruent", "A, B", 2, 2, [](A a) -> value { return congruent(shape_at(a, 0), shape_at(a, 1)); }},
      {"weakly_congruent", "A, B", 2, 2, [](A a) -> value { return weakly_congruent(shape_at(a, 0), shape_at(a, 1)); }},
      {"compatible", "A, B", 2, 2, [](A a) -> value { return compatible(shape_at(a, 0), shape_at(a, 1)); }},
      {"weakly_compatible", "A, B", 2, 2,
       [](A a) -> value { return weakly_compatible(shape_at(a, 0), shape_at(a, 1)); }},
      {"softly_compatible", "A, B", 2, 2,
       [](A a) -> value { return softly_compatible(shape_at(a, 0), shape_at(a, 1)); }},
      {"elem_less", "A, B", 2, 2, [](A a) -> value { return elem_less(a.numbers(0), a.numbers(1)); }},
  };
  return table;
}

}  // namespace sectile::expressions
