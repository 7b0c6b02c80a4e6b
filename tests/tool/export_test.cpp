// `sectile export --promela`: what is written, and what is refused. Whether SPIN finds the protocols right is for
// tests/spin to say.
#include "tests/tool/cli.hpp"

namespace {

using namespace cli;

int count_of(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a proctype for each role, and what it does in its order") {
  const scratch_folder folder;
  const outcome written = sectile_in(folder, "export --promela gemm_bf16 --shape 256x256x192");
  CHECK(written.status == 0);
  CHECK(written.err == "");
  const std::string& text = written.out;
  CHECK(contains(text, "The protocol of gemm_bf16 with M = 256, K = 192, N = 256"));
  for (const char* cta : {"0", "1"})
    for (const char* role : {"producer", "consumer_0", "consumer_1"})
      CHECK(count_of(text, std::string("active proctype ") + role + "_of_CTA_" + cta + "()") == 1);
  CHECK(count_of(text, "active proctype copies_of_CTA_") == 2);
  CHECK(count_of(text, "/* trip 2 */") == 6);  // three trips of every role
  CHECK(count_of(text, "/* trip 3 */") == 0);
  CHECK(count_of(text, "announces 49152 bytes at full[") == 2 * 3);
  const auto first = text.find("waits until A and B are in stage 0"), then = text.find("multiplies stage 0", first);
  CHECK(then != std::string::npos);
}

TEST_CASE("loops turn and tiles come as the shape says") {
  const scratch_folder folder;
  const auto fills = [&](const std::string& shape) {
    return count_of(sectile_in(folder, "export --promela gemm_bf16 --shape " + shape).out, "announces ");
  };
  CHECK(fills("256x256x64") == 2);
  CHECK(fills("256x256x65") == 4);  // a tile that hangs over the edge
  CHECK(fills("512x256x64") == 4);  // two tiles of each CTA
  CHECK(fills("N=256,K=128,M=300") == 2 * 2 * 2);
}

TEST_CASE("into a file, of the size that is shown if none is said") {
  const scratch_folder folder;
  const outcome written = sectile_in(folder, "export --promela gemm_bf16 --out protocol.pml");
  CHECK(written.status == 0);
  CHECK(written.out == "");
  CHECK(folder.read("protocol.pml") == sectile_in(folder, "export --promela gemm_bf16").out);
}

TEST_CASE("a build without a kernel's protocol says so, and how to get it") {
  const scratch_folder folder;
  const outcome written = sectile_in(folder, "export --promela softmax_bf16");
  const std::string says =
      "this sectile was built without the protocol of softmax_bf16 (`cmake -DSECTILE_TOOL_PROTOCOLS=all build && cmake "
      "--build build` adds all)";
  CHECK((written.status == 0) != (written.err.find(says) != std::string::npos));
}

TEST_CASE("what cannot be exported is refused in one sentence") {
  const scratch_folder folder;
  check_refusal(folder, "export --promela gemm_bf61", "gemm_bf61");
  check_refusal(folder, "export --promela ladder_simt",
                "ladder_simt has no plan, and so no roles whose protocol could be exported");
  check_refusal(folder, "export --promela gemm_bf16 --shape 256x256", "gemm_bf16 has the modes M, N, K");
  check_refusal(
      folder, "export --promela gemm_bf16 --shape 256x256x65536",
      "--shape 256x256x65536: a role does more than 512 things, more than SPIN holds; M = 256, K = 320, "
      "N = 256 shows the same, as 5 trips of a loop, one more than it has stages, show what more do. Of it SPIN has "
      "as many states as of that, and for each of 1019 further trips as many as M = 256, K = 384, N = 256 has more");
  check_refusal(folder, "export --promela gemm_bf16 --shape 200x256x65500", "for each of 1019 further trips");
  // Of several tiles nobody has said how the states grow.
  check_refusal(folder, "export --promela gemm_bf16 --shape 100000x100000x1024",
                "5 trips of a loop, one more than it has stages, show what more do\n");
  check_refusal(folder, "export --promela gemm_bf16 --earlier",
                "--earlier is about parts of a tile that meet in a workspace, and gemm_bf16 has none");
  check_refusal(folder, "export --promela attention_d64 --shape 1x1x64x128", "D = 128");
  check_refusal(folder, "export", "--promela is required");
}
