// Without nvcc, or where there is no GPU to race on, this file is plain C++ that has none to offer.
#include "tool/tune/gpu_race.hpp"

#include "tool/input_error.hpp"
#include "tool/kernels/member_launchers.hpp"
#include "tool/machines.hpp"

namespace sectile::tool {
namespace {

void require_gpu() {
  const std::string why = why_no_gpu();  // behind a semicolon it speaks of the model, which has no clock
  if (!why.empty()) throw input_error("the members are timed on a GPU: " + why.substr(0, why.find(';')));
}

}  // namespace
}  // namespace sectile::tool

#ifdef __CUDACC__
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <sectile/layouts/metadata.hpp>

#include "bench/device_data.hpp"
#include "bench/report.hpp"
#include "bench/timing.hpp"
#include "tool/tune/shapes.hpp"
#if SECTILE_HAS_CUBLASLT
#include "bench/cublaslt.hpp"
#endif

namespace sectile::tool {
namespace {

using bench::check, bench::contestant, bench::stream;

/// use(T*) with the element type at hand.
template <class Use>
auto with_element(const element& e, void* data, const Use& use) {
  if (e == element_of<bf16>()) return use(static_cast<bf16*>(data));
  if (e == element_of<f16>()) return use(static_cast<f16*>(data));
  if (e == element_of<tf32>()) return use(static_cast<tf32*>(data));
  if (e == element_of<e4m3>()) return use(static_cast<e4m3*>(data));
  if (e == element_of<e5m2>()) return use(static_cast<e5m2*>(data));
  if (e == element_of<s8>()) return use(static_cast<s8*>(data));
  if (e == element_of<s32>()) return use(static_cast<s32*>(data));
  if (e == element_of<f32>()) return use(static_cast<f32*>(data));
  throw input_error(std::string("this command makes no random numbers of type ") + e.name);
}

constexpr std::size_t pool_alignment = 256;
std::size_t aligned(std::int64_t bytes) {
  return (static_cast<std::size_t>(bytes) + pool_alignment - 1) / pool_alignment * pool_alignment;
}

/// An image for so many pixels of a convolution's output and places of the filter: one row, by a filter of one row.
argument packed_image(const operand_facts& f, const problem_size& sizes, void* data) {
  const int places = sizes.of(f.mode_at(0)), pixels = sizes.of(f.mode_at(1)), channels = sizes.of(f.mode_at(2));
  const std::int64_t wide = std::int64_t{pixels} + places - 1;
  argument a{.data = data,
             .bytes = wide * channels * f.type.bits / 8,
             .rank = 4,
             .extent = {1, 1, wide, channels},
             .stride = {wide * channels, wide * channels, channels, 1}};
  a.path.filter = {1, places};
  return a;
}

/// Operand `o` as a launch takes it: packed, at `data`; of a sparse one half of each row, and its metadata.
argument packed(const plan& p, int o, const problem_size& sizes, void* data = nullptr, void* metadata = nullptr) {
  const operand_facts& f = p.operand[o].facts;
  if (f.im2col) return packed_image(f, sizes, data);
  argument a{.data = data, .metadata = metadata, .rank = f.tile.rank};
  std::int64_t stride = 1;
  for (int i = 0; i < f.tile.rank; ++i) {
    const int d = f.mode_from_inside(i);
    a.extent[d] = extent_along(p, o, d, sizes);
    a.stride[d] = stride;
    stride *= f.sparse && i == 0 ? a.extent[d] / 2 : a.extent[d];
  }
  a.bytes = stride * f.type.bits / 8;
  if (f.sparse) a.metadata_bytes = 4 * metadata_rows(a.extent[0]) * metadata_cols(a.extent[1], f.type.bits);
  return a;
}
std::size_t bytes_of_operand(const plan& p, int o, const problem_size& sizes) {
  return aligned(packed(p, o, sizes).bytes);
}
std::size_t bytes_of_metadata(const plan& p, int o, const problem_size& sizes) {
  return aligned(packed(p, o, sizes).metadata_bytes);
}

/// Room for an operand of all sets. An input's numbers are independent of each other, so any part of them will do: they
/// are drawn once, and again only where a problem needs more. So are the words of metadata.
struct operand_pool {
  std::optional<bench::device_buffer<unsigned char>> bytes{};
  std::optional<bench::device_buffer<std::uint32_t>> metadata{};

  void make_room(std::size_t count, const operand_facts& f, int operand) {
    if (bytes && bytes->count >= count) return;
    bytes.reset();
    bytes.emplace(count);
    if (f.kind == operand_kind::input)
      with_element(f.type, bytes->data, [&](auto* data) {
        if constexpr (!std::is_same_v<decltype(data), s32*>)
          bench::fill_random(data, count / sizeof *data, static_cast<std::uint64_t>(operand));
      });
    else
      bytes->poison();
  }
  void make_room_for_metadata(std::size_t count, const operand_facts& f, int operand) {
    if (metadata && 4 * metadata->count >= count) return;
    metadata.reset();
    metadata.emplace(count / 4);
    bench::fill_random_metadata(*metadata, f.type.bits, static_cast<std::uint64_t>(operand));
  }
  /// Where that of set `i` begins, if each has so many bytes.
  void* metadata_of(std::size_t i, std::size_t each) { return metadata ? metadata->data + i * each / 4 : nullptr; }
};

/// Operands of several calls.
struct operand_sets {
  std::vector<std::vector<argument>> calls;

  const std::vector<argument>& of(int call) const { return calls[static_cast<std::size_t>(call) % calls.size()]; }
};

/// Whether the operands are those of C = A B^T as cuBLASLt is asked for it: dense, by rows.
bool is_product(const operand_table& t) {
  const auto is = [&](int o, operand_kind kind, const char* row, const char* col) {
    const operand_facts& f = t.at[o];
    return f.kind == kind && f.tile.rank == 2 && !f.sparse && f.order == row_major && f.row_mode() == mode_named(row) &&
           f.col_mode() == mode_named(col);
  };
  return t.count == 3 && is(0, operand_kind::input, "M", "K") && is(1, operand_kind::input, "N", "K") &&
         is(2, operand_kind::output, "M", "N");
}

/// The largest relative error that is right. Integers are exact. Both sides sum floats on the same tensor cores, but
/// not in the same order, and they round the sums to the output's type.
double error_bar(const element& left, const element& out, const element& sum) {
  if (sum == element_of<s32>()) return 0;
  if (sum == element_of<f16>()) return 5e-2;  // hundreds of sums of 11 bits
  if (left.bits == 8) return 2e-2;            // 13 bits of each addend reach a sum
  return out == element_of<bf16>() ? 3e-3 : 1e-3;
}

}  // namespace

struct gpu_race::state {
  const shipped_family& family;
  std::vector<member_launcher> launchers;
  bench::machine machine = bench::this_machine();
  stream on{};
  std::vector<operand_pool> pools;
  operand_pool expected{};  // cuBLASLt's results, a place for each set
  std::optional<bench::device_buffer<unsigned char>> room{};  // the workspace of all: they run one after the other

  explicit state(const shipped_family& f)
      : family(f), launchers(member_launchers(f.kernel)), pools(static_cast<std::size_t>(f.facts->operands->count)) {}

  const operand_table& operands() const { return *family.facts->operands; }
  int output() const {
    int o = 0;
    while (operands().at[o].kind != operand_kind::output) ++o;
    return o;
  }
  const element& type(int operand) const { return operands().at[operand].type; }

  operand_sets make_sets(const problem_size& sizes) {
    constexpr double enough_bytes = 160e6;  // the L2 cache has 50 MiB
    const int count = 1 + static_cast<int>(enough_bytes / bytes_of(operands(), sizes));
    operand_sets sets{std::vector<std::vector<argument>>(static_cast<std::size_t>(count))};
    for (int o = 0; o < operands().count; ++o) {
      const operand_facts& f = operands().at[o];
      const std::size_t each = f.kind == operand_kind::scalar ? 0 : bytes_of_operand(*family.first, o, sizes);
      const std::size_t each_metadata = f.sparse ? bytes_of_metadata(*family.first, o, sizes) : 0;
      operand_pool& pool = pools[static_cast<std::size_t>(o)];
      if (each > 0) pool.make_room(each * static_cast<std::size_t>(count), f, o);
      if (f.sparse) pool.make_room_for_metadata(each_metadata * static_cast<std::size_t>(count), f, o);
      for (std::size_t i = 0; i < sets.calls.size(); ++i)
        sets.calls[i].push_back(
            each > 0 ? packed(*family.first, o, sizes, pool.bytes->data + i * each, pool.metadata_of(i, each_metadata))
                     : argument{.number = 1});
    }
    check(cudaDeviceSynchronize(), "filling the operands");
    return sets;
  }

  /// As many bytes as the neediest member asks for.
  void make_workspace(const problem_size& sizes) {
    const predictor needs(operands(), sizes, constants_of(machine.name.c_str()));
    double most = 0;
    for (int i = 0; i < family.facts->count; ++i)
      most = std::max(most, needs.workspace_bytes(family.facts->members[i]));
    const auto bytes = static_cast<std::size_t>(most);
    if (bytes == 0 || (room && room->count >= bytes)) return;
    room.reset();
    room.emplace(bytes);
  }
  void launch_member(int member, const std::vector<argument>& arguments, cudaStream_t to) const {
    const workspace given = room ? workspace(room->data, room->count) : workspace();
    launchers[static_cast<std::size_t>(member)](arguments, given, to);
  }
  contestant by_member(const operand_sets& sets, int member) const {
    return {[this, &sets, member](int call, cudaStream_t to) { launch_member(member, sets.of(call), to); }};
  }

  /// See gpu_race::times.
  std::vector<double> times(const operand_sets& sets, std::span<const int> members) const {
    constexpr double milliseconds_per_turn = 2, far_behind = 1.25;
    constexpr int rounds = 5, trial_rounds = 2;  // two, so that no hiccup throws the fastest out
    constexpr int most_repetitions = 400, probes = 2;
    bench::event begin, end;
    double fastest = 1e30;
    for (const int m : members) {
      const contestant who = by_member(sets, m);
      who.queue(0, on.handle);  // the first call loads the module and sets limits
      fastest = std::min(fastest, bench::milliseconds(on, begin, end, [&] {
                                    for (int i = 1; i <= probes; ++i) who.queue(i, on.handle);
                                  }) / probes);
    }
    const int repetitions = static_cast<int>(std::clamp(milliseconds_per_turn / fastest, 1.0, 1.0 * most_repetitions));
    std::vector<std::unique_ptr<bench::replay>> replays;
    for (const int m : members) {
      replays.push_back(std::make_unique<bench::replay>(by_member(sets, m), repetitions, on));
      check(cudaGraphUpload(replays.back()->executable, on.handle), "uploading a graph");
    }
    replays.front()->run(on);  // the clock comes up
    on.wait();
    std::vector<std::vector<double>> taken(members.size());
    std::vector<std::size_t> racing(members.size());
    std::iota(racing.begin(), racing.end(), std::size_t{0});
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t turn = 0; turn < racing.size(); ++turn) {
        const std::size_t who = racing[(turn + static_cast<std::size_t>(round)) % racing.size()];
        taken[who].push_back(1e3 * bench::milliseconds(on, begin, end, [&] { replays[who]->run(on); }) / repetitions);
      }
      if (round + 1 != trial_rounds) continue;
      const auto best_of = [&](std::size_t who) { return *std::ranges::min_element(taken[who]); };
      double least = best_of(0);
      for (std::size_t who = 1; who < taken.size(); ++who) least = std::min(least, best_of(who));
      std::erase_if(racing, [&](std::size_t who) { return best_of(who) > far_behind * least; });
    }
    std::vector<double> medians;
    for (const std::vector<double>& t : taken) medians.push_back(bench::median(t));
    return medians;
  }

  /// Where the other side's output of a call goes.
  void* expected_of(const operand_sets& sets, int call) const {
    const std::size_t set = static_cast<std::size_t>(call) % sets.calls.size();
    return expected.bytes->data + set * (expected.bytes->count / sets.calls.size() / pool_alignment * pool_alignment);
  }
  /// How far the outputs of two contestants are apart, at worst. They are poisoned first, so that nothing of an earlier
  /// call can hide a hole. `theirs` leaves its result in `expected`.
  double worst_error(const operand_sets& sets, const contestant& ours, const contestant& theirs) {
    double worst = 0;
    const operand_facts& f = operands().at[output()];
    for (int i = 0; i < static_cast<int>(sets.calls.size()); ++i) {
      const argument& c = sets.of(i)[static_cast<std::size_t>(output())];
      const auto bytes = static_cast<std::size_t>(c.bytes);
      check(cudaMemset(c.data, 0xFF, bytes), "poisoning an output");
      check(cudaMemset(expected_of(sets, i), 0xFF, bytes), "poisoning an output");
      check(cudaDeviceSynchronize(), "poisoning the outputs");
      theirs.queue(i, on.handle);
      ours.queue(i, on.handle);
      on.wait();
      const double error = with_element(f.type, c.data, [&](auto* data) {
        return bench::relative_error(data, static_cast<decltype(data)>(expected_of(sets, i)), bytes / sizeof *data);
      });
      if (std::isnan(error)) return error;
      worst = std::max(worst, error);
    }
    return worst;
  }
  /// A member whose result goes to `expected`.
  contestant by_other_member(const operand_sets& sets, int member) const {
    return {[this, &sets, member](int call, cudaStream_t to) {
      std::vector<argument> arguments = sets.of(call);
      arguments[static_cast<std::size_t>(output())].data = expected_of(sets, call);
      launch_member(member, arguments, to);
    }};
  }

#if SECTILE_HAS_CUBLASLT
  contestant by_lt(const operand_sets& sets, const bench::lt_product& lt, std::size_t candidate) const {
    return {[this, &sets, &lt, candidate](int call, cudaStream_t to) {
      const std::vector<argument>& a = sets.of(call);
      lt.run(candidate, a[0].data, a[1].data, expected_of(sets, call), to);
    }};
  }
  /// cuBLASLt's product of this problem; none where it has none.
  std::unique_ptr<bench::lt_product> find_lt(const problem_size& sizes) const {
    const auto size = [&](const char* mode) { return sizes.of(mode_named(mode)); };
    if (!why_no_peer().empty()) return nullptr;
    try {
      return std::make_unique<bench::lt_product>(
          size("M"), size("N"), size("K"),
          bench::lt_types_of(type(0), type(1), type(output()), family.sums->product[0].d));
    } catch (const std::runtime_error&) {  // it knows no algorithm for such sizes, or such types
      return nullptr;
    }
  }
  std::string why_no_peer() const {
    if (!is_product(operands())) return "it has no such product";
    for (const int o : {0, 1, 2})
      if (!bench::cuda_has(type(o))) return std::string("it has no ") + type(o).name;
    return "";
  }
#endif
};

gpu_race::gpu_race(const shipped_family& family) {
  require_gpu();
  all_ = std::make_unique<state>(family);
  if (all_->launchers.empty())
    throw input_error(std::string(family.kernel) +
                      ": this program was built without the machine code of its members, on "
                      "a machine that has no GPU; configure with -DSECTILE_GPU=ON");
}
gpu_race::~gpu_race() = default;

std::string gpu_race::gpu() const { return all_->machine.name; }
std::string gpu_race::machine() const { return all_->machine.device(); }
std::string gpu_race::software() const { return all_->machine.software(); }
std::string gpu_race::peer() const {
#if SECTILE_HAS_CUBLASLT
  try {
    const std::string why = all_->why_no_peer();
    return why.empty() ? bench::library_version(cublasLtGetVersion()) : "(" + why + ")";
  } catch (const std::runtime_error& error) {
    return std::string("(") + error.what() + ")";
  }
#else
  return "(it was not found when this program was built)";
#endif
}

void gpu_race::require_room(const problem_size& sizes) const {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the GPU's memory");
  const double needed = 2 * bytes_of(all_->operands(), sizes);  // at least two sets
  if (needed > 0.9 * static_cast<double>(total))
    throw input_error("shape " + sizes_text(sizes, modes_of(all_->operands())) + ": its operands take " +
                      std::to_string(static_cast<long long>(needed / 2e6)) + " MB twice, and " + gpu() + " has " +
                      std::to_string(total / 1000000) + " MB");
}

std::vector<double> gpu_race::times(const problem_size& sizes, std::span<const int> members) {
  const operand_sets sets = all_->make_sets(sizes);
  all_->make_workspace(sizes);
  return all_->times(sets, members);
}

race_outcome gpu_race::race(const problem_size& sizes, int pick, int rounds) {
  state& s = *all_;
  const operand_sets sets = s.make_sets(sizes);
  s.make_workspace(sizes);
  const operand_facts& out = s.operands().at[s.output()];
  s.expected.make_room(bytes_of_operand(*s.family.first, s.output(), sizes) * sets.calls.size(), out, s.output());

  std::vector<int> members(static_cast<std::size_t>(s.family.facts->count));
  std::iota(members.begin(), members.end(), 0);
  const std::vector<double> first = s.times(sets, members);
  race_outcome result{.pick = pick};
  result.best = static_cast<int>(std::ranges::min_element(first) - first.begin());

  std::vector<contestant> racing{s.by_member(sets, pick)};
  if (result.best != pick) racing.push_back(s.by_member(sets, result.best));
  const std::size_t ours = racing.size();
  const int other = result.best != pick ? result.best : (pick + 1) % s.family.facts->count;
  contestant judge = s.by_other_member(sets, other);
  const bool same_bits = s.family.order == order_of_sums::one_order;
  if (!same_bits) result.bar = error_bar(s.type(0), out.type, s.family.sums->product[0].d);
#if SECTILE_HAS_CUBLASLT
  const std::unique_ptr<bench::lt_product> lt = s.find_lt(sizes);
  if (lt) {
    std::vector<contestant> candidates;
    for (std::size_t i = 0; i < lt->candidates.size(); ++i) candidates.push_back(s.by_lt(sets, *lt, i));
    const std::size_t fastest =
        bench::fastest_of(bench::race(candidates, s.on, {.rounds = 3, .milliseconds_per_turn = 10}));
    racing.push_back(candidates[fastest]);
    racing.push_back(candidates[0]);
    judge = candidates[0];
    result.bar = error_bar(s.type(0), out.type, s.family.sums->product[0].d);
  }
#endif
  result.error = s.worst_error(sets, racing[0], judge);
  const std::vector<bench::race_time> times =
      bench::race(racing, s.on, {.rounds = rounds, .milliseconds_per_turn = 6, .min_repetitions = 2});
  result.picked = result.best_time = 1e3 * times[0].median;
  if (ours == 2) result.best_time = 1e3 * times[1].median;
  if (result.best_time > result.picked) {  // so near that this race ended the other way
    result.best = pick;
    result.best_time = result.picked;
  }
  if (times.size() > ours) {
    result.lt_best = 1e3 * times[ours].median;
    result.lt_first = 1e3 * times[ours + 1].median;
  }
  return result;
}

}  // namespace sectile::tool

#else

namespace sectile::tool {

struct gpu_race::state {};

gpu_race::gpu_race(const shipped_family&) { require_gpu(); }
gpu_race::~gpu_race() = default;
std::string gpu_race::gpu() const { return ""; }
std::string gpu_race::machine() const { return ""; }
std::string gpu_race::software() const { return ""; }
std::string gpu_race::peer() const { return ""; }
void gpu_race::require_room(const problem_size&) const {}
std::vector<double> gpu_race::times(const problem_size&, std::span<const int>) { return {}; }
race_outcome gpu_race::race(const problem_size&, int, int) { return {}; }

}  // namespace sectile::tool
#endif
