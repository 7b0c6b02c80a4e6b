// `sectile figure` as a user meets it.
#include <algorithm>

#include "tests/tool/cli.hpp"
#include "tests/well_formed.hpp"

using namespace cli;
using sectile::test::is_well_formed;

TEST_CASE("figure prints one picture, or writes it to a file") {
  const scratch_folder folder;
  for (const char* arguments : {"gemm_bf16 A.memory",
                                "attention_d64 hierarchy",
                                "ladder_tma timeline --ctas 3",
                                "tile --what memory",
                                "tile --type e4m3 --rows 128 --k 64 --what banks",
                                "tile --major mn --swizzle 64 --operand b --what canonical",
                                "tile --rows 256 --slices 2 --what box",
                                "tile --swizzle none --what descriptor",
                                "tile --type b1",
                                "fragment --n 64 --type f16",
                                "fragment --what a --type tf32",
                                "fragment --what metadata --type s8",
                                "epilogue --type f32 --swizzle 32",
                                "layout '(4,8):(8,1)'",
                                "layout 'composition((6,2):(8,2), (4,3):(3,1))'",
                                "layout 'tile(bf16, 64, 64, k, b128)'",
                                "layout 'Sw<3,4,3>'",
                                "layout 0x4000004000010200",
                                "descriptor 4000004000010200",
                                "descriptor 0x0",
                                "swizzle 64",
                                "swizzle 3,3,3",
                                "layout '(512,512)'",
                                "layout 'Sw<3,3,3> o (512,64):(64,1)'"}) {
    CAPTURE(arguments);
    const outcome drawn = sectile_in(folder, std::string("figure ") + arguments);
    CHECK_MESSAGE(drawn.status == 0, drawn.err);
    CHECK(drawn.err == "");
    CHECK(drawn.out.starts_with("<svg "));
    CHECK(drawn.out.ends_with("</svg>\n"));
    CHECK(is_well_formed(drawn.out));
    CHECK(drawn.out.size() < 60'000);
  }
  const outcome written = sectile_in(folder, "figure gemm_bf16 A.memory --out a.svg");
  CHECK(written.status == 0);
  CHECK(written.out == "");
  CHECK(folder.read("a.svg") == sectile_in(folder, "figure gemm_bf16 A.memory").out);
  CHECK(contains(sectile_in(folder, "figure layout '(512,512)'").out,
                 "Folded: 496 of 512 rows not drawn, 488 of 512 columns not drawn"));
  CHECK(contains(sectile_in(folder, "figure --page-style").out, ":root[data-theme=dark] .sectile-figure"));
}

TEST_CASE("rungs whose threads carry the tiles have one timeline, as the course says") {
  const scratch_folder folder;
  const std::string first = sectile_in(folder, "figure ladder_one_tile timeline --ctas 3").out;
  CHECK(first.starts_with("<svg "));
  for (const char* rung : {"descriptors", "core_matrices", "swizzles"})
    CHECK(sectile_in(folder, std::string("figure ladder_") + rung + " timeline --ctas 3").out == first);
}

TEST_CASE("figure refuses what makes no sense, in one line that says what would") {
  const scratch_folder folder;
  check_refusal(folder, "figure", "of what? A kernel, tile, fragment");
  check_refusal(folder, "figure gem_bf16 A.memory", "did you mean gemm_bf16");
  check_refusal(folder, "figure gemm_bf16", "which of hierarchy, A.global");
  check_refusal(folder, "figure gemm_bf16 A.memmory", "there is no picture 'A.memmory'; did you mean A.memory");
  check_refusal(folder, "figure gemm_bf16 xyzzy", "there are hierarchy, A.global");
  check_refusal(folder, "figure gemm_bf16 A.memory --rows 64", "--rows does not belong to it; it takes ID");
  check_refusal(folder, "figure gemm_bf16 A.memory --shape 64x64x64", "--shape does not belong to it");
  check_refusal(folder, "figure gemm_bf16 timeline --shape 64x64", "64x64");
  check_refusal(folder, "figure gemm_bf16 timeline.start --cycles 9",
                "--cycles does not belong to it; it takes ID, --shape");
  check_refusal(folder, "figure gemm_bf16 A.memory --ctas 2", "--ctas does not belong to it");
  check_refusal(folder, "figure ladder_stages timeline --ctas 2",
                "an SM has room for 1 of ladder_stages, because of shared");
  check_refusal(folder, "figure ladder_tma timeline --ctas 4", "room for 3 of ladder_tma, because of registers");
  check_refusal(folder, "figure ladder_clusters timeline --ctas 2",
                "CTAs of a cluster, as those of ladder_clusters are");
  check_refusal(folder, "figure ladder_tma A.memory", "written without a plan");
  check_refusal(folder, "figure tile A.memory", "ID does not belong to it");
  check_refusal(folder, "figure tile --type bf17", "there is no such element type; there are bf16, f16");
  check_refusal(folder, "figure tile --swizzle 96", "it is none, 32, 64 or 128");
  check_refusal(folder, "figure tile --k 48 --swizzle 128", "choose a narrower swizzle");
  check_refusal(folder, "figure tile --major mn --type e4m3", "an MN-major operand needs elements of 16 bits");
  check_refusal(folder, "figure tile --major diagonal", "it is k");
  check_refusal(folder, "figure tile --rows 0", "'0' is not a whole number from 1 to");
  check_refusal(folder, "figure tile --rows -64", "");
  check_refusal(folder, "figure tile --rows 1000000000 --k 1000000000", "");
  check_refusal(folder, "figure tile --rows many", "--rows");
  check_refusal(folder, "figure tile --what bank", "did you mean banks");
  check_refusal(folder, "figure tile --what box --slices 3", "cannot be cut into 3 slices");
  check_refusal(folder, "figure tile --slices 2", "--slices: only the picture of the boxes");
  check_refusal(folder, "figure tile --operand c", "it is a or b");
  check_refusal(folder, "figure fragment --n 12", "n = 12 is not one of 8, 16");
  check_refusal(folder, "figure fragment --what b", "wgmma reads B from shared memory only");
  check_refusal(folder, "figure fragment --type bf16", "an accumulator is f32, s32 or f16");
  check_refusal(folder, "figure fragment --what metadata --type b1", "no sparse operand of 1-bit elements");
  check_refusal(folder, "figure fragment --what a --n 16", "follows from its type");
  check_refusal(folder, "figure epilogue --type b1", "outputs have 8, 16 or 32");
  check_refusal(folder, "figure layout", "which expression?");
  check_refusal(folder, "figure layout '1 == 2'", "1 == 2 is true or false, of which there is no picture");
  check_refusal(folder, "figure descriptor 0x40000040000102000", "a descriptor is 64 bits");
  check_refusal(folder, "figure descriptor zebra", "hexadecimal digits");
  check_refusal(folder, "figure swizzle", "which swizzle");
  check_refusal(folder, "figure swizzle 3,4,2", "a swizzle needs |shift| >= bits");
  check_refusal(folder, "figure swizzle 8,4,8", "at most 16 x 16 are drawn");
  check_refusal(folder, "figure gemm_bf16 A.memory --out no/a.svg", "no/a.svg: it cannot be written");
  const outcome caret = sectile_in(folder, "figure layout '((8,16):'");
  CHECK(caret.status == 2);
  CHECK(contains(caret.err, "\n  ((8,16):\n"));
}
