#include <sectile/dsl/model/tensor_map.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/text.hpp>
#include <stdexcept>
#include <string>

namespace sectile::model {
namespace {

std::string describe(const im2col_violation& v) {
  const std::string along = v.dimension == 0 ? "W" : "H", value = std::to_string(v.value);
  const std::string corners = " along " + along + " is not in " + std::to_string(im2col_least_corner) + ".." +
                              std::to_string(im2col_most_corner);
  switch (v.rule) {
    case im2col_rule::holds:
      break;
    case im2col_rule::lower_corner:
      return "the lower corner " + value + corners;
    case im2col_rule::upper_corner:
      return "the upper corner " + value + corners;
    case im2col_rule::no_place:
      return "the bounding box ends along " + along + " at " + value + ", before it begins";
    case im2col_rule::stride:
      return "the step " + value + " along " + along + " is not in 1.." + std::to_string(im2col_most_stride);
  }
  return "";
}

void require(const box_violation& v) {
  if (!v.ok()) throw std::invalid_argument("tensor map: " + to_string(v));
}

}  // namespace

tensor_map make_tensor_map(const void* base, int rank, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, int element_bits) {
  require(check(box));
  if (box.rank != rank) {
    throw std::invalid_argument("tensor map: the tensor has rank " + std::to_string(rank) + ", its box rank " +
                                std::to_string(box.rank));
  }
  if (box.element_bits != element_bits) {
    throw std::invalid_argument("tensor map: the tensor has elements of " + std::to_string(element_bits) +
                                " bits, its box of " + std::to_string(box.element_bits));
  }
  tensor_map map{.base = static_cast<const std::byte*>(base), .rank = rank, .box = box};
  tma_tensor tensor{.rank = rank, .base = reinterpret_cast<std::uintptr_t>(base)};
  for (int d = 0; d < rank; ++d) {
    tensor.extent[d] = map.extent[d] = extent[d];
    tensor.stride_bytes[d] = map.stride_bytes[d] = d == 0 ? element_bits / 8 : stride_bytes[d - 1];
  }
  require(check(tensor));
  return map;
}

tensor_map make_tensor_map(void* base, int rank, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, int element_bits) {
  tensor_map map = make_tensor_map(static_cast<const void*>(base), rank, extent, stride_bytes, box, element_bits);
  map.writable = true;
  return map;
}

tensor_map make_im2col_map(const void* base, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, const im2col_bounds& bounds) {
  tensor_map map = make_tensor_map(base, 4, extent, stride_bytes, box, box.element_bits);
  if (box.extent[2] != 1 || box.extent[3] != 1)
    throw std::invalid_argument(
        "tensor map: a copy in im2col mode brings pixels of one walk, channels x pixels x 1 x 1");
  if (const im2col_violation v = check(bounds, map.extent); !v.ok())
    throw std::invalid_argument("tensor map: " + describe(v));
  map.im2col = true;
  map.bounds = bounds;
  return map;
}

}  // namespace sectile::model
