# ThunderKittens as a witness of layouts/adapt: a program that asks its tiles and from_kittens() where each element lies.
# Nothing of it is part of this repository, and nothing is fetched: point to its headers. nvcc compiles them; no GPU is
# needed.
#
#   cmake -S . -B build -DSECTILE_KITTENS=/path/to/ThunderKittens/include
#   ctest --test-dir build -L kittens
set(SECTILE_KITTENS "" CACHE PATH "ThunderKittens's headers (the folder that holds kittens.cuh), for kittens_witness")
if(NOT SECTILE_KITTENS)
  return()
endif()
find_program(SECTILE_KITTENS_NVCC nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(SECTILE_KITTENS_NVCC)
if(NOT SECTILE_KITTENS_NVCC OR NOT EXISTS "${SECTILE_KITTENS}/types/shared/st.cuh")
  message(WARNING "ThunderKittens is no witness: it takes nvcc and types/shared/st.cuh in '${SECTILE_KITTENS}'")
  return()
endif()
set(program "${CMAKE_CURRENT_BINARY_DIR}/kittens_witness")
add_test(NAME kittens/build
         COMMAND "${SECTILE_KITTENS_NVCC}" -std=c++20 --expt-relaxed-constexpr -arch=sm_90a -DKITTENS_HOPPER -w -I
                 "${SECTILE_KITTENS}" -I "${PROJECT_SOURCE_DIR}/include" "${CMAKE_CURRENT_LIST_DIR}/witness.cu" -o "${program}")
add_test(NAME kittens/witness COMMAND "${program}")
set_tests_properties(kittens/build PROPERTIES LABELS kittens FIXTURES_SETUP kittens_witness)
set_tests_properties(kittens/witness PROPERTIES LABELS kittens FIXTURES_REQUIRED kittens_witness)
