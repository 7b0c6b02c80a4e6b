// Which members of sparse_gemm_e4m3_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_e4m3_family_0[] = {
    {{32, 14336, 4096}, 2, "``ok~```x```````~"},
    {{32, 4096, 14336}, 1, "`ohe~t~urr`csurrq"},
    {{128, 8704, 8192}, 4, "l``{o`cfi````h``g"},
    {{128, 2944, 11136}, 1, "eop`~u~xq~uouusuu"},
    {{256, 14336, 4096}, 13, "```n`j~s~````i``~"},
    {{256, 4096, 14336}, 4, "``t`o````````````"},
    {{384, 11648, 10880}, 12, "````````````o```~"},
    {{384, 4064, 14848}, 4, "````o````q```````"},
    {{384, 5856, 1792}, 9, "``````~~|oyoy`~~~"},
    {{384, 3392, 9984}, 4, "````o````c```````"},
    {{512, 16032, 6912}, 7, "n`````~os`````z~~"},
    {{896, 4640, 13312}, 14, "}`````````````opo"},
    {{1024, 1024, 1024}, 2, "``o`~v~~g~xou`~~~"},
    {{1792, 5024, 9600}, 5, "~h``mo~~~ck}~~~~~"},
    {{2048, 2048, 2048}, 8, "``````~~````dk~~~"},
    {{2272, 2880, 9216}, 6, "o`````o````cv``~z"},
    {{2272, 8160, 3968}, 12, "``````u`h```d``q~"},
    {{2560, 3136, 10880}, 7, "~d````to~l`y~u~~~"},
    {{2752, 6816, 12800}, 16, "t``````````````co"},
    {{3264, 10976, 5376}, 7, "``````~hm```d``{~"},
    {{4096, 4096, 4096}, 7, "``````~ot`````u~~"},
    {{4096, 14336, 4096}, 7, "``````~o}```e`mw{"},
    {{4096, 4096, 14336}, 7, "~`````dov```g`u{y"},
    {{6144, 3520, 3328}, 14, "``````~`j`````ozn"},
    {{6656, 4800, 4608}, 5, "``````c`l```c`mut"},
    {{8192, 8192, 8192}, 7, "~`````oo~```sbx|z"},
    {{16384, 8192, 4096}, 7, "``````~oj```g`x~~"},
};
inline constexpr measured_table sparse_gemm_e4m3_family[] = {
    {"NVIDIA H200", 0x1cb5f5cb3a2e1084, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_e4m3_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_e4m3_family>{kernels::tables::sparse_gemm_e4m3_family, 1};

}  // namespace sectile
