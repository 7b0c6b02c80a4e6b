// Where a tile of an im2col operand is in its image: what its numbers are to TMA.
#pragma once
#include <sectile/dsl/roles/work.hpp>
#include <sectile/layouts/im2col.hpp>

namespace sectile {

/// The coordinates of a copy in im2col mode (C, W, H, N) and its offsets (along W and H).
struct im2col_coordinates {
  int at[4]{};
  std::uint16_t offset[2]{};
};

/// How a filter goes over an image: the launch knows, and the producer divides by it.
struct im2col_place {
  fast_divisor cols{}, rows{}, filter_cols{};  // of the output, and of the filter
  of_image stride{}, padding{}, dilation{};

  constexpr im2col_place() = default;
  constexpr im2col_place(const filter_path& f, of_image output)
      : cols(output.cols),
        rows(output.rows),
        filter_cols(f.filter.cols),
        stride(f.stride),
        padding(f.padding),
        dilation(f.dilation) {}

  /// Where channels from c on are of the pixels that place t of the filter meets from output pixel m on.
  constexpr im2col_coordinates at(int t, int m, int c) const {
    const int line = cols.divide(m), col = m - line * static_cast<int>(cols.divisor);
    const int n = rows.divide(line), row = line - n * static_cast<int>(rows.divisor);
    const int r = filter_cols.divide(t), s = t - r * static_cast<int>(filter_cols.divisor);
    return {{c, col * stride.cols - padding.cols, row * stride.rows - padding.rows, n},
            {static_cast<std::uint16_t>(s * dilation.cols), static_cast<std::uint16_t>(r * dilation.rows)}};
  }
};

template <int Count>
struct im2col_places {
  im2col_place im2col[Count]{};  // in the order of the operands, of which most are none
};

}  // namespace sectile
