#include <sectile/dsl/tell/timeline/stage_states.hpp>

namespace sectile::tell {

void stage_states::change(cycles now, const place& at, stage_change to, int event) {
  stage_change& last = stages_[at].last;
  if (last.state == to.state && last.fill == to.fill) return;
  to.at = now;
  std::tie(to.cta, to.ring, to.stage) = at;
  to.event = event;
  last = to;
  t.changes.push_back(to);
}

void stage_states::fill(cycles now, int cta, int event) {
  const operation& o = did(event);
  const stage_use& to = o.uses.front();
  if (to.ring < 0) return;
  change(now, {cta, to.ring, to.stage}, {.state = stage_state::filling, .trip = o.trip, .tile = o.tile, .fill = o.fill},
         event);
}

void stage_states::complete(cycles now, int cta, int barrier, int event) {
  const recorded_barrier& b = t.from.barriers[static_cast<std::size_t>(barrier)];
  if (b.ring < 0) return;
  const place at{cta, b.ring, b.stage};
  stage_change to = stages_[at].last;
  to.state = b.duty == barrier_duty::full ? stage_state::full : stage_state::empty;
  change(now, at, to, event);
}

void stage_states::begin_reading(cycles now, int cta, int event) {
  for (const stage_use& u : did(event).uses) {
    if (u.ring < 0) continue;
    const place at{cta, u.ring, u.stage};
    ++stages_[at].readers;
    stage_change to = stages_[at].last;
    to.state = stage_state::reading;
    change(now, at, to, event);
  }
}

void stage_states::end_reading(cycles now, int cta, int event) {
  for (const stage_use& u : did(event).uses) {
    if (u.ring < 0) continue;
    const place at{cta, u.ring, u.stage};
    const bool others = --stages_[at].readers > 0;
    if (others || t.from.rings[static_cast<std::size_t>(u.ring)].guarded) continue;
    stage_change to = stages_[at].last;  // nobody gives it back, so it is free now
    to.state = stage_state::empty;
    change(now, at, to, event);
  }
}

}  // namespace sectile::tell
