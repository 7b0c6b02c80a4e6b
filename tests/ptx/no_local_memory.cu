// Kernels that have every element in registers: of outputs by rows and by columns, put off or not, of 8 bits as well,
// of a loop with two products, and of one with operands that other forms do without.
#include <sectile/dsl/hopper/kernel.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

using namespace sectile;
using namespace sectile::kernels;

constexpr attention_form form{
    .mask = attention_mask::causal_window, .from_end = true, .grouped = true, .lse = true, .sinks = true};

const void* const kernels_to_compile[] = {
    reinterpret_cast<const void*>(hopper::run<gemm_bf16>),
    reinterpret_cast<const void*>(hopper::run<gemm<bf16, bf16, float, gemm_form{.c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<gemm<bf16, bf16, bf16, gemm_form{.a = col_major, .c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<gemm<e4m3, e4m3, e4m3, gemm_form{.c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<attention<128, attention_mask::causal>>),
    reinterpret_cast<const void*>(hopper::run<attention_of<form>>),
};
