// Attention's gradients on a GPU, of packed sequences as well: twice into poisoned outputs between guard bands, against
// float64, and against the model (whose exponentials are others in the last bit). Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>

#include <algorithm>
#include <exception>
#include <string>

#include "tests/gpu/output_pairs.hpp"
#include "tests/gpu/tensors_on_device.hpp"
#include "tests/programs/varlen_gradients.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

/// Of a problem whose passes take these ends of sequences, or room for dS, or nothing besides.
template <class Gradients, class... Ends>
void check_pass(const char* name, const std::string& sizes, Gradients& g, Ends&&... ends) {
  tensors_on_device device;
  const auto elements = [&] { return std::vector{g.dQ.elements(), g.dK.elements(), g.dV.elements()}; };
  const auto run = [&] {
    for (auto* x : {&g.p.O, &g.dQ, &g.dK, &g.dV}) x->poison();
    for (auto* x : {&g.p.lse, &g.delta, &g.offset}) x->poison();
    device.upload();
    g.pass([]<class K>(named_type<K>, const auto&... given) { launch_by_itself<K>(given...); },
           [&](auto& x) { return device.view(x); }, ends...);
    device.download();
  };
  run();
  const auto first = elements();
  run();
  const auto found = elements();
  bool again = true;
  for (std::size_t i = 0; i < found.size(); ++i) again = again && elements_that_differ(first[i], found[i]) == 0;
  const bool inside = g.touched() == 0;
  const double error = g.error();
  g.pass([]<class K>(named_type<K>, const auto&... given) { run_on_model_by_itself<K>({}, given...); },
         [](auto& x) { return x.view(); }, ends...);
  long long differ = 0, of = 0;
  for (const auto of_model = elements(); const auto& x : found) {
    differ += elements_that_differ(x, of_model[static_cast<std::size_t>(&x - &found.front())]);
    of += std::ssize(x);
  }
  // Of a few keys in a short sequence one has nearly all the weight, and its dP - delta cancels.
  const bool right = again && inside && error <= (sizeof...(Ends) > 0 ? 0x1p-4 : 0x1p-5) && differ <= 64 + of / 20;
  failures += !right;
  std::printf("%s %s: %s: error %.2g (the model's %.2g); %lld of %lld elements are not the model's%s%s\n",
              right ? "ok  " : "FAIL", name, sizes.c_str(), error, g.error(), differ, of,
              again ? "" : "; two runs differ", inside ? "" : "; bytes beside the outputs were written");
}

template <kernels::attention_form Form, class T = bf16>
void check_gradients(const char* name, const attention_sizes& n) {
  attention_gradients<Form, T> g(n);
  check_pass(name, "S " + std::to_string(n.s) + ", T " + std::to_string(n.t), g);
}

/// By way of dS in memory.
template <kernels::attention_form Form, class T = bf16>
void check_by_scores(const char* name, const attention_sizes& n) {
  attention_gradients<Form, T> g(n);
  auto scores = g.scores();
  check_pass(name, "S " + std::to_string(n.s) + ", T " + std::to_string(n.t), g, scores);
}

/// Sequences of any length, whose ends are in memory that both reach.
template <kernels::attention_form Form, class T = bf16>
void check_varlen(const char* name, const varlen_sizes& n) {
  varlen_gradients<Form, T> g(n);
  shared_memory<s32> query_ends(g.p.sequences()), key_ends(g.p.sequences());
  std::copy(g.p.query_ends.begin(), g.p.query_ends.end(), query_ends.get());
  std::copy(g.p.key_ends.begin(), g.p.key_ends.end(), key_ends.get());
  check_pass(name, std::to_string(g.p.query_ends.back()) + " rows of " + std::to_string(g.p.sequences()) + " sequences",
             g, tensor(query_ends.in(), query_ends.count), tensor(key_ends.in(), key_ends.count));
}

}  // namespace

int main() {
  if (const std::string why = why_no_gpu(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return exit_skipped;
  }
  try {
    check_gradients<whole>("all keys", {.b = 2, .h = 2, .s = 50, .t = 300, .pad = 1});
    check_gradients<whole>("all keys", {.h = 2, .s = 700, .t = 600});
    check_gradients<grouped_causal>("heads in groups, causal from the end", {.h = 3, .s = 300, .t = 500, .g = 2});
    check_gradients<grouped_causal>("rows that see nothing", {.b = 2, .h = 2, .s = 260, .t = 130, .g = 2});
    check_gradients<sloped_and_capped>("a window, slopes, caps", {.h = 2, .s = 350, .t = 400, .left = 90, .right = 60});
    check_gradients<sloped_and_capped>("a window, slopes, caps", {.s = 300, .t = 100, .pad = 1, .left = 200});
    check_by_scores<whole>("by way of dS", {.b = 2, .h = 2, .s = 450, .t = 300, .pad = 1});
    check_by_scores<grouped_from_start>("by way of dS, causal, groups", {.h = 3, .s = 500, .t = 530, .g = 2});
    check_varlen<packed_apart>("packed", {.queries = {70, 0, 1, 593, 0, 5}, .keys = {129, 3, 1, 700, 0, 0}, .pad = 1});
    check_varlen<packed_causal>(
        "packed, causal, heads that share keys",
        {.queries = {1, 300, 0, 470, 3, 129}, .keys = {300, 330, 1, 470, 0, 128}, .h = 6, .key_heads = 2});
    check_varlen<packed_all_of_it>(
        "packed, windows, slopes, caps",
        {.queries = {300, 0, 7, 193}, .keys = {200, 5, 0, 400}, .h = 4, .key_heads = 2, .left = 90, .right = 3});
  } catch (const std::exception& why) {
    std::printf("FAIL %s\n", why.what());
    return 1;
  }
  return failures > 0;
}
