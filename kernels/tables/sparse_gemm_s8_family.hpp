// Which members of sparse_gemm_s8_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-30, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_s8_family_0[] = {
    {{32, 14336, 4096}, 3, "``ob~~~``~~~~`~~h"},
    {{32, 4096, 14336}, 1, "`oh`~svuo``dpo~~~"},
    {{128, 8704, 8192}, 4, "we~~o`````~``````"},
    {{128, 2944, 11136}, 1, "`o``~bdb`e````~~~"},
    {{256, 14336, 4096}, 13, "~``n`fnu~````i`~n"},
    {{256, 4096, 14336}, 4, "a`|`o````````````"},
    {{384, 11648, 10880}, 12, "~~``````````o```~"},
    {{384, 4064, 14848}, 5, "k```~````e```````"},
    {{384, 5856, 1792}, 9, "~```a``xnowir`imr"},
    {{384, 3392, 9984}, 9, "k``y}````````````"},
    {{512, 16032, 6912}, 7, "~~````aou````hnno"},
    {{896, 4640, 13312}, 14, "~````````p````op~"},
    {{1024, 1024, 1024}, 2, "``o`l`e``o```````"},
    {{1792, 5024, 9600}, 5, "~y``mop~~f`~~~~~~"},
    {{2048, 2048, 2048}, 8, "~~`````~````ik}yz"},
    {{2272, 2880, 9216}, 6, "~~```jo`nud~~gg~~"},
    {{2272, 8160, 3968}, 16, "~~``````````g```o"},
    {{2560, 3136, 10880}, 7, "~``````o~e`kvh~~~"},
    {{2752, 6816, 12800}, 16, "~~``````k``````mo"},
    {{3264, 10976, 5376}, 7, "~~``````f```f``oq"},
    {{4096, 4096, 4096}, 7, "~~`````ot```h`nxv"},
    {{4096, 14336, 4096}, 7, "~~````dik``cr`tut"},
    {{4096, 4096, 14336}, 7, "~~`````ot``aj`vwz"},
    {{6144, 3520, 3328}, 14, "~~`````````fa`oi`"},
    {{6656, 4800, 4608}, 15, "~~``````p```h`kox"},
    {{8192, 8192, 8192}, 7, "~~`````or```{bzyy"},
    {{16384, 8192, 4096}, 15, "~~`````c```bk`pol"},
};
inline constexpr measured_table sparse_gemm_s8_family[] = {
    {"NVIDIA H200", 0xb18440bdc6354e17, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_s8_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_s8_family>{kernels::tables::sparse_gemm_s8_family, 1};

}  // namespace sectile
