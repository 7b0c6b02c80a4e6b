// The algebra: composition, complement, inverses, divisions, products, coalesce, filter, casts.
#include "witness.hpp"

#include "questions.hpp"

namespace witness {
namespace {

#ifndef FIRST_CASE
#define FIRST_CASE 0
#endif

std::vector<std::int64_t> offsets(const swizzled_layout& l) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < size(l); ++i) result.push_back(l(i));
  return result;
}
std::set<std::int64_t> image(const swizzled_layout& l) {
  const std::vector<std::int64_t> all_offsets = offsets(l);
  return {all_offsets.begin(), all_offsets.end()};
}

/// R(i) == A(B(i)), in a shape that B's coordinates fit.
bool composes(const swizzled_layout& r, const layout& a, const layout& b) {
  if (!compatible(shape(b), shape(r))) return false;
  for (std::int64_t i = 0; i < size(b); ++i)
    if (r(i) != a.unbounded(b(i))) return false;
  return true;
}

/// Copies of A at the places of R lie apart, and go up.
bool complements(const swizzled_layout& r, const layout& a) {
  std::set<std::int64_t> reached;
  std::int64_t before = -1;
  for (std::int64_t j = 0; j < size(r); ++j) {
    if (r(j) <= before) return false;
    before = r(j);
    for (const std::int64_t x : image({swizzle{0, 4, 3}, 0, a}))
      if (!reached.insert(x + r(j)).second) return false;
  }
  return true;
}

bool is_right_inverse(const swizzled_layout& r, const layout& l) {
  for (std::int64_t i = 0; i < size(r); ++i)
    if (r(i) < 0 || r(i) >= size(l) || l(r(i)) != i) return false;
  return true;
}
bool is_left_inverse(const swizzled_layout& r, const layout& l) {
  const bool once = static_cast<std::int64_t>(image({swizzle{0, 4, 3}, 0, l}).size()) == size(l);
  for (std::int64_t i = 0; i < size(l); ++i) {
    const std::int64_t back = r.inner.unbounded(l(i));
    if (once ? back != i : l.unbounded(back) != l(i)) return false;
  }
  return true;
}

/// The places at which copies of `part` lie apart, in order: its complement, which complements() judges for itself.
layout places_of(const layout& part, std::int64_t enough) {
  const layout places = complement(part, enough);
  if (!complements({swizzle{0, 4, 3}, 0, places}, filter(part))) throw layout_error("no places");
  return places;
}

/// Element i of tile j is A(T(i) + place j).
bool divides(const swizzled_layout& r, const layout& a, const layout& tile) {
  const layout places = places_of(tile, size(a));
  if (rank(r) != 2 || !compatible(tile, mode(r.inner, 0)) || size(r) != size(tile) * size(places)) return false;
  for (std::int64_t i = 0; i < size(tile); ++i)
    for (std::int64_t j = 0; j < size(places); ++j)
      if (r(i, j) != a.unbounded(tile(i) + places(j))) return false;
  return true;
}

/// Mode 0 is A; repetition j lies at place B(j).
bool multiplies(const swizzled_layout& r, const layout& a, const layout& b) {
  const layout places = places_of(a, 4 * size(a) * cosize(b));
  if (rank(r) != 2 || mode(r.inner, 0) != a || !compatible(b, mode(r.inner, 1))) return false;
  for (std::int64_t j = 0; j < size(b); ++j)
    if (r(0, j) != places.unbounded(b(j))) return false;
  return true;
}

/// The same where modes are unpacked: element i of repetition j, and so many modes.
bool multiplies_unpacked(const swizzled_layout& r, const layout& a, const layout& b, int modes) {
  const layout places = places_of(a, 4 * size(a) * cosize(b));
  if (rank(r) != modes || size(r) != size(a) * size(b)) return false;
  for (std::int64_t i = 0; i < size(r); ++i)
    if (r(i) != a(i % size(a)) + places.unbounded(b(i / size(a)))) return false;
  return true;
}

/// Element (x, y) of tile (i, j) of a matrix, and so many modes.
bool cuts_matrix(const swizzled_layout& r, const layout& a, int tile_m, int tile_n, int modes) {
  const auto m = static_cast<int>(size(mode(a, 0))), n = static_cast<int>(size(mode(a, 1)));
  if (rank(r) != modes || size(r) != m * n) return false;
  int at = 0;
  for (int j = 0; j < n / tile_n; ++j)
    for (int i = 0; i < m / tile_m; ++i)
      for (int y = 0; y < tile_n; ++y)
        for (int x = 0; x < tile_m; ++x)
          if (r(at++) != a(i * tile_m + x, j * tile_n + y)) return false;
  return true;
}

/// Mode m is (block m, grid m), or the other way round: the element is that of the block, at the place of the grid.
bool lies_over_grid(const swizzled_layout& r, layout block, layout grid, bool block_first) {
  const layout places = places_of(block, 4 * size(block) * cosize(grid));
  const int modes = std::max(rank(block), rank(grid));
  block = append_to_rank(block, modes);
  grid = append_to_rank(grid, modes);
  if (rank(r) != modes || size(r) != size(block) * size(grid)) return false;
  for (std::int64_t x = 0; x < size(block); ++x) {
    for (std::int64_t g = 0; g < size(grid); ++g) {
      int_tuple at = empty_tree<int_tuple>();
      std::int64_t rest_x = x, rest_g = g;
      for (int m = 0; m < modes; ++m) {
        const std::int64_t of_block = size(mode(block, m)), of_grid = size(mode(grid, m));
        const std::int64_t in_block = rest_x % of_block, in_grid = rest_g % of_grid;
        push_mode(at, int_tuple(block_first ? in_block + of_block * in_grid : in_grid + of_grid * in_block));
        rest_x /= of_block;
        rest_g /= of_grid;
      }
      if (r.inner.unbounded(modes == 1 ? at : wrap(at)) != block(x) + places.unbounded(grid(g))) return false;
    }
  }
  return true;
}

constexpr int modes_of_stride_1(const layout& l) {
  int n = 0;
  for (int k = 0; k < l.form.leaves; ++k) n += l.leaf[k].stride == 1 ? 1 : 0;
  return n;
}

/// CuTe's upcast has an assert that ends the compilation.
template <layout L>
void ask_upcast() {
  constexpr bool divides_evenly = [] {
    for (int k = 0; k < L.form.leaves; ++k)
      if (const std::int64_t step = L.leaf[k].stride; step != 0 && step % 4 != 0 && 4 % step != 0) return false;
    return true;
  }();
  const auto wider = [] {
    if constexpr (divides_evenly)
      return theirs([&] { return cute::upcast<4>(as_cute<L>()); });
    else
      return does_not_compile("Divisibility condition");
  };
  compare_answers("upcast", to_string(L) + " by 4", ours([&] { return upcast(L, 4); }), wider(),
                  [&](const swizzled_layout& r) {
                    std::set<std::int64_t> units;
                    for (const std::int64_t x : image({swizzle{0, 4, 3}, 0, L})) units.insert(x / 4);
                    return image(r) == units;
                  });
}

template <int Number>
void ask() {
  constexpr layout a = random_layout(2 * Number), b = random_layout(2 * Number + 1);
  constexpr layout tile = random_tile(Number, size(a));
  constexpr auto cute_a = as_cute<a>(), cute_b = as_cute<b>(), cute_tile = as_cute<tile>();
  const std::string text = to_string(a), other = to_string(b);
  const swizzled_layout plain_a{swizzle{0, 4, 3}, 0, a};

  compare_answers("composition", text + " o " + other, ours([&] { return composition(a, b); }),
                  theirs([&] { return cute::composition(cute_a, cute_b); }),
                  [&](const swizzled_layout& r) { return composes(r, a, b); });
  compare_answers("composition", text + " o " + to_string(tile), ours([&] { return composition(a, tile); }),
                  theirs([&] { return cute::composition(cute_a, cute_tile); }),
                  [&](const swizzled_layout& r) { return composes(r, a, tile); });
  compare_answers("coalesce", text, ours([&] { return coalesce(a); }), theirs([&] { return cute::coalesce(cute_a); }),
                  [&](const swizzled_layout& r) { return offsets(r) == offsets(plain_a); });
  compare_answers("filter", text, ours([&] { return filter(a); }), theirs([&] { return cute::filter(cute_a); }),
                  [&](const swizzled_layout& r) { return image(r) == image(plain_a); });
  compare_answers("right_inverse", text, ours([&] { return right_inverse(a); }),
                  theirs([&] { return cute::right_inverse(cute_a); }),
                  [&](const swizzled_layout& r) { return is_right_inverse(r, a); });
  compare_answers("left_inverse", text, ours([&] { return left_inverse(a); }),
                  theirs([&] { return cute::left_inverse(cute_a); }),
                  [&](const swizzled_layout& r) { return is_left_inverse(r, a); });
  compare_answers("max_common_layout", text + " and " + other, ours([&] { return max_common_layout(a, b); }),
                  theirs([&] { return cute::max_common_layout(cute_a, cute_b); }),
                  [&](const swizzled_layout& r) { return is_right_inverse(r, a) && is_right_inverse(r, b); });
  compare_answers("make_layout_like", text, ours([&] { return make_layout_like(a); }),
                  theirs([&] { return cute::make_layout_like(cute_a); }), [&](const swizzled_layout& r) {
                    return shape(r) == shape(a) &&
                           static_cast<std::int64_t>(image(r).size()) == size(filter_zeros(r.inner)) &&
                           is_compact(filter_zeros(r.inner));
                  });
  compare_numbers("cosize", text, cosize(a), cute::cosize(cute_a), cosize(a) == *image(plain_a).rbegin() + 1);

  // CuTe's complement has asserts that end the compilation; they fail exactly where complement() is refused here.
  if constexpr (bool(try_complement(a, 48))) {
    compare_answers("complement", text + " within 48", ours([&] { return complement(a, 48); }),
                    theirs([&] { return cute::complement(cute_a, cute::Int<48>{}); }),
                    [&](const swizzled_layout& r) { return complements(r, filter(a)); });
  } else {
    all.take("complement", "both refuse");
  }
  if constexpr (bool(try_complement(tile, size(a)))) {
    compare_answers("logical_divide", text + " by " + to_string(tile), ours([&] { return logical_divide(a, tile); }),
                    theirs([&] { return cute::logical_divide(cute_a, cute_tile); }),
                    [&](const swizzled_layout& r) { return divides(r, a, tile); });
  } else {
    all.take("logical_divide", "both refuse");
  }
  if constexpr (bool(try_complement(a, size(a) * cosize(b)))) {
    const std::string question = text + " by " + other;
    compare_answers("logical_product", question, ours([&] { return logical_product(a, b); }),
                    theirs([&] { return cute::logical_product(cute_a, cute_b); }),
                    [&](const swizzled_layout& r) { return multiplies(r, a, b); });
    constexpr bool zips = rank(a) > 1 || rank(b) > 1 || is_tuple(a.form) == is_tuple(b.form);
    const auto over_grid = [](auto multiply) {
      if constexpr (zips)
        return theirs([&] { return multiply(as_cute<a>(), as_cute<b>()); });
      else
        return does_not_compile("of a tuple of one mode and a lone mode, cute::zip finds a tuple on one side only");
    };
    compare_answers("blocked_product", question, ours([&] { return blocked_product(a, b); }),
                    over_grid([](auto x, auto y) { return cute::blocked_product(x, y); }),
                    [&](const swizzled_layout& r) { return lies_over_grid(r, a, b, true); });
    compare_answers("raked_product", question, ours([&] { return raked_product(a, b); }),
                    over_grid([](auto x, auto y) { return cute::raked_product(x, y); }),
                    [&](const swizzled_layout& r) { return lies_over_grid(r, a, b, false); });
  } else {
    for (const char* product : {"logical_product", "blocked_product", "raked_product"})
      all.take(product, "both refuse");
  }
  if constexpr (Number % 2 == 0) {
    constexpr layout even = [] {  // strides that are multiples or divisors of 4
      layout l = random_layout(2 * Number);
      for (int k = 0; k < l.form.leaves; ++k)
        if (l.leaf[k].stride % 4 != 0 && 4 % (l.leaf[k].stride == 0 ? 1 : l.leaf[k].stride) != 0) l.leaf[k].stride *= 4;
      return l;
    }();
    ask_upcast<even>();
    constexpr bool has_adjacent = modes_of_stride_1(a) > 0;
    const auto narrower = [] {
      if constexpr (has_adjacent)
        return theirs([&] { return cute::downcast<2>(as_cute<a>()); });
      else
        return does_not_compile("Downcast requires adjacent elements");
    };
    compare_answers("downcast", text + " by 2", ours([&] { return downcast(a, 2); }), narrower(),
                    [&](const swizzled_layout& r) {
                      std::set<std::int64_t> halves;
                      for (const std::int64_t x : image(plain_a)) halves.insert({2 * x, 2 * x + 1});
                      return image(r) == halves;
                    });
    compare_numbers("max_alignment", text, max_alignment(a), cute::max_alignment(cute_a), is_injective(a));
  }
  if constexpr (Number % 2 == 1) ask_upcast<a>();
  if constexpr (Number % 2 == 1 && bool(try_complement(a, size(a) * cosize(b)))) {
    const std::string question = text + " by " + other;
    const auto times = [&] { return rank(mode(zipped_product(a, b), 1)); };  // a lone mode of B may have to be split
    compare_answers("zipped_product", question, ours([&] { return zipped_product(a, b); }),
                    theirs([&] { return cute::zipped_product(cute_a, cute_b); }),
                    [&](const swizzled_layout& r) { return multiplies_unpacked(r, a, b, 2); });
    compare_answers("tiled_product", question, ours([&] { return tiled_product(a, b); }),
                    theirs([&] { return cute::tiled_product(cute_a, cute_b); }),
                    [&](const swizzled_layout& r) { return multiplies_unpacked(r, a, b, 1 + times()); });
    compare_answers("flat_product", question, ours([&] { return flat_product(a, b); }),
                    theirs([&] { return cute::flat_product(cute_a, cute_b); }),
                    [&](const swizzled_layout& r) { return multiplies_unpacked(r, a, b, rank(a) + times()); });
  }
  if constexpr (rank(a) == 2) {
    constexpr int m = static_cast<int>(size(mode(a, 0))), n = static_cast<int>(size(mode(a, 1)));
    constexpr int tile_m = m % 2 == 0 ? 2 : m, tile_n = n % 2 == 0 ? n / 2 : 1;
    constexpr int_tuple by = make_shape(tile_m, tile_n);
    constexpr cute::Shape<cute::Int<tile_m>, cute::Int<tile_n>> cute_by{};
    const std::string question = text + " by " + to_string(by);
    compare_answers("zipped_divide", question, ours([&] { return zipped_divide(a, by); }),
                    theirs([&] { return cute::zipped_divide(cute_a, cute_by); }),
                    [&](const swizzled_layout& r) { return cuts_matrix(r, a, tile_m, tile_n, 2); });
    compare_answers("tiled_divide", question, ours([&] { return tiled_divide(a, by); }),
                    theirs([&] { return cute::tiled_divide(cute_a, cute_by); }),
                    [&](const swizzled_layout& r) { return cuts_matrix(r, a, tile_m, tile_n, 3); });
    compare_answers("flat_divide", question, ours([&] { return flat_divide(a, by); }),
                    theirs([&] { return cute::flat_divide(cute_a, cute_by); }),
                    [&](const swizzled_layout& r) { return cuts_matrix(r, a, tile_m, tile_n, 4); });
  }
}

template <int... Number>
void ask_all(std::integer_sequence<int, Number...>) {
  (ask<FIRST_CASE + Number>(), ...);
}

const questions here([] { ask_all(std::make_integer_sequence<int, CASES>{}); });

}  // namespace
}  // namespace witness
