// What descriptors mean beyond the documented layouts. Every 16-byte chunk of shared memory is filled with its number,
// so that D tells where each element of B came from.
#include <cstdio>

#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

constexpr int region = 16 * 1024;  // bytes of shared memory that are numbered
constexpr swizzle_mode swizzles[] = {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

/// The chunk that element (k, n) of B was read from.
struct traced {
  wgmma_instruction w;
  std::vector<int> chunk;  // n rows of k

  int at(int n, int k) const { return chunk[static_cast<std::size_t>(n * w.k + k)]; }
};

/// A whose row k picks row k of B.
problem picking(const wgmma_instruction& w) {
  problem p = blank(w, false);
  for (int k = 0; k < w.k; ++k) {
    const int group = k / 4, at = k % 4;
    const int column = w.sparse ? 2 * group + (at == 3) : k;
    p.a[static_cast<std::size_t>(k * p.stored() + column)] = bits_of(w.a, 1);
    if (w.sparse) set_nibble(p, k, group, at == 3 ? 0xC : at + 4 * 3);
  }
  p.w.a_in_registers = true;
  return p;
}

/// Precondition: f16 x f16 -> f32, and B lies within the region.
traced trace(gpu_runner& gpu, const wgmma_instruction& w, const matrix_descriptor& b) {
  prepared_case c = prepare_problem(picking(w), 0, 0, 1);
  c.work.b = encode(b);
  c.work.shared_bytes = region;
  c.pieces.clear();
  for (int i = 0; i < region / 16; ++i) {
    piece x{static_cast<std::uint32_t>(16 * i), {}};
    const std::uint32_t bits = bits_of(w.b, i);
    for (int j = 0; j < 16; ++j) x.bytes[j] = static_cast<std::uint8_t>(j % 2 ? bits >> 8 : bits);
    c.pieces.push_back(x);
  }
  c.work.chunks = static_cast<int>(c.pieces.size());
  const std::vector<std::uint32_t> d = on_gpu(gpu, c);
  traced t{w, {}};
  for (int n = 0; n < w.n; ++n)
    for (int k = 0; k < w.k; ++k)
      t.chunk.push_back(static_cast<int>(std::bit_cast<float>(d[static_cast<std::size_t>(k * w.n + n)])));
  return t;
}

unsigned span_of(swizzle_mode mode) { return static_cast<unsigned>(span_bytes(mode)); }

/// `address` with the bits of `phase` that the mode has in its chunk number.
unsigned swizzled(unsigned address, swizzle_mode mode, unsigned phase) {
  return address ^ ((phase & (span_of(mode) / 16 - 1)) << 4);
}

/// Elements that come from another chunk than where(n, k), in bytes, says.
template <class Where>
int count_elsewhere(const traced& t, Where where) {
  int wrong = 0;
  for (int n = 0; n < t.w.n; ++n)
    for (int k = 0; k < t.w.k; ++k) wrong += static_cast<unsigned>(t.at(n, k)) != where(n, k) / 16;
  return wrong;
}

/// K-major: K splits where it has filled a span, counted from the instruction's own start, and LBO leads to the rest.
unsigned place_beyond_the_span(const matrix_descriptor& d, int n, int k) {
  const unsigned row = static_cast<unsigned>(n), byte = 2 * static_cast<unsigned>(k), span = span_of(d.swizzle);
  const unsigned linear =
      d.start_bytes + row % 8 * span + row / 8 * d.stride_bytes + byte % span + byte / span * d.leading_bytes;
  return swizzled(linear, d.swizzle, linear >> 7);
}

void beyond_the_span(gpu_runner& gpu, bool sparse, unsigned leading_bytes) {
  for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64}) {
    for (const unsigned start : {0u, 16u, 32u}) {
      wgmma_instruction w = instruction(f16_f32, sparse);
      w.n = 16;
      const unsigned span = span_of(mode);
      if (start + 2 * static_cast<unsigned>(w.k) <= span || start >= span) continue;
      const matrix_descriptor d{start, leading_bytes, 8 * span, 0, mode};
      const traced t = trace(gpu, w, d);
      const int wrong = count_elsewhere(t, [&](int n, int k) { return place_beyond_the_span(d, n, k); });
      std::printf("%s swizzle %u, start %u, LBO %u: formula wrong %d of %d;", sparse ? "sparse" : "dense", span, start,
                  leading_bytes, wrong, w.n * w.k);
      for (const int n : {0, 1, 8, 9}) {
        std::printf(" |");
        for (int k = 0; k < w.k; k += 8) std::printf(" %d", t.at(n, k));
      }
      std::printf("\n");
    }
  }
}

void spans(gpu_runner& gpu) {
  std::puts("\n(i) K of an instruction beyond the span of a swizzle: chunks of rows n = 0, 1, 8, 9 (k = 0, 8, 16, 24)");
  for (const bool sparse : {true, false})
    for (const unsigned leading_bytes : {0u, 16u, 512u, 640u, 4096u}) beyond_the_span(gpu, sparse, leading_bytes);
  std::puts("no swizzle, LBO honoured for all four chunks of a sparse B:");
  const traced t = trace(gpu, instruction(f16_f32, true), {0, 1024, 128, 0, swizzle_mode::none});
  for (int k = 0; k < t.w.k; k += 8) std::printf(" %d", t.at(0, k));
  std::printf("\n");
}

/// Rules for the bits that the swizzle adds to the chunk number.
constexpr const char* phase_rules[] = {"address", "+ offset", "- offset", "^ offset", "relative"};

unsigned phase_by(int rule, unsigned linear, unsigned start, unsigned offset) {
  const unsigned line = linear >> 7;
  switch (rule) {
    case 0:
      return line;
    case 1:
      return line + offset;
    case 2:
      return line - offset;
    case 3:
      return line ^ offset;
    default:
      return (linear - start) >> 7;
  }
}

void base_offset(gpu_runner& gpu, major direction, swizzle_mode mode, unsigned offset) {
  const unsigned span = span_of(mode);
  int wrong[5]{};
  for (unsigned start = 0; start < 1024; start += 128) {
    const traced t =
        trace(gpu, instruction(f16_f32, false, 0, direction), {start, 4096, 8 * span, static_cast<int>(offset), mode});
    for (int rule = 0; rule < 5; ++rule) {
      wrong[rule] += count_elsewhere(t, [&](int n, int k) {
        const auto row = static_cast<unsigned>(n), column = static_cast<unsigned>(k);
        const unsigned linear = direction == major::k ? start + row * span + column * 2
                                                      : start + column / 8 * 8 * span + column % 8 * span + row * 2;
        return swizzled(linear, mode, phase_by(rule, linear, start, offset));
      });
    }
  }
  std::printf("%s swizzle %u base_offset %u:", direction == major::k ? "K" : "MN", span, offset);
  for (int rule = 0; rule < 5; ++rule) std::printf("%s %s %d", rule ? "," : "", phase_rules[rule], wrong[rule]);
  std::printf("\n");
}

void base_offsets(gpu_runner& gpu) {
  std::puts(
      "\n(j) base offset: elements (of 1024) that a rule for the swizzle's phase gets wrong, over starts 0, 128 .. "
      "896");
  for (const major direction : {major::k, major::mn})
    for (const swizzle_mode mode : swizzles)
      for (unsigned offset = 0; offset < 8; ++offset) base_offset(gpu, direction, mode, offset);
}

void start_inside_a_row(gpu_runner& gpu, swizzle_mode mode, int columns, unsigned start) {
  wgmma_instruction w = instruction(f16_f32, false, 0, major::mn);
  w.n = columns;
  const matrix_descriptor d{start, 4096, 8 * span_of(mode), 0, mode};
  const traced t = trace(gpu, w, d);
  const int wrong = count_elsewhere(t, [&](int n, int k) { return read_offset(d, major::mn, n, k, 16); });
  std::printf("swizzle %u N %d start %u: formula wrong %d of %d;", span_of(mode), columns, start, wrong, w.n * w.k);
  for (const int k : {0, 9}) {
    for (int n = 0; n < columns; n += 8) std::printf(" %d", t.at(n, k));
    std::printf(" |");
  }
  std::printf("\n");
}

void starts_inside_a_row(gpu_runner& gpu) {
  std::puts(
      "\n(k) MN-major, start inside a swizzled row: chunks of k = 0 and k = 9 for n = 0, 8, 16 ..; LBO 4096, SBO 8 "
      "spans");
  for (const swizzle_mode mode : swizzles)
    for (const int columns : {8, 16, 32, 64})
      for (const unsigned start : {0u, 16u, 32u, 48u, 64u, 112u})
        if (start < span_of(mode)) start_inside_a_row(gpu, mode, columns, start);
}

}  // namespace

void probe_descriptors(gpu_runner& gpu) {
  spans(gpu);
  base_offsets(gpu);
  starts_inside_a_row(gpu);
}

}  // namespace sectile::conformance
