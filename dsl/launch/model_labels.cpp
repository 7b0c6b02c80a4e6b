#include <algorithm>
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/model_labels.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/ordered_sums.hpp>
#include <sectile/dsl/plan/split.hpp>
#include <sectile/dsl/plan/tickets.hpp>
#include <string>

namespace sectile::model {

namespace {

/// For each CTA of the cluster, by rank, those with which it shares tiles of the ring.
sender_masks peers_of(const plan& p, const ring_plan& r) {
  const cluster_shape all = p.how.cluster;
  sender_masks masks{};
  for (int rank = 0; rank < p.how.ctas(); ++rank)
    for (int i = 0; i < peers(r, all); ++i) {
      const int in_part = rank % all.size(), first = rank - in_part;
      masks[static_cast<std::size_t>(rank)] |=
          static_cast<std::uint16_t>(1u << (first + peer(r, all, in_part % all.rows, in_part / all.rows, i)));
    }
  return masks;
}

std::uint32_t offset(int bytes) { return static_cast<std::uint32_t>(bytes); }

void name_ring(const plan& p, const ring_plan& r, label_set& names) {
  for (int s = 0; s < r.stages; ++s) {
    const int stage = r.stages > 1 ? s : -1;
    for (int i = 0; i < r.members; ++i) {
      const operand_plan& op = p.operand[r.member[i]];
      const int begin = r.offset + s * r.stage_bytes + op.stage_offset;
      names.shared.push_back({op.facts.name, stage, offset(begin), offset(begin + op.tile_bytes)});
      if (!op.facts.sparse) continue;
      const int metadata = begin - op.stage_offset + op.metadata.stage_offset;
      names.shared.push_back(
          {op.facts.name + std::string("'s metadata"), stage, offset(metadata), offset(metadata + op.metadata.bytes)});
    }
    const sender_masks peers = peers_of(p, r);
    barrier_label full{"full", s, offset(r.full_barrier + 8 * s), tell::members_text(p, r), "fill", "producer"};
    full.loading = "producer";
    full.loads_from = peers;
    barrier_label empty{"empty", s, offset(r.empty_barrier + 8 * s), tell::members_text(p, r), "free", "consumer"};
    empty.arrivals_from = peers;
    names.barriers.push_back(full);
    names.barriers.push_back(empty);
  }
}

/// The ring through which the numbers of drawn work come to all roles.
void name_tickets(const plan& p, label_set& names) {
  const int ctas = p.how.ctas();
  const auto all = static_cast<std::uint16_t>((1u << ctas) - 1);
  for (int s = 0; s < p.tickets.slots; ++s) {
    const int word = ticket_offset(p.tickets, s);
    names.shared.push_back({"drawn work", s, offset(word), offset(word + ticket_word), "slot"});
    barrier_label full{"drawn", s, offset(ticket_full_barrier(p.tickets, s))};
    full.arriving = full.loading = "producer";
    full.loads_from.fill(1);  // the cluster's first CTA
    barrier_label empty{"read", s, offset(ticket_empty_barrier(p.tickets, s))};
    empty.arriving = "consumer";
    empty.arrivals_from.fill(all);
    if (ctas > 1) empty.arriving_too = "producer";
    empty.arrivals_too.fill(static_cast<std::uint16_t>(all & ~1u));
    names.barriers.push_back(full);
    names.barriers.push_back(empty);
  }
}

/// Throws unless a tensor map reads and writes elements of the tensor alone.
void require_within(const tensor_label& l, const tensor_map& m) {
  bool inside = m.base == l.map.base && m.rank == l.map.rank;
  for (int d = 0; inside && d < m.rank; ++d)
    inside = m.extent[d] <= l.map.extent[d] && (m.extent[d] == 1 || m.stride_bytes[d] == l.map.stride_bytes[d]);
  if (inside) return;
  std::string says = "operand " + l.name + ": the tensor map and the tensor differ; extents, innermost first:";
  const auto spell = [&](const tensor_map& x) {
    for (int d = 0; d < x.rank; ++d)
      says += (d == 0 ? " " : ", ") + std::to_string(x.extent[d]) + " every " + std::to_string(x.stride_bytes[d]) +
              " bytes";
  };
  spell(m);
  says += " instead of";
  spell(l.map);
  throw hazard(hazard_kind::out_of_range, says);
}

/// What a map of groups (plan/groups.hpp) reads and writes of all of them.
tensor_map map_of_all_groups(tensor_map m) {
  m.rank -= 2;
  m.extent[1] = m.extent[m.rank] - 1;
  return m;
}

void name_consumer(const plan& p, int consumer, label_set& names) {
  const int first_thread = (1 + consumer) * warpgroup, number = p.how.consumers > 1 ? consumer : -1;
  const std::string self = number < 0 ? "consumer" : "consumer " + std::to_string(consumer);
  const std::string of_self = number < 0 ? "" : self;  // barriers that each consumer has
  names.roles.push_back(
      {"consumer", first_thread, first_thread + warpgroup - 1, number, p.moves_registers() ? p.consumer_registers : 0});
  for (int n = 0; n < p.meetings; ++n) {
    const meeting_plan& m = p.meeting[n];
    for (int round = 0; round < m.rounds; ++round) {
      barrier_label sums{round == 0 ? "sums" : "shares", n, offset(meeting_barrier(m, consumer, round)), of_self};
      sums.arriving = "consumer";
      for (int rank = 0; rank < p.how.ctas(); ++rank)
        for (int part = 0; part < p.how.split; ++part) {
          const int in_part = rank % p.how.cluster.size(), other = in_part + part * p.how.cluster.size();
          const bool waits = rank == in_part || (round == 0 && m.rounds == 2);
          if (waits && other != rank)
            sums.arrivals_from[static_cast<std::size_t>(rank)] |= static_cast<std::uint16_t>(1u << other);
        }
      names.barriers.push_back(sums);
    }
  }
  const bool exchanges = count_exchange_barriers(p) > 0 && consumer < p.how.tiles_at_once();
  for (int buffer = 0; exchanges && buffer < p.exchange.buffers; ++buffer) {
    barrier_label columns{"columns", buffer, offset(exchange_mbarrier(p.exchange, consumer, buffer)), of_self};
    columns.arriving = columns.loading = "consumer";
    for (int rank = 0; rank < p.how.ctas(); ++rank)
      for (int other = 0; other < p.how.ctas(); ++other)
        if (other % p.how.cluster.rows == rank % p.how.cluster.rows &&
            other / p.how.cluster.size() == rank / p.how.cluster.size())
          columns.loads_from[static_cast<std::size_t>(rank)] |= static_cast<std::uint16_t>(1u << other);
    names.barriers.push_back(columns);
  }
  const bool meets_in_workspace = p.how.uses_workspace();
  if (p.meetings > 0 && (p.how.consumers > 1 || meets_in_workspace) && consumer == 0)
    names.named.push_back({sums_barrier(p.how.consumers),
                           meets_in_workspace ? "the consumers' barrier behind their sums in the workspace"
                                              : "the consumers' barrier before their partial sums",
                           {{warpgroup, (1 + p.how.consumers) * warpgroup - 1}}});
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    for (int b = 0; b < e.buffers; ++b) {
      const int begin = e.offset + (consumer * e.buffers + b) * e.panel_bytes;
      names.shared.push_back({p.operand[e.operand].facts.name + std::string(" of ") + self, b, offset(begin),
                              offset(begin + e.panel_bytes), "buffer"});
    }
  }
  names.named.push_back({epilogue_barrier(consumer),
                         "the epilogue's barrier of " + self,
                         {{first_thread, first_thread + warpgroup - 1}}});
  if (!p.how.takes_turns()) return;
  const int before = (1 + (consumer + p.how.consumers - 1) % p.how.consumers) * warpgroup;
  names.named.push_back({ordered_barrier(p.how.consumers, consumer),
                         "the turn of " + self,
                         {{first_thread, first_thread + warpgroup - 1}, {before, before + warpgroup - 1}}});
}

}  // namespace

tensor_label name_tensor(const plan& p, int o, const tensor_facts& given) {
  const operand_in_memory stored = in_memory(p.operand[o].facts, given);
  const operand_facts& f = stored.facts;
  const tensor_facts& t = stored.tensor;
  tensor_label l{f.name, {}, o};
  l.covered = f.is_written();
  l.in_part = f.of_trips;
  l.by_element = f.is_vector() || p.operand[o].facts.is_scattered();
  l.combined = p.operand[o].combined != reduction::none && !adds_in_order(p, o);
  l.map.base = static_cast<const std::byte*>(t.data);
  l.map.writable = l.covered;
  l.map.rank = t.rank;
  if (t.rank == 0) {  // a number: a vector of one
    l.map.rank = l.tile[0] = 1;
    l.map.extent[0] = 1;
    l.map.stride_bytes[0] = f.type.bits / 8;
  }
  const bool picked = p.operand[o].facts.has_index();
  if (position_of_cut(p, o) >= 0 && !picked) --l.map.rank;  // the rows of all groups follow each other
  for (int inside = 0, i = 0; inside < t.rank; ++inside) {
    const int d = f.mode_from_inside(inside);
    if (counts_groups(p, o, d) && !picked) continue;
    const bool stored_half = f.sparse && d == t.rank - 1;
    const int in_one = i == 0 ? f.packing() : 1;  // of the elements that are copied as one
    l.coordinate[i] = picked ? t.matrix_mode[d] : d;
    l.tile[i] = f.stored_extent(d) / in_one;
    l.map.extent[i] = t.extent[d] / (stored_half ? 2 : 1) / in_one;
    l.map.stride_bytes[i] = i == 0 ? f.type.bits * in_one / 8 : t.extent[d] == 1 ? 0 : t.stride[d] * f.type.bits / 8;
    ++i;
  }
  if (!p.operand[o].facts.im2col) return l;
  l.image = true;
  l.filter = t.image.path;
  l.places[0] = t.image.output.cols;
  l.places[1] = t.image.output.rows;
  constexpr int tile_coordinate[]{2, 1, 1, 0};  // C is channels, W to N are pixels
  const tile_shape& tile = p.operand[o].facts.tile;
  for (int i = 0; i < 4; ++i) {
    l.coordinate[i] = tile_coordinate[i];
    l.tile[i] = i < 2 ? tile.extent[l.coordinate[i]] : 1;
  }
  return l;
}

namespace {

/// Where the groups of vector number `n` are. Throws hazard where there can be none.
std::vector<group_bounds> group_bounds_of(const plan& p, const given_operands& given, int n) {
  const operand_facts& f = p.operand[p.cuts.ends[n]].facts;
  const tensor_facts& ends = given.tensor[p.cuts.ends[n]];
  const auto* const said = static_cast<const std::int32_t*>(ends.data);
  const int groups = static_cast<int>(ends.extent[0]);
  int rows = 0;
  for (int o = 0; o < p.operands; ++o)
    if (p.cuts.by[o] == n) rows = static_cast<int>(given.tensor[o].extent[p.cuts.position[o]]);
  const int room = f.counts_rows && groups > 0 ? rows / groups : 0;
  std::vector<group_bounds> all;
  for (int e = 0; e < groups; ++e) {
    const group_bounds at = bounds_of_group(f.counts_rows, e, all.empty() ? 0 : all.back().end, said[e], room);
    all.push_back(at);
    if (is_group(at.begin, at.end, rows)) continue;
    const char* const rule = "; ends of groups do not fall, and are at most the rows that all groups have together";
    const std::string why = f.counts_rows    ? tell::say(": a group along ", f.cuts, " has room for ", room, " rows")
                            : said[e] > rows ? tell::say(": there are ", rows, " rows along ", f.cuts, rule)
                                             : tell::say(", where the group begins at ", at.begin, rule);
    throw hazard(hazard_kind::out_of_range, tell::say(f.name, "[", e, "] = ", said[e], why));
  }
  return all;
}

}  // namespace

void take_group_ends(const plan& p, const given_operands& given, label_set& names) {
  for (int n = 0; n < p.cuts.count; ++n) {
    const std::vector<group_bounds> all = group_bounds_of(p, given, n);
    for (tensor_label& l : names.tensors)
      if (l.covered && l.operand >= 0 && p.cuts.by[l.operand] == n && !p.operand[l.operand].facts.has_index()) {
        std::int64_t next = 0;  // what is behind a group is nobody's
        for (const group_bounds& at : all) {
          if (at.begin > next) l.left_out.push_back({next, at.begin});
          next = at.end;
        }
        l.left_out.push_back({next, given.tensor[l.operand].extent[p.cuts.position[l.operand]]});
      }
  }
}

void name_gathered(const plan& p, int o, const given_operands& given, label_set& names) {
  tensor_label l = name_tensor(p, o, given.tensor[o]);
  const tensor_facts& index = given.tensor[find_index(p, o)];
  const operand_facts &f = p.operand[o].facts, &picks = p.operand[find_index(p, o)].facts;
  l.index = static_cast<const std::int32_t*>(index.data);
  for (int d = 0; d + 1 < f.tile.rank; ++d) {
    const int i = place_in_index(f, picks, d);
    l.index_stride[d] = i < 0 ? 0 : index.stride[i];
    l.index_extent[d] = i < 0 ? given.tensor[o].extent[d] : index.extent[i];
  }
  names.tensors.push_back(l);
}

void name_tensor(const plan& p, int o, const tensor_facts& t, const tensor_map& map, label_set& names) {
  const tensor_label l = name_tensor(p, o, t);
  require_within(l, position_of_cut(p, o) < 0 ? map : map_of_all_groups(map));
  // An input may be the output's own memory: what is written is the output.
  names.tensors.insert(l.covered ? names.tensors.begin() : names.tensors.end(), l);
}

label_set name_everything(const plan& p) {
  label_set names;
  names.roles.push_back({"producer", 0, warpgroup - 1, -1, p.moves_registers() ? p.producer_registers : 0});
  for (int o = 0; o < p.operands; ++o) names.operands.push_back(p.operand[o].facts.name);
  for (int r = 0; r < p.rings; ++r) name_ring(p, p.ring[r], names);
  for (int c = 0; c < p.how.consumers; ++c) name_consumer(p, c, names);
  name_tickets(p, names);
  if (p.exchange.bytes > 0) {
    names.shared.push_back(
        {"the exchange of columns", -1, offset(p.exchange.offset), offset(p.exchange.offset + p.exchange.bytes)});
  }
  if (p.placed.places > 0)
    names.shared.push_back(
        {"a left factor", -1, offset(p.placed.offset), offset(p.placed.offset + p.placed.pitch * p.placed.places)});
  if (p.sharers_meet() && p.how.sharers() > 1)
    names.named.push_back({exchange_barrier(p.how.consumers),
                           p.placed.places > 0 ? "what consumers show each other" : "the exchange of columns",
                           {{warpgroup, p.threads - 1}}});
  return names;
}

}  // namespace sectile::model
