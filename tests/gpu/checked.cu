// The debug machine on a GPU.
//
//   gpu_checked                 everything
//   gpu_checked --good          good kernels give the same bits on the debug machine, and no report
//   gpu_checked --fault NAME    one seeded fault; prints its report and exits with 0 if it is as expected
//
// A fault takes the CUDA context with it, so each runs in a process of its own, which this one starts before it has
// touched CUDA itself. Exit code: 0 if all is right, 1 if not, 77 without a GPU.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/proofs/verified.hpp>

#include "tests/gpu/attention_case.hpp"
#include "tests/gpu/checked_faults.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/device_memory.hpp"
#include "tests/gpu/probe.hpp"
#include "tests/programs/roles.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;

// ---- good kernels

/// Runs K on the machine and on the debug machine; both must leave the same bytes.
template <class K, class T, class... Arguments>
void compare(tally& count, const std::string& what, guarded<T>& out, device_copy<T>& copy,
             const Arguments&... arguments) {
  const auto run = [&](auto&& launch_it) {
    out.poison();
    copy.upload(out);
    launch_it();
    copy.download(out);
    return out.bytes;
  };
  const std::vector<unsigned char> expected = run([&] { launch<K>(arguments...); });
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::string report;
    const std::vector<unsigned char> found = run([&] {
      try {
        launch<checked<K>>(arguments...);
      } catch (const device_fault& f) {
        report = f.what();
      }
    });
    count.expect(report.empty(), what, "a report: " + report);
    count.expect(found == expected, what, "other bits on the debug machine");
  }
}

template <class K, class Out>
void compare_products(tally& count, const char* name) {
  for (const int index : {3, 39, 70, 101}) {
    const gemm_case problem = make_gemm_case(index);
    guarded<Out> out = make_output<Out>(problem);
    const device_copy<bf16> a(problem.a), b(problem.b);
    device_copy<Out> c(out);
    compare<K>(count, describe(problem) + ", " + name, out, c, problem.a.const_view(a.base),
               problem.b.const_view(b.base), out.view(c.base));
  }
}

void compare_attention(tally& count) {
  for (int index = 0; index < attention_case_count; ++index) {
    attention_case c = make_attention_case(index);
    const device_copy<bf16> q(c.q), k(c.k), v(c.v);
    device_copy<bf16> o(c.o);
    with_views(c, q.base, k.base, v.base, o.base, [&](auto dimension, auto causal, const auto&... arguments) {
      using kernels::attention_mask;
      if constexpr (causal() == (dimension() == 64))  // two kernels of the four
        compare<kernels::attention<dimension(), causal() ? attention_mask::causal : attention_mask::none>>(
            count, describe(c), c.o, o, arguments...);
    });
  }
}

struct run_checked_program {
  template <class K, class Out, class... Inputs>
  void operator()(test::typed_matrix<Out>& C, const Inputs&... inputs) const {
    device_memory memory;
    Out* out = memory.copy(C.data);
    launch<checked<K>>(memory.view(inputs)..., C.view_of(out));
    check(cudaMemcpy(C.data.data(), out, C.data.size() * sizeof(Out), cudaMemcpyDeviceToHost), "copying back");
  }
};

int run_good() {
  tally count;
  compare_products<kernels::gemm_bf16, bf16>(count, "bf16");
  compare_products<kernels::gemm_bf16_f32, float>(count, "f32");
  compare_products<tiny, bf16>(count, "one consumer");
  compare_products<two_consumers, bf16>(count, "two consumers");
  compare_products<in_cluster, bf16>(count, "in a cluster");
  compare_attention(count);
  test::for_each_role_program(run_checked_program{}, [&](const char* name, const auto& C, auto expected) {
    int wrong = 0;
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) wrong += C(i, j) != expected(i, j);
    count.expect(wrong == 0, name, std::to_string(wrong) + " elements are wrong on the debug machine");
  });
  std::printf("good kernels: %d checks, %d failures\n", count.checks, count.failures);
  return count.failures ? 1 : 0;
}

// ---- faults

constexpr double limit = 0.5;  // seconds that a wait may last

/// Launches checked<K> on a product of m x n x k and returns the report, "" if there is none.
template <class K>
std::string report_of_product(std::int64_t m, std::int64_t n, std::int64_t k) {
  guarded<bf16> A(m, k, k), B(n, k, k), C(m, n, n);
  for (guarded<bf16>* x : {&A, &B})
    for (std::int64_t i = 0; i < x->rows; ++i)
      for (std::int64_t j = 0; j < x->cols; ++j) x->set(i, j, bf16(static_cast<float>((3 * i + j) % 7 + 1)));
  const device_copy<bf16> a(A), b(B);
  device_copy<bf16> c(C);
  try {
    launch_checked<checked<K>>({.seconds = limit}, nullptr, A.const_view(a.base), B.const_view(b.base), C.view(c.base));
  } catch (const device_fault& f) {
    if (!f.trapped) {  // then the device is as usable as before
      tally count;
      probe(count).expect_usable("a fault that did not trap");
      if (count.failures) return "the device is not usable any more: " + std::string(f.what());
    }
    return f.what();
  }
  return "";
}

/// The same of attention over `keys` keys.
template <class K>
std::string report_of_attention(std::int64_t keys) {
  guarded<bf16> Q(128, 128, 128), KV(keys, 128, 128), O(128, 128, 128);
  for (guarded<bf16>* x : {&Q, &KV})
    for (std::int64_t i = 0; i < x->rows; ++i)
      for (std::int64_t j = 0; j < 128; ++j) x->set(i, j, bf16(static_cast<float>((i + j) % 3)));
  const device_copy<bf16> q(Q), kv(KV);
  device_copy<bf16> o(O);
  const auto shaped = [](auto view, std::int64_t length) { return tensor(view.data, 1, 1, length, 128); };
  try {
    launch_checked<checked<K>>({.seconds = limit}, nullptr, shaped(Q.const_view(q.base), 128),
                               shaped(KV.const_view(kv.base), keys), shaped(KV.const_view(kv.base), keys),
                               shaped(O.view(o.base), 128), 0.1f);
  } catch (const device_fault& f) {
    return f.what();
  }
  return "";
}

struct seeded_fault {
  const char* name;
  std::string (*run)();
  std::vector<std::vector<const char*>> expected;  // of each group, one must be in the report
};

const std::vector<seeded_fault>& faults() {
  using attention = kernels::attention<128, kernels::attention_mask::none>;
  static const std::vector<seeded_fault> all{
      {"one_arrival_more",
       [] { return report_of_product<mutant<tiny, one_arrival_more>>(130, 200, 320); },
       {{" has waited 0.5 s for stage "},
        {"waits for stage 0 of A and B to be free (empty[0], parity 0) at k = 2 of output tile ("},
        {"1 of 2 arrivals; 1 more arrival would release it"},
        {"consumer 0 (threads 128-255): waits for stage 0 of A and B to be full (full[0], parity 1)"},
        {"kernel checked<"}}},
      {"never_released",
       [] { return report_of_product<mutant<tiny, never_released>>(130, 200, 320); },
       {{" has waited 0.5 s for stage "}, {"0 of 1 arrival; 1 more arrival would release it"}}},
      {"never_released_in_a_cluster",
       [] { return report_of_product<mutant<in_cluster, never_released>>(700, 600, 320); },
       {{" has waited 0.5 s for stage "},
        {"producer (cta 0, thread 0): waits for"},
        {"producer (cta 1, thread 0): waits for"},
        {"0 of 4 arrivals; 4 more arrivals would release it"}}},
      {"more_bytes",
       [] { return report_of_product<mutant<tiny, other_bytes<16>>>(130, 200, 320); },
       {{" has waited 0.5 s for stage "}, {"16 more were announced than copies bring, they never come"}}},
      {"fewer_bytes",
       [] { return report_of_product<mutant<tiny, other_bytes<-16>>>(130, 200, 320); },
       {{"more than were announced", "its barrier was told of"}}},
      {"half_a_tile",
       [] { return report_of_product<mutant<tiny, half_a_tile>>(130, 200, 320); },
       {{" has waited 0.5 s for stage "}, {"8192 more were announced than copies bring, they never come"}}},
      {"box_too_tall",
       [] { return report_of_product<mutant<tiny, box_too_tall>>(130, 304, 320); },
       {{"the guard behind stage "}, {" of B (byte "}, {" was overwritten: 0x"}, {"; seen by consumer 0 (thread "}}},
      {"coordinate_below_0",
       [] { return report_of_product<off_by_one>(130, 200, 320); },
       {{"a TMA copy of stage 0 of "}, {" has a negative coordinate; seen by producer (thread 0)"}}},
      {"one_arrival_less",
       [] { return report_of_product<mutant<two_consumers, one_arrival_less>>(130, 200, 128); },
       {{" of A and B was filled 1 time and received 2 arrivals that give it back, where its barrier counts 1 for each "
         "fill; "
         "seen at the end of the kernel"}}},
      {"one_arrival_less_in_a_cluster",
       [] { return report_of_product<mutant<in_cluster, one_arrival_less>>(700, 600, 320); },
       {{" that give it back, where its barrier counts 3 ", " has waited 0.5 s for ", "was overwritten", "brought"}}},
      {"no_turn_is_passed",
       [] { return report_of_attention<mutant<attention, no_turn_is_passed>>(256); },
       {{"no role of cluster 0 has gone on for 1 s"},
        {"waits at named barrier 4 (consumer 1's turn) for 256 threads"}}},
      {"no_turn_is_passed_far_from_the_end",
       [] { return report_of_attention<mutant<attention, no_turn_is_passed>>(2048); },
       {{" has waited 0.5 s for ", "no role of cluster 0 has gone on for 1 s"},
        {"waits at named barrier 4 (consumer 1's turn) for 256 threads"}}},
      {"registers_beyond_the_pool",
       [] { return report_of_product<mutant<two_consumers, registers_beyond_the_pool>>(130, 200, 320); },
       {{" has waited 0.5 s for ", "no role of cluster "},
        {"waits for setmaxnreg.inc to "},
        {" registers per thread: "}}},
  };
  return all;
}

int run_fault(const seeded_fault& f) {
  const auto begun = std::chrono::steady_clock::now();
  const std::string report = f.run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%s\n", report.empty() ? "no report" : report.c_str());
  bool right = seconds < 20;
  if (!right) std::printf("that took %.1f s\n", seconds);
  for (const auto& group : f.expected) {
    bool found = false;
    for (const char* fragment : group) found = found || report.find(fragment) != std::string::npos;
    if (!found) std::printf("expected '%s'\n", group[0]);
    right = right && found;
  }
  return right ? 0 : 1;
}

// ---- processes

struct outcome {
  int status = -1;
  std::string said;
};

/// Runs this program again with other arguments.
outcome run_self(const std::vector<const char*>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> words{const_cast<char*>("gpu_checked")};
    for (const char* a : arguments) words.push_back(const_cast<char*>(a));
    words.push_back(nullptr);
    execv("/proc/self/exe", words.data());
    _exit(127);
  }
  close(ends[1]);
  outcome o;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) o.said.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return o;
}

int run_all() {
  const outcome good = run_self({"--good"});
  std::printf("%s", good.said.c_str());
  if (good.status == exit_skipped) return exit_skipped;
  int failures = good.status != 0;
  for (const seeded_fault& f : faults()) {
    const outcome o = run_self({"--fault", f.name});
    std::printf("%s %s\n%s\n", o.status == 0 ? "ok  " : "FAIL", f.name, o.said.c_str());
    failures += o.status != 0;
  }
  std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}

int run(int count, char** words) {
  if (count == 1) return run_all();
  if (const std::string no_gpu = why_no_gpu(); !no_gpu.empty()) {
    std::printf("skipped: %s\n", no_gpu.c_str());
    return exit_skipped;
  }
  if (count == 2 && std::strcmp(words[1], "--good") == 0) return run_good();
  if (count == 3 && std::strcmp(words[1], "--fault") == 0)
    for (const seeded_fault& f : faults())
      if (std::strcmp(words[2], f.name) == 0) return run_fault(f);
  std::printf("gpu_checked [--good | --fault NAME], NAME one of");
  for (const seeded_fault& f : faults()) std::printf(" %s", f.name);
  std::printf("\n");
  return 2;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& e) {
    std::printf("FAIL: %s\n", e.what());
    return 1;
  }
}
