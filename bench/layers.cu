// Layers around a product: what an epilogue costs over the plain product, and against the vendor's.
//
//   bench_layers [--shapes MxNxK,...] [--rounds N] [--only epilogues|fp8|narrow|groups] [--json FILE]
//
// For each shape, timed in turns on the same random data: the plain product; with a bias; with bias and GELU (by tanh,
// as cuBLASLt's is); the same with a residual; cuBLASLt's own fused epilogues (a residual as its beta C), the fastest
// of its candidates for each; SwiGLU against two products of cuBLASLt and a kernel that combines them; and what writes
// vectors besides, against the plain products of cuBLASLt. Then e4m3 with scales of rows and columns, to bf16 and to
// e4m3, against cuBLASLt's product to bf16. Then weights of s8 and e4m3 times activations of bf16, against a kernel
// that widens the weights and cuBLASLt's product, and of few rows of activations against its product of weights that
// are bf16 in memory. Last, weights of 4 bits with scales, and zero points, for groups of 128 along K. Beside narrow
// weights stands a copy that reads and writes as many bytes as they have. Inputs rotate through more than the L2 cache
// holds.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/group_quantized_linear.hpp>
#include <sectile/kernels/linear.hpp>
#include <sectile/kernels/linear_outputs.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/cublaslt.hpp"
#include "bench/measured_file.hpp"
#include "bench/report.hpp"
#include "bench/timing.hpp"

namespace {

using namespace sectile::bench;
using namespace sectile::kernels;
using sectile::bf16;
using sectile::e4m3;

/// What the layers of one shape read and write.
struct layer_data {
  device_buffer<bf16> a, w, v, bias, residual, c, gate;
  device_buffer<float> one, sums, largest, workspace;

  layer_data(const shape& s, std::uint64_t seed)
      : a(size(s.m, s.k)),
        w(size(s.n, s.k)),
        v(size(s.n, s.k)),
        bias(size(s.n, 1)),
        residual(size(s.m, s.n)),
        c(size(s.m, s.n)),
        gate(size(s.m, s.n)),
        one(1),
        sums(size(s.m + s.n, s.n / 128 + 1)),  // a number per row and tile, or per column
        largest(sums.count),
        workspace(workspace_words(s)) {
    fill_random(a, seed), fill_random(w, seed + 1), fill_random(v, seed + 2), fill_random(bias, seed + 3);
    fill_random(residual, seed + 4), fill_random(one, seed + 5);
  }
  static std::size_t size(std::int64_t rows, std::int64_t cols) { return static_cast<std::size_t>(rows * cols); }
  /// Of the one layer that sums in order.
  static std::size_t workspace_words(const shape& s) {
    const auto of = [](std::int64_t rows, std::int64_t cols) {
      return sectile::matrix(static_cast<bf16*>(nullptr), rows, cols);
    };
    return sectile::workspace_bytes<relu_gradient<bf16>>(of(s.m, s.k), of(s.k, s.n), of(s.m, s.n), of(s.m, s.n),
                                                         sectile::tensor(static_cast<float*>(nullptr), s.n)) /
           4;
  }
  std::size_t bytes() const { return 2 * (a.count + w.count + c.count); }
};

/// c = silu(gate) c, eight elements per thread.
__global__ void combine_gate(const uint4* gate, uint4* c, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    const uint4 g = gate[i], x = c[i];
    const unsigned from[4] = {g.x, g.y, g.z, g.w}, by[4] = {x.x, x.y, x.z, x.w};
    unsigned out[4];
    for (int j = 0; j < 4; ++j) {
      const auto one = [](unsigned z, unsigned y) {
        const float p = __uint_as_float(z << 16), q = __uint_as_float(y << 16);
        return p / (1 + __expf(-p)) * q;
      };
      const bf16 low(one(from[j], by[j])), high(one(from[j] >> 16, by[j] >> 16));
      out[j] = low.bits | static_cast<unsigned>(high.bits) << 16;
    }
    c[i] = {out[0], out[1], out[2], out[3]};
  }
}

/// What a layer takes, beside the plain product and the peer.
measured_row row_of(const char* what, const shape& s, const race_time& ours, const race_time& product,
                    const race_time& peer) {
  measured_row row{std::string(what) + ", " + s.text("x"), what};
  row.set("shape", s.text(" x ")).set("us", ours.median * 1e3).set("over_product", ours.median / product.median);
  return row.set("peer_us", peer.median * 1e3).set("ratio", peer.median / ours.median);
}

/// Data of one shape, in as many sets as make more than the L2 cache holds: each call takes the next one.
template <class Data>
struct rotating_sets {
  std::vector<std::unique_ptr<Data>> sets;

  explicit rotating_sets(const shape& s) {
    constexpr std::size_t cache = std::size_t{256} << 20;
    sets.push_back(std::make_unique<Data>(s, 1));
    while (sets.size() * sets[0]->bytes() < cache && sets.size() < 16)
      sets.push_back(std::make_unique<Data>(s, 10 * sets.size()));
  }
  /// queue(data, stream) on each in its turn.
  template <class Queue>
  contestant operator()(Queue queue) const {
    return {[this, queue](int i, cudaStream_t to) { queue(*sets[static_cast<std::size_t>(i) % sets.size()], to); }};
  }
  /// The number of the fastest of a product's candidates, each queued by run(candidate, data, stream).
  template <class Run>
  std::size_t fastest(const lt_product& product, const stream& on, Run run) const {
    std::vector<contestant> all;
    for (std::size_t i = 0; i < product.candidates.size(); ++i)
      all.push_back((*this)([run, i](Data& d, cudaStream_t to) { run(i, d, to); }));
    return fastest_of(race(all, on, {.rounds = 3}));
  }
};

void measure(const shape& s, int rounds, const stream& on, std::vector<measured_row>& rows) {
  const rotating_sets<layer_data> rotating(s);
  const auto m = s.m, n = s.n, k = s.k;
  const auto in = [](const device_buffer<bf16>& b, std::int64_t rows, std::int64_t cols) {
    return sectile::matrix(static_cast<const bf16*>(b.data), rows, cols);
  };
  const auto row = [](const device_buffer<bf16>& b, std::int64_t cols) {
    return sectile::tensor(static_cast<const bf16*>(b.data), cols);
  };

  // The fastest candidate for each of the vendor's epilogues.
  const auto types = lt_types_of<bf16, bf16, bf16, float>();
  const lt_product plain(m, n, k), with_bias(m, n, k, types, CUBLASLT_EPILOGUE_BIAS, rotating.sets[0]->bias.data),
      with_gelu(m, n, k, types, CUBLASLT_EPILOGUE_GELU_BIAS, rotating.sets[0]->bias.data);
  const auto fastest = [&](const lt_product& lt) {
    return rotating.fastest(lt, on, [&lt](std::size_t i, layer_data& d, cudaStream_t to) {
      lt.run(i, d.a.data, d.w.data, d.c.data, to);
    });
  };
  const std::size_t best_plain = fastest(plain), best_bias = fastest(with_bias), best_gelu = fastest(with_gelu);
  const auto onto_residual = [&](std::size_t i, layer_data& d, cudaStream_t to) {
    with_bias.run(i, d.a.data, d.w.data, d.c.data, to, d.residual.data);
  };
  const std::size_t best_residual = rotating.fastest(with_bias, on, onto_residual);

  std::printf("%s\n", s.text(" x ").c_str());
  const contestant product = rotating([&](layer_data& d, cudaStream_t to) {
    sectile::launch<gemm_bf16>(in(d.a, m, k), in(d.w, n, k), sectile::matrix(d.c.data, m, n), to);
  });
  const auto theirs = [&](const lt_product& lt, std::size_t best) {
    return rotating([&lt, best](layer_data& d, cudaStream_t to) { lt.run(best, d.a.data, d.w.data, d.c.data, to); });
  };
  // Three at a time, so that each follows the others and finds the GPU as warm as they do.
  const auto show = [&](const char* what, const contestant& ours, const contestant& peer) {
    const std::vector<race_time> t = race({product, ours, peer}, on, {.rounds = rounds});
    std::printf("  %-30s %9.2f us, plain product %9.2f us, %.3f of it; cuBLASLt %9.2f us, ratio %.3f\n", what,
                t[1].median * 1e3, t[0].median * 1e3, t[1].median / t[0].median, t[2].median * 1e3,
                t[2].median / t[1].median);
    std::fflush(stdout);
    rows.push_back(row_of(what, s, t[1], t[0], t[2]));
  };
  const auto linear_by = [&]<class K>(std::type_identity<K>) {
    return rotating([&](layer_data& d, cudaStream_t to) {
      sectile::launch<K>(in(d.a, m, k), in(d.w, n, k), row(d.bias, n), sectile::matrix(d.c.data, m, n), to);
    });
  };
  const auto residual_by = [&]<class K>(std::type_identity<K>) {
    return rotating([&](layer_data& d, cudaStream_t to) {
      sectile::launch<K>(in(d.a, m, k), in(d.w, n, k), row(d.bias, n), in(d.residual, m, n),
                         sectile::matrix(d.c.data, m, n), to);
    });
  };
  show("plain", product, theirs(plain, best_plain));
  show("bias", linear_by(std::type_identity<linear<bf16>>{}), theirs(with_bias, best_bias));
  show("bias, GELU by tanh", linear_by(std::type_identity<linear<bf16, activation::gelu_tanh>>{}),
       theirs(with_gelu, best_gelu));
  show("bias, GELU by erf", linear_by(std::type_identity<linear<bf16, activation::gelu>>{}),
       theirs(with_gelu, best_gelu));
  show("bias, residual", residual_by(std::type_identity<linear_residual<bf16>>{}),
       rotating([&](layer_data& d, cudaStream_t to) { onto_residual(best_residual, d, to); }));
  show("bias, GELU by tanh, residual", residual_by(std::type_identity<linear_residual<bf16, activation::gelu_tanh>>{}),
       theirs(with_gelu, best_gelu));
  show("SwiGLU", rotating([&](layer_data& d, cudaStream_t to) {
         sectile::launch<gated_linear<bf16, activation::silu>>(in(d.a, m, k), in(d.w, n, k), in(d.v, n, k),
                                                               sectile::matrix(d.c.data, m, n), to);
       }),
       rotating([&](layer_data& d, cudaStream_t to) {
         plain.run(best_plain, d.a.data, d.w.data, d.gate.data, to);
         plain.run(best_plain, d.a.data, d.v.data, d.c.data, to);
         combine_gate<<<1056, 256, 0, to>>>(reinterpret_cast<const uint4*>(d.gate.data),
                                            reinterpret_cast<uint4*>(d.c.data), d.c.count / 8);
       }));

  // Vectors that are written: what they cost over the product.
  const contestant peer = theirs(plain, best_plain);
  show("ReLU's gradient, sums of columns", rotating([&](layer_data& d, cudaStream_t to) {
         sectile::launch<relu_gradient<bf16>>(in(d.a, m, k), in(d.w, k, n), in(d.residual, m, n),
                                              sectile::matrix(d.c.data, m, n), sectile::tensor(d.sums.data, n),
                                              sectile::workspace(d.workspace.data, d.workspace.count * 4), to);
       }),
       peer);
  show("ReLU's gradient, sums of columns in any order", rotating([&](layer_data& d, cudaStream_t to) {
         sectile::launch<relu_gradient<bf16, sectile::reduction::add_in_any_order>>(
             in(d.a, m, k), in(d.w, k, n), in(d.residual, m, n), sectile::matrix(d.c.data, m, n),
             sectile::tensor(d.sums.data, n), to);
       }),
       peer);
  show("scaled, largest magnitude", rotating([&](layer_data& d, cudaStream_t to) {
         sectile::launch<linear_amax<bf16, bf16>>(in(d.a, m, k), in(d.w, n, k),
                                                  sectile::tensor(static_cast<const float*>(d.one.data)),
                                                  sectile::matrix(d.c.data, m, n), sectile::tensor(d.sums.data), to);
       }),
       peer);
  const std::int64_t tiles = (n + 127) / 128;  // of linear_cross_entropy
  show("logits, parts of a cross entropy", rotating([&](layer_data& d, cudaStream_t to) {
         sectile::launch<linear_cross_entropy<bf16>>(
             in(d.a, m, k), in(d.w, n, k), sectile::matrix(d.c.data, m, n),
             sectile::tensor(d.largest.data, tiles, m), sectile::tensor(d.sums.data, tiles, m), to);
       }),
       peer);
}

/// What the products of e4m3 of one shape read and write.
struct fp8_data {
  device_buffer<e4m3> a, w, small;
  device_buffer<float> rows, cols;
  device_buffer<bf16> c;

  fp8_data(const shape& s, std::uint64_t seed)
      : a(layer_data::size(s.m, s.k)),
        w(layer_data::size(s.n, s.k)),
        small(layer_data::size(s.m, s.n)),
        rows(layer_data::size(s.m, 1)),
        cols(layer_data::size(s.n, 1)),
        c(layer_data::size(s.m, s.n)) {
    fill_random(a, seed), fill_random(w, seed + 1), fill_random(rows, seed + 2), fill_random(cols, seed + 3);
  }
  std::size_t bytes() const { return a.count + w.count + 2 * c.count; }
};

void measure_fp8(const shape& s, int rounds, const stream& on, std::vector<measured_row>& rows) {
  const rotating_sets<fp8_data> rotating(s);
  const auto m = s.m, n = s.n, k = s.k;
  const auto in = [](const device_buffer<e4m3>& b, std::int64_t rows, std::int64_t cols) {
    return sectile::matrix(static_cast<const e4m3*>(b.data), rows, cols);
  };
  const auto scale = [](const device_buffer<float>& b, std::int64_t count) {
    return sectile::tensor(static_cast<const float*>(b.data), count);
  };
  const lt_product plain(m, n, k, lt_types_of<e4m3, e4m3, bf16, float>());
  const auto run = [&plain](std::size_t i, fp8_data& d, cudaStream_t to) {
    plain.run(i, d.a.data, d.w.data, d.c.data, to);
  };
  const std::size_t best = rotating.fastest(plain, on, run);
  const contestant peer = rotating([&run, best](fp8_data& d, cudaStream_t to) { run(best, d, to); });
  const contestant to_bf16 = rotating([&](fp8_data& d, cudaStream_t to) {
    sectile::launch<scaled_linear<e4m3, bf16>>(in(d.a, m, k), in(d.w, n, k), scale(d.rows, m), scale(d.cols, n),
                                               sectile::matrix(d.c.data, m, n), to);
  });
  const contestant to_e4m3 = rotating([&](fp8_data& d, cudaStream_t to) {
    sectile::launch<scaled_linear<e4m3, e4m3>>(in(d.a, m, k), in(d.w, n, k), scale(d.rows, m), scale(d.cols, n),
                                               sectile::matrix(d.small.data, m, n), to);
  });
  const std::vector<race_time> t = race({to_bf16, to_e4m3, peer}, on, {.rounds = rounds});
  std::printf("%s of e4m3, scales of rows and columns\n"
              "  to bf16 %9.2f us, to e4m3 %9.2f us, cuBLASLt's product to bf16 %9.2f us: ratios %.3f and %.3f\n",
              s.text(" x ").c_str(), t[0].median * 1e3, t[1].median * 1e3, t[2].median * 1e3,
              t[2].median / t[0].median, t[2].median / t[1].median);
  std::fflush(stdout);
  rows.push_back(row_of("e4m3, scales of rows and columns, to bf16", s, t[0], t[0], t[2]));
  rows.push_back(row_of("the same, to e4m3", s, t[1], t[0], t[2]));
}

/// What a layer with weights of 8 or 4 bits reads and writes, and a kernel that widens these beside it.
template <class Weight>
struct quantized_data {
  static constexpr int in_a_byte = 8 / sectile::element_of<Weight>().bits;
  device_buffer<std::conditional_t<in_a_byte == 2, std::uint8_t, sectile::unshuffled<Weight>>> w;
  device_buffer<bf16> a, wide, c;
  device_buffer<float> scale;
  device_buffer<bf16> of_groups, zeros;  // of groups of 128

  quantized_data(const shape& s, std::uint64_t seed)
      : w(layer_data::size(s.n, s.k) / in_a_byte),
        a(layer_data::size(s.m, s.k)),
        wide(layer_data::size(s.n, s.k)),
        c(layer_data::size(s.n, s.m)),
        scale(layer_data::size(s.n, 1)),
        of_groups(layer_data::size(s.n, (s.k + 127) / 128)),
        zeros(of_groups.count) {
    fill_random(of_groups, seed + 4), fill_random(zeros, seed + 5);
    fill_random(w, seed), fill_random(a, seed + 1), fill_random(wide, seed + 2), fill_random(scale, seed + 3);
  }
  std::size_t bytes() const { return w.count + 2 * (a.count + c.count); }
};

/// to = from in bf16, eight elements per thread.
template <class Weight>
using eight_weights = std::conditional_t<sectile::element_of<Weight>().bits == 4, unsigned, uint2>;
__device__ int code_of(unsigned eight, int n) { return static_cast<int>(eight << (28 - 4 * n)) >> 28; }  // s4
__device__ std::uint8_t code_of(uint2 eight, int n) {
  return static_cast<std::uint8_t>((n < 4 ? eight.x : eight.y) >> 8 * (n % 4));
}
template <class Weight>
__global__ void widen(const eight_weights<Weight>* from, uint4* to, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    const eight_weights<Weight> eight = from[i];
    unsigned out[4];
    for (int j = 0; j < 4; ++j) {
      const auto one = [&](int n) {
        float x = 0;
        if constexpr (sectile::element_of<Weight>().bits == 4)
          x = static_cast<float>(code_of(eight, n));
        else
          x = static_cast<float>(__builtin_bit_cast(Weight, code_of(eight, n)));
        return static_cast<unsigned>(bf16(x).bits);
      };
      out[j] = one(2 * j) | one(2 * j + 1) << 16;
    }
    to[i] = {out[0], out[1], out[2], out[3]};
  }
}

/// As many bytes as a layer's weights are: half of them read, half of them written.
__global__ void copy_half(const uint4* from, uint4* to, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count / 2; i += step)
    to[i] = from[i];
}

/// `rows_of_a` rows of activations, 0 as many as the shape says; launch(W, A, C, data, n, k, stream): the layer's own.
template <class Weight, class Launch>
void measure_narrow(const char* what, const shape& s, std::int64_t rows_of_a, int rounds, const stream& on,
                    std::vector<measured_row>& rows, Launch launch) {
  using data = quantized_data<Weight>;
  const auto m = rows_of_a > 0 ? rows_of_a : s.m, n = s.n, k = s.k;
  const rotating_sets<data> rotating(shape{m, n, k});
  const auto in = [](auto* data, std::int64_t rows, std::int64_t cols) {
    return sectile::matrix(data, rows, cols);
  };
  const lt_product plain(n, m, k);
  const auto run = [&plain](std::size_t i, data& d, cudaStream_t to) {
    plain.run(i, d.wide.data, d.a.data, d.c.data, to);
  };
  const std::size_t best = rotating.fastest(plain, on, run);
  const contestant peer = rotating([&](data& d, cudaStream_t to) {
    if (rows_of_a == 0)
      widen<sectile::unshuffled<Weight>><<<2048, 256, 0, to>>>(reinterpret_cast<const eight_weights<Weight>*>(d.w.data),
                                                               reinterpret_cast<uint4*>(d.wide.data), d.wide.count / 8);
    run(best, d, to);
  });
  const contestant product = rotating([&](data& d, cudaStream_t to) {
    const auto weights = in(static_cast<const bf16*>(d.wide.data), n, k),
               a = in(static_cast<const bf16*>(d.a.data), m, k);
    if (m > 1)
      sectile::launch<gemm_bf16>(weights, a, in(d.c.data, n, m), to);
    else  // whose columns are no multiple of 16 bytes
      sectile::launch<gemm_bf16>(a, weights, in(d.c.data, m, n), to);
  });
  const contestant ours = rotating([&](data& d, cudaStream_t to) {
    launch(in(reinterpret_cast<const Weight*>(d.w.data), n, k), in(static_cast<const bf16*>(d.a.data), m, k),
           in(d.c.data, n, m), d, to);
  });
  const contestant copy = rotating([&](data& d, cudaStream_t to) {
    copy_half<<<1056, 256, 0, to>>>(reinterpret_cast<const uint4*>(d.w.data), reinterpret_cast<uint4*>(d.wide.data),
                                    d.w.count / 16);
  });
  const std::vector<race_time> t = race({product, ours, peer, copy}, on, {.rounds = rounds});
  std::printf(
      "%s, %s\n  %9.2f us, product of bf16 %9.2f us, %.3f of it; %scuBLASLt %9.2f us, ratio %.3f; a copy of as "
      "many bytes %9.2f us, ratio %.3f\n",
      shape{m, n, k}.text(" x ").c_str(), what, t[1].median * 1e3, t[0].median * 1e3, t[1].median / t[0].median,
      rows_of_a == 0 ? "widened, then " : "", t[2].median * 1e3, t[2].median / t[1].median, t[3].median * 1e3,
      t[3].median / t[1].median);
  std::fflush(stdout);
  rows.push_back(row_of(what, s, t[1], t[0], t[2]));
  rows.back().set("copy_us", t[3].median * 1e3).set("over_copy", t[1].median / t[3].median);
}
template <class Weight>
void measure_quantized(const char* what, const shape& s, std::int64_t rows_of_a, int rounds, const stream& on,
                       std::vector<measured_row>& rows) {
  measure_narrow<Weight>(what, s, rows_of_a, rounds, on, rows, [](auto W, auto A, auto C, auto& d, cudaStream_t to) {
    const auto scale = sectile::tensor(static_cast<const float*>(d.scale.data), W.extent[0]);
    sectile::launch<quantized_linear<Weight, bf16>>(W, A, scale, C, to);
  });
}
/// Shuffled weights of 4 bits with scales, or scales and zero points, of groups of K.
template <bool Zeros>
void measure_groups(const char* what, const shape& s, std::int64_t rows_of_a, int rounds, const stream& on,
                    std::vector<measured_row>& rows) {
  using weight = sectile::shuffled<std::conditional_t<Zeros, sectile::u4x2, sectile::s4x2>>;
  measure_narrow<weight>(what, s, rows_of_a, rounds, on, rows, [](auto W, auto A, auto C, auto& d, cudaStream_t to) {
    const auto of_groups = [&](const device_buffer<bf16>& x) {
      return sectile::tensor(static_cast<const bf16*>(x.data), (A.extent[1] + 127) / 128, W.extent[0]);
    };
    const auto turned = sectile::matrix_col_major(C.data, C.extent[0], C.extent[1]);  // a row for each of A's
    using layer = group_quantized_linear<weight, bf16, 128, Zeros, sectile::col_major>;
    if constexpr (Zeros)
      sectile::launch<layer>(W, A, of_groups(d.of_groups), turned, of_groups(d.zeros), to);
    else
      sectile::launch<layer>(W, A, of_groups(d.of_groups), turned, to);
  });
}

}  // namespace

int main(int count, char** words) {
  try {
    const options how =
        read_options(count, words, {.selects = true},
                     {.shapes = {{4096, 4096, 4096}, {8192, 8192, 8192}, {4096, 14336, 4096}},
                      .json = "",
                      .only = "",
                      .command = command_of(count, words)});
    std::printf("%s, cuBLASLt %zu; bf16, e4m3 and s8, standard-normal data; medians\n", this_machine().text().c_str(),
                cublasLtGetVersion());
    const stream on;
    std::vector<measured_row> rows;
    const auto wanted = [&](const char* part) { return how.only.empty() || how.only == part; };
    for (const shape& s : how.shapes)
      if (wanted("epilogues")) measure(s, how.rounds, on, rows);
    for (const shape& s : how.shapes)
      if (wanted("fp8")) measure_fp8(s, how.rounds, on, rows);
    for (const shape& s : how.shapes) {
      if (!wanted("narrow")) break;
      measure_quantized<sectile::s8>("weights of s8, activations of bf16", s, 0, how.rounds, on, rows);
      measure_quantized<e4m3>("weights of e4m3, activations of bf16", s, 0, how.rounds, on, rows);
      measure_quantized<e4m3>("weights of e4m3, 16 rows of activations", s, 16, how.rounds, on, rows);
      measure_quantized<e4m3>("weights of e4m3, 64 rows of activations", s, 64, how.rounds, on, rows);
      measure_quantized<sectile::s4x2>("weights of s4, activations of bf16", s, 0, how.rounds, on, rows);
      measure_quantized<sectile::s4x2>("weights of s4, 16 rows of activations", s, 16, how.rounds, on, rows);
      using sectile::shuffled;
      measure_quantized<shuffled<sectile::s4x2>>("shuffled weights of s4, activations of bf16", s, 0, how.rounds, on,
                                                 rows);
      measure_quantized<shuffled<sectile::s4x2>>("shuffled weights of s4, 16 rows of activations", s, 16, how.rounds,
                                                 on, rows);
      measure_quantized<shuffled<sectile::s4x2>>("shuffled weights of s4, 64 rows of activations", s, 64, how.rounds,
                                                 on, rows);
      measure_quantized<shuffled<e4m3>>("shuffled weights of e4m3, 16 rows of activations", s, 16, how.rounds, on,
                                        rows);
      measure_quantized<shuffled<sectile::s8>>("shuffled weights of s8, 16 rows of activations", s, 16, how.rounds, on,
                                               rows);
    }
    for (const shape& s : how.shapes) {
      if (!wanted("groups")) break;
      measure_groups<false>("weights of s4 with scales of groups, activations of bf16", s, 0, how.rounds, on, rows);
      measure_groups<false>("weights of s4 with scales of groups, 1 row of activations", s, 1, how.rounds, on, rows);
      measure_groups<false>("weights of s4 with scales of groups, 16 rows of activations", s, 16, how.rounds, on, rows);
      measure_groups<false>("weights of s4 with scales of groups, 64 rows of activations", s, 64, how.rounds, on, rows);
      measure_groups<true>("weights of u4 with scales and zero points of groups, 16 rows of activations", s, 16,
                           how.rounds, on, rows);
    }
    if (how.json.empty()) return 0;
    const machine m = this_machine();
    measured_file file{.title = "Layers",
                       .device = m.device(),
                       .software = m.software() + ", cuBLASLt " + library_version(cublasLtGetVersion()),
                       .command = how.command,
                       .rounds = how.rounds,
                       .columns = {{"shape", "M x N x K", 0},
                                   {"us", "us", 1},
                                   {"over_product", "over the plain product", 3},
                                   {"ratio", "ratio", 3}},
                       .rows = rows};
    file.write(how.json);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_layers: %s\n", e.what());
    return 2;
  }
}
