// Convolutions in the tool: images and filters from files, the way of the filter as numbers, and what is told of them.
#include <cmath>

#include "tests/tool/cli.hpp"
#include "tool/images.hpp"
#include "tool/input_error.hpp"
#include "tool/problem.hpp"
#include "tool/roofline/work.hpp"

namespace {

using namespace cli;
using namespace sectile::tool;

/// An image of 2 x 3 pixels and a filter of 2 x 2, of one channel.
void write_image(const scratch_folder& folder) {
  folder.write("x.npy", npy_type::f4, {1, 2, 3, 1}, {1, 2, 3, 4, 5, 6});
  folder.write("w.npy", npy_type::f4, {4, 1, 1}, {1, 2, 0, -1});
}
const std::string images_from_files =
    "run convolution_bf16 --on model --x x.npy --w w.npy --filter-rows 2 --filter-cols 2 ";

}  // namespace

TEST_CASE("images and filters come from files, and numbers say how the one goes over the other") {
  const scratch_folder folder;
  write_image(folder);
  const outcome ran = sectile_in(folder, images_from_files + "--padding 0 --out y.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(contains(ran.out, "Y = X * W with K = 1, N = 1, H = 2, W = 3, C = 1, T = 4, M = 2, filter_rows = 2"));
  CHECK(folder.numbers("y.npy") == std::vector<float>{0, 2});  // 1 + 2 * 2 - 5, 2 + 2 * 3 - 6
  const outcome padded = sectile_in(folder, images_from_files + "--padding 1 --stride 2 --out y.npy");
  CHECK_MESSAGE(padded.status == 0, padded.err);
  CHECK(folder.numbers("y.npy") == std::vector<float>{-1, -3, 8, 17});  // -1, -3, 2 * 4, 5 + 2 * 6
}
TEST_CASE("what does not fit together is refused") {
  const scratch_folder folder;
  write_image(folder);
  check_refusal(folder, images_from_files + "--padding 0 --dilation 2",
                "a filter of 2, stride 1, padding 0 and dilation 2 has no place along H = 2");
  check_refusal(folder, images_from_files + "--stride 0.5", "stride = 0.5: a whole number of pixels is expected");
  check_refusal(folder, "run convolution_bf16 --on model --x x.npy --w w.npy",
                "w.npy is 4x1x1, and with K = 1, N = 1, H = 2, W = 3, C = 1, T = 9, M = 6 W, T x K x C, is 9x1x1");
  const outcome launched = sectile_in(folder, images_from_files + "--stride 9");
  CHECK(launched.status == 2);
  CHECK_MESSAGE(contains(launched.err, "operand X: along H the stride is 9; TMA takes 1 to 8"), launched.err);
}
TEST_CASE("random images: sizes by letters, and what follows from them") {
  const auto p = random_problem(find_kernel("convolution_bf16"), reading::wgmma, "40x2x9x7x24", 0, {5, 3, 2, 2, 1});
  CHECK(p.inputs[0].shape == sizes{2, 9, 7, 24});
  CHECK(p.inputs[1].shape == sizes{15, 40, 24});
  CHECK(p.output_shapes[0] == sizes{2 * 5 * 5, 40});
  CHECK(p.path == sectile::filter_path{{5, 3}, {2, 2}, {2, 2}, {1, 1}});
  const scratch_folder folder;
  for (const char* kernel : {"convolution_bf16", "convolution_e4m3"}) {
    const outcome ran =
        sectile_in(folder, std::string("run ") + kernel +
                               " --on model --shape 40x2x9x7x24 --stride 2 --filter-rows 5 --padding 2");
    CHECK_MESSAGE(ran.status == 0, ran.err);
    CHECK(contains(ran.out, "VERIFIED"));
  }
}
TEST_CASE("the matrix of pixels that a filter meets") {
  const operand_data image{.shape = {1, 2, 3, 1}, .values = {1, 2, 3, 4, 5, 6}};
  const operand_data met = met_pixels(image, {{2, 2}, {1, 2}, {1, 0}, {1, 1}});
  CHECK(met.shape == sizes{3, 4});
  CHECK(met.values == std::vector<float>{0, 0, 1, 2, 1, 2, 4, 5, 4, 5, 0, 0});
  const operand_data filters{.shape = {2, 3, 1}, .values = {1, 2, 3, 4, 5, 6}};
  CHECK(rows_of_filters(filters).values == std::vector<float>{1, 4, 2, 5, 3, 6});
}
TEST_CASE("what bounds a convolution: each image is read once, each place of the filter multiplies") {
  const kernel_facts& kernel = find_kernel("convolution_bf16");
  const kernel_work work = work_of(kernel, sizes_asked(kernel, "K=8,N=2,H=4,W=5,C=16"));
  CHECK(work.operations == 2.0 * (2 * 4 * 5) * 8 * 9 * 16);
  CHECK(work.bytes() == 2.0 * (2 * 4 * 5 * 16 + 9 * 8 * 16 + 2 * 4 * 5 * 8));
}
