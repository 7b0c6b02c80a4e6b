// Which members of sparse_gemm_bf16_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_bf16_family_0[] = {
    {{32, 14336, 4096}, 2, "`don~```r````a``~"},
    {{32, 4096, 14336}, 1, "coeitmqmltemnjkll"},
    {{128, 8704, 8192}, 4, "fhjsoimjlo`c`r``j"},
    {{128, 2944, 11136}, 1, "ioccskpkjljjkhijj"},
    {{256, 14336, 4096}, 7, "e`hrlp|o{d```n``n"},
    {{256, 4096, 14336}, 4, "fe~hohlhgkhgiefgg"},
    {{384, 11648, 10880}, 12, "l```fdgbnrquobcl~"},
    {{384, 4064, 14848}, 4, "d`dsodjffqffheegg"},
    {{384, 5856, 1792}, 9, "````citnpoljlilqq"},
    {{384, 3392, 9984}, 9, "a``joehdchcceabcd"},
    {{512, 16032, 6912}, 7, "l`aadlsotm```optu"},
    {{896, 4640, 13312}, 14, "l`i``beaer`bciooo"},
    {{1024, 1024, 1024}, 2, "dfokxt~upxtrtou||"},
    {{1792, 5024, 9600}, 5, "tdhfmovyzkou|wu{~"},
    {{2048, 2048, 2048}, 8, "```eaevrfjddkmmts"},
    {{2272, 2880, 9216}, 6, "i```amobfmjprimqr"},
    {{2272, 8160, 3968}, 12, "a````gnmnhhmnhkpq"},
    {{2560, 3136, 10880}, 7, "ubehjknm{qlsvpw{y"},
    {{2752, 6816, 12800}, 16, "i```bdkile`ekhjno"},
    {{3264, 10976, 5376}, 7, "g````fronhgmrkpss"},
    {{4096, 4096, 4096}, 7, "b````dqoqfhlojorr"},
    {{4096, 14336, 4096}, 7, "b````huopihmojnqr"},
    {{4096, 4096, 14336}, 7, "j````dlooghlqjnoo"},
    {{6144, 3520, 3328}, 14, "b```bfyoqkjookosr"},
    {{6656, 4800, 4608}, 5, "d````iklnhgnpknqq"},
    {{8192, 8192, 8192}, 7, "j```egmownimroprr"},
    {{16384, 8192, 4096}, 7, "h```bjqouljmnkqvy"},
};
inline constexpr measured_table sparse_gemm_bf16_family[] = {
    {"NVIDIA H200", 0x5406e82e3dfb0b76, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_bf16_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_bf16_family>{kernels::tables::sparse_gemm_bf16_family, 1};

}  // namespace sectile
