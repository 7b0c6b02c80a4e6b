#pragma once
// Layouts whose values are coordinates, not offsets: (128,64):(1@1,1@0) gives (1,0) for a step down and (0,1) for a
// step to the right, in the order in which TMA counts. 1@d is CuTe's notation for one step along dimension d; 1@1@0 is
// one along part 1 of dimension 0. A tensor that is copied by TMA is cut into tiles like any other; what comes out are
// the coordinates at which its boxes begin.

#include <sectile/layouts/coordinate.hpp>
#include <sectile/layouts/modes.hpp>

namespace sectile {

/// The most numbers that such a coordinate has.
inline constexpr int max_dimensions = 8;

/// A step in a space of coordinates: so far along each dimension.
struct basis_step {
  std::int64_t along[max_dimensions] = {};

  constexpr basis_step times(std::int64_t n) const {
    basis_step result;
    for (int d = 0; d < max_dimensions; ++d) result.along[d] = checked_multiply(along[d], n);
    return result;
  }
  constexpr basis_step plus(const basis_step& other) const {
    basis_step result;
    for (int d = 0; d < max_dimensions; ++d) result.along[d] = checked_add(along[d], other.along[d]);
    return result;
  }
  constexpr bool is_zero() const { return *this == basis_step{}; }
  friend constexpr bool operator==(const basis_step&, const basis_step&) = default;
};

/// A nesting with an extent and a step for each leaf, and the coordinate of element 0. `space` is the profile of the
/// coordinates; its leaves are the dimensions.
struct coordinate_layout {
  nesting form{};
  nesting space{};
  std::int64_t extent[max_leaves] = {1};
  basis_step step[max_leaves] = {};
  basis_step begin = {};

  /// The coordinate of a coordinate of the layout, of any profile that fits; _ counts as 0. Refuses what is none.
  template <class... Coordinate>
  constexpr int_tuple operator()(const Coordinate&... coordinate) const {
    const int_tuple at = coordinate_of(coordinate...);
    require_coordinate(at, counting());
    const int_tuple leaves = idx2crd(without_wildcards(at), domain());
    basis_step sum = begin;
    for (int k = 0; k < form.leaves; ++k) sum = sum.plus(step[k].times(leaves.leaf[k]));
    return in_space(sum);
  }

  /// The shape of the layout.
  constexpr int_tuple domain() const {
    int_tuple result;
    result.form = form;
    for (int k = 0; k < form.leaves; ++k) result.leaf[k] = extent[k];
    return result;
  }

  /// A step as a coordinate of the space.
  constexpr int_tuple in_space(const basis_step& s) const {
    int_tuple result;
    result.form = space;
    for (int d = 0; d < space.leaves; ++d) result.leaf[d] = s.along[d];
    return result;
  }

  friend constexpr bool operator==(const coordinate_layout&, const coordinate_layout&) = default;

 private:
  constexpr layout counting() const { return layout_left(domain()); }
  static constexpr int_tuple without_wildcards(int_tuple t) {
    for (std::int64_t& index : t.leaf)
      if (index == int_tuple::any) index = 0;
    return t;
  }
};

constexpr int_tuple shape(const coordinate_layout& l) { return l.domain(); }
constexpr std::int64_t size(const coordinate_layout& l) { return product(l.domain()); }
constexpr int rank(const coordinate_layout& l) { return rank(l.form); }

/// Refuses a space of more than max_dimensions.
constexpr void require_dimensions(int dimensions) {
  if (dimensions > max_dimensions)
    throw layout_error("a coordinate has up to ", max_dimensions, " numbers, not ", dimensions);
}

/// The space of coordinates (x,y,...) of so many numbers. One number is a tuple as well: 1@0 is a step along its mode
/// 0.
constexpr nesting space_of(int dimensions) {
  nesting space{};
  space.leaves = static_cast<std::uint8_t>(dimensions);
  enclose(space, {0, dimensions});
  return space;
}

/// Every coordinate of a shape is its own value: (4,8) becomes (4,8):(1@0,1@1).
constexpr coordinate_layout make_identity_layout(const int_tuple& shape) {
  require_extents(shape);
  require_dimensions(shape.form.leaves);
  coordinate_layout result{.form = shape.form, .space = shape.form};
  for (int k = 0; k < shape.form.leaves; ++k) {
    result.extent[k] = shape.leaf[k];
    result.step[k].along[k] = 1;
  }
  return result;
}

/// The coordinates of a tensor in global memory as a tensor map counts them, dimension 0 the contiguous one: the
/// dimensions are the leaves of the tensor by their strides, smallest first. (128,64):(64,1) becomes
/// (128,64):(1@1,1@0). Refuses more than TMA's 5 dimensions, and a stride that is not above 0.
constexpr coordinate_layout tma_coordinates(const layout& tensor) {
  constexpr int most = 5;
  const int leaves = tensor.form.leaves;
  if (leaves > most) throw layout_error("TMA counts up to ", most, " dimensions; ", tensor, " has ", leaves);
  coordinate_layout result{.form = tensor.form, .space = space_of(leaves)};
  for (int k = 0; k < leaves; ++k) {
    if (tensor.leaf[k].stride < 1) throw layout_error("TMA counts no dimension of stride ", tensor.leaf[k].stride);
    int dimension = 0;
    for (int j = 0; j < leaves; ++j) {
      const std::int64_t before = tensor.leaf[j].stride, own = tensor.leaf[k].stride;
      dimension += before < own || (before == own && j < k) ? 1 : 0;
    }
    result.extent[k] = tensor.leaf[k].shape;
    result.step[k].along[dimension] = 1;
  }
  return result;
}

/// The smallest shape, from 0, that holds every coordinate if none is negative: one more than the largest number along
/// each dimension. (Begins do not count.) Of offsets it is the cosize.
constexpr int_tuple coshape(const coordinate_layout& l) {
  basis_step sum;
  for (int k = 0; k < l.form.leaves; ++k) {
    basis_step farthest = l.step[k].times(l.extent[k] - 1);
    for (std::int64_t& n : farthest.along) n = n < 0 ? -n : n;
    sum = sum.plus(farthest);
  }
  for (std::int64_t& n : sum.along) ++n;
  return l.in_space(sum);
}
constexpr int_tuple coshape(const layout& l) { return cosize(l); }

}  // namespace sectile
