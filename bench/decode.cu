// Attention of a new token to the keys of a cache, against a copy that moves as many bytes as the keys and values have.
//
//   bench_decode [--rounds N] [--json FILE]
//
// 8 heads of keys, which 8 rows share each; bf16, cold L2. Each problem is timed from rows behind each other and from a
// pool; the copy is the faster one of CUDA's and of a plain kernel's. A pool's result has to be the other's, bit by
// bit, or the exit code is 1. --json writes docs/measured/decode.json.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/decode.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
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

constexpr int dim = 128, heads = 8, rows = 8;
constexpr int most_parts_here = 16;  // of 8 heads on 132 SMs
constexpr double cold_bytes = 3e8;  // of all caches that take turns: several times what L2 has

struct sizes {
  int batch, keys;
  double bytes() const { return 2.0 * sizeof(bf16) * batch * heads * keys * dim; }
  std::string text(const char* times) const { return std::to_string(batch) + times + std::to_string(keys); }
};
const std::vector<sizes> problems{{1, 1024}, {1, 8192},  {1, 65536}, {1, 131072}, {8, 1024},
                                  {8, 8192}, {8, 65536}, {64, 1024}, {64, 8192},  {256, 1024}};

struct cache {
  device_buffer<bf16> k, v;
  explicit cache(std::size_t elements) : k(elements), v(elements) { fill_random(k, 2), fill_random(v, 3); }
};

__global__ void copy_plainly(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    to[i] = from[i];
}

struct decode_problem {
  sizes n;
  int parts;
  std::vector<cache> caches;
  device_buffer<bf16> q, o;
  device_buffer<float> lse;
  device_buffer<s32> lengths, slot;
  device_buffer<unsigned char> room;  // that parts meet in

  decode_problem(const sizes& size, int multiprocessors)
      : n(size),
        parts(std::min(most_parts_here, sectile::kernels::parts_of_decode(n.batch * heads, n.keys, multiprocessors))),
        caches(make_caches(n)),
        q(results()),
        o(results()),
        lse(results() / dim),
        lengths(static_cast<std::size_t>(n.batch)),
        slot(static_cast<std::size_t>(n.batch) * static_cast<std::size_t>(n.keys)),
        room(room_bytes()) {
    fill_random(q, 1);
    std::vector<s32> all(slot.count);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<s32>(i * 40503 % all.size());  // odd, and sizes are powers of 2
    check(cudaMemcpy(slot.data, all.data(), all.size() * sizeof(s32), cudaMemcpyHostToDevice), "copying slots");
    all.assign(lengths.count, n.keys);
    check(cudaMemcpy(lengths.data, all.data(), all.size() * sizeof(s32), cudaMemcpyHostToDevice), "copying lengths");
  }
  static std::vector<cache> make_caches(const sizes& n) {
    std::vector<cache> all;
    const int count = std::max(1, static_cast<int>(std::ceil(cold_bytes / n.bytes())));
    for (int i = 0; i < count; ++i) all.emplace_back(static_cast<std::size_t>(n.batch) * n.keys * heads * dim);
    return all;
  }
  std::size_t results() const { return static_cast<std::size_t>(n.batch) * heads * rows * dim; }

  /// H x slots x D of what lies as slots x H x D.
  tensor_view<const bf16> view(const device_buffer<bf16>& x) const {
    return {x.data, 3, {heads, std::int64_t{n.batch} * n.keys, dim}, {dim, heads * dim, 1}};
  }
  /// Of keys that follow each other or that `slot` has.
  template <bool Paged, int P>
  using kernel = std::conditional_t<Paged, sectile::kernels::paged_decode_attention<dim, P>,
                                    sectile::kernels::decode_attention<dim, P>>;
  /// use(number of parts, operands ..).
  template <bool Paged, class Use>
  void with_operands(const cache& from, Use use) const {
    const auto queries = tensor(static_cast<const bf16*>(q.data), n.batch, heads, rows, dim);
    const auto scale = static_cast<float>(1.4426950408889634 / std::sqrt(1.0 * dim));
    const auto counts = tensor(static_cast<const s32*>(lengths.data), n.batch);
    const auto out = tensor(o.data, n.batch, heads, rows, dim);
    const auto sums = tensor(lse.data, n.batch, heads, rows);
    sectile::kernels::with_parts<most_parts_here>(parts, [&](auto number) {
      if constexpr (Paged)
        use(number, queries, view(from.k), view(from.v), out, scale, counts,
            tensor(static_cast<const s32*>(slot.data), n.batch * n.keys), sums);
      else
        use(number, queries, view(from.k), view(from.v), out, scale, counts, sums);
    });
  }
  std::size_t room_bytes() const {
    std::size_t bytes = 0;
    with_operands<false>(caches[0], [&](auto number, const auto&... operands) {
      bytes = sectile::workspace_bytes<kernel<false, decltype(number)::value>>(operands...);
    });
    return std::max<std::size_t>(bytes, 1);
  }
  template <bool Paged>
  void run(const cache& from, cudaStream_t on) const {
    with_operands<Paged>(from, [&](auto number, const auto&... operands) {
      sectile::launch<kernel<Paged, decltype(number)::value>>(operands..., sectile::workspace(room.data, room.count),
                                                              on);
    });
  }
  template <class Call>
  contestant rotating(Call call) const {
    return {[this, call](int i, cudaStream_t on) { call(caches[static_cast<std::size_t>(i) % caches.size()], on); }};
  }
  std::vector<bf16> result() const {
    std::vector<bf16> all(o.count);
    check(cudaDeviceSynchronize(), "decoding");
    check(cudaMemcpy(all.data(), o.data, o.count * sizeof(bf16), cudaMemcpyDeviceToHost), "copying a result");
    return all;
  }
  /// Whether a pool whose slots are in order gives the same bits.
  bool same(const stream& on) {
    std::vector<s32> shuffled(slot.count), in_order(slot.count);
    check(cudaMemcpy(shuffled.data(), slot.data, slot.count * sizeof(s32), cudaMemcpyDeviceToHost), "copying slots");
    for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] = static_cast<s32>(i);
    check(cudaMemcpy(slot.data, in_order.data(), slot.count * sizeof(s32), cudaMemcpyHostToDevice), "copying slots");
    run<false>(caches[0], on.handle);
    const std::vector<bf16> found = result();
    o.poison();
    run<true>(caches[0], on.handle);
    const std::vector<bf16> paged = result();
    check(cudaMemcpy(slot.data, shuffled.data(), slot.count * sizeof(s32), cudaMemcpyHostToDevice), "copying slots");
    return std::equal(found.begin(), found.end(), paged.begin(), [](bf16 a, bf16 b) {
      return static_cast<float>(a) == static_cast<float>(b);  // no NaN is
    });
  }
};

int run(const options& how) {
  const machine m = this_machine();
  const stream on;
  measured_file file{
      .title = "Attention of a new token to the keys of a cache, bf16, D = 128, 8 rows to a head of keys",
      .device = m.device(),
      .software = m.software(),
      .command = how.command,
      .rounds = how.rounds,
      .columns = {{"gbps", "GB/s"}, {"of_copy", "of a copy", 2}, {"paged_of_copy", "from a pool", 2}}};
  std::printf("%s\n%6s %7s %6s | %9s %7s | %9s %7s | %9s | %7s %7s\n", m.text().c_str(), "batch", "keys", "parts", "us",
              "GB/s", "paged us", "GB/s", "copy us", "of copy", "paged");
  bool right = true;
  for (const sizes& n : problems) {
    decode_problem p(n, m.multiprocessors);
    const bool same = p.same(on);
    right = right && same;
    const auto half = [](const cache& c) { return c.k.count * sizeof(bf16); };
    const std::vector<race_time> times = race(
        {p.rotating([&](const cache& c, cudaStream_t to) { p.run<false>(c, to); }),
         p.rotating([&](const cache& c, cudaStream_t to) { p.run<true>(c, to); }),
         p.rotating([&](const cache& c, cudaStream_t to) {
           check(cudaMemcpyAsync(c.v.data, c.k.data, half(c), cudaMemcpyDeviceToDevice, to), "copying");
         }),
         p.rotating([&](const cache& c, cudaStream_t to) {
           copy_plainly<<<8 * m.multiprocessors, 512, 0, to>>>(
               reinterpret_cast<uint4*>(c.v.data), reinterpret_cast<const uint4*>(c.k.data), half(c) / sizeof(uint4));
         })},
        on, {.rounds = how.rounds, .milliseconds_per_turn = 5});
    const double copied = std::min(times[2].median, times[3].median);
    const auto gbps = [&](double ms) { return n.bytes() / ms * 1e-6; };
    std::printf("%6d %7d %6d | %9.2f %7.0f | %9.2f %7.0f | %9.2f | %7.3f %7.3f%s\n", n.batch, n.keys, p.parts,
                times[0].median * 1e3, gbps(times[0].median), times[1].median * 1e3, gbps(times[1].median),
                copied * 1e3, copied / times[0].median, copied / times[1].median, same ? "" : "  WRONG");
    measured_row row{n.text("x"), n.text(" x ")};
    row.set("gbps", gbps(times[0].median)).set("of_copy", copied / times[0].median);
    row.set("paged_of_copy", copied / times[1].median).set("us", times[0].median * 1e3);
    row.set("copy_us", copied * 1e3).set("parts", 1.0 * p.parts).set("spread_percent", spread_percent(times[0]));
    file.rows.push_back(row);
  }
  if (!how.json.empty()) file.write(how.json);
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words, {.has_shapes = false},
                            {.shapes = {}, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_decode: %s\n", e.what());
    return 2;
  }
}
