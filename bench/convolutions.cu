// libsectile_convolutions: a family of convolutions behind C functions, for convolutions.py.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/convolution_family.hpp>

#include <exception>
#include <string>

namespace {

using namespace sectile;
using family = kernels::convolution_bf16_family;

struct problem {
  const void *x, *w;
  void* y;
  int n, height, width, c, k;
  filter_path path;
  workspace room;
  cudaStream_t stream;

  auto images() const { return im2col(tensor(static_cast<const bf16*>(x), n, height, width, c), path); }
  auto factors() const {
    return filters(tensor(static_cast<const bf16*>(w), k, path.filter.rows, path.filter.cols, c));
  }
  auto result() const {
    const output_pixels made = pixels_of(images());
    return matrix(static_cast<bf16*>(y), n * made.rows * made.cols, k);
  }
};

template <class K>
void launch_with_room(const problem& p) {
  launch_on<K>(p.stream, p.images(), p.factors(), p.result(), p.room);
}
template <int I>
void launch_member(const problem& p) {
  using K = member<family, I>;
  if constexpr (needs_workspace(plan_of<K>))
    launch_with_room<K>(p);
  else
    launch_on<K>(p.stream, p.images(), p.factors(), p.result());
}
template <int... I>
void launch_numbered(int number, const problem& p, std::integer_sequence<int, I...>) {
  using launcher = void (*)(const problem&);
  static constexpr launcher all[] = {launch_member<I>...};
  all[number](p);
}

}  // namespace

extern "C" int sectile_convolution_members() { return count_configurations<family>(); }

/// Queues Y = X * W: images n x height x width x c, filters k x rows x cols x c. `number`: of the family's member;
/// below 0 the one that a launch picks. Returns why it was refused, or nullptr.
extern "C" const char* sectile_convolution(int number, const void* x, const void* w, void* y, int n, int height,
                                           int width, int c, int k, int rows, int cols, int stride, int padding,
                                           int dilation, void* room, long long bytes, cudaStream_t stream) {
  static thread_local std::string why;
  const filter_path path{{rows, cols}, {stride, stride}, {padding, padding}, {dilation, dilation}};
  const problem p{x, w, y, n, height, width, c, k, path, workspace(room, static_cast<std::size_t>(bytes)), stream};
  try {
    if (number < 0)
      launch_with_room<family>(p);
    else
      launch_numbered(number, p, member_numbers<family>{});
    return nullptr;
  } catch (const std::exception& error) {
    why = error.what();
    return why.c_str();
  }
}
