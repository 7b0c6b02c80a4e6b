// Running a kernel on the CPU model: the same lowered code, the same checks, host pointers instead of device pointers.
#pragma once
#include <atomic>
#include <cstdio>
#include <vector>

#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <sectile/dsl/proofs/verified.hpp>
#include <sectile/dsl/roles/entry.hpp>

namespace sectile {

/// How the model runs: whether it looks for hazards, which schedule it takes, on how many cores.
struct model_options {
  bool check_hazards = true;
  bool random_schedule = false;
  std::uint64_t seed = 0;
  int workers = 0;                        // 0: one per core
  std::atomic<long>* progress = nullptr;  // counts clusters that are done
};

namespace model {

/// Names for the reports: stages and barriers by operand, threads by role.
template <class K>
void name_everything(options& o) {
  constexpr const plan& p = plan_of<K>;
  for (int i = 0; i < p.operands; ++i) {
    const operand_plan& op = p.operand[i];
    if (op.facts.kind != operand_kind::input) continue;
    const ring_plan& r = p.ring[op.ring];
    for (int s = 0; s < r.stages; ++s) {
      const int begin = r.offset + s * r.stage_bytes + op.stage_offset;
      o.shared_labels.push_back({op.facts.name, r.stages > 1 ? s : -1, static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(begin + op.tile_bytes)});
      if (op.facts.sparse) {
        const int metadata = begin - op.stage_offset + op.metadata.stage_offset;
        o.shared_labels.push_back({op.facts.name, r.stages > 1 ? s : -1, static_cast<std::uint32_t>(metadata),
                                   static_cast<std::uint32_t>(metadata + op.metadata.bytes)});
      }
      if (r.member[0] != i) continue;
      o.barrier_labels.push_back({"full", s, static_cast<std::uint32_t>(r.full_barrier + 8 * s)});
      o.barrier_labels.push_back({"empty", s, static_cast<std::uint32_t>(r.empty_barrier + 8 * s)});
    }
  }
  const epilogue_plan& e = p.epilogue;
  for (int c = 0; c < p.how.consumers; ++c) {
    const int begin = e.offset + c * e.buffers * e.panel_bytes;
    o.shared_labels.push_back({p.operand[e.operand].facts.name, -1, static_cast<std::uint32_t>(begin),
                               static_cast<std::uint32_t>(begin + e.buffers * e.panel_bytes)});
    o.role_labels.push_back({"consumer", (1 + c) * warpgroup, (2 + c) * warpgroup - 1});
  }
  o.role_labels.push_back({"producer", 0, warpgroup - 1});
}

inline tensor_map encode_map(const map_request& r, bool writable) {
  void* base = const_cast<void*>(r.base);
  return writable ? make_tensor_map(base, r.box.rank, r.extent, r.stride_bytes + 1, r.box, r.box.element_bits)
                  : make_tensor_map(r.base, r.box.rank, r.extent, r.stride_bytes + 1, r.box, r.box.element_bits);
}

/// Clusters that a launch over `items` work items has on the model. A persistent kernel gets fewer clusters than items, so
/// that the model, too, carries its rings from tile to tile.
template <class K>
int clusters_for(int items) {
  if (!plan_of<K>.how.persistent) return items;
  constexpr int most = 64;
  return items > most ? most : (items + 1) / 2;
}

}  // namespace model

/// Runs kernel K on the CPU. Arguments as the kernel's operands: tensor views of host memory (16-byte aligned), and
/// scalars. Throws launch_error for arguments that no machine would take, model::hazard for what the model finds.
template <class K, class... Arguments>
void run_on_model_with(const model_options& how, const Arguments&... arguments) {
  static_assert(verified<K>);
  constexpr const plan& p = plan_of<K>;
  const auto parameters = prepare<K, model::machine>(
      [](const map_request& r, operand_kind kind) { return model::encode_map(r, kind == operand_kind::output); },
      arguments...);
  model::options o;
  o.seed = how.seed;
  o.random_schedule = how.random_schedule;
  o.check_hazards = how.check_hazards;
  o.workers = how.workers;
  o.progress = how.progress;
  o.registers_per_thread = launch_registers(p.threads);
  model::name_everything<K>(o);
  const model::grid shape{model::clusters_for<K>(parameters.work.count), p.how.cluster.size(), p.threads,
                          static_cast<std::uint32_t>(p.shared_bytes)};
  model::simulate(shape, o, [&](model::machine& hw) { kernel_entry<K>(hw, parameters); });
}

template <class K, class... Arguments>
void run_on_model(const Arguments&... arguments) {
  run_on_model_with<K>({}, arguments...);
}

}  // namespace sectile
