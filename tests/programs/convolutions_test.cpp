// Convolutions through TMA's im2col mode: geometries whose sizes no tile divides, held against the sum as it is
// written.
#include "tests/programs/convolutions.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using convolutions::check;
using convolutions::geometry;

constexpr configuration small{.tile = {{"M", 64}, {"K", 64}, {"C", 64}}, .stages = 3, .consumers = 1};
constexpr configuration pair{
    .tile = {{"M", 128}, {"K", 64}, {"C", 32}}, .stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true};
constexpr configuration row_of_two{
    .tile = {{"M", 64}, {"K", 32}, {"C", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 1};
constexpr configuration narrow{.tile = {{"M", 64}, {"K", 64}, {"C", 16}}, .stages = 4, .consumers = 1};

using plain = convolutions::with<small>;

TEST_CASE("3 x 3 with padding, as networks have it; rows of images that lie apart") {
  check<plain>({.n = 2, .h = 7, .w = 9, .c = 64, .k = 72, .path = {.filter = {3, 3}, .padding = {1, 1}}, .pad = 2},
               bf16_close, 1);
}
TEST_CASE("1 x 1 is a product of matrices, and with a stride one of some rows") {
  check<plain>({.n = 2, .h = 5, .w = 11, .c = 96, .k = 64}, bf16_close, 0);
  check<plain>({.n = 2, .h = 9, .w = 10, .c = 40, .k = 64, .path = {.stride = {2, 2}}}, bf16_close, 0);
}
TEST_CASE("the stem of a network: 7 x 7, stride 2, padding 3, few channels") {
  check<convolutions::with<narrow>>(
      {.n = 1, .h = 17, .w = 15, .c = 8, .k = 64, .path = {.filter = {7, 7}, .stride = {2, 2}, .padding = {3, 3}}},
      bf16_close, 0);
}
TEST_CASE("filters, strides, paddings and dilations that differ along rows and columns") {
  const filter_path paths[] = {
      {.filter = {3, 2}, .stride = {2, 3}, .padding = {1, 0}, .dilation = {2, 1}},
      {.filter = {1, 5}, .stride = {1, 2}, .padding = {0, 2}},
      {.filter = {5, 1}, .stride = {3, 1}, .padding = {2, 0}, .dilation = {1, 4}},
      {.filter = {2, 2}, .stride = {8, 7}, .padding = {3, 2}, .dilation = {3, 2}},
  };
  for (const filter_path& path : paths)
    check<plain>({.n = 3, .h = 11, .w = 13, .c = 24, .k = 40, .path = path}, bf16_close, 0);
}
TEST_CASE("an image smaller than the filter, and one pixel") {
  check<plain>({.n = 5, .h = 2, .w = 1, .c = 16, .k = 8, .path = {.filter = {3, 3}, .padding = {1, 1}}}, bf16_close, 0);
  check<plain>({.n = 70, .h = 1, .w = 1, .c = 16, .k = 8}, bf16_close, 0);
}
TEST_CASE("clusters share pixels or filters: slices of a multicast begin anywhere in the image") {
  check<convolutions::with<pair>>(
      {.n = 3, .h = 9, .w = 12, .c = 48, .k = 100, .path = {.filter = {3, 3}, .padding = {1, 1}}}, bf16_close, 1);
  check<convolutions::with<row_of_two>>(
      {.n = 2, .h = 7, .w = 7, .c = 72, .k = 100, .path = {.filter = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}},
      bf16_close, 1);
}
TEST_CASE("other types") {
  const geometry g{.n = 1, .h = 6, .w = 7, .c = 32, .k = 32, .path = {.filter = {3, 3}, .padding = {1, 1}}};
  constexpr configuration of_bytes{.tile = {{"M", 64}, {"K", 32}, {"C", 64}}, .stages = 3, .consumers = 1};
  constexpr configuration of_words{.tile = {{"M", 64}, {"K", 32}, {"C", 16}}, .stages = 3, .consumers = 1};
  check<convolutions::with<small, f16, f16>, f16, f16>(g, 0x1p-11, 0);
  check<convolutions::with<of_bytes, e4m3, float>, e4m3, float>(g, 0x1p-10, 0);
  check<convolutions::with<of_words, tf32, float>, tf32, float>(g, 0x1p-9, 0);
}

}  // namespace
