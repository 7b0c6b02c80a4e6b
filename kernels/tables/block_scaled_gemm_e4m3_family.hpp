// Which members of block_scaled_gemm_e4m3_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 20 problems, 2026-11-30, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/block_scaled_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape block_scaled_gemm_e4m3_family_0[] = {
    {{64, 2112, 7168}, 8, "y~~u~``~op~"},
    {{64, 24576, 1536}, 6, "````bfo````"},
    {{64, 32768, 512}, 3, "`````rj````"},
    {{64, 7168, 16384}, 7, "~~~~~g``k~~"},
    {{64, 4096, 7168}, 7, "``l````o``w"},
    {{64, 7168, 2048}, 4, "``gy`~`````"},
    {{128, 2112, 7168}, 8, "`dw````~``~"},
    {{128, 24576, 1536}, 1, "`ot``ex```~"},
    {{128, 32768, 512}, 2, "`ro``r}``m~"},
    {{128, 7168, 16384}, 10, "`iw```````o"},
    {{128, 4096, 7168}, 9, "u~~~r````n~"},
    {{128, 7168, 2048}, 5, "``r``h````~"},
    {{4096, 4096, 4096}, 0, "`{c~~~~~~~~"},
    {{4096, 2112, 7168}, 0, "`~c~~~~~~~~"},
    {{4096, 24576, 1536}, 0, "`wn~~~~~~~~"},
    {{4096, 32768, 512}, 1, "`ot~~~~~~~~"},
    {{4096, 7168, 16384}, 0, "`~a~~~~~~~~"},
    {{4096, 4096, 7168}, 0, "`~a~~~~~~~~"},
    {{4096, 7168, 2048}, 0, "`zi~~~~~~~~"},
    {{8192, 8192, 8192}, 0, "d|c~~~~~~~~"},
};
inline constexpr measured_table block_scaled_gemm_e4m3_family[] = {
    {"NVIDIA H200", 0xef365569468cc7ce, {mode_named("M"), mode_named("N"), mode_named("K")}, block_scaled_gemm_e4m3_family_0, 20},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::block_scaled_gemm_e4m3_family>{kernels::tables::block_scaled_gemm_e4m3_family, 1};

}  // namespace sectile
