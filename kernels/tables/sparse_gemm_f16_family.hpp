// Which members of sparse_gemm_f16_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_f16_family_0[] = {
    {{32, 14336, 4096}, 2, "`con~```r````a``~"},
    {{32, 4096, 14336}, 1, "foejwmrmmvcmnjllm"},
    {{128, 8704, 8192}, 4, "hiksogmklp`b`r``l"},
    {{128, 2944, 11136}, 1, "jocdtkpkklkklijkk"},
    {{256, 14336, 4096}, 13, "jbiqko~ozd``cm`br"},
    {{256, 4096, 14336}, 4, "fd~hohlhglhgiefgg"},
    {{384, 11648, 10880}, 12, "k```ebdalnqvo`cl~"},
    {{384, 4064, 14848}, 4, "d`dmockggoggiefgg"},
    {{384, 5856, 1792}, 9, "````cirmpolikikpq"},
    {{384, 3392, 9984}, 9, "a``jpehdchcceabdd"},
    {{512, 16032, 6912}, 7, "k```cksopk```nptu"},
    {{896, 4640, 13312}, 14, "k`f```cacl``cfooo"},
    {{1024, 1024, 1024}, 2, "dgokxt~upxurtnu||"},
    {{1792, 5024, 9600}, 5, "uefdjotxxintywtz|"},
    {{2048, 2048, 2048}, 8, "```b`dxrfecdjlntt"},
    {{2272, 2880, 9216}, 6, "g````mobeijpqhlqr"},
    {{2272, 8160, 3968}, 12, "a````gonnhimnikqr"},
    {{2560, 3136, 10880}, 7, "tceghknmxomvysy|z"},
    {{2752, 6816, 12800}, 16, "i```bekine`elhkno"},
    {{3264, 10976, 5376}, 7, "g```bfroohhmskpss"},
    {{4096, 4096, 4096}, 7, "b````cqonchlnjnqq"},
    {{4096, 14336, 4096}, 7, "b````huoohglninqr"},
    {{4096, 4096, 14336}, 7, "j````dlonfimqjmoo"},
    {{6144, 3520, 3328}, 14, "c```aeumojjookosu"},
    {{6656, 4800, 4608}, 5, "c````iklngfnpknqr"},
    {{8192, 8192, 8192}, 7, "j`a`egmounimqrprs"},
    {{16384, 8192, 4096}, 7, "f````iqorjkoqlqtw"},
};
inline constexpr measured_table sparse_gemm_f16_family[] = {
    {"NVIDIA H200", 0x3143ca4e4285981e, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_f16_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_f16_family>{kernels::tables::sparse_gemm_f16_family, 1};

}  // namespace sectile
