// Which members of sparse_gemm_f16_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 27 problems, 2026-11-28, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape sparse_gemm_f16_family_0[] = {
    {{32, 14336, 4096}, 2, "``ol~```|```````~"},
    {{32, 4096, 14336}, 1, "`o``~fygf~`hl`aee"},
    {{128, 8704, 8192}, 4, "```~o`f`ds```{``a"},
    {{128, 2944, 11136}, 1, "`o``~`u``d``d````"},
    {{256, 14336, 4096}, 13, "```w`p~q~````f``z"},
    {{256, 4096, 14336}, 4, "``~`o`b``b```````"},
    {{384, 11648, 10880}, 12, "````````dju~o``c~"},
    {{384, 4064, 14848}, 4, "```io````q```````"},
    {{384, 5856, 1792}, 9, "``````|gqoa````uv"},
    {{384, 3392, 9984}, 9, "````r````````````"},
    {{512, 16032, 6912}, 7, "``````~ot````ju~~"},
    {{896, 4640, 13312}, 14, "`````````c````onp"},
    {{1024, 1024, 1024}, 2, "``o`~~~~u~~|~l~~~"},
    {{1792, 5024, 9600}, 5, "~````o~~~`k~~~~~~"},
    {{2048, 2048, 2048}, 8, "``````~z`````ek~~"},
    {{2272, 2880, 9216}, 6, "`````go````qy`evz"},
    {{2272, 8160, 3968}, 12, "``````mkk``hm``x{"},
    {{2560, 3136, 10880}, 7, "~````ake~oi~~}~~~"},
    {{2752, 6816, 12800}, 16, "````````j```a``mo"},
    {{3264, 10976, 5376}, 7, "``````}oq``i~`r~~"},
    {{4096, 4096, 4096}, 7, "``````wol``bm`lxv"},
    {{4096, 14336, 4096}, 7, "``````~oq``ek`iv{"},
    {{4096, 4096, 14336}, 7, "``````boj``hw`hoo"},
    {{6144, 3520, 3328}, 14, "``````~fp``nn`o~~"},
    {{6656, 4800, 4608}, 5, "```````ej``kq`lvz"},
    {{8192, 8192, 8192}, 7, "``````io~l`gx|r{~"},
    {{16384, 8192, 4096}, 7, "``````xoy`aowcv~~"},
};
inline constexpr measured_table sparse_gemm_f16_family[] = {
    {"NVIDIA H200", 0x3143ca4e4285981e, {mode_named("M"), mode_named("N"), mode_named("K")}, sparse_gemm_f16_family_0, 27},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::sparse_gemm_f16_family>{kernels::tables::sparse_gemm_f16_family, 1};

}  // namespace sectile
