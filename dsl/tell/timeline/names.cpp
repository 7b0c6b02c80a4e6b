#include <algorithm>
#include <map>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/timeline/names.hpp>
#include <set>

namespace sectile::tell {
namespace {

using model::verb;
using model::verb_record;

std::uint32_t offset_of(std::uint32_t address) { return address - model::shared_window_base; }

/// Where the copies that report to a barrier land.
struct landing {
  std::uint32_t barrier = 0;
  std::map<const void*, std::pair<std::uint32_t, std::uint32_t>> range{};  // by tensor: first byte, end
};

/// Copies of one tensor are one operand; barriers that copies of the same tensors report to are one ring, in the order
/// of their addresses. What the thread that copies waits for before is the stage's empty barrier.
struct inference {
  explicit inference(const model::verb_log& log) {
    for (const verb_record& r : log.records) {
      if (r.what != verb::tma_load) continue;
      if (std::ranges::find(operands, r.tensor) == operands.end()) operands.push_back(r.tensor);
      landing& l = at[r.barrier];
      l.barrier = r.barrier;
      const auto end = r.address + static_cast<std::uint32_t>(r.value);
      const auto [it, fresh] = l.range.emplace(r.tensor, std::pair(r.address, end));
      if (!fresh) it->second = {std::min(it->second.first, r.address), std::max(it->second.second, end)};
    }
    find_empty(log);
  }

  void find_empty(const model::verb_log& log) {
    std::map<std::pair<int, int>, std::uint32_t> waited;  // by thread: for what, last
    for (const verb_record& r : log.records) {
      if (r.what == verb::mbarrier_wait && !at.contains(r.barrier)) waited[{r.cta, r.thread}] = r.barrier;
      if (r.what != verb::tma_load) continue;
      if (const auto it = waited.find({r.cta, r.thread}); it != waited.end()) {
        empty.emplace(r.barrier, it->second);
        waited.erase(it);
      }
    }
  }

  std::string members(const landing& l) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (l.range.contains(operands[i])) names.push_back(say("operand ", i));
    return list(names);
  }

  void put_into(model::label_set& labels) const {
    std::map<std::string, int> stages;
    for (const auto& [address, l] : at) {
      const std::string name = members(l);
      const int stage = stages[name]++;
      labels.barriers.push_back({"full", stage, offset_of(address), name, "fill"});
      if (const auto it = empty.find(address); it != empty.end())
        labels.barriers.push_back({"empty", stage, offset_of(it->second), name, "free"});
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (const auto it = l.range.find(operands[i]); it != l.range.end())
          labels.shared.push_back(
              {say("operand ", i), stage, offset_of(it->second.first), offset_of(it->second.second)});
    }
  }

  std::vector<const void*> operands;             // tensors, in the order of their first copies
  std::map<std::uint32_t, landing> at;           // by full barrier
  std::map<std::uint32_t, std::uint32_t> empty;  // by full barrier
};

}  // namespace

recorded_names::recorded_names(const model::verb_log& log) : labels(log.labels) {
  if (labels.barriers.empty()) inference(log).put_into(labels);
  for (const verb_record& r : log.records)
    if (r.what == verb::mbarrier_init && r.cta == 0 &&
        std::ranges::find(barriers, r.barrier, &recorded_barrier::address) == barriers.end())
      barriers.push_back({.name = "", .address = r.barrier, .arrivals = r.value});
  std::ranges::stable_sort(barriers, {}, &recorded_barrier::address);
  name_barriers();
  find_members(log);
}

int recorded_names::ring_of(const std::string& operands) {
  for (std::size_t i = 0; i < rings.size(); ++i)
    if (rings[i].name == operands) return static_cast<int>(i);
  rings.push_back({.name = operands});
  return static_cast<int>(rings.size()) - 1;
}

void recorded_names::name_barriers() {
  for (const model::barrier_label& l : labels.barriers) {
    const auto b = std::ranges::find(barriers, l.offset + model::shared_window_base, &recorded_barrier::address);
    if (b == barriers.end()) continue;
    b->name = l.stage < 0 ? std::string(l.name) : say(l.name, "[", l.stage, "]");
    const std::string duty = l.duty == nullptr ? "" : l.duty;
    b->duty = duty == "fill" ? barrier_duty::full : duty == "free" ? barrier_duty::empty : barrier_duty::other;
    if (b->duty == barrier_duty::other) continue;
    b->ring = ring_of(l.operands);
    b->stage = std::max(l.stage, 0);
    recorded_ring& r = rings[static_cast<std::size_t>(b->ring)];
    r.stages = std::max(r.stages, b->stage + 1);
    r.guarded = r.guarded || b->duty == barrier_duty::empty;
  }
  for (std::size_t i = 0; i < barriers.size(); ++i)
    if (barriers[i].name.empty()) barriers[i].name = say("barrier ", i);
}

void recorded_names::find_members(const model::verb_log& log) {
  for (const verb_record& r : log.records) {
    if (r.what != verb::tma_load) continue;
    const int ring = barriers[static_cast<std::size_t>(barrier_at(r.barrier))].ring;
    const std::string operand = stage_at(r.address).operand;
    if (ring < 0 || operand.empty()) continue;
    std::vector<std::string>& members = rings[static_cast<std::size_t>(ring)].operands;
    if (std::ranges::find(members, operand) == members.end()) members.push_back(operand);
  }
  // In the order of their labels: which of two loads comes first is up to the compiler.
  for (recorded_ring& r : rings)
    std::ranges::stable_sort(r.operands, {}, [&](const std::string& operand) {
      return std::ranges::find(labels.shared, operand, &model::shared_label::operand) - labels.shared.begin();
    });
}

int recorded_names::barrier_at(std::uint32_t address) {
  const auto b = std::ranges::find(barriers, address, &recorded_barrier::address);
  if (b != barriers.end()) return static_cast<int>(b - barriers.begin());
  barriers.push_back({.name = say("barrier ", barriers.size()), .address = address});
  return static_cast<int>(barriers.size()) - 1;
}

stage_use recorded_names::stage_at(std::uint32_t address) const {
  const std::uint32_t offset = offset_of(address);
  for (const model::shared_label& l : labels.shared) {
    if (offset < l.begin || offset >= l.end) continue;
    stage_use use{l.operand, -1, std::max(l.stage, 0)};
    for (std::size_t r = 0; r < rings.size(); ++r)
      if (std::ranges::find(rings[r].operands, l.operand) != rings[r].operands.end()) use.ring = static_cast<int>(r);
    return use;
  }
  return {};
}

std::string recorded_names::role_of(int first_thread, int last_thread) const {
  for (const model::role_label& l : labels.roles)
    if (first_thread >= l.first_thread && last_thread <= l.last_thread)
      return l.number < 0 ? std::string(l.role) : say(l.role, " ", l.number);
  if (first_thread == last_thread) return say("thread ", first_thread);
  return say("warpgroup ", first_thread / warpgroup);
}

}  // namespace sectile::tell
