// Which elements of an output a launch has written, and how often.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/tensor_elements.hpp>
#include <string>
#include <vector>

namespace sectile::model {

struct coverage {
  explicit coverage(const tensor_label& l);

  /// Bytes begin .. begin + bytes - 1, whole elements of one row or of several that touch, are written. May be called
  /// from several threads. False if one of them has been written before, or is not an element of the tensor.
  bool add(const std::byte* begin, std::size_t bytes);
  /// The element that begins there is combined with something, as often as anybody likes. False if there is none.
  bool add_again(const std::byte* element);
  /// "C: 64 of its 4096 elements are never written; the first is ...", or "" if every one has been.
  std::string missing() const;

 private:
  std::size_t number_of(const element_index& at) const;

  tensor_label tensor_;
  std::vector<std::atomic<std::uint8_t>> times_;  // by element, innermost mode first
};

}  // namespace sectile::model
