// The families of kernels, each compiled in a file of its own so that they compile in parallel.
#pragma once

#include <span>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_bf16_kernels();
std::span<const kernel_facts> gemm_f16_tf32_kernels();
std::span<const kernel_facts> gemm_fp8_kernels();
std::span<const kernel_facts> gemm_integer_kernels();
std::span<const kernel_facts> sparse_wide_kernels();
std::span<const kernel_facts> sparse_8bit_kernels();
std::span<const kernel_facts> attention_kernels();
std::span<const kernel_facts> ladder_kernels();

/// In the order of `sectile list`.
inline constexpr std::span<const kernel_facts> (*kernel_families[])() = {
    gemm_bf16_kernels,   gemm_f16_tf32_kernels, gemm_fp8_kernels,  gemm_integer_kernels,
    sparse_wide_kernels, sparse_8bit_kernels,   attention_kernels, ladder_kernels};

/// Readings of some of these kernels for GPUs before Hopper.
struct portable_reading {
  std::string_view kernel;
  reading_functions run;
};
std::span<const portable_reading> wmma_readings();
std::span<const portable_reading> simt_readings();

}  // namespace sectile::tool
