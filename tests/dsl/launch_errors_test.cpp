// What is said of CUDA's errors, of kernels and of launches: no GPU is needed for the words.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/cuda_errors.hpp>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/history.hpp>
#include <sectile/dsl/launch/kernel_name.hpp>
#include <sectile/dsl/launch/multiprocessors.hpp>
#include <sectile/dsl/launch/number_per_context.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sectile;

// ---- errors

TEST_CASE("every error has a number, a name, a reason and a way out, each once") {
  std::set<int> codes;
  std::set<std::string> names, reasons;
  for (const cuda_trouble& t : cuda_troubles) {
    CAPTURE(t.code);
    CHECK(codes.insert(t.code).second);
    CHECK(names.insert(t.name).second);
    CHECK(reasons.insert(t.what).second);
    CHECK(std::string(t.name).rfind("cudaError", 0) == 0);
    CHECK(std::string(t.what).size() > 10);
    CHECK(std::string(t.advice).size() > 5);
    for (const char* clause : {t.what, t.advice}) {
      CHECK(std::string(clause).back() != '.');
      CHECK(std::string(clause).find('\n') == std::string::npos);
    }
  }
}
TEST_CASE("the errors that a user meets most") {
  CHECK(trouble_text(2) ==
        "the device is out of memory (cudaErrorMemoryAllocation); free some, or split the problem; other processes on "
        "this GPU count as well");
  CHECK(trouble_text(209).find("no code for this GPU (cudaErrorNoKernelImageForDevice); compile it with") !=
        std::string::npos);
  CHECK(trouble_text(700).find("illegal address") != std::string::npos);
  CHECK(trouble_text(800).find("host function or callback") != std::string::npos);
  CHECK(trouble_text(906).find("default stream") != std::string::npos);
}
TEST_CASE("errors that nobody knows keep CUDA's text") {
  CHECK(trouble_text(12345, "a new kind of failure") == "a new kind of failure (CUDA error 12345)");
  CHECK(trouble_text(12345) == "an unknown error (CUDA error 12345)");
}
TEST_CASE("which errors leave a context that cannot be used") {
  for (const int code : {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 810, 911})
    CHECK(loses_context(code));
  for (const int code : {0, 1, 2, 3, 98, 209, 400, 600, 701, 800, 900, 901, 906, 999, 12345})
    CHECK_FALSE(loses_context(code));
}

// ---- names

struct own_kernel {};
template <class A, int N>
struct family {
  struct member {};
};

TEST_CASE("kernels are called what the program calls them") {
  CHECK(kernel_name<own_kernel>() == "own_kernel");
  CHECK(kernel_name<family<bf16, 3>::member>() == "family<bf16, 3>::member");
  CHECK(kernel_name<kernels::gemm_bf16>().rfind("gemm<bf16, bf16, bf16", 0) == 0);
  CHECK(kernel_name<kernels::attention<128, kernels::attention_mask::none>>() ==
        "attention<128, attention_mask::none>");
}
TEST_CASE("names in the ways of three compilers") {
  CHECK(detail::type_in("constexpr auto f() [with K = a::b<int [3]>; x = y]") == "a::b<int [3]>");
  CHECK(detail::type_in("auto f() [K = gemm<{0, 0}, float>]") == "gemm<{0, 0}, float>");
  CHECK(detail::type_in("something else") == "something else");
  CHECK(readable_name("{anonymous}::mine<sectile::bf16>") == "mine<bf16>");
  CHECK(readable_name("(anonymous namespace)::mine<(anonymous namespace)::other>") == "mine<other>");
  CHECK(readable_name("_GLOBAL__N__008fe37a_7_name_cu_main::mine") == "mine");
  CHECK(readable_name("sectile::kernels::gemm<sectile::f16, float>") == "gemm<f16, float>");
  CHECK(readable_name("mysectile::kernel") == "mysectile::kernel");
  CHECK(readable_name(std::string(300, 'x')) == std::string(longest_kernel_name - 3, 'x') + "...");
}

// ---- the history of launches

constexpr plan plan_of_small() {
  plan p{};
  p.operands = 1;
  p.operand[0].facts.name[0] = 'A';
  p.operand[0].facts.tile.rank = 1;
  return p;
}
constexpr plan small_plan = plan_of_small();
constexpr launchable small{&small_plan, "f() [K = small]", nullptr};

const int places[3]{};
const launch_place first_stream{0, 7, &places[0], nullptr, false}, second_stream{0, 7, &places[1], nullptr, false};

launch_record launch_on(const launch_place& at, int size) {
  launch_record r{};
  r.at = at;
  r.kernel = &small;
  r.sizes.extent[0][0] = size;
  return r;
}
std::string on(const launch_place& at) { return " on stream " + address_text(at.stream); }

TEST_CASE("a launch's operands and sizes") {
  launch_sizes s{};
  for (int o = 0; o < 3; ++o)
    for (int d = 0; d < 2; ++d) s.extent[o][d] = 10 * o + d + 1;
  const std::string text = describe_launch(launchable_of<kernels::gemm_bf16>, s);
  CHECK(text.find(" (A 1 x 2, B 11 x 12, C 21 x 22)") != std::string::npos);
  const std::string of_four =
      describe_launch(launchable_of<kernels::attention<128, kernels::attention_mask::none>>, {});
  CHECK(of_four.find("Q 0 x 0 x 0 x 0") != std::string::npos);
  CHECK(of_four.find("scale") == std::string::npos);  // scalars have no size
}
TEST_CASE("suspects are the launches that have not finished, the latest of the stream first") {
  launch_history h;
  CHECK(h.suspects(first_stream) == "");
  CHECK(h.latest() == 0);
  h.add(launch_on(first_stream, 10));
  h.add(launch_on(second_stream, 20));
  h.add(launch_on(first_stream, 30));
  CHECK(h.suspects(first_stream) == "launch 3, small (A 30)" + on(first_stream) + "; launch 1, small (A 10)" +
                                        on(first_stream) + "; launch 2, small (A 20)" + on(second_stream));
  h.mark_finished(first_stream, 1);
  CHECK(h.suspects(second_stream) ==
        "launch 2, small (A 20)" + on(second_stream) + "; launch 3, small (A 30)" + on(first_stream));
  h.mark_finished(second_stream, h.latest());
  CHECK(h.suspects(second_stream) == "launch 3, small (A 30)" + on(first_stream));
  h.mark_finished(first_stream, h.latest());
  CHECK(h.suspects(first_stream) == "");
  CHECK(h.add(launch_on(first_stream, 1)) == 4);
}
TEST_CASE("other devices and contexts from before a reset are not suspected") {
  launch_history h;
  launch_place other_device = first_stream, after_reset = first_stream;
  other_device.device = 1;
  after_reset.context = 8;
  h.add(launch_on(first_stream, 1));
  CHECK(h.suspects(other_device) == "");
  CHECK(h.suspects(after_reset) == "");
  launch_place anywhere{};
  CHECK(h.suspects(anywhere) == "launch 1, small (A 1)" + on(first_stream));
}
TEST_CASE("a captured launch runs whenever its graph does") {
  launch_history h;
  launch_place capturing = first_stream;
  capturing.capturing = true;
  h.add(launch_on(capturing, 1));
  h.mark_finished(first_stream, h.latest());
  CHECK(h.suspects(first_stream) == "launch 1, small (A 1), captured into a graph" + on(first_stream));
}
TEST_CASE("only the last launches are kept, and a few named") {
  launch_history h;
  for (int i = 1; i <= 6; ++i) h.add(launch_on(first_stream, i));
  std::string text = h.suspects(first_stream);
  CHECK(text.find("launch 6, ") == 0);
  CHECK(text.find("; and 2 others") != std::string::npos);
  for (int i = 7; i <= 1000; ++i) h.add(launch_on(first_stream, i));
  text = h.suspects(first_stream);
  CHECK(text.find("launch 1000, ") == 0);
  CHECK(text.find("; and 252 or more others") != std::string::npos);
}
TEST_CASE("default streams have names") {
  launch_place at{};
  at.stream_name = "the default stream";
  CHECK(stream_text(at) == "the default stream");
  CHECK(stream_text(first_stream) == "stream " + address_text(&places[0]));
  CHECK(address_text(std::uintptr_t{0}) == "0x0");
  CHECK(address_text(std::uintptr_t{0x7f00a2}) == "0x7f00a2");
}
TEST_CASE("many threads at once: every launch gets a number of its own") {
  launch_history h;
  constexpr int threads = 4, launches = 2000;
  std::vector<std::vector<std::uint64_t>> numbers(threads);
  {
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (int i = 0; i < launches; ++i) {
          numbers[static_cast<std::size_t>(t)].push_back(h.add(launch_on(t % 2 ? first_stream : second_stream, i)));
          if (i % 100 == 0) h.mark_finished(first_stream, h.latest());
          if (i % 500 == 0) CHECK(h.suspects(first_stream).size() < 1000);
        }
      });
  }
  std::set<std::uint64_t> all;
  for (const auto& own : numbers) all.insert(own.begin(), own.end());
  CHECK(all.size() == threads * launches);
  CHECK(h.latest() == threads * launches);
}

// ---- SMs

std::string refusal_of(int held, int ctas) {
  try {
    const multiprocessors_at_most here(held);
    clusters_within_hold(66, ctas);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("launches are held to some SMs, by the youngest hold of their thread") {
  CHECK(clusters_within_hold(132, 1) == 132);
  {
    const multiprocessors_at_most held(117);
    CHECK(clusters_within_hold(132, 1) == 117);
    CHECK(clusters_within_hold(66, 2) == 58);
    CHECK(clusters_within_hold(33, 2) == 33);
    {
      const multiprocessors_at_most all(0);
      CHECK(clusters_within_hold(66, 2) == 66);
    }
    std::jthread([] { CHECK(clusters_within_hold(66, 2) == 66); }).join();
    CHECK(multiprocessors_at_most::count() == 117);
  }
  CHECK(multiprocessors_at_most::count() == 0);
  CHECK(refusal_of(1, 2) ==
        "launches are held to 1 SM, and a cluster of this kernel has 2 CTAs, each on an SM of its own; hold them to "
        "more, or use a smaller cluster");
  CHECK(refusal_of(-3, 1) == "launches are held to -3 SMs; the number is 1 or more, or 0 for all that there are");
}

}  // namespace

TEST_CASE("a number is remembered of each device, as long as its context lives") {
  hopper::number_per_context known;
  CHECK(known.find(0, 7) == 0);
  known.keep(0, 7, 12);
  known.keep(1, 8, 13);
  CHECK(known.find(0, 7) == 12);
  CHECK(known.find(1, 8) == 13);
  CHECK(known.find(0, 8) == 0);  // another context
  known.keep(0, 0, 14);
  CHECK(known.find(0, 0) == 0);  // one that is not known
  known.keep(hopper::most_devices, 7, 15);
  CHECK(known.find(hopper::most_devices, 7) == 0);
}
