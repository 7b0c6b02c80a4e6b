// What limits each family: C = A B^T by the member that a launch picks, and by cuBLASLt's fastest candidate or, where A
// is sparse, by what cuSPARSELt's search finds, on one GPU. Each runs without a pause for as long as it takes clock and
// power to settle, beside what the cost model predicts of it.
//
//   bench_account [--shapes MxNxK,...] [--rounds N] [--only TEXT] [--json FILE]
//   bench_account [--shapes ...] [--only TEXT] --once CHOICES
//
// --only keeps the types whose name begins with TEXT. --once is for a profiler: each product runs once between
// cudaProfilerStart and cudaProfilerStop, ours and then the peer's by the choice that a run before has found. `python3
// bench/account.py` is what asks for both, and puts ncu's figures beside these. A family that the tool was not built
// with (-DSECTILE_TOOL_FAMILIES) is left out, with a sentence. The exit code is 1 if results differ.
#include <cuda_profiler_api.h>
#include <sectile/dsl/launch/cost_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bench/measure_types.hpp"
#include "bench/power.hpp"
#include "bench/types_report.hpp"
#include "tool/family_list.hpp"
#include "tool/input_error.hpp"
#include "tool/kernels/member_launchers.hpp"

namespace sectile::bench {

namespace {

constexpr double settling_ms = 400;  // until power and clock have found each other: within 160 they had not
constexpr double turn_ms = 120;      // of a round
constexpr double warming_ms = 5000;  // before the first: a cold chip is faster
constexpr int most_calls = 400;      // of a graph

/// The member of a family that a launch takes, and what the cost model says of it.
struct pick {
  member_choice choice{};
  predicted_time predicted{};
  std::string text{};
  tool::member_launcher launch = nullptr;

  pick(const char* kernel, const shape& s, const char* gpu) {
    const tool::shipped_family& family = tool::find_family(kernel, "bench_account");
    const auto size = [](std::int64_t extent) { return static_cast<int>(extent); };
    const problem_size sizes{{"M", size(s.m)}, {"N", size(s.n)}, {"K", size(s.k)}};
    choice = choose(*family.facts, sizes, constants_of(gpu));
    predicted =
        predictor(*family.facts->operands, sizes, constants_of(gpu)).explained(family.facts->members[choice.member]);
    text = std::to_string(choice.member) + " (" +
           tool::member_text(family.members[static_cast<std::size_t>(choice.member)],
                             tool::modes_of(*family.facts->operands)) +
           ")";
    const std::vector<tool::member_launcher> members = tool::member_launchers(kernel);
    if (!members.empty()) launch = members[static_cast<std::size_t>(choice.member)];
    if (!launch) throw std::runtime_error(std::string("this build has no machine code of ") + kernel);
  }
  const char* why() const {
    return choice.why == choice_reason::measured    ? "measured"
           : choice.why == choice_reason::corrected ? "corrected"
                                                    : "model";
  }
};

template <class T>
untyped_argument matrix_argument(T* data, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
  return {.data = const_cast<std::remove_const_t<T>*>(data), .rank = 2, .extent = {rows, cols}, .stride = {stride, 1}};
}

/// A's argument, of a dense and of a sparse set.
template <class T, class Out>
untyped_argument left_of(const operands<T, T, Out>& set) {
  return matrix_argument(set.a.data, set.size.m, set.size.k, set.size.k);
}
template <class T, class Out>
untyped_argument left_of(const sparse_operands<T, T, Out>& set) {
  const shape& s = set.size;
  untyped_argument a = matrix_argument(set.values.data, s.m, s.k, set.value_stride(s));
  a.metadata = set.metadata.data;
  return a;
}

/// Queues C = A B^T by our member.
template <class Set>
void run_pick(const pick& ours, const Set& set, cudaStream_t to) {
  const shape& s = set.size;
  const std::array<untyped_argument, 3> arguments{left_of(set), matrix_argument(set.b.data, s.n, s.k, s.k),
                                                  matrix_argument(set.c.data, s.m, s.n, s.n)};
  ours.launch(arguments, workspace(), to);
}

/// cuBLASLt by the fastest of its candidates, or by the one that was the fastest before.
template <class T, class Out>
class dense_peer {
 public:
  using set_type = operands<T, T, Out>;
  static constexpr const char *key = "cublaslt", *title = "cuBLASLt";

  dense_peer(std::vector<set_type>& sets, const stream& on, const std::string& known)
      : lt_(sets[0].size.m, sets[0].size.n, sets[0].size.k, lt_types_of<T, T, Out, sum_type<T>>()) {
    candidate_ = known.empty() ? fastest_candidate(sets, lt_, on) : std::stoul(known);
    if (candidate_ >= lt_.candidates.size())
      throw std::runtime_error("cuBLASLt has no candidate " + std::to_string(candidate_) + " here");
  }
  void run(const set_type& set, cudaStream_t to) const { set.by(lt_, candidate_, to); }
  std::string choice() const { return std::to_string(candidate_); }

 private:
  lt_product lt_;
  std::size_t candidate_ = 0;
};

#if SECTILE_HAS_CUSPARSELT
/// cuSPARSELt likewise.
template <class T, class Out>
class sparse_peer {
 public:
  using set_type = sparse_operands<T, T, Out>;
  static constexpr const char *key = "cusparselt", *title = "cuSPARSELt";

  sparse_peer(std::vector<set_type>& sets, const stream& on, const std::string& known)
      : sp_(sets[0].size.m, sets[0].size.n, sets[0].size.k, sp_types_of<T, T, Out>(), algorithm_of(known)) {
    for (set_type& set : sets) set.peer_form.emplace(sp_.compress(set.a.data, on));
    if (known.empty())
      sp_.search(*sets[0].peer_form, sets[0].b.data, sets[0].c.data, on);
    else
      sp_.prepare();
  }
  void run(const set_type& set, cudaStream_t to) const { sp_.run(*set.peer_form, set.b.data, set.expected.data, to); }
  std::string choice() const {
    const sp_algorithm chosen = sp_.algorithm();
    return std::to_string(chosen.id) + "." + std::to_string(chosen.parts) + "." + std::to_string(chosen.mode);
  }

 private:
  static std::optional<sp_algorithm> algorithm_of(const std::string& known) {
    sp_algorithm a;
    if (known.empty()) return std::nullopt;
    if (std::sscanf(known.c_str(), "%d.%d.%d", &a.id, &a.parts, &a.mode) == 3) return a;
    throw std::runtime_error("'" + known + "' is no algorithm of cuSPARSELt's");
  }

  sp_product sp_;
};
#endif

/// Kernels that a call launches.
int kernels_of(const contestant& who, const stream& on) {
  cudaGraph_t graph{};
  check(cudaStreamBeginCapture(on.handle, cudaStreamCaptureModeThreadLocal), "beginning a capture");
  who.queue(0, on.handle);
  check(cudaStreamEndCapture(on.handle, &graph), "ending a capture");
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "reading a graph");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "reading a graph");
  int kernels = 0;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "reading a graph");
    kernels += type == cudaGraphNodeTypeKernel;
  }
  cudaGraphDestroy(graph);
  return kernels;
}

/// One contestant at work without a pause.
class steady_run {
 public:
  steady_run(const contestant& who, const stream& on, double call_ms)
      : on_(on),
        calls_(calls_in(turn_ms, call_ms)),
        call_ms_(call_ms),
        graph_(who, calls_, on),
        kernels_(kernels_of(who, on)) {}

  void settle(double milliseconds) const { queue(milliseconds); }
  void turn(const power_gauge& gauge) {
    graph_.run(on_);  // until it ends the next ones have been queued, so that nobody waits for the host
    const int times = graphs_in(turn_ms);
    const double ms = gauged_milliseconds(
        on_, begin_, end_, [&] { queue(turn_ms); }, gauge, seen_);
    taken_.push_back(ms / (times * calls_));
  }
  double ms() const { return median(taken_); }
  /// What a row says of it.
  void tell(measured_row& row, const shape& s) const {
    const auto [fastest, slowest] = std::minmax_element(taken_.begin(), taken_.end());
    row.set("us", ms() * 1e3).set("tflops", s.flops() / ms() * 1e-9);
    row.set("spread_percent", (*slowest / *fastest - 1) * 100);
    row.set("mhz", middle(seen_.mhz)).set("watts", middle(seen_.watts));
    row.set("slowed_by", reasons_text(seen_.slowed_by)).set("kernels", kernels_);
  }

 private:
  static int calls_in(double milliseconds, double one) {
    return static_cast<int>(std::clamp(milliseconds / one, 1.0, 1.0 * most_calls));
  }
  int graphs_in(double milliseconds) const {
    return std::max(1, static_cast<int>(std::lround(milliseconds / (calls_ * call_ms_))));
  }
  void queue(double milliseconds) const {
    for (int i = 0; i < graphs_in(milliseconds); ++i) graph_.run(on_);
  }

  const stream& on_;
  int calls_;
  double call_ms_;
  replay graph_;
  int kernels_;
  event begin_{}, end_{};
  std::vector<double> taken_{};
  gauged seen_{};
};

/// Rows so far, and what a measurement needs.
struct account {
  const options& how;
  const machine& on;
  std::vector<std::string> known{};  // of --once: a peer's choice for each problem
  std::vector<measured_row> rows{};
  std::size_t problems = 0;
  bool right = true, warm = false;
  stream queue{};
  power_gauge gauge{};

  bool once() const { return !how.once.empty(); }
  std::string choice_known() {
    if (!once()) return {};
    if (problems >= known.size()) throw std::runtime_error("--once has fewer choices than there are problems");
    return known[problems];
  }
};

void print(const measured_row& row) {
  std::printf("%-40s", row.name.c_str());
  for (const auto& [key, json] : row.values)
    if (key == "us" || key == "tflops" || key == "mhz" || key == "watts" || key == "predicted_us" || key == "choice")
      std::printf("  %s %s", key.c_str(), json.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

struct account_case {
  const char *name, *family;
  void (*measure)(const account_case&, shape, account&);
  shape multiple{1, 1, 1};
};

measured_row row_of(const account_case& c, const shape& s, const char* who, const char* title) {
  measured_row row{std::string(c.name) + " " + s.text() + " " + who,
                   std::string(c.name) + ", " + s.text(" x ") + ", " + title};
  return row.set("type", c.name).set("shape", s.text()).set("who", who).set("system", title);
}

/// A call of each by itself, which is not its first.
void profile(const contestant (&both)[2], const stream& on) {
  for (const contestant& who : both) {
    who.queue(0, on.handle);
    on.wait();
    check(cudaProfilerStart(), "starting the profiler");
    who.queue(0, on.handle);
    on.wait();
    check(cudaProfilerStop(), "stopping the profiler");
  }
}

/// One product, by us and by the peer.
template <class T, class Out, template <class, class> class Peer>
void measure(const account_case& c, shape s, account& to) {
  using peer_type = Peer<T, Out>;
  using set_type = typename peer_type::set_type;
  const auto up = [](std::int64_t x, std::int64_t step) { return (x + step - 1) / step * step; };
  s = {up(s.m, c.multiple.m), up(s.n, c.multiple.n), up(s.k, c.multiple.k)};
  const pick ours(c.family, s, to.on.name.c_str());
  auto sets = make_sets<set_type>(s);
  while (to.once() && sets.size() > 1)
    sets.pop_back();  // a profiler empties the caches, and keeps a copy of all memory
  const peer_type theirs(sets, to.queue, to.choice_known());
  ++to.problems;
  const auto by_us = [&](const set_type& set, cudaStream_t on) { run_pick(ours, set, on); };
  const auto by_them = [&](const set_type& set, cudaStream_t on) { theirs.run(set, on); };
  const contestant both[] = {rotating(sets, by_us), rotating(sets, by_them)};
  if (to.once()) {
    std::printf("%s %s, choice %s\n", c.name, s.text().c_str(), theirs.choice().c_str());
    return profile(both, to.queue);
  }
  const double error = worst_error(sets, to.queue, by_us, by_them);
  const bool right = error <= error_bar<T, Out, sum_type<T>>();
  to.right = to.right && right;
  const std::vector<race_time> about = race({both[0], both[1]}, to.queue, {.rounds = 1, .milliseconds_per_turn = 10});
  std::vector<std::unique_ptr<steady_run>> runs;
  for (int i = 0; i < 2; ++i)
    runs.push_back(std::make_unique<steady_run>(both[i], to.queue, about[static_cast<std::size_t>(i)].median));
  if (!to.warm) runs[0]->settle(warming_ms), to.queue.wait();
  to.warm = true;
  for (const auto& one : runs) {
    one->settle(settling_ms);
    for (int round = 0; round < to.how.rounds; ++round) one->turn(to.gauge);
  }

  measured_row mine = row_of(c, s, "sectile", "Sectile"), other = row_of(c, s, peer_type::key, peer_type::title);
  mine.set("choice", ours.text);
  other.set("choice", theirs.choice());
  runs[0]->tell(mine, s);
  runs[1]->tell(other, s);
  mine.set("ratio", runs[1]->ms() / runs[0]->ms()).set("relative_error", error);
  mine.set("least_mb", set_type::bytes(s) * 1e-6).set("picked_by", ours.why());
  mine.set("predicted_us", ours.predicted.microseconds).set("predicted_computing_us", ours.predicted.computing);
  mine.set("predicted_copying_us", ours.predicted.copying).set("predicted_wait", ours.predicted.slowest);
  mine.set("predicted_waves", ours.predicted.waves);
  for (measured_row* row : {&mine, &other}) {
    print(*row);
    to.rows.push_back(*row);
  }
  if (!right) std::printf("%s: WRONG, relative error %.1e\n", mine.name.c_str(), error);
}

std::vector<account_case> all_cases() {
  const shape packed{1, 16, 16};
  std::vector<account_case> all{{"bf16", "gemm_bf16", measure<bf16, bf16, dense_peer>, packed},
                                {"f16", "gemm_f16", measure<f16, f16, dense_peer>, packed},
                                {"tf32", "gemm_tf32", measure<tf32, float, dense_peer>, packed},
                                {"e4m3", "gemm_e4m3", measure<e4m3, bf16, dense_peer>, packed},
                                {"s8", "gemm_s8", measure<s8, s32, dense_peer>, packed}};
#if SECTILE_HAS_CUSPARSELT
  const shape whole{32, 32, 128};
  all.push_back({"sparse bf16", "sparse_gemm_bf16", measure<bf16, bf16, sparse_peer>, whole});
  all.push_back({"sparse e4m3", "sparse_gemm_e4m3", measure<e4m3, bf16, sparse_peer>, whole});
  all.push_back({"sparse s8", "sparse_gemm_s8", measure<s8, s32, sparse_peer>, whole});
#endif
  return all;
}

void write(const account& a) {
  measured_file file{.title = "What limits each family",
                     .device = a.on.device(),
                     .software = a.on.software() + ", " + libraries_text(),
                     .command = a.how.command,
                     .rounds = a.how.rounds,
                     .columns = {{"us", "us", 1}, {"tflops", "TFLOP/s"}, {"mhz", "MHz"}, {"watts", "W"}}};
  file.rows = a.rows;
  measured_row limits{"limits", "what the driver allows, and the clock that the cost model goes by"};
  limits.set("mhz", a.gauge.highest_mhz()).set("watts", a.gauge.watts_allowed());
  file.rows.push_back(limits.set("model_mhz", hopper_reaches.cycles_per_us));
  file.write(a.how.json);
}

int run(const options& how) {
  const machine m = this_machine();
  account a{.how = how, .on = m};
  std::stringstream list(how.once);
  for (std::string choice; std::getline(list, choice, ',');) a.known.push_back(choice);
  std::printf("%s, %s\n", m.text().c_str(), libraries_text().c_str());
  if (!a.gauge.why_not().empty()) std::printf("no clock and no power: %s\n", a.gauge.why_not().c_str());
#if !SECTILE_HAS_CUSPARSELT
  std::printf("sparse products are left out: this build has no cuSPARSELt\n");
#endif
  for (const account_case& c : all_cases()) {
    if (!std::string(c.name).starts_with(how.only)) continue;
    try {
      for (const shape& s : how.shapes) c.measure(c, s, a);
    } catch (const tool::input_error& why) {
      std::printf("%s is left out: %s\n", c.name, why.what());
    }
  }
  if (a.problems == 0) throw std::runtime_error("nothing was measured");
  if (!how.json.empty()) write(a);
  return a.right ? 0 : 1;
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    const command_line allowed{.multiple = {1, 1, 1}, .selects = true, .profiles = true};
    return run(read_options(count, words, allowed,
                            {.shapes = {{4096, 4096, 4096}, {8192, 8192, 8192}, {64, 28672, 8192}, {364, 3392, 9920}},
                             .rounds = 3,
                             .json = "",
                             .only = "",
                             .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_account: %s\n", e.what());
    return 2;
  }
}
