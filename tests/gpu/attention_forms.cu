// Forms of attention on a GPU: twice into poisoned outputs between guard bands, against float64, and against the model
// (whose exponentials are others in the last bit, so that a few elements may differ). Exits with 77 where there is no
// GPU.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>

#include <exception>

#include "tests/gpu/tensors_on_device.hpp"
#include "tests/programs/attention_problem.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

int failures = 0;

template <kernels::attention_form Form, class T = bf16>
void check_form(const char* name, const attention_sizes& n) {
  using kernel = kernels::attention_of<Form, T>;
  attention_problem<Form, T> p(n);
  tensors_on_device device;
  const auto run = [&] {
    p.O.poison(), p.lse.poison();
    device.upload();
    p.with_arguments([](const auto&... given) { launch<kernel>(given...); }, [&](auto& x) { return device.view(x); });
    device.download();
  };
  run();
  const std::vector<unsigned char> first = p.O.bytes, first_sums = p.lse.bytes;
  run();
  const bool again = p.O.bytes == first && p.lse.bytes == first_sums, inside = p.O.touched() + p.lse.touched() == 0;
  const attention_errors off = p.errors();
  const std::vector<T> rows = p.O.elements();
  const std::vector<float> sums = p.lse.elements();
  p.O.poison(), p.lse.poison();
  p.with_arguments([](const auto&... given) { run_on_model<kernel>(given...); }, [](auto& x) { return x.view(); });
  const long long differ = elements_that_differ(rows, p.O.elements()), of = std::ssize(rows);
  // Exponentials are not modelled to the last bit, and one that differs may show in all elements of a few rows.
  const bool right = again && inside && off.rows <= 0x1p-6 && off.log_sums <= 1e-5 && differ <= 64 + of / 200;
  failures += !right;
  std::printf(
      "%s %s: S %d, T %d: errors %.2g and %.2g; %lld of %lld elements and %lld of %lld logarithms are not the "
      "model's%s%s\n",
      right ? "ok  " : "FAIL", name, n.s, n.t, off.rows, off.log_sums, differ, of,
      elements_that_differ(sums, p.lse.elements()), static_cast<long long>(sums.size()),
      again ? "" : "; two runs differ", inside ? "" : "; bytes beside the outputs were written");
}

void check_all() {
  check_form<gqa_window>("heads in groups, in a window",
                         {.h = 2, .s = 70, .t = 300, .g = 2, .left = 20, .unseen = 128});
  check_form<gqa_window>("heads in groups, all before", {.b = 2, .s = 5, .t = 390, .pad = 1, .g = 2, .left = 1 << 30});
  check_form<gqa_window>("more queries than keys", {.s = 200, .t = 130, .left = 3});
  check_form<gqa_window>("heads in groups, long", {.h = 4, .s = 900, .t = 1100, .g = 2, .left = 200});
  check_form<wide_keys, f16>("keys wider than values", {.h = 2, .s = 500, .t = 700, .pad = 1});
  check_form<wide_keys, f16>("rows that see nothing", {.h = 2, .s = 150, .t = 7});
  check_form<sloped_window>("slopes", {.h = 2, .s = 530, .t = 700, .left = 90, .right = 60});
  check_form<sloped_window>("slopes, rows that see nothing", {.s = 300, .t = 100, .left = -2, .right = 60});
  check_form<capped_scores>("d = 256, capped", {.b = 2, .h = 2, .s = 329, .t = 530, .pad = 1});
}

}  // namespace

int main() {
  if (const std::string why = why_no_gpu(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return exit_skipped;
  }
  try {
    check_all();
  } catch (const std::exception& why) {
    std::printf("FAIL %s\n", why.what());
    return 1;
  }
  return failures > 0;
}
