// What a CTA's shared memory, barriers and registers hold, how the result leaves, and which banks that meets.
#include <algorithm>
#include <iterator>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/memory_text.hpp>
#include <sectile/layouts/banks.hpp>

namespace sectile::tell {
namespace {

// An SM of sm_90 besides its registers (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability";
// the system takes its bytes for each CTA: Hopper Tuning Guide, "Shared Memory"). Registers are given to warps.
constexpr int sm_threads = 2048, sm_ctas = 32;
constexpr int sm_shared_bytes = 233472, cta_system_bytes = 1024;  // 228 KiB, 1 KiB
constexpr int warp_register_unit = 256;

const char* name_of(memory_kind kind) {
  constexpr const char* names[] = {"tile",          "metadata",       "exchange",         "factor",          "epilogue",
                                   "full_barriers", "empty_barriers", "meeting_barriers", "ticket_barriers", "tickets",
                                   "notes"};
  static_assert(std::size(names) == static_cast<std::size_t>(memory_kind::notes) + 1);
  return names[static_cast<int>(kind)];
}

/// null where there is none.
json number_or_null(int n) { return n < 0 ? json() : json(n); }

json named_barriers(const plan& p) {
  json all = json::array();
  const auto add = [&all](int number, int consumer, int threads, const char* what) {
    all.push_back(
        {{"kind", "named"}, {"number", number}, {"consumer", consumer}, {"threads", threads}, {"what", what}});
  };
  for (int c = 0; c < p.how.consumers; ++c)
    add(epilogue_barrier(c), c, warpgroup, "the consumer's four warps meet around its epilogue");
  if (p.how.takes_turns())
    for (int c = 0; c < p.how.consumers; ++c)
      add(ordered_barrier(p.how.consumers, c), c, 2 * warpgroup, "the consumer before hands over its turn");
  if (p.sharers_meet() && p.how.sharers() > 1)
    all.push_back(
        {{"kind", "named"},
         {"number", exchange_barrier(p.how.consumers)},
         {"consumer", json()},
         {"threads", p.how.consumers * warpgroup},
         {"what", p.placed.places > 0 ? "all consumers meet before and behind what they show each other"
                                      : "all consumers meet before and behind what they show each other of columns"}});
  if (producers_meet(p))
    all.push_back({{"kind", "named"},
                   {"number", producer_barrier(p.how.consumers)},
                   {"consumer", json()},
                   {"threads", producer_threads(p)},
                   {"what", "the producer's threads meet when each has read the number of its next work item"}});
  return all;
}

}  // namespace

json memory_part(const plan& p) {
  json all = json::array();
  for (const memory_range& m : memory_ranges(p))
    all.push_back({{"kind", name_of(m.kind)},
                   {"offset", m.offset},
                   {"bytes", m.bytes},
                   {"alignment", m.alignment},
                   {"what", m.what},
                   {"operand", m.operand < 0 ? json() : json(p.operand[m.operand].facts.name)},
                   {"ring", number_or_null(m.ring)},
                   {"stage", number_or_null(m.stage)},
                   {"consumer", number_or_null(m.consumer)}});
  return all;
}

json shared_part(const plan& p) {
  json rings = json::array();
  int used = 0;
  for (const memory_range& m : memory_ranges(p)) used += m.bytes;
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    json members = json::array();
    for (int m = 0; m < ring.members; ++m) members.push_back(p.operand[ring.member[m]].facts.name);
    rings.push_back(
        {{"ring", r},
         {"stages", ring.stages},
         {"members", members},
         {"stage_bytes", ring.stage_bytes},
         {"offset", ring.offset},
         {"transaction_bytes", ring.transaction_bytes},
         {"says", say(count(ring.stages, "stage"), " of ", ring.stage_bytes, " bytes for ", members_text(p, ring))}});
  }
  return {{"bytes", p.shared_bytes},
          {"limit", shared_memory_limit},
          {"used", used},
          {"unused", p.shared_bytes - used},
          {"left", shared_memory_limit - p.shared_bytes},
          {"alignment", shared_alignment},
          {"rings", rings}};
}

json barriers_part(const plan& p) {
  json all = json::array();
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    const std::string members = members_text(p, ring);
    all.push_back({{"name", say("full, ring ", r)},
                   {"kind", "full"},
                   {"ring", r},
                   {"count", ring.stages},
                   {"offset", ring.full_barrier},
                   {"arrivals", ring.full_arrivals},
                   {"who", ring.full_arrivals > 1
                               ? "the producer, which announces the bytes, and its threads when their copies are there"
                               : "the producer, which announces the bytes"},
                   {"bytes", ring.transaction_bytes},
                   {"completes_when", members + (ring.members == 1 ? " has landed" : " have landed")}});
    all.push_back({{"name", say("empty, ring ", r)},
                   {"kind", "empty"},
                   {"ring", r},
                   {"count", ring.stages},
                   {"offset", ring.empty_barrier},
                   {"arrivals", ring.empty_arrivals},
                   {"who", say(count(readers_in_cta(p.how, ring), "consumer"), " of ",
                               count(ring.empty_arrivals / readers_in_cta(p.how, ring), "CTA"))},
                   {"bytes", 0},
                   {"completes_when", released_text(ring)}});
  }
  for (const bool full : {true, false}) {
    if (p.tickets.slots == 0) break;
    all.push_back({{"name", full ? "full, drawn work" : "empty, drawn work"},
                   {"kind", full ? "full" : "empty"},
                   {"ring", json()},
                   {"count", p.tickets.slots},
                   {"offset", full ? ticket_full_barrier(p.tickets, 0) : ticket_empty_barrier(p.tickets, 0)},
                   {"arrivals", full ? 1 : ticket_readers(p.how)},
                   {"who", full ? "the producer, which announces the word" : "all roles of the cluster but who draws"},
                   {"bytes", full ? ticket_word : 0},
                   {"completes_when", full ? "the number has come" : "everybody has read it"}});
  }
  for (const json& named : named_barriers(p)) all.push_back(named);
  return all;
}

json registers_part(const plan& p) {
  const int launch = launch_registers(p);
  return {{"threads", p.threads},
          {"launch", launch},
          {"launch_total", p.threads * launch},
          {"pool", register_pool},
          {"producer", p.producer_registers},
          {"consumer", p.consumer_registers},
          {"total", warpgroup * (p.producer_registers + p.how.consumers * p.consumer_registers)},
          {"fragments", p.accumulator_registers},
          {"overhead", consumer_overhead},
          {"moved", p.moves_registers()},
          {"says", lines_of(registers_text(p))}};
}

json occupancy_part(const plan& p, int registers) {
  const bool is_planned = p.consumer_registers > 0;  // not a kernel that is written by hand
  if (registers == 0 && is_planned) registers = launch_registers(p);
  const bool known = registers > 0;
  const int per_warp = (registers * 32 + warp_register_unit - 1) / warp_register_unit;
  const int by_shared = std::min(sm_shared_bytes / (p.shared_bytes + cta_system_bytes), sm_ctas);
  const int by_threads = std::min(sm_threads / p.threads, sm_ctas);
  const int by_registers =
      known ? std::min(register_pool / (per_warp * warp_register_unit * (p.threads / 32)), sm_ctas) : sm_ctas;
  const int ctas = std::min({by_shared, by_registers, by_threads});
  std::string limits;
  const auto limit = [&](int fitting, const char* what) {
    if (fitting == ctas) limits += say(limits.empty() ? "" : " and ", what);
  };
  limit(by_shared, "shared memory");
  if (known) limit(by_registers, "registers");
  limit(by_threads, "threads");
  return {{"ctas", ctas},
          {"by_shared", by_shared},
          {"by_registers", known ? json(by_registers) : json()},
          {"by_threads", by_threads},
          {"limits", limits},
          {"threads", p.threads},
          {"shared_bytes", p.shared_bytes},
          {"warps", ctas * p.threads / 32},
          {"most_warps", sm_threads / 32}};
}

namespace {

/// How one output leaves.
json epilogue_facts(const plan& p, int n) {
  const epilogue_plan& e = p.epilogue[n];
  const operand_facts& out = p.operand[e.operand].facts;
  return {{"operand", out.name},
          {"panels", e.panels},
          {"panel", {{"rows", e.panel_rows}, {"cols", e.panel_cols}, {"bytes", e.panel_bytes}}},
          {"buffers", e.buffers},
          {"batch", e.batch},
          {"deferred", e.deferred},
          {"swizzle", swizzle_text(e.swizzle)},
          {"swizzle_bytes", e.swizzle == swizzle_mode::none ? 0 : span_bytes(e.swizzle)},
          {"store", stores_text(e, out.type.bits)},
          {"bank_conflicts", e.bank_conflicts},
          {"offset", e.offset},
          {"says", lines_of(epilogue_text(p, n))}};
}

}  // namespace

json epilogue_part(const plan& p) {
  if (p.epilogues == 0) return {{"says", lines_of(epilogue_text(p))}};
  json first = epilogue_facts(p, 0);
  if (p.epilogues == 1) return first;
  for (int n = 0; n < p.epilogues; ++n) first["outputs"].push_back(epilogue_facts(p, n));
  first["says"] = lines_of(epilogue_text(p));
  return first;
}

namespace {

/// Where a byte would lie without the swizzle, which is its own inverse.
int unswizzled(swizzle_mode mode, std::int64_t byte) { return static_cast<int>(byte_swizzle(mode)(byte)); }

/// The worst conflict of an epilogue's stores if its panel had no swizzle.
int conflicts_unswizzled(const plan& p, const epilogue_plan& e) {
  const warp_stores s = stores_of(e, p.operand[e.operand].facts.type.bits);
  const auto lane_address = [&](int lane) {
    const coord at = s.address(lane, 0);
    return unswizzled(e.swizzle, panel_offset(e.swizzle, e.row_bytes, s.unit_bits, at.row, at.col));
  };
  return s.conflicts(lane_address);
}

/// A tile's words on their way into registers, as sums lie there: the worst conflict of a warp's loads.
int conflicts_of_words(const operand_tile& t, bool swizzled) {
  const int words = words_of_sums(t);
  int worst = 1;
  for (int i = 0; i < accumulator_registers(t.k, 32); i += words) {
    const auto lane_address = [&](int lane) {
      const coord at = d_coord(lane, i);
      const unsigned byte = written_at(t, at.row, at.col);
      return swizzled ? static_cast<int>(byte) : unswizzled(t.swizzle, byte);
    };
    worst = std::max(worst, conflict_degree(lane_address, 4 * words));
  }
  return worst;
}

/// The same of any tile; by ldmatrix: over the instruction's K steps.
int conflicts_of_read(const fragment_read& r, bool swizzled) {
  const operand_tile t = r.tile;
  if (r.as_sums) return conflicts_of_words(t, swizzled);
  const int bits = t.element_bits, step = a_columns(bits);
  int worst = 1;
  for (int k = 0; k < t.k; k += step) {
    const auto lane_address = [&](int lane) {
      const bool by_columns = t.major == major::mn;
      const coord at = by_columns ? ldmatrix_column_address(lane) : ldmatrix_row_address(lane);
      const int col = k + (by_columns ? at.col : at.col * core_matrix_row_elements(bits));
      const unsigned byte = written_at(t, at.row, col);
      return swizzled ? static_cast<int>(byte) : unswizzled(t.swizzle, byte);
    };
    worst = std::max(worst, matrix_conflict_degree(lane_address, 4));
  }
  return worst;
}

json bank_access(std::string name, const char* operand, const char* instruction, int width, int conflicts,
                 int unswizzled) {
  std::string says =
      say(name, ": ", conflicts == 1 ? "no bank conflicts" : say(conflicts, "-way bank conflicts"),
          "; without the swizzle there would be ", unswizzled == 1 ? "none either" : say(unswizzled, "-way ones"));
  return {{"what", std::move(name)}, {"operand", operand},       {"instruction", instruction},
          {"bytes_per_lane", width}, {"conflicts", conflicts},   {"conflicts_without_swizzle", unswizzled},
          {"banks", shared_banks},   {"bank_bytes", bank_bytes}, {"says", std::move(says)}};
}

}  // namespace

json banks_part(const plan& p) {
  json all = json::array();
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    const operand_facts& out = p.operand[e.operand].facts;
    const warp_stores stores = stores_of(e, out.type.bits);
    const bool matrix = stores.unit_bits == 16;
    const char* instruction =
        matrix ? (e.transposed ? "stmatrix.trans" : "stmatrix") : (e.transposed ? "st.shared" : "st.shared.v2");
    all.push_back(bank_access(say("the epilogue's stores of ", out.name), out.name, instruction, stores.width(),
                              e.bank_conflicts, conflicts_unswizzled(p, e)));
  }
  for (int i = 0; i < p.products.reads; ++i) {
    const fragment_read& r = p.products.read[i];
    const char* name = p.operand[r.operand].facts.name;
    const int bytes = r.as_sums ? 4 * words_of_sums(r.tile) : core_matrix_row_bytes;
    all.push_back(bank_access(say("bringing ", name, " into registers"), name, instruction_of(r), bytes,
                              conflicts_of_read(r, true), conflicts_of_read(r, false)));
  }
  return all;
}

}  // namespace sectile::tell
