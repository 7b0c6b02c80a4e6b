// The kernels that the tool knows by name, as types: in the order of kernel_list(), which holds what is said of them.
#pragma once

#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sectile::tool {

template <int D>
using full_attention = kernels::attention<D, kernels::attention_mask::none>;
template <int D>
using causal_attention = kernels::attention<D, kernels::attention_mask::causal>;

using shipped_kernels = std::tuple<kernels::gemm_bf16, kernels::gemm_bf16_f32, full_attention<64>, full_attention<128>,
                                   causal_attention<64>, causal_attention<128>>;

inline constexpr int shipped_count = std::tuple_size_v<shipped_kernels>;

/// Calls use(std::type_identity<K>) for kernel number `index`, 0 <= index < shipped_count.
template <class Use>
void with_kernel(int index, Use use) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((index == I ? use(std::type_identity<std::tuple_element_t<I, shipped_kernels>>{}) : void()), ...);
  }
  (std::make_integer_sequence<int, shipped_count>{});
}

}  // namespace sectile::tool
