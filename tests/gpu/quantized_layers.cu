// Layers whose weights have 8 or 4 bits: see layer_case.hpp.
#include <sectile/kernels/group_quantized_linear.hpp>
#include <sectile/kernels/linear.hpp>

#include "tests/gpu/layer_case.hpp"

namespace sectile::gpu_test {
namespace {

using namespace sectile::kernels;

/// Weights of 8 or 4 bits, by one member of the family. (Shuffled ones are random bits as well.)
template <class Weight, class T, int I = 0>
void check_quantized(const char* name) {
  constexpr int pitch = 224;                           // of 4 bits, rows are whole pieces of 16 bytes
  constexpr int cols = is_shuffled<Weight> ? 192 : k;  // whole groups
  const twice<unshuffled<Weight>> w(m * pitch, 1);
  const twice<T> a(n * k, 2);
  const twice<float> scale(m, 3, 1);
  compare<T>(name, true, [&](bool d, T* out) {
    run_on<member<quantized_linear<Weight, T>, I>>(d, out, m, n,
                                                   matrix(reinterpret_cast<const Weight*>(w.in(d)), m, cols, pitch),
                                                   matrix(a.in(d), n, cols, k), tensor(scale.in(d), m));
  });
}

/// Of many activations, or of few in so many parts.
template <class Layer, int Parts>
struct in_parts : Layer {
  static constexpr configuration how = Parts == 0 ? Layer::of_many : Layer::of_few(16, 5, Parts);
};
/// Weights with scales, and zero points, for groups of K, the last of which is shorter.
template <class Weight, class T, bool Zeros, int Parts, int Group = 128>
void check_groups(const char* name) {
  using kernel = in_parts<group_quantized_linear<Weight, T, Group, Zeros>, Parts>;
  constexpr int cols = 10 * Group - Group / 2, groups = 10, few = 40;
  const twice<unshuffled<Weight>> w(m * cols, 1);
  const twice<T> a(few * cols, 2), scale(m * groups, 3), zero(m * groups, 4);
  compare<T>(name, true, [&](bool d, T* out) {
    const auto run = [&](const auto&... zeros) {
      run_kernel_on<kernel>(d, matrix(reinterpret_cast<const Weight*>(w.in(d)), m, cols), matrix(a.in(d), few, cols),
                            tensor(scale.in(d), groups, m), matrix(out, m, few, n), zeros...);
    };
    if constexpr (Zeros)
      run(tensor(zero.in(d), groups, m));
    else
      run();
  });
}

}  // namespace

void check_quantized_layers() {
  check_quantized<s8, bf16>("weights of s8, bf16");
  check_quantized<u8, f16>("weights of u8, f16");
  check_quantized<e4m3, bf16>("weights of e4m3, bf16");
  check_quantized<e4m3, f16>("weights of e4m3, f16");
  check_quantized<e5m2, bf16>("weights of e5m2, bf16");
  check_quantized<e5m2, f16>("weights of e5m2, f16");
  check_quantized<e4m3, bf16, 4>("weights of e4m3, bf16, K in two parts");
  check_quantized<s8, bf16, 6>("weights of s8, bf16, for few activations");
  check_quantized<s4x2, bf16>("weights of s4, bf16");
  check_quantized<u4x2, bf16, 5>("weights of u4, bf16, for few activations");
  check_quantized<s4x2, f16, 1>("weights of s4, f16");
  check_quantized<u4x2, f16>("weights of u4, f16");
  check_quantized<shuffled<s4x2>, bf16>("shuffled weights of s4, bf16");
  check_quantized<shuffled<u4x2>, f16, 6>("shuffled weights of u4, f16, for few activations");
  check_quantized<shuffled<s8>, bf16, 3>("shuffled weights of s8, bf16");
  check_quantized<shuffled<u8>, f16, 5>("shuffled weights of u8, f16, for few activations");
  check_quantized<shuffled<e4m3>, bf16, 6>("shuffled weights of e4m3, bf16, for few activations");
  check_quantized<shuffled<e5m2>, f16>("shuffled weights of e5m2, f16");
  check_groups<shuffled<s4x2>, bf16, false, 0>("scales of groups");
  check_groups<shuffled<s4x2>, bf16, false, 3>("scales of groups, K in three parts");
  check_groups<shuffled<s4x2>, bf16, false, 8>("scales of groups, K in eight parts");
  check_groups<u4x2, f16, true, 2>("scales and zero points of groups, K in two parts");
  check_groups<shuffled<u4x2>, bf16, true, 3>("shuffled, with zero points of groups, K in three parts");
  check_groups<s8, bf16, false, 6, 64>("scales of groups of s8, K in six parts");
}

}  // namespace sectile::gpu_test
