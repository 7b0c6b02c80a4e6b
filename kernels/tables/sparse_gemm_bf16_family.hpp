// Which members of sparse_gemm_bf16_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_bf16_family_0[] = {
    {{32, 14336, 4096}, 2, "``ol~```|```````~"},
    {{32, 4096, 14336}, 1, "`o``~fxfd~`fj``cd"},
    {{128, 8704, 8192}, 4, "```~o`f`bo```z```"},
    {{128, 2944, 11136}, 1, "`o``~`r``a``a````"},
    {{256, 14336, 4096}, 7, "```zcr~o~````j``j"},
    {{256, 4096, 14336}, 4, "``~`o`b``a```````"},
    {{384, 11648, 10880}, 12, "b```````j|x~o``c~"},
    {{384, 4064, 14848}, 4, "```~o````v```````"},
    {{384, 5856, 1792}, 9, "``````~iqod`b`avx"},
    {{384, 3392, 9984}, 9, "````q````````````"},
    {{512, 16032, 6912}, 7, "c````b~o~h```ot~~"},
    {{896, 4640, 13312}, 14, "a````````z````oop"},
    {{1024, 1024, 1024}, 2, "``o`~~~~t~~|~m~~~"},
    {{1792, 5024, 9600}, 5, "~```eo~~~`o~~~~~~"},
    {{2048, 2048, 2048}, 8, "``````~{`````fi~~"},
    {{2272, 2880, 9216}, 6, "`````fo``g`u{`fx{"},
    {{2272, 8160, 3968}, 12, "``````kfk``hm``ux"},
    {{2560, 3136, 10880}, 7, "~`````le~yd~~t~~~"},
    {{2752, 6816, 12800}, 16, "````````e``````jo"},
    {{3264, 10976, 5376}, 7, "``````}ol``e{`r}~"},
    {{4096, 4096, 4096}, 7, "``````xox``bp`o{{"},
    {{4096, 14336, 4096}, 7, "``````~ou``hn`kyz"},
    {{4096, 4096, 14336}, 7, "``````doo``eu`joo"},
    {{6144, 3520, 3328}, 14, "``````~nv``pq`o}|"},
    {{6656, 4800, 4608}, 5, "```````ci``jr`lww"},
    {{8192, 8192, 8192}, 7, "``````ho~k`i{qsy|"},
    {{16384, 8192, 4096}, 7, "``````wo~c`flau~~"},
};
inline constexpr measured_table sparse_gemm_bf16_family[] = {
    {"NVIDIA H200", 0x5406e82e3dfb0b76, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_bf16_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_bf16_family>{kernels::tables::sparse_gemm_bf16_family, 1};

}  // namespace sectile
