// The kernels that the tool knows by name, as types: in the order of kernel_list(), which holds what is said of them.
#pragma once

#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sectile::tool {

using shipped_kernels = std::tuple<kernels::gemm_bf16, kernels::gemm_bf16_f32,                      //
                                   kernels::attention<64, kernels::attention_mask::none>,           //
                                   kernels::attention<128, kernels::attention_mask::none>,          //
                                   kernels::attention<64, kernels::attention_mask::causal>,         //
                                   kernels::attention<128, kernels::attention_mask::causal>>;

inline constexpr int shipped_count = std::tuple_size_v<shipped_kernels>;

/// Calls use(std::type_identity<K>) for kernel number `index`, 0 <= index < shipped_count.
template <class Use>
void with_kernel(int index, Use use) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((index == I ? use(std::type_identity<std::tuple_element_t<I, shipped_kernels>>{}) : void()), ...);
  }(std::make_integer_sequence<int, shipped_count>{});
}

}  // namespace sectile::tool
