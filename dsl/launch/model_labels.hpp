// Names for the model's reports, from the plan: stages, barriers, roles and tensors in the words of the program.
#pragma once
#include <string>

#include <sectile/dsl/model/labels.hpp>
#include <sectile/dsl/plan/plan.hpp>

namespace sectile::model {

/// "A", "A and B", "A, B and C"
inline std::string members_of(const plan& p, const ring_plan& r) {
  std::string names;
  for (int i = 0; i < r.members; ++i) {
    const char* separator = i == 0 ? "" : i + 1 < r.members ? ", " : " and ";
    names += separator + std::string(p.operand[r.member[i]].facts.name);
  }
  return names;
}

/// For each CTA of the cluster, by rank, those with which it shares tiles of the ring.
inline sender_masks peers_of(const plan& p, const ring_plan& r) {
  const cluster_shape all = p.how.cluster;
  sender_masks masks{};
  for (int rank = 0; rank < all.size(); ++rank)
    for (int i = 0; i < peers(r, all); ++i)
      masks[static_cast<std::size_t>(rank)] |=
          static_cast<std::uint16_t>(1u << peer(r, all, rank % all.rows, rank / all.rows, i));
  return masks;
}

inline void name_ring(const plan& p, const ring_plan& r, label_set& names) {
  const auto offset = [](int bytes) { return static_cast<std::uint32_t>(bytes); };
  for (int s = 0; s < r.stages; ++s) {
    const int stage = r.stages > 1 ? s : -1;
    for (int i = 0; i < r.members; ++i) {
      const operand_plan& op = p.operand[r.member[i]];
      const int begin = r.offset + s * r.stage_bytes + op.stage_offset;
      names.shared.push_back({op.facts.name, stage, offset(begin), offset(begin + op.tile_bytes)});
      if (!op.facts.sparse) continue;
      const int metadata = begin - op.stage_offset + op.metadata.stage_offset;
      names.shared.push_back({op.facts.name + std::string("'s metadata"), stage, offset(metadata),
                              offset(metadata + op.metadata.bytes)});
    }
    const sender_masks peers = peers_of(p, r);
    barrier_label full{"full", s, offset(r.full_barrier + 8 * s), members_of(p, r), "fill", "producer"};
    full.loading = "producer";
    full.loads_from = peers;
    barrier_label empty{"empty", s, offset(r.empty_barrier + 8 * s), members_of(p, r), "free", "consumer"};
    empty.arrivals_from = peers;
    names.barriers.push_back(full);
    names.barriers.push_back(empty);
  }
}

inline void name_consumer(const plan& p, int consumer, label_set& names) {
  const epilogue_plan& e = p.epilogue;
  const int first_thread = (1 + consumer) * warpgroup, number = p.how.consumers > 1 ? consumer : -1;
  const std::string self = number < 0 ? "consumer" : "consumer " + std::to_string(consumer);
  names.roles.push_back({"consumer", first_thread, first_thread + warpgroup - 1, number});
  for (int b = 0; b < e.buffers; ++b) {
    const int begin = e.offset + (consumer * e.buffers + b) * e.panel_bytes;
    names.shared.push_back({p.operand[e.operand].facts.name + std::string(" of ") + self, b,
                            static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + e.panel_bytes),
                            "buffer"});
  }
  names.named.push_back({epilogue_barrier(consumer), "the epilogue's barrier of " + self,
                         {{first_thread, first_thread + warpgroup - 1}}});
  if (!p.how.pingpong && p.how.stagger == 0) return;
  const int before = (1 + (consumer + p.how.consumers - 1) % p.how.consumers) * warpgroup;
  names.named.push_back({turn_barrier(p.how.consumers, consumer), "the turn of " + self,
                         {{first_thread, first_thread + warpgroup - 1}, {before, before + warpgroup - 1}}});
}

inline label_set name_everything(const plan& p) {
  label_set names;
  names.roles.push_back({"producer", 0, warpgroup - 1});
  for (int o = 0; o < p.operands; ++o) names.operands.push_back(p.operand[o].facts.name);
  for (int r = 0; r < p.rings; ++r) name_ring(p, p.ring[r], names);
  for (int c = 0; c < p.how.consumers; ++c) name_consumer(p, c, names);
  return names;
}

}  // namespace sectile::model
