# families/NAME: every member of that family is proven, by the host's compiler alone: exhaustive tests, because 56 members
# take half a minute. families/some proves every twentieth member of one family. Types, and the members in
# between, it leaves to the exhaustive ones.
function(sectile_prove_family name header)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/families/${name}.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT [[
#include <sectile/kernels/@header@>

static_assert(sectile::verified<sectile::kernels::@name@_family>);
]] @ONLY)
  add_test(NAME families/${name} COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only
                                         "-I${PROJECT_SOURCE_DIR}/include" "${file}"
           CONFIGURATIONS exhaustive)
  set_tests_properties(families/${name} PROPERTIES LABELS families)
endfunction()

foreach(name IN ITEMS gemm_bf16 gemm_bf16_split gemm_f16 gemm_f16_f16 gemm_tf32 gemm_e4m3 gemm_e5m2 gemm_e4m3_e5m2 gemm_e5m2_e4m3 gemm_s8 gemm_u8
                      gemm_b1)
  sectile_prove_family(${name} gemm_family.hpp)
endforeach()
foreach(type IN ITEMS f16 bf16 tf32 e4m3 e5m2 s8 u8)
  sectile_prove_family(sparse_gemm_${type} sparse_gemm_family.hpp)
endforeach()

sectile_prove_family(convolution_bf16 convolution_family.hpp)
sectile_prove_family(block_scaled_gemm_e4m3 block_scaled_family.hpp)

set(some "${CMAKE_CURRENT_BINARY_DIR}/families/some.cpp")
file(CONFIGURE OUTPUT "${some}" CONTENT [[
#include <sectile/kernels/gemm_family.hpp>

template <int... Twentieth>
constexpr bool proven(std::integer_sequence<int, Twentieth...>) {
  return (sectile::verified<sectile::member<sectile::kernels::gemm_bf16_family, 20 * Twentieth>> && ...);
}
static_assert(proven(std::make_integer_sequence<int, 3>{}));
]] @ONLY)
add_test(NAME families/some COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only "-I${PROJECT_SOURCE_DIR}/include"
                                    "${some}")
set_tests_properties(families/some PROPERTIES LABELS families)
