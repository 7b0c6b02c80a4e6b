// Which members of sparse_gemm_e4m3_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_e4m3_family_0[] = {
    {{32, 14336, 4096}, 2, "`bony```q````a``w"},
    {{32, 4096, 14336}, 1, "bomm~pvpppelppppp"},
    {{128, 8704, 8192}, 4, "njjroblmnk```m``m"},
    {{128, 2944, 11136}, 1, "mooh~pwqp}popppqp"},
    {{256, 14336, 4096}, 13, "hafoin}pvb```n``u"},
    {{256, 4096, 14336}, 4, "g`paoaea`ba`a``aa"},
    {{384, 11648, 10880}, 12, "j`````a`eccho``f~"},
    {{384, 4064, 14848}, 4, "i``ho`gcbpcaccbcc"},
    {{384, 5856, 1792}, 9, "d`fdki|troroqjtyz"},
    {{384, 3392, 9984}, 4, "i``johkeeleceddee"},
    {{512, 16032, 6912}, 7, "ob``fjtoph```krvv"},
    {{896, 4640, 13312}, 14, "rbe`b`c`di```gooo"},
    {{1024, 1024, 1024}, 2, "adoftq~smxqoqkuzz"},
    {{1792, 5024, 9600}, 5, "~mhfnoxzylnsxwt{~"},
    {{2048, 2048, 2048}, 8, "``begh~uihfglns||"},
    {{2272, 2880, 9216}, 6, "oa``bjoagiglqgisr"},
    {{2272, 8160, 3968}, 12, "d````epjmeeilggpu"},
    {{2560, 3136, 10880}, 7, "~lfjkjpo|nkrup~~z"},
    {{2752, 6816, 12800}, 16, "pa``abhfha``feflo"},
    {{3264, 10976, 5376}, 7, "h```ecsmnecglikrs"},
    {{4096, 4096, 4096}, 7, "c```actopeegjiqss"},
    {{4096, 14336, 4096}, 7, "b````fvoriehljoqr"},
    {{4096, 4096, 14336}, 7, "tc``edloqghjmjqrq"},
    {{6144, 3520, 3328}, 14, "`````cxinefkjioro"},
    {{6656, 4800, 4608}, 5, "d````gljnebglinpp"},
    {{8192, 8192, 8192}, 7, "sda`hhoosffiplqrr"},
    {{16384, 8192, 4096}, 7, "h```bfwondgjmjqss"},
};
inline constexpr measured_table sparse_gemm_e4m3_family[] = {
    {"NVIDIA H200", 0x1cb5f5cb3a2e1084, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_e4m3_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_e4m3_family>{kernels::tables::sparse_gemm_e4m3_family, 1};

}  // namespace sectile
