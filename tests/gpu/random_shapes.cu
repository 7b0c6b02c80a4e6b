// Random shapes on a GPU: every result against float64 and, where the model is built in, bit for bit against the model.
//
//   gpu_random_shapes [--first I] [--count N] [--no-model] [--no-attention] [--dump FILE | --against FILE]
//
// Each product runs by a member of gemm_bf16_family, which takes turns with the others, and by gemm_bf16_f32: twice,
// into poisoned outputs between guard bands. The error, the bytes around the output and the agreement of the two runs
// are checked; and the family's own pick and gemm_bf16 have to give the bytes that the member gave. --dump writes the
// bits of every product to a file; --against compares such a file with the model on a machine without a GPU. Exit code:
// 0 if all is right, 1 if not, 77 if there is no GPU.
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cinttypes>
#include <exception>
#include <fstream>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/command_line.hpp"
#include "tests/gpu/attention_case.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/family_members.hpp"
#include "tests/gpu/gemm_case.hpp"
#include "tests/gpu/on_model.hpp"
#include "tool/random.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16, sectile::tensor_view;

struct options {
  int first = 0, count = case_count;
  bool model = model_is_built_in(), attention = true;
  std::string dump, against;
};

/// The largest relative error of a product. A bf16 result is off by up to 2^-9 of each element from rounding alone; a
/// float result by what the tensor core drops when it aligns the terms of a sum.
template <class Out>
constexpr double most_error = std::is_same_v<Out, bf16> ? 4e-3 : 1e-4;

/// A way to make a product: queues it on the stream.
template <class Out>
struct way {
  std::string name;
  void (*launch)(const tensor_view<const bf16>&, const tensor_view<const bf16>&, const tensor_view<Out>&, cudaStream_t);
};
template <class Kernel, class Out>
void launch_kernel(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<Out>& c,
                   cudaStream_t stream) {
  sectile::launch_on<Kernel>(stream, a, b, c);
}

/// Which of `members` makes a case. As many cases as there are members, from a multiple of that on, have each once, in
/// an order that is drawn.
int member_of(int index, int members) {
  std::vector<int> order(static_cast<std::size_t>(members));
  std::iota(order.begin(), order.end(), 0);
  const auto round = static_cast<std::uint64_t>(index / members);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[sectile::tool::hash(round, i) % i]);
  return order[static_cast<std::size_t>(index % members)];
}

/// How a case is made.
template <class Out>
way<Out> way_of(const gemm_case& c) {
  if constexpr (std::is_same_v<Out, bf16>) {
    const std::vector<family_member>& all = gemm_bf16_members();
    const family_member& one = all[static_cast<std::size_t>(member_of(c.index, static_cast<int>(all.size())))];
    return {"gemm_bf16_family, " + one.name, one.launch};
  } else {
    return {"gemm_bf16_f32", launch_kernel<sectile::kernels::gemm_bf16_f32, Out>};
  }
}
/// What has to give the same bytes.
template <class Out>
std::vector<way<Out>> other_ways_of(const gemm_case& c) {
  if constexpr (std::is_same_v<Out, bf16>) {
    const auto size = [](std::int64_t n) { return static_cast<int>(n); };
    const int picked = choose(gemm_bf16_family_facts(), {{"M", size(c.m)}, {"N", size(c.n)}, {"K", size(c.k)}},
                              sectile::hopper::current_constants())
                           .member;
    return {{"the pick of gemm_bf16_family, " + gemm_bf16_members()[static_cast<std::size_t>(picked)].name,
             launch_gemm_bf16_family},
            {"gemm_bf16", launch_kernel<sectile::kernels::gemm_bf16, Out>}};
  } else {
    return {};
  }
}

struct score {
  int shapes = 0, agree = 0, failures = 0;
  std::int64_t bits_compared = 0, bits_differ = 0;
  std::int64_t attention_elements = 0, attention_differ = 0;
  double worst_bf16 = 0, worst_f32 = 0, worst_attention = 0;

  void fail(const std::string& what, const std::string& why) {
    ++failures;
    std::printf("FAIL %s: %s\n", what.c_str(), why.c_str());
    std::fflush(stdout);
  }
};

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", x);
  return buffer;
}

std::int64_t bits_that_differ(const std::vector<unsigned char>& x, const std::vector<unsigned char>& y) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += std::popcount(static_cast<unsigned char>(x[i] ^ y[i]));
  return count;
}

/// Of bf16 elements.
std::int64_t elements_that_differ(const std::vector<unsigned char>& x, const std::vector<unsigned char>& y) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < x.size(); i += 2) count += x[i] != y[i] || x[i + 1] != y[i + 1];
  return count;
}

/// The bits of results in a file, one record after the other.
struct record {
  std::int64_t index, element_bytes, rows, cols;
};

void write_record(std::ofstream& file, int index, std::int64_t element_bytes, std::int64_t rows, std::int64_t cols,
                  const std::vector<unsigned char>& bits) {
  const record head{index, element_bytes, rows, cols};
  file.write(reinterpret_cast<const char*>(&head), sizeof head);
  file.write(reinterpret_cast<const char*>(bits.data()), static_cast<std::streamsize>(bits.size()));
  if (!file) throw std::runtime_error("the dump cannot be written");
}

std::vector<unsigned char> read_record(std::ifstream& file, int index, std::int64_t element_bytes, std::int64_t rows,
                                       std::int64_t cols) {
  record head{};
  file.read(reinterpret_cast<char*>(&head), sizeof head);
  if (!file || head.index != index || head.element_bytes != element_bytes || head.rows != rows || head.cols != cols)
    throw std::runtime_error("the dump does not continue with case " + std::to_string(index) +
                             "; was it written with the same --first and --count?");
  std::vector<unsigned char> bits(static_cast<std::size_t>(rows * cols * element_bytes));
  file.read(reinterpret_cast<char*>(bits.data()), static_cast<std::streamsize>(bits.size()));
  if (!file) throw std::runtime_error("the dump ends within case " + std::to_string(index));
  return bits;
}

/// Calls `launch`, which writes to `copy`, poisoned before; checks that it gives the bytes that are in `out`.
template <class T, class Launch>
void run_again(const guarded<T>& out, device_copy<T>& copy, const std::string& what, score& s, const Launch& launch) {
  guarded<T> again = out;
  again.poison();
  copy.upload(again);
  launch();
  copy.download(again);
  if (const std::int64_t differ = bits_that_differ(again.bytes, out.bytes))
    s.fail(what, std::to_string(differ) + " bits differ from the first run on the same inputs");
}

/// Calls `launch`, which writes to `copy`, twice, poisoned before each; checks the guards and that both runs gave the
/// same bytes.
template <class T, class Launch>
void run_twice(guarded<T>& out, device_copy<T>& copy, const std::string& what, score& s, const Launch& launch) {
  launch();
  copy.download(out);
  run_again(out, copy, what, s, launch);
  if (const std::int64_t touched = out.touched())
    s.fail(what, std::to_string(touched) + " bytes outside the output were written");
}

template <class Out>
std::vector<unsigned char> product_on_gpu(const gemm_case& c, score& s) {
  const way<Out> first = way_of<Out>(c);
  const std::string what = describe(c) + ", " + first.name;
  const device_copy<bf16> a(c.a), b(c.b);
  guarded<Out> out = make_output<Out>(c);
  device_copy<Out> copy(out);
  const auto launch = [&](const way<Out>& by) {
    by.launch(c.a.const_view(a.base), c.b.const_view(b.base), out.view(copy.base), cudaStream_t{});
  };
  run_twice(out, copy, what, s, [&] { launch(first); });
  for (const way<Out>& other : other_ways_of<Out>(c))
    run_again(out, copy, describe(c) + ", " + other.name + " after " + first.name, s, [&] { launch(other); });
  const double error = relative_error(c, out);
  if (!(error <= most_error<Out>))
    s.fail(what, "relative error " + text(error) + ", the bar is " + text(most_error<Out>));
  double& worst = std::is_same_v<Out, bf16> ? s.worst_bf16 : s.worst_f32;
  worst = std::max(worst, error);
  return out.bits();
}

/// Compares a result with the model's, which has one configuration for all: a family sums in one order. True if every
/// bit agrees.
template <class Out>
bool agrees_with_model(const gemm_case& c, const std::vector<unsigned char>& bits, score& s) {
  const std::string what = describe(c) + ", " + way_of<Out>(c).name + " against the model";
  guarded<Out> out = make_output<Out>(c);
  try {
    gemm_on_model(c.a.const_view(c.a.bytes.data()), c.b.const_view(c.b.bytes.data()), out.view(out.bytes.data()));
  } catch (const std::exception& e) {
    s.fail(what, e.what());
    return false;
  }
  if (const std::int64_t touched = out.touched())
    s.fail(what, std::to_string(touched) + " bytes outside the output were written");
  const std::int64_t differ = bits_that_differ(bits, out.bits());
  s.bits_compared += 8 * static_cast<std::int64_t>(bits.size());
  s.bits_differ += differ;
  if (differ) s.fail(what, std::to_string(differ) + " bits differ");
  return differ == 0;
}

struct files {
  std::ofstream dump;
  std::ifstream against;
};

template <class Out>
bool test_product(const gemm_case& c, const options& how, files& f, score& s) {
  constexpr std::int64_t element_bytes = sizeof(Out);
  const std::vector<unsigned char> bits =
      how.against.empty() ? product_on_gpu<Out>(c, s) : read_record(f.against, c.index, element_bytes, c.m, c.n);
  if (f.dump.is_open()) write_record(f.dump, c.index, element_bytes, c.m, c.n, bits);
  return !how.model || agrees_with_model<Out>(c, bits, s);
}

void test_products(const options& how, score& s) {
  files f;
  if (!how.dump.empty()) f.dump.open(how.dump, std::ios::binary);
  if (!how.against.empty()) f.against.open(how.against, std::ios::binary);
  for (int i = how.first; i < how.first + how.count; ++i) {
    const gemm_case c = make_gemm_case(i);
    const bool bf16_agrees = test_product<bf16>(c, how, f, s);
    const bool f32_agrees = test_product<float>(c, how, f, s);
    ++s.shapes;
    s.agree += how.model && bf16_agrees && f32_agrees;
  }
}

/// Compares a result with the model's, for information: the GPU's exp2 is an approximation of its own.
void compare_attention_with_model(attention_case c, score& s) {
  const std::vector<unsigned char> bits = c.o.bits();
  try {
    attention_on_model(c);
  } catch (const std::exception& e) {
    return s.fail("attention " + describe(c) + " on the model", e.what());
  }
  s.attention_elements += c.o.rows * c.o.cols;
  s.attention_differ += elements_that_differ(bits, c.o.bits());
}

void test_attention(attention_case c, const options& how, score& s) {
  constexpr double bar = 1e-2;
  const std::string what = "attention " + describe(c);
  const device_copy<bf16> q(c.q), k(c.k), v(c.v);
  device_copy<bf16> o(c.o);
  run_twice(c.o, o, what, s, [&] {
    with_views(c, q.base, k.base, v.base, o.base, [](auto dimension, auto causal, const auto&... arguments) {
      using sectile::kernels::attention_mask;
      constexpr attention_mask mask = causal() ? attention_mask::causal : attention_mask::none;
      sectile::launch<sectile::kernels::attention<dimension(), mask>>(arguments...);
    });
  });
  const double error = relative_error(c);
  if (!(error <= bar)) s.fail(what, "relative error " + text(error) + ", the bar is " + text(bar));
  s.worst_attention = std::max(s.worst_attention, error);
  if (how.model) compare_attention_with_model(std::move(c), s);
}

options read_options(int count, char** words) {
  options o;
  sectile::test::read_command_line(count, words, [&](const std::string& word, const auto& value) {
    if (word == "--first")
      o.first = std::stoi(value());
    else if (word == "--count")
      o.count = std::stoi(value());
    else if (word == "--no-model")
      o.model = false;
    else if (word == "--no-attention")
      o.attention = false;
    else if (word == "--dump")
      o.dump = value();
    else if (word == "--against")
      o.against = value();
    else
      return false;
    return true;
  });
  if (!o.against.empty() && !o.model) throw std::runtime_error("--against needs the model");
  return o;
}

/// By how many members the cases were made, and how many each made at least.
void print_members(const options& how) {
  std::vector<int> made(gemm_bf16_members().size());
  for (int i = how.first; i < how.first + how.count; ++i)
    ++made[static_cast<std::size_t>(member_of(i, static_cast<int>(made.size())))];
  std::erase(made, 0);
  if (made.empty()) return;
  std::printf("gemm_bf16_family: %zu of %zu members, %d shapes or more by each\n", made.size(),
              gemm_bf16_members().size(), *std::min_element(made.begin(), made.end()));
}

void print_score(const options& how, const score& s) {
  print_members(how);
  if (how.against.empty())
    std::printf("largest relative error: gemm_bf16_family %.3g, gemm_bf16_f32 %.3g, attention %.3g\n", s.worst_bf16,
                s.worst_f32, s.worst_attention);
  if (s.attention_elements)
    std::printf("attention: %" PRId64 " elements, %" PRId64 " differ from the model's (for information)\n",
                s.attention_elements, s.attention_differ);
  if (how.model)
    std::printf("shapes %d, agree %d, bits compared %" PRId64 ", differ %" PRId64 "\n", s.shapes, s.agree,
                s.bits_compared, s.bits_differ);
  else
    std::printf("shapes %d, not compared with the model\n", s.shapes);
  std::printf("%d failures\n", s.failures);
}

int run(const options& how) {
  const std::string no_gpu = how.against.empty() ? why_no_gpu() : "";
  if (!no_gpu.empty()) {
    std::printf("skipped: %s\n", no_gpu.c_str());
    return exit_skipped;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  score s;
  test_products(how, s);
  std::printf("%d products in %.1f s\n", s.shapes, seconds());
  if (how.attention && how.against.empty()) {
    for (int i = 0; i < attention_case_count; ++i) test_attention(make_attention_case(i), how, s);
    std::printf("%d attention problems, %.1f s in all\n", attention_case_count, seconds());
  }
  print_score(how, s);
  return s.failures ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_random_shapes: %s\n", e.what());
    return 1;
  }
}
