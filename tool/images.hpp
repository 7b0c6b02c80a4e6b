// Convolutions: how the tool says what images and filters are. Images are N x H x W x C, and the way of the filter over
// them is five numbers, alike along rows and columns but for the filter's own size; how many places a filter has (T)
// and pixels the output (M) follows.
#pragma once

#include <sectile/layouts/im2col.hpp>
#include <vector>

#include "tool/kernel_list.hpp"
#include "tool/operand_data.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {

/// Whether the kernel's first input is an image that a filter goes over.
bool takes_image(const kernel_facts& kernel);
/// The modes of an image as they are given.
inline constexpr const char* image_letters = "NHWC";

/// The five numbers as operands have them, and what they are unless someone says otherwise: a filter of 3 x 3 with a
/// padding of 1.
inline constexpr int path_numbers = 5;
const operand_facts& path_number(int i);
inline constexpr float usual_path[path_numbers]{3, 3, 1, 1, 1};
/// The way that a kernel's numbers say, of which these are the last. Throws input_error for one that is not whole.
filter_path path_of(const std::vector<float>& numbers);
filter_path usual_filter_path();

/// Adds T and M to the sizes of images, filters and their way. Throws input_error where the filter has no place.
void add_places(named_sizes& sizes, const filter_path& path);

/// The matrix of M rows that a convolution multiplies, as it is defined: of each pixel of the output all channels that
/// place after place of the filter meets, zeros outside.
operand_data met_pixels(const operand_data& images, const filter_path& path);
/// Filters, T x K x C, as the matrix of K rows that meets it.
operand_data rows_of_filters(const operand_data& filters);

}  // namespace sectile::tool
