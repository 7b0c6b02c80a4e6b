// Which members of sparse_gemm_s8_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-30, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_s8_family_0[] = {
    {{32, 14336, 4096}, 3, "``olu~~`i~~~~`~~m"},
    {{32, 4096, 14336}, 1, "bomj~pqpog`loo~~~"},
    {{128, 8704, 8192}, 4, "qlu~o`dkih~``a``i"},
    {{128, 2944, 11136}, 1, "ioke}lllkmjkkj~~~"},
    {{256, 14336, 4096}, 13, "~`coimoq~````n`~o"},
    {{256, 4096, 14336}, 4, "l`r`obbcbaaababbb"},
    {{384, 11648, 10880}, 12, "~~``c```gidio``e{"},
    {{384, 4064, 14848}, 5, "n``js`baala`cbbba"},
    {{384, 5856, 1792}, 9, "~chfkhjqooqnpgmop"},
    {{384, 3392, 9984}, 9, "n`bqrffffifefeeee"},
    {{512, 16032, 6912}, 7, "~~`adiloqh```mooo"},
    {{896, 4640, 13312}, 14, "~di`b`c`go`c`ioo~"},
    {{1024, 1024, 1024}, 2, "beofnjmjeojijcgii"},
    {{1792, 5024, 9600}, 5, "~riiooowymjtuttz~"},
    {{2048, 2048, 2048}, 8, "~~dhggjvjedfmnsrr"},
    {{2272, 2880, 9216}, 6, "~~cagnogopltxmmtv"},
    {{2272, 8160, 3968}, 16, "~~```dehf`bjmcgio"},
    {{2560, 3136, 10880}, 7, "~jcikijo{linqmz~t"},
    {{2752, 6816, 12800}, 16, "~~``dcehne`cgghoo"},
    {{3264, 10976, 5376}, 7, "~~``bdjkmccjmgkoo"},
    {{4096, 4096, 4096}, 7, "~~``ddiopdgkmjoqq"},
    {{4096, 14336, 4096}, 7, "~~```glmneflpippp"},
    {{4096, 4096, 14336}, 7, "~~``bdhopfdknjqqr"},
    {{6144, 3520, 3328}, 14, "~~```bhhgbemleomj"},
    {{6656, 4800, 4608}, 15, "~~``djfhofbjmjnoq"},
    {{8192, 8192, 8192}, 7, "~~``bgiopffkrlrqq"},
    {{16384, 8192, 4096}, 15, "~~```filg`glnhoon"},
};
inline constexpr measured_table sparse_gemm_s8_family[] = {
    {"NVIDIA H200", 0xb18440bdc6354e17, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_s8_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_s8_family>{kernels::tables::sparse_gemm_s8_family, 1};

}  // namespace sectile
