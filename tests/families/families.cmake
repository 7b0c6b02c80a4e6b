# families/NAME: every member of that family is proven, by the host's compiler alone: exhaustive tests, because 53 members
# take half a minute. gemm_bf16 is proven by the page docs/howto/batch-invariance.md as well, whose blocks are compiled.
function(sectile_prove_family name header)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/families/${name}.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT [[
#include <sectile/kernels/@header@>

static_assert(sectile::verified<sectile::kernels::@name@_family>);
]] @ONLY)
  add_test(NAME families/${name} COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only
                                         "-I${PROJECT_BINARY_DIR}/include" "${file}"
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
