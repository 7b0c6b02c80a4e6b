# The shipped kernels that the Python package has: those of every day, so that it is built within minutes. Families come
# by one member each. -DSECTILE_PYTHON_KERNELS="gemm_bf16;softmax_bf16" takes fewer.
function(sectile_ship name header kernel summary)
  if(SECTILE_PYTHON_KERNELS STREQUAL "everyday" OR name IN_LIST SECTILE_PYTHON_KERNELS)
    sectile_add_operator(sectile_shipped "${PROJECT_SOURCE_DIR}/kernels/${header}" KERNEL "sectile::${kernel}" NAME ${name}
                         SUMMARY "${summary}")
  endif()
endfunction()

set(k kernels::)
sectile_ship(gemm_bf16 gemm.hpp ${k}gemm_bf16 "C = A B^T: bf16 matrices, summed in f32, C in bf16")
sectile_ship(softmax_bf16 rows.hpp "member<sectile::${k}softmax<sectile::bf16>, 0>" "Y = softmax(X) along each row: bf16, computed in f32")
