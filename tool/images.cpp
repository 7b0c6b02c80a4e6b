#include "tool/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tool/input_error.hpp"

namespace sectile::tool {

bool takes_image(const kernel_facts& kernel) { return kernel.inputs() > 0 && kernel.input(0).im2col; }

const operand_facts& path_number(int i) {
  static const auto all = [] {
    constexpr const char* names[path_numbers]{"filter_rows", "filter_cols", "stride", "padding", "dilation"};
    std::array<operand_facts, path_numbers> facts{};
    for (std::size_t n = 0; n < path_numbers; ++n) {
      std::copy_n(names[n], std::string_view(names[n]).size(), facts[n].name);
      facts[n].kind = operand_kind::scalar;
      facts[n].type = element_of<float>();
    }
    return facts;
  }();
  return all[static_cast<std::size_t>(i)];
}

filter_path path_of(const std::vector<float>& numbers) {
  int path[path_numbers];
  for (int i = 0; i < path_numbers; ++i) {
    const float x = numbers.at(numbers.size() - path_numbers + static_cast<std::size_t>(i));
    if (x != std::trunc(x) || std::fabs(x) > 1e6F)
      throw input_error(fmt::format("{} = {}: a whole number of pixels is expected", path_number(i).name, x));
    path[i] = static_cast<int>(x);
  }
  const auto both = [](int x) { return of_image{x, x}; };
  return {{path[0], path[1]}, both(path[2]), both(path[3]), both(path[4])};
}
filter_path usual_filter_path() { return path_of({usual_path, usual_path + path_numbers}); }

void add_places(named_sizes& sizes, const filter_path& path) {
  const auto along = [&](char letter, int filter, int stride, int padding, int dilation) {
    const std::int64_t places = filter < 1 || stride < 1 || dilation < 1
                                    ? 0
                                    : places_along(sizes.of(letter), filter, stride, padding, dilation);
    if (places < 1)
      throw input_error(fmt::format("a filter of {}, stride {}, padding {} and dilation {} has no place along {} = {}",
                                    filter, stride, padding, dilation, letter, sizes.of(letter)));
    return places;
  };
  const std::int64_t rows = along('H', path.filter.rows, path.stride.rows, path.padding.rows, path.dilation.rows);
  const std::int64_t cols = along('W', path.filter.cols, path.stride.cols, path.padding.cols, path.dilation.cols);
  sizes.letters += "TM";
  sizes.at.push_back(std::int64_t{path.filter.rows} * path.filter.cols);
  sizes.at.push_back(sizes.of('N') * rows * cols);
}

operand_data met_pixels(const operand_data& images, const filter_path& f) {
  const std::int64_t n = images.shape[0], h = images.shape[1], w = images.shape[2], c = images.shape[3];
  const std::int64_t rows = places_along(h, f.filter.rows, f.stride.rows, f.padding.rows, f.dilation.rows),
                     cols = places_along(w, f.filter.cols, f.stride.cols, f.padding.cols, f.dilation.cols);
  operand_data met{.shape = {n * rows * cols, c * f.filter.rows * f.filter.cols}, .values = {}};
  met.values.reserve(static_cast<std::size_t>(met.shape[0] * met.shape[1]));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t p = 0; p < rows; ++p)
      for (std::int64_t q = 0; q < cols; ++q)
        for (std::int64_t r = 0; r < f.filter.rows; ++r)
          for (std::int64_t s = 0; s < f.filter.cols; ++s) {
            const std::int64_t y = p * f.stride.rows + r * f.dilation.rows - f.padding.rows,
                               x = q * f.stride.cols + s * f.dilation.cols - f.padding.cols;
            if (y < 0 || y >= h || x < 0 || x >= w) {
              met.values.insert(met.values.end(), static_cast<std::size_t>(c), 0.0F);
            } else {
              const auto first = images.values.begin() + ((i * h + y) * w + x) * c;
              met.values.insert(met.values.end(), first, first + c);
            }
          }
  return met;
}

operand_data rows_of_filters(const operand_data& filters) {
  const std::int64_t places = filters.shape[0], k = filters.shape[1], c = filters.shape[2];
  operand_data rows{.shape = {k, places * c}, .values = {}};
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t t = 0; t < places; ++t) {
      const auto first = filters.values.begin() + (t * k + i) * c;
      rows.values.insert(rows.values.end(), first, first + c);
    }
  return rows;
}

}  // namespace sectile::tool
