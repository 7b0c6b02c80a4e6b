// Where the elements of a tensor are in host memory, from the view that the program passed and from nothing else: what
// copies and stores are compared with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sectile/dsl/model/labels.hpp>
#include <sectile/dsl/program/observed_tile.hpp>
#include <string>

namespace sectile::model {

/// Indices of an element, innermost mode first.
using element_index = std::array<std::int64_t, 5>;

/// The element that holds the byte, or nothing. Of elements that share bytes (a stride of 0) it is one.
std::optional<element_index> find_element(const tensor_label& l, const std::byte* at);
/// "(3, 64)", outermost mode first.
std::string spell(const tensor_label& l, const element_index& at);
/// "(3, 1)"
std::string spell(const tensor_label& l, const observed_tile& tile);
/// "element (3, 64) of C", or "byte 0x... of host memory" where no tensor is known that holds it.
std::string name_element(const label_set& labels, const std::byte* at);
/// The tensor that is this operand, or nullptr.
const tensor_label* find_operand(const label_set& labels, int operand);

/// What 16 bytes of shared memory are a copy of: `bytes` bytes from `from` on and zeros behind them.
struct copy_source {
  static constexpr std::uint32_t not_copied = 0xFFFF'FFFF;
  const std::byte* from = nullptr;  ///< null if it is zeros alone
  std::uint32_t bytes = not_copied;

  friend bool operator==(const copy_source&, const copy_source&) = default;
};

/// One tile of a tensor.
struct placed_tile {
  placed_tile(const tensor_label& tensor, const observed_tile& tile);

  /// What a right copy of the 16 bytes is that begin `byte` bytes along and `row` rows across the contiguous mode.
  copy_source at(int byte, int row) const {
    if (tensor_.image) return pixel(byte, row);
    if (tensor_.index != nullptr) return picked(byte, row);
    const std::int64_t x = first_byte_ + byte, y = first_row_ + row;
    if (!inside_ || x < 0 || y < tile_.first_row || x >= row_bytes_ || y >= rows_) return {nullptr, 0};
    const std::int64_t left = row_bytes_ - x;
    return {begin_ + y * stride_ + x, static_cast<std::uint32_t>(left < 16 ? left : 16)};
  }
  /// "element (64, 8) of tile (0, 3) of A": the element of the tile that begins there.
  std::string name(int byte, int row) const;

 private:
  copy_source pixel(int byte, int row) const;
  copy_source picked(int byte, int row) const;

  const tensor_label& tensor_;
  observed_tile tile_;
  const std::byte* begin_;  // of the matrix that the tile is in
  bool inside_ = true;      // that matrix is one of the tensor's
  std::int64_t first_byte_, first_row_, row_bytes_, rows_, stride_;
};

}  // namespace sectile::model
