// Kernels as records that facts are made of. What includes this is compiled by the host compiler alone, with debug
// information, so that lines of the programs can be named.
#pragma once

#include <sectile/dsl/tell/facts/record.hpp>
#include <string_view>
#include <vector>

namespace sectile::tool {

struct recorded_kernel {
  std::string_view kernel;
  tell::kernel_record (*record)() = nullptr;
};

/// All kernels of a list; see kernel_type.hpp.
template <class List>
std::vector<recorded_kernel> all_recorded(List each) {
  std::vector<recorded_kernel> all;
  each([&all](auto type, std::string_view name, std::string_view) {
    all.push_back({name, tell::record_of<typename decltype(type)::type>});
  });
  return all;
}

std::vector<recorded_kernel> gemm_bf16_records();
std::vector<recorded_kernel> gemm_f16_tf32_records();
std::vector<recorded_kernel> gemm_fp8_records();
std::vector<recorded_kernel> gemm_integer_records();
std::vector<recorded_kernel> sparse_wide_records();
std::vector<recorded_kernel> sparse_8bit_records();
std::vector<recorded_kernel> attention_records();
std::vector<recorded_kernel> ladder_records();

inline constexpr std::vector<recorded_kernel> (*record_families[])() = {
    gemm_bf16_records,   gemm_f16_tf32_records, gemm_fp8_records,  gemm_integer_records,
    sparse_wide_records, sparse_8bit_records,   attention_records, ladder_records};

}  // namespace sectile::tool
