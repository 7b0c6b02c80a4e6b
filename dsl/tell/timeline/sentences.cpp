#include <algorithm>
#include <cctype>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/timeline/sentences.hpp>

namespace sectile::tell {
namespace {

const timeline_lane& lane_of(const timeline& t, int lane) { return t.lanes[static_cast<std::size_t>(lane)]; }

/// "consumer 0", "consumer 0 of CTA 1"
std::string who(const timeline& t, int lane) {
  const timeline_lane& l = lane_of(t, lane);
  return t.from.cluster_size > 1 ? say(l.name, " of CTA ", l.cta) : l.name;
}

std::string ctas_text(std::uint32_t mask) {
  std::vector<std::string> names;
  for (int c = 0; c < 32; ++c)
    if (mask >> c & 1) names.push_back(std::to_string(c));
  return say(names.size() == 1 ? "CTA " : "CTAs ", list(names));
}

/// "stage 2 of A and B", or the barrier's name.
std::string stage_text(const timeline& t, const operation& o) {
  const recorded_barrier& b = t.from.barriers[static_cast<std::size_t>(o.barrier)];
  if (b.ring < 0) return b.name;
  const recorded_ring& r = t.from.rings[static_cast<std::size_t>(b.ring)];
  return r.stages == 1 ? r.name : say("stage ", b.stage, " of ", r.name);
}

/// " (k = 3, tile 1)"; tiles are named where there are several.
std::string place_text(const timeline& t, const operation& o) {
  const bool several = std::ranges::any_of(t.events, [](const timeline_event& e) { return e.did.tile > 0; });
  std::string text = o.trip >= 0 ? say("k = ", o.trip) : "";
  if (several && o.tile >= 0) text += say(text.empty() ? "" : ", ", "tile ", o.tile);
  return text.empty() ? "" : say(" (", text, ")");
}

/// "The producer", "Consumer 1"
std::string sentence_start(const std::string& role) {
  const bool numbered = role.find_first_of("0123456789") != std::string::npos;
  std::string text = numbered ? role : say("the ", role);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

std::string uses_text(const operation& o) {
  std::vector<std::string> names;
  if (o.from_registers) names.emplace_back("registers");
  for (const stage_use& u : o.uses) names.push_back(u.ring < 0 ? u.operand : say(u.operand, "[", u.stage, "]"));
  return list(names);
}

std::string action_text(const timeline& t, const timeline_event& e) {
  const operation& o = e.did;
  switch (e.kind) {
    case timeline_kind::wait_full:
      return say("waits until ", stage_text(t, o), " is full");
    case timeline_kind::wait_empty:
      return say("waits until ", stage_text(t, o), " is free");
    case timeline_kind::wait_barrier:
      return say("waits for ", stage_text(t, o));
    case timeline_kind::wait_products:
      return o.number == 0 ? std::string("waits until its products are complete")
                           : say("waits until at most ", count(o.number, "group"), " of its products ",
                                 o.number == 1 ? "is" : "are", " pending");
    case timeline_kind::wait_in_order:
      return "waits for its turn";
    case timeline_kind::wait_cluster:
      return "waits for the cluster";
    case timeline_kind::wait_store_read:
      return "waits until TMA has read its epilogue buffers";
    case timeline_kind::wait_store:
      return "waits until its stores have arrived";
    case timeline_kind::expect:
      return say("announces ", o.bytes, " bytes for ", stage_text(t, o));
    case timeline_kind::release:
      return say("gives ", stage_text(t, o), " back",
                 t.from.cluster_size > 1 ? say(" to ", ctas_text(o.ctas)) : std::string());
    case timeline_kind::arrive:
      return o.count > 0 ? say("arrives at ", stage_text(t, o))
                         : stage_text(t, o).starts_with("drawn")
                             ? say("sends the number of the next work item to ", ctas_text(o.ctas))
                             : say("sends ", -o.bytes, " bytes of its parts of columns to ", ctas_text(o.ctas));
    case timeline_kind::arrive_in_order:
      return "passes the turn on";
    case timeline_kind::proxy_fence:
      return "fences what it wrote, for TMA";
    case timeline_kind::compute:
      return "computes";
    case timeline_kind::write:
      return say("writes ", o.bytes, " bytes of ", uses_text(o), " to shared memory");
    case timeline_kind::read:
      return say("reads ", o.bytes, " bytes of ", uses_text(o), " from shared memory");
    case timeline_kind::read_global:
      return say("reads ", o.bytes, " bytes from global memory");
    case timeline_kind::write_global:
      return say("writes ", o.bytes, " bytes to global memory");
    case timeline_kind::copy:
      return say("has TMA copy ", o.bytes, " bytes of ", uses_text(o),
                 t.from.cluster_size > 1 ? say(" to ", ctas_text(o.ctas)) : std::string());
    case timeline_kind::product:
      return say("multiplies ", uses_text(o), ", ", count(o.count, "wgmma"));
    case timeline_kind::store:
      return say("has TMA store ", o.bytes, " bytes from row ", o.at[0], ", column ", o.at[1]);
  }
  return "";
}

std::string sentence(const timeline& t, const timeline_event& e) {
  return say(who(t, e.by), " ", action_text(t, e), place_text(t, e.did));
}

std::string unfinished(const timeline& t) {
  std::string text;
  for (const timeline_event& e : t.events)
    if (e.end == timeline_event::never && is_wait(e.kind)) text += say(text.empty() ? "" : "; ", sentence(t, e));
  return text;
}

std::string summary(const timeline& t, const timeline_statistics& s) {
  if (s.tensor_busy.empty() || s.last_product[0] == 0) return "";
  std::string text = say("Between the first product and the last, the tensor cores are busy ",
                         percent(s.tensor_busy[0], s.last_product[0] - s.first_product[0]), " % of the time; ",
                         percent(s.tensor_busy[0], s.to - s.from), " % of all.");
  const char* const of_first = t.from.on_one_sm ? " of CTA 0" : "";
  for (const ring_use& u : s.rings) {
    if (u.cta != 0) continue;
    const cycles all = (u.to - u.from) * t.from.rings[static_cast<std::size_t>(u.ring)].stages;
    const auto share = [&](stage_state x) { return percent(u.in_state[static_cast<int>(x)], all); };
    text += say(" A stage of ", t.from.rings[static_cast<std::size_t>(u.ring)].name, of_first, " is being filled ",
                share(stage_state::filling), " % of the time, full and waiting ", share(stage_state::full),
                " %, being read ", share(stage_state::reading), " %, empty ", share(stage_state::empty), " %.");
  }
  for (const timeline_lane& l : t.lanes) {
    if (l.cta != 0 || l.kind != lane_kind::role) continue;
    const auto longest = std::ranges::find_if(s.waits, [&](const waiting_total& w) {
      return &lane_of(t, w.lane) == &l && w.kind != timeline_kind::wait_cluster;
    });
    if (longest != s.waits.end())
      text += say(" ", sentence_start(l.name), of_first, " waits longest for ", longest->for_whom, ": ",
                  percent(longest->spent, s.to - s.from), " % of the time.");
  }
  return text;
}

}  // namespace sectile::tell
