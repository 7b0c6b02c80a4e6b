#include <algorithm>
#include <map>
#include <sectile/dsl/model/trips.hpp>
#include <sectile/dsl/tell/timeline/names.hpp>
#include <sectile/dsl/tell/timeline/thread_groups.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <utility>

namespace sectile::tell {
namespace {

using model::verb;
using model::verb_record;

constexpr cycles least_computation = 16;  // shorter ones count with what follows

/// Turns the verbs of a group into operations.
struct lane_writer {
  recorded_names& names;
  const thread_group& group;
  recorded_lane lane{};
  cycles computed = 0;  // and not yet written down
  int tile = 0, stored_tiles = 0;
  int first_output = -1, last_output = -1;  // of those that a tile is stored to
  bool group_is_open = false;  // wgmmas, and no commit yet
  bool fenced = false;
  std::map<std::pair<deed, std::uint32_t>, int> times{};  // that the lane has waited, or arrived, at a barrier

  lane_writer(recorded_names& n, const thread_group& g) : names(n), group(g) {
    lane = {.role = n.role_of(g.first_thread, g.last_thread),
            .cta = g.cta,
            .first_thread = g.first_thread,
            .last_thread = g.last_thread,
            .warps = g.warps};
    for (const verb_record* r : g.verbs) note_output(*r);
    for (const verb_record* r : g.verbs) add(*r);
    flush_computation(-1);
  }

  int threads() const { return warp_lanes * group.warps; }

  operation& last() { return lane.operations.back(); }
  bool follows(deed what) const { return !lane.operations.empty() && lane.operations.back().what == what; }

  operation& append(deed what, int trip) {
    operation o{.what = what, .tile = tile};
    o.trip = std::max(trip, -1);
    lane.operations.push_back(o);
    return last();
  }
  void flush_computation(int trip) {
    if (computed < least_computation) return;
    append(deed::compute, trip).duration = computed;
    computed = 0;
  }

  void add(const verb_record& r) {
    computed += arithmetic_cycles(r.before, threads());
    if (r.what == verb::store_shared) return move_words(r, deed::write_shared);
    if (r.what == verb::load_shared) return move_words(r, deed::read_shared);
    if (r.what == verb::load_global) return load_global(r);
    if (r.what == verb::shuffle) {
      computed += threads() / nominal::shuffle_rate;
      return;
    }
    flush_computation(r.trip);
    switch (r.what) {
      case verb::mbarrier_wait:
        return wait(r);
      case verb::mbarrier_arrive:
        return arrive(r);
      case verb::store_async:
        return deliver(r);
      case verb::tma_load:
        return copy(r);
      case verb::copies:
        announce(r);
        return copy(r, group.warps);
      case verb::wgmma:
        return multiply(r);
      case verb::tma_store:
        return store(r);
      case verb::tile_stored:
        return count_tile(r.value);
      case verb::store_global:
        return store_global(r);
      case verb::named_barrier_sync:
        return named_barrier(r, deed::meet);
      case verb::named_barrier_arrive:
        return named_barrier(r, deed::announce);
      case verb::wgmma_wait:
        append(deed::retire, r.trip).number = r.value;
        return;
      case verb::bulk_wait_read:
        append(deed::reclaim, r.trip).number = r.value;
        return;
      case verb::bulk_wait:
        append(deed::drain, r.trip).number = r.value;
        return;
      case verb::cluster_sync:
        append(deed::gather, r.trip);
        return;
      case verb::wgmma_fence:
        fenced = true;
        return;
      case verb::fence_proxy_async:
        append(deed::proxy_fence, r.trip);
        return;
      case verb::bulk_commit:
        append(deed::close_store, r.trip);
        return;
      case verb::wgmma_commit:
        group_is_open = false;
        return;
      default:
        return;  // takes no part
    }
  }

  void wait(const verb_record& r) {
    const int barrier = names.barrier_at(r.barrier);
    operation& o = append(deed::wait, r.trip);
    o.barrier = barrier;
    o.number = r.value;
    o.fill = times[{deed::wait, r.barrier}]++;
  }

  void arrive(const verb_record& r) {
    const int barrier = names.barrier_at(r.barrier);
    if (follows(deed::arrive) && last().barrier == barrier && last().bytes == 0 && r.value == 0) {
      operation& o = last();
      if (o.ctas == r.mask) {
        ++o.count;
        return;
      }
      if ((o.ctas & r.mask) == 0 && o.count == 1) {
        o.ctas |= r.mask;
        return;
      }
    }
    operation& o = append(deed::arrive, r.trip);
    o.barrier = barrier;
    o.bytes = r.value;
    o.ctas = r.mask;
    o.fill = times[{deed::arrive, r.barrier}]++;
  }

  /// Words on their way to a CTA's barrier: they count as an arrival of no thread that takes bytes off.
  void deliver(const verb_record& r) {
    const int barrier = names.barrier_at(r.barrier);
    for (auto o = lane.operations.rbegin(); o != lane.operations.rend(); ++o) {
      if (o->what != deed::arrive || o->count > 0) break;
      if (o->barrier != barrier || o->ctas != r.mask) continue;
      o->bytes -= r.value;
      return;
    }
    operation& o = append(deed::arrive, r.trip);
    o.barrier = barrier;
    o.bytes = -r.value;
    o.count = 0;
    o.ctas = r.mask;
  }

  /// Copies of the lanes of all warps, which arrive when these are there: as bytes that are announced to the barrier
  /// for them.
  void announce(const verb_record& r) {
    operation& o = append(deed::arrive, r.trip);
    o.barrier = names.barrier_at(r.barrier);
    o.bytes = r.value * group.warps;
    o.count = threads();
    o.ctas = r.mask;
    o.fill = std::max(times[{deed::arrive, r.barrier}] - 1, 0);
  }

  void copy(const verb_record& r, int times_as_many = 1) {
    const int barrier = names.barrier_at(r.barrier);
    const stage_use to = names.stage_at(r.address);
    const bool more =
        follows(deed::copy) && last().barrier == barrier && last().uses.front() == to && last().ctas == r.mask;
    if (more) {
      last().bytes += r.value * times_as_many;
      ++last().count;
      return;
    }
    operation& o = append(deed::copy, r.trip);
    o.barrier = barrier;
    o.bytes = r.value * times_as_many;
    o.ctas = r.mask;
    o.uses = {to};
    o.fill = std::max(times[{deed::arrive, r.barrier}] - 1, 0);
  }

  /// Instructions until the next commit are one group.
  void multiply(const verb_record& r) {
    operation& o = group_is_open && follows(deed::multiply) ? last() : append(deed::multiply, r.trip);
    o.count = o.duration == 0 ? 1 : o.count + 1;
    group_is_open = true;
    o.fenced = std::exchange(fenced, false) || o.fenced;
    o.duration += wgmma_cycles(*r.instruction);
    o.from_registers = r.instruction->a_in_registers;
    if (!o.from_registers) use(o, names.stage_at(start_bytes_of(r.a)));
    use(o, names.stage_at(start_bytes_of(r.b)));
  }
  static void use(operation& o, const stage_use& what) {
    if (!what.operand.empty() && std::ranges::find(o.uses, what) == o.uses.end()) o.uses.push_back(what);
  }

  void store(const verb_record& r) {
    operation& o = follows(deed::store) ? last() : append(deed::store, r.trip);
    if (o.bytes == 0) {
      o.count = 0;
      o.at[0] = r.coordinate[1];
      o.at[1] = r.coordinate[0];
    }
    ++o.count;
    o.bytes += r.value;
    o.tile = std::max(stored_tiles - 1, 0);
    use(o, names.stage_at(r.address));
  }

  void move_words(const verb_record& r, deed what) {
    operation& o = follows(what) ? last() : append(what, r.trip);
    const int lanes_of_value = group.first_thread == group.last_thread ? warp_lanes : 1;  // one thread is no warp
    const std::int64_t bytes = std::int64_t{r.value} * group.warps / lanes_of_value;
    o.bytes += bytes;
    o.duration += shared_cycles(bytes) + computed;
    computed = 0;
    if (what == deed::write_shared) o.tile = std::max(stored_tiles - 1, 0);
    use(o, names.stage_at(r.address));
  }

  /// The loads of a trip are under way together, although what is computed from one, or is stored to shared memory,
  /// may stand before the next.
  void load_global(const verb_record& r) {
    std::vector<operation>& all = lane.operations;
    operation* o = all.empty() ? nullptr : all.size() > 1 && follows(deed::write_shared) ? &all[all.size() - 2] : &last();
    if (o == nullptr || o->what != deed::read_global || o->trip != std::max(r.trip, -1)) {
      flush_computation(r.trip);
      o = &append(deed::read_global, r.trip);
    }
    o->bytes += r.value;
    o->duration = copy_cycles(o->bytes) + nominal::copy_latency;
  }

  void store_global(const verb_record& r) {
    operation& o = follows(deed::write_global) ? last() : append(deed::write_global, r.trip);
    o.bytes += r.value;
    o.duration = copy_cycles(o.bytes);
  }

  void named_barrier(const verb_record& r, deed what) {
    operation& o = append(what, r.trip);
    o.number = static_cast<int>(r.address);
    o.count = threads();
    o.bytes = r.value;
  }

  void note_output(const verb_record& r) {
    if (r.what != verb::tile_stored) return;
    if (first_output < 0) first_output = r.value;
    last_output = r.value;
  }
  /// A tile begins to leave with its first output; what comes behind its last one is the next tile's.
  void count_tile(int output) {
    if (output == first_output) ++stored_tiles;
    if (output == last_output) ++tile;
  }
};

/// Which fill of its stage an operation is about, and of which tile: those who wait for full stages know their tiles,
/// and fill number n is what they wait for at their n-th wait.
struct tile_finder {
  std::vector<recorded_lane>& lanes;
  const recorded_names& names;
  std::map<std::tuple<int, int, int>, std::vector<int>> tile_of_fill{};  // by CTA, ring, stage

  void find() {
    for (const recorded_lane& l : lanes)
      if (multiplies(l)) learn(l);
    for (recorded_lane& l : lanes) number(l);
  }

  static bool multiplies(const recorded_lane& l) {
    return std::ranges::any_of(l.operations, [](const operation& o) { return o.what == deed::multiply; });
  }
  const recorded_barrier& barrier(const operation& o) const {
    return names.barriers[static_cast<std::size_t>(o.barrier)];
  }

  void learn(const recorded_lane& l) {
    for (const operation& o : l.operations) {
      if (o.what != deed::wait || barrier(o).duty != barrier_duty::full) continue;
      std::vector<int>& tiles = tile_of_fill[{l.cta, barrier(o).ring, barrier(o).stage}];
      if (static_cast<int>(tiles.size()) <= o.fill) tiles.push_back(o.tile);
    }
  }

  void number(recorded_lane& l) {
    std::map<std::pair<int, int>, int> held;  // by ring and stage: the fill that the lane works on
    const bool consumer = multiplies(l);
    for (operation& o : l.operations) {
      if (o.barrier >= 0 && barrier(o).ring >= 0) {
        const std::pair place{barrier(o).ring, barrier(o).stage};
        if (o.what == deed::wait) held[place] = o.fill;
        if (!consumer) {
          const std::vector<int>& tiles = tile_of_fill[{l.cta, place.first, place.second}];
          if (o.fill >= 0 && o.fill < static_cast<int>(tiles.size())) o.tile = tiles[static_cast<std::size_t>(o.fill)];
        }
      }
      if ((o.what == deed::multiply || o.what == deed::read_shared) && !o.uses.empty() && o.uses.back().ring >= 0)
        o.fill = held[{o.uses.back().ring, o.uses.back().stage}];
    }
  }
};

/// Where nobody has told of trips: one for each fill of a ring, or, without rings, for each product.
void count_trips(std::vector<recorded_lane>& lanes, const recorded_names& names) {
  for (recorded_lane& l : lanes) {
    int products = 0;
    for (operation& o : l.operations) {
      const int ring = o.barrier >= 0   ? names.barriers[static_cast<std::size_t>(o.barrier)].ring
                       : o.uses.empty() ? -1
                                        : o.uses.back().ring;
      const int stage = o.barrier >= 0   ? names.barriers[static_cast<std::size_t>(o.barrier)].stage
                        : o.uses.empty() ? 0
                                         : o.uses.back().stage;
      if (ring >= 0 && o.fill >= 0)
        o.trip = o.fill * names.rings[static_cast<std::size_t>(ring)].stages + stage;
      else if (names.rings.empty() && o.what != deed::write_global)
        o.trip = products;
      if (o.what == deed::multiply) ++products;
    }
  }
}

}  // namespace

recording recording_of(const model::verb_log& log) {
  recorded_names names(log);
  recording all{.cluster_size = log.shape.cluster_size};
  for (const thread_group& g : group_threads(log)) all.lanes.push_back(lane_writer(names, g).lane);
  tile_finder{all.lanes, names}.find();
  if (std::ranges::all_of(log.records, [](const verb_record& r) { return r.trip == model::unknown_trip; }))
    count_trips(all.lanes, names);
  all.barriers = names.barriers;
  all.rings = names.rings;
  return all;
}

recording side_by_side(const recording& one, int ctas) {
  recording all = one;
  all.cluster_size = ctas;
  all.on_one_sm = true;
  for (int cta = 1; cta < ctas; ++cta)
    for (recorded_lane l : one.lanes) {
      l.cta = cta;
      for (operation& o : l.operations) o.ctas <<= cta;
      all.lanes.push_back(std::move(l));
    }
  return all;
}

}  // namespace sectile::tell
