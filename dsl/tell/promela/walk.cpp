#include <sectile/dsl/launch/model_labels.hpp>
#include <sectile/dsl/plan/tickets.hpp>
#include <sectile/dsl/tell/promela/walk.hpp>

namespace sectile::tell {
namespace {

std::string members_of(const plan& p, const ring_plan& r) {
  std::vector<std::string> names;
  for (int i = 0; i < r.members; ++i) names.emplace_back(p.operand[r.member[i]].facts.name);
  return list(names);
}

/// Barriers have the names that a report of the model gives them.
void name_barriers(const plan& p, protocol_walk& walk) {
  walk.barriers.resize(static_cast<std::size_t>(2 * protocol::stages_in(p) + count_cluster_barriers(p)));
  const model::label_set labels = model::name_everything(p);
  for (int n = 0; n < 16; ++n) walk.named[n] = say("named barrier ", n);
  for (const model::named_barrier_label& l : labels.named) walk.named[l.id] = l.name;
  for (const model::barrier_label& l : labels.barriers) {
    walked_barrier& b = walk.barriers[(static_cast<int>(l.offset) - p.ring[0].full_barrier) / 8];
    b.name = say(l.name, "[", l.stage, "]", l.operands.empty() ? "" : " of " + l.operands);
    b.passed = say(b.name, " has completed its phase");
  }
}

void add_stages(const plan& p, protocol_walk& walk) {
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    const int full = (ring.full_barrier - p.ring[0].full_barrier) / 8;
    for (int n = 0; n < ring.stages; ++n) {
      const std::string members = members_of(p, ring), stage = say("stage ", n);
      walk.stages.push_back({say(stage, " of ", members), r, ring.transaction_bytes + ring.copied_bytes, full + n,
                             ring.resident ? -1 : full + ring.stages + n});
      walk.barriers[full + n].passed = say(members, ring.members > 1 ? " are" : " is", " in ", stage);
      walk.barriers[full + ring.stages + n].passed = say(stage, " of ", members, " is free");
    }
  }
  for (int n = 0; n < p.tickets.slots; ++n) {
    const int full = (ticket_full_barrier(p.tickets, n) - p.ring[0].full_barrier) / 8;
    const std::string slot = say("slot ", n, " of drawn work");
    walk.stages.push_back({slot, p.rings, ticket_word, full, full + p.tickets.slots});
    walk.barriers[full].passed = "the next work item's number is in " + slot;
    walk.barriers[full + p.tickets.slots].passed = "all have read " + slot;
  }
}

/// Whether two consumers show each other parts of columns: they share a tile, maybe one as wide as the cluster.
bool exchange(const plan& p, const walked_role& a, const walked_role& b) {
  const cluster_shape shape = p.how.cluster;
  const bool share = p.how.sharers() == 1 ? a.role == b.role : a.role > 0 && b.role > 0;
  const bool in_a_row = a.cta % shape.rows == b.cta % shape.rows && a.cta / shape.size() == b.cta / shape.size();
  return share && (p.exchange.ctas > 1 ? in_a_row : a.cta == b.cta);
}

}  // namespace

void note_announcements(protocol_walk& walk) {
  using protocol::act;
  walk.announced.assign(static_cast<std::size_t>(walk.ctas), {});
  for (const walked_role& producer : walk.roles) {
    if (producer.role != 0) continue;
    int item = -1;
    for (const protocol::action& x : producer.actions) {
      if (x.what == act::begin) item = x.bytes;
      if (x.what == act::expect) walk.announced[producer.cta][x.barrier].push_back(item);
    }
  }
}

protocol_walk idle_walk(const plan& p) {
  protocol_walk walk{
      .ctas = p.how.ctas(), .consumers = p.how.consumers, .rings = p.rings, .own_tiles = p.how.own_tiles};
  name_barriers(p, walk);
  add_stages(p, walk);
  if (p.how.fan_in > 0) walk.of_groups = p.meetings;
  for (int n = 0; n < p.meetings; ++n)
    if (p.meeting[n].rounds > 0) walk.sums_ring = p.sums_ring;
  for (int cta = 0; cta < walk.ctas; ++cta)
    for (int role = 0; role <= walk.consumers; ++role)
      walk.roles.push_back({.cta = cta, .role = role, .threads = role == 0 ? producer_threads(p) : warpgroup});
  for (walked_role& a : walk.roles)
    for (int w = 0; w < static_cast<int>(walk.roles.size()); ++w)
      if (exchange(p, a, walk.roles[w])) a.shown_with.push_back(w);
  return walk;
}

int stage_of_slot(const protocol_walk& walk, int slot) {
  int n = slot % max_stages;
  for (const walked_stage& s : walk.stages) n += s.ring < slot / max_stages;
  return n;
}

}  // namespace sectile::tell
