// Which members of block_scaled_gemm_e4m3_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 50 problems, 2026-12-01, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/block_scaled_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape block_scaled_gemm_e4m3_family_0[] = {
    {{64, 2112, 7168}, 9, "~~|~szf~uor~"},
    {{64, 24576, 1536}, 7, "`g`~`lko`~~g"},
    {{64, 32768, 512}, 2, "`````jqo~~~~"},
    {{64, 4096, 7168}, 8, "ouv~mrcdo`qz"},
    {{64, 7168, 16384}, 8, "}~~rytlkjnx~"},
    {{64, 7168, 2048}, 4, "ouqnoittabjt"},
    {{128, 2112, 7168}, 8, "~~y~rxe~o`o~"},
    {{128, 24576, 1536}, 1, "`oj``jjq~~kz"},
    {{128, 32768, 512}, 2, "izok`ow|~~~~"},
    {{128, 4096, 7168}, 10, "pvwnoode``o~"},
    {{128, 7168, 16384}, 11, "joqh`l````co"},
    {{128, 7168, 2048}, 4, "rxpu`upl`~t~"},
    {{256, 2112, 7168}, 10, "u|}rsraf``o|"},
    {{256, 24576, 1536}, 1, "gohn~e`e~~~q"},
    {{256, 32768, 512}, 3, "`jbo~~be~~~~"},
    {{256, 4096, 7168}, 11, "fklc`f```~ao"},
    {{256, 7168, 16384}, 2, "jkob`f```~`m"},
    {{256, 7168, 2048}, 2, "k|ox`tll~~p}"},
    {{512, 2112, 7168}, 4, "}~~z`|gj``t}"},
    {{512, 24576, 1536}, 3, "`oho~~``~~~j"},
    {{512, 32768, 512}, 0, "`gdt~~~e~~~~"},
    {{512, 4096, 7168}, 2, "nvom`n``~~fu"},
    {{512, 7168, 16384}, 3, "g}ro`p``~~gx"},
    {{512, 7168, 2048}, 3, "euio~lbe~~~s"},
    {{1024, 2112, 7168}, 0, "nsjj`m```~fp"},
    {{1024, 24576, 1536}, 3, "cnio~~``~~~~"},
    {{1024, 32768, 512}, 1, "aiiu~~~f~~~~"},
    {{1024, 4096, 7168}, 3, "ivmo~k``~~dr"},
    {{1024, 7168, 16384}, 3, "iypo`m``~~fu"},
    {{1024, 7168, 2048}, 3, "dnfo~f``~~~o"},
    {{2048, 2112, 7168}, 0, "htko`j```~cm"},
    {{2048, 24576, 1536}, 0, "ipjp~~``~~~~"},
    {{2048, 32768, 512}, 1, "hlix~~~d~~~~"},
    {{2048, 4096, 7168}, 3, "jylo~m``~~es"},
    {{2048, 7168, 16384}, 0, "itmm`n``~~fv"},
    {{2048, 7168, 2048}, 0, "jqmt~qbd~~~u"},
    {{4096, 2112, 7168}, 0, "hsim`g``~~ak"},
    {{4096, 24576, 1536}, 3, "iojo~~``~~~~"},
    {{4096, 32768, 512}, 1, "gliw~~~d~~~~"},
    {{4096, 4096, 4096}, 3, "lumo~k``~~~p"},
    {{4096, 4096, 7168}, 3, "lwmo~n``~~er"},
    {{4096, 7168, 16384}, 3, "oxoo~r``~~gv"},
    {{4096, 7168, 2048}, 3, "hqko~~``~~~m"},
    {{8192, 2112, 7168}, 0, "jsin~d``~~`h"},
    {{8192, 24576, 1536}, 0, "jpkp~~~`~~~~"},
    {{8192, 32768, 512}, 0, "iliw~~~c~~~~"},
    {{8192, 4096, 7168}, 3, "lwoo~l``~~ep"},
    {{8192, 7168, 16384}, 3, "owno~q``~~fu"},
    {{8192, 7168, 2048}, 3, "jqjo~~``~~~o"},
    {{8192, 8192, 8192}, 3, "numn~k``~~dp"},
};
inline constexpr measured_table block_scaled_gemm_e4m3_family[] = {
    {"NVIDIA H200", 0x87ba07cef3ce9a84, {mode_named("M"), mode_named("N"), mode_named("K")}, block_scaled_gemm_e4m3_family_0, 50},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::block_scaled_gemm_e4m3_family>{kernels::tables::block_scaled_gemm_e4m3_family, 1};

}  // namespace sectile
