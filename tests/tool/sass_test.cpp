// What is read out of the disassembler's listings.
#include "tool/sass.hpp"

#include <doctest/doctest.h>

#include <sectile/layouts/element.hpp>
#include <typeinfo>

#include "tests/tool/cli.hpp"

namespace {

using namespace cli;

struct form {
  int a = 0;
  bool b = false, c = false;
};
template <class T, form F>
struct formed {};

}  // namespace

TEST_CASE("tensor-core instructions are counted, whatever guards them") {
  const std::string listing =
      "\tcode for sm_90a\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;                  /* 0x00000a00ff017b82 */\n"
      "                                                                           /* 0x000fe20000000800 */\n"
      "        /*0ad0*/                   WARPGROUP.ARRIVE ;                      /* 0x00000000000079c5 */\n"
      "        /*0b10*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR16], RZ, !UPT ;  /* 0x01e0 */\n"
      "        /*0b20*/              @P0  HGMMA.64x128x16.F32.BF16 R24, gdesc[UR20], R24 ;  /* 0x01e0 */\n"
      "        /*0b30*/             @!P1  UTMALDG.2D [UR8], [UR4] ;               /* 0x000000080400 */\n";
  const std::string counts = sectile::tool::count_tensor_instructions(listing);
  CHECK(contains(counts, "2 x HGMMA.64x128x16.F32.BF16\n"));
  CHECK(contains(counts, "1 x WARPGROUP.ARRIVE\n"));
  CHECK(contains(counts, "1 x UTMALDG.2D\n"));
  CHECK(contains(counts, "no register was spilled\n"));
  CHECK(contains(counts, "5 instructions in all\n"));
  CHECK(!contains(counts, "LDC"));
  const std::string spilled =
      sectile::tool::count_tensor_instructions(listing +
                                               "        /*0b40*/                   STL.64 [R1+0x8], R24 ;  /* 0x01 */\n"
                                               "        /*0b50*/              @P0  LDL R24, [R1] ;  /* 0x01 */\n");
  CHECK(contains(spilled, "2 loads and stores of local memory, where spilled registers go\n"));
  CHECK(!contains(spilled, "no register was spilled"));
}

TEST_CASE("a kernel's symbol is found by its type") {
  const std::string listing =
      "symbols:\n"
      "STT_SECTION      STB_LOCAL  STV_DEFAULT    U  .text._ZN7sectile6hopper3runIiEEvv\n"
      "STT_FUNC         STB_GLOBAL STO_ENTRY      _ZN7sectile6hopper3runINS_4bf16EEEvNS_17kernel_parametersIT_EE\n"
      "STT_FUNC         STB_GLOBAL STO_ENTRY      _ZN7sectile6hopper3runINS_3f16EEEvNS_17kernel_parametersIT_EE\n";
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(sectile::f16).name()) ==
        "_ZN7sectile6hopper3runINS_3f16EEEvNS_17kernel_parametersIT_EE");
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(sectile::bf16).name()) ==
        "_ZN7sectile6hopper3runINS_4bf16EEEvNS_17kernel_parametersIT_EE");
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(sectile::e4m3).name()) == "");
}

TEST_CASE("constants whose last members are zero are found however they are written") {
  // As nvcc writes them, with every member; g++ leaves out the zeros at the end.
  const auto symbol = [](const char* members) {
    return std::string("_ZN7sectile6hopper3runIN12_GLOBAL__N_16formedINS_3f16EXtlNS2_4formE") + members + "EEEEEEvT_";
  };
  const std::string none = symbol("Li0ELb0ELb0E"), one = symbol("Li7ELb1ELb0E"), last = symbol("Li0ELb0ELb1E");
  const std::string listing = "a " + none + "\nb " + one + "\nc " + last + "\n";
  using sectile::f16;
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(formed<f16, form{}>).name()) == none);
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(formed<f16, form{7, true}>).name()) == one);
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(formed<f16, form{0, false, true}>).name()) == last);
  CHECK(sectile::tool::find_kernel_symbol(listing, typeid(formed<f16, form{7}>).name()) == "");
}

TEST_CASE("explain shows machine code, or says what is missing") {
  const scratch_folder folder;
  const outcome told = sectile_in(folder, "explain gemm_bf16 --sass");
  CHECK(told.status == 0);
  CHECK(contains(told.out, "\nSASS\n"));
  const std::string sass = told.out.substr(told.out.find("\nSASS\n"));
  CHECK((contains(sass, "HGMMA.64x256x16.F32.BF16") || contains(sass, "left out: ")));
  if (contains(sass, "HGMMA")) {
    const outcome all = sectile_in(folder, "explain gemm_bf16 --sass full");
    CHECK(all.out.size() > 20000);
    CHECK(contains(all.out, "UTMASTG"));
  }
  check_refusal(folder, "explain gemm_bf16 --sass much", "much");
}
