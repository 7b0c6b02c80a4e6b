// Latent attention (DeepSeek's MLA) of a new token to the keys of a cache, against a copy that moves as many bytes as
// the latents have.
//
//   bench_latent_attention [--rounds N] [--json FILE]
//
// 16 and 128 heads of queries, which share all latents of a sequence: 512 columns, which are values as well, and 64;
// bf16, cold L2. The form is the one that form_of_latents() says; the copy is the faster one of CUDA's and of a plain
// kernel's.
// --json writes docs/measured/latent_attention.json.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/latent_attention.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/device_data.hpp"
#include "bench/report.hpp"
#include "bench/timing.hpp"

namespace {

using namespace sectile::bench;
using sectile::bf16;
using sectile::s32;
using sectile::tensor;
using sectile::tensor_view;

constexpr int latent = 512, rotated = 64, dim = latent + rotated;
constexpr double cold_bytes = 3e8;  // of all caches that take turns: several times what L2 has

struct sizes {
  int heads, batch, keys;
  double bytes() const { return 1.0 * sizeof(bf16) * batch * keys * dim; }
  double operations() const { return 2.0 * heads * (dim + latent) * batch * keys; }
  std::string text(const char* times) const {
    return std::to_string(heads) + times + std::to_string(batch) + times + std::to_string(keys);
  }
};
std::vector<sizes> problems() {
  std::vector<sizes> all;
  for (const int heads : {16, 128})
    for (const int batch : {1, 8, 64, 128})
      for (const int keys : {1024, 4096, 16384, 65536})
        if (batch * keys <= 1 << 21) all.push_back({heads, batch, keys});
  return all;
}

using cache = device_buffer<bf16>;

__global__ void copy_plainly(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    to[i] = from[i];
}

using sectile::kernels::latent_form;

/// The forms that problems here have on 132 SMs.
template <latent_form... Forms>
struct form_list {};
using forms_here =
    form_list<latent_form{.parts = 8, .slices = 4}, latent_form{.parts = 16, .slices = 4},
              latent_form{.parts = 32, .slices = 2}, latent_form{.parts = 64, .slices = 2},
              latent_form{.parts = 4, .slices = 2}, latent_form{.parts = 8, .slices = 2, .apart = true},
              latent_form{.parts = 16}, latent_form{.parts = 2}, latent_form{}, latent_form{.rows = 32, .parts = 32},
              latent_form{.rows = 32, .parts = 4, .apart = true}, latent_form{.rows = 64}>;

struct latent_problem {
  sizes n;
  latent_form form;
  std::vector<cache> caches;
  device_buffer<bf16> q, o;
  device_buffer<float> lse;
  device_buffer<s32> lengths;
  device_buffer<unsigned char> room;  // that parts meet in

  latent_problem(const sizes& size, int multiprocessors)
      : n(size),
        form(sectile::kernels::form_of_latents(n.heads, n.batch, n.keys, multiprocessors)),
        caches(make_caches(n)),
        q(rows() * dim),
        o(rows() * latent),
        lse(rows() * static_cast<std::size_t>(form.slices)),
        lengths(static_cast<std::size_t>(n.batch)),
        room(room_bytes()) {
    fill_random(q, 1);
    const std::vector<s32> all(lengths.count, n.keys);
    check(cudaMemcpy(lengths.data, all.data(), all.size() * sizeof(s32), cudaMemcpyHostToDevice), "copying lengths");
  }
  static std::vector<cache> make_caches(const sizes& n) {
    std::vector<cache> all;
    const int count = std::max(1, static_cast<int>(std::ceil(cold_bytes / n.bytes())));
    for (int i = 0; i < count; ++i) {
      all.emplace_back(static_cast<std::size_t>(n.batch) * static_cast<std::size_t>(n.keys) * dim);
      fill_random(all.back(), 2 + i);
    }
    return all;
  }
  std::size_t rows() const { return static_cast<std::size_t>(n.batch) * static_cast<std::size_t>(n.heads); }

  /// use(a kernel, operands ..) of the problem's form.
  template <class Use, latent_form... Forms>
  void with_operands(const cache& from, Use use, form_list<Forms...>) const {
    const auto queries = [&](int first, int columns) -> tensor_view<const bf16> {
      return {q.data + first, 3, {n.batch, n.heads, columns}, {n.heads * dim, dim, 1}};
    };
    const auto latents = [&](int first, int columns) -> tensor_view<const bf16> {
      return {from.data + first, 2, {std::int64_t{n.batch} * n.keys, columns}, {dim, 1}};
    };
    const auto sums =
        form.slices > 1 ? tensor(lse.data, form.slices, n.batch, n.heads) : tensor(lse.data, n.batch, n.heads);
    const auto scale = static_cast<float>(1.4426950408889634 / std::sqrt(1.0 * dim));
    const auto one = [&](const auto* kernel) {
      use(kernel, queries(0, latent), queries(latent, rotated), latents(0, latent), latents(latent, rotated),
          tensor(o.data, n.batch, n.heads, latent), scale, tensor(static_cast<const s32*>(lengths.data), n.batch),
          sums);
      return true;
    };
    if (!((form == Forms && one(static_cast<const sectile::kernels::latent_attention<Forms>*>(nullptr))) || ...))
      throw std::runtime_error("no kernel was compiled for the form of " + n.text(" x ") + " on this GPU");
  }
  std::size_t room_bytes() const {
    std::size_t bytes = 1;
    with_operands(
        caches[0],
        [&]<class Kernel>(const Kernel*, const auto&... operands) {
          bytes = std::max<std::size_t>(bytes, sectile::workspace_bytes<Kernel>(operands...));
        },
        forms_here());
    return bytes;
  }
  void run(const cache& from, cudaStream_t on) const {
    with_operands(
        from,
        [&]<class Kernel>(const Kernel*, const auto&... operands) {
          sectile::launch<Kernel>(operands..., sectile::workspace(room.data, room.count), on);
        },
        forms_here());
  }
  template <class Call>
  contestant rotating(Call call) const {
    return {[this, call](int i, cudaStream_t on) { call(caches[static_cast<std::size_t>(i) % caches.size()], on); }};
  }
};

int run(const options& how) {
  const machine m = this_machine();
  const stream on;
  measured_file file{.title = "Latent attention of a new token to the keys of a cache, bf16, latents of 512 + 64",
                     .device = m.device(),
                     .software = m.software(),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = {{"gbps", "GB/s"}, {"tflops", "TFLOP/s"}, {"of_copy", "of a copy", 2}}};
  std::printf("%s\n%5s %6s %7s %6s | %9s %7s %8s | %9s | %7s\n", m.text().c_str(), "heads", "batch", "keys", "parts",
              "us", "GB/s", "TFLOP/s", "copy us", "of copy");
  for (const sizes& n : problems()) {
    const latent_problem p(n, m.multiprocessors);
    const auto half = [](const cache& c) { return c.count / 2; };
    const std::vector<race_time> times =
        race({p.rotating([&](const cache& c, cudaStream_t to) { p.run(c, to); }),
              p.rotating([&](const cache& c, cudaStream_t to) {
                check(cudaMemcpyAsync(c.data + half(c), c.data, half(c) * sizeof(bf16), cudaMemcpyDeviceToDevice, to),
                      "copying");
              }),
              p.rotating([&](const cache& c, cudaStream_t to) {
                copy_plainly<<<8 * m.multiprocessors, 512, 0, to>>>(reinterpret_cast<uint4*>(c.data + half(c)),
                                                                    reinterpret_cast<const uint4*>(c.data),
                                                                    half(c) * sizeof(bf16) / sizeof(uint4));
              })},
             on, {.rounds = how.rounds, .milliseconds_per_turn = 5});
    const double ms = times[0].median, copied = std::min(times[1].median, times[2].median);
    const double gbps = n.bytes() / ms * 1e-6, tflops = n.operations() / ms * 1e-9;
    std::printf("%5d %6d %7d %6d | %9.2f %7.0f %8.1f | %9.2f | %7.3f\n", n.heads, n.batch, n.keys, p.form.parts,
                ms * 1e3, gbps, tflops, copied * 1e3, copied / ms);
    std::fflush(stdout);
    measured_row row{n.text("x"), n.text(" x ")};
    row.set("gbps", gbps).set("tflops", tflops).set("of_copy", copied / ms).set("us", ms * 1e3);
    row.set("copy_us", copied * 1e3)
        .set("rows", 1.0 * p.form.rows)
        .set("parts", 1.0 * p.form.parts)
        .set("slices", 1.0 * p.form.slices)
        .set("spread_percent", spread_percent(times[0]));
    file.rows.push_back(row);
  }
  if (!how.json.empty()) file.write(how.json);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words, {.has_shapes = false},
                            {.shapes = {}, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_latent_attention: %s\n", e.what());
    return 2;
  }
}
