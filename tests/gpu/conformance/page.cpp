#include "page.hpp"

#include <cuda_runtime.h>

#include <cctype>
#include <ctime>
#include <fstream>
#include <sstream>

#include "gpu_runner.hpp"

namespace sectile::conformance {
namespace {

/// The kernel driver's own version, "580.159.04": the first word like that in what the driver says of itself.
std::string driver_version() {
  std::ifstream said("/proc/driver/nvidia/version");
  for (std::string word; said >> word;)
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos) return word;
  int version = 0;
  check(cudaDriverGetVersion(&version), "asking for the driver");
  return "for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string today() {
  char text[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// 1,668,612,096.
std::string grouped(long long x) {
  std::string digits = std::to_string(x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string sets_between(int first, int count) {
  std::string names;
  for (int i = 0; i < count; ++i) names += (i ? ", " : "") + std::string(name_of(static_cast<data_set>(first + i)));
  return names;
}

}  // namespace

run_facts facts_of_run(int cases, std::uint64_t seed) {
  cudaDeviceProp device{};
  int runtime = 0;
  check(cudaGetDeviceProperties(&device, 0), "asking for the device");
  check(cudaRuntimeGetVersion(&runtime), "asking for the runtime");
  const std::string cuda = std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10);
  return {today(), device.name, driver_version(), cuda, cases, seed};
}

void write_page(std::FILE* to, const findings& found, const run_facts& run) {
  const std::vector<family_count> lines = found.counts();
  const family_count& all = lines.back();
  std::ostringstream page;
  page << "# Conformance\n\n"
       << "Every row of the table of wgmma instructions, issued on a GPU and compared with the CPU model, bit for bit. "
       << run.gpu << ", driver " << run.driver << ", CUDA " << run.cuda << ", " << run.date << ".\n\n"
       << "`cmake --build build --target gpu_conformance && build/tests/gpu_conformance --page docs/conformance.md` "
       << "writes this page. " << run.cases << " cases of each row, seed " << run.seed << ".\n\n"
       << "| family | rows | tried | agree | outputs compared | differ |\n"
       << "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const family_count& l : lines)
    page << "| " << l.name << " | " << grouped(l.rows) << " | " << grouped(l.tried) << " | " << grouped(l.agreed)
         << " | " << grouped(l.outputs) << " | " << grouped(l.wrong) << " |\n";

  page << "\n## What a case is\n\n"
       << "One instruction, issued once by one warpgroup, and all 64 x N elements of D.\n\n"
       << "- Forms: a row is a shape, types, A from shared memory or registers, majors, negations, clamping and "
          "selector; so all of these are in the table above.\n"
       << "- Data, one set after the other. Floats: " << sets_between(0, float_sets)
       << ". Integers and bits: " << sets_between(float_sets, integer_sets) << ".\n"
       << "- scale-d: 0 in a quarter of the cases, with NaNs among the values of D that are not read.\n"
       << "- Layouts: all legal swizzles of A and B in turn, inside larger tiles, at random places; shared memory that "
          "the operands do not cover, and metadata that the selector does not read, is noise.\n"
       << "- Sparse A: random pairs of every four elements, of tf32 one of every two.\n"
       << "- A NaN counts as equal only if its bits are.\n\n"
       << "## What disagrees\n\n";
  const std::vector<std::string> stories = found.counterexamples();
  if (all.tried < all.rows) page << grouped(all.rows - all.tried) << " rows were not tried.\n";
  if (all.wrong == 0)
    page << "Nothing. The rules that these results follow are in [hopper-numerics.md](hopper-numerics.md).\n";
  for (const std::string& story : stories) page << "- " << story << "\n";
  std::fputs(page.str().c_str(), to);
}

}  // namespace sectile::conformance
