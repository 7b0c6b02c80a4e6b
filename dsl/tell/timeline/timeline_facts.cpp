#include <algorithm>
#include <iterator>
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <sectile/dsl/tell/timeline/timeline_facts.hpp>

namespace sectile::tell {
namespace {

using json = nlohmann::ordered_json;

/// null in place of a number that says "none".
json number(std::int64_t x) { return x < 0 ? json() : json(x); }

json constants() {
  json all = json::array();
  for (const nominal_constant& c : nominal_constants)
    all.push_back({{"name", c.name}, {"value", c.value}, {"unit", c.unit}, {"source", c.source}});
  return all;
}

const char* name_of(lane_kind k) {
  constexpr const char* names[] = {"role", "copies", "tensor_cores", "stores"};
  static_assert(std::size(names) == static_cast<std::size_t>(lane_kind::stores) + 1);
  return names[static_cast<int>(k)];
}

json lanes_of(const timeline& t) {
  json all = json::array();
  for (const timeline_lane& l : t.lanes)
    all.push_back({{"name", l.name},
                   {"kind", name_of(l.kind)},
                   {"cta", l.cta},
                   {"first_thread", number(l.first_thread)},
                   {"last_thread", number(l.last_thread)}});
  return all;
}

json rings_of(const timeline& t) {
  json all = json::array();
  for (const recorded_ring& r : t.from.rings)
    all.push_back({{"name", r.name}, {"operands", r.operands}, {"stages", r.stages}, {"guarded", r.guarded}});
  return all;
}

json barriers_of(const timeline& t) {
  json all = json::array();
  for (const recorded_barrier& b : t.from.barriers)
    all.push_back({{"name", b.name}, {"ring", number(b.ring)}, {"stage", number(b.stage)}, {"arrivals", b.arrivals}});
  return all;
}

json event_facts(const timeline& t, const timeline_event& e) {
  json j{{"kind", name_of(e.kind)}, {"lane", e.lane}, {"by", e.by}, {"start", e.start}, {"end", number(e.end)}};
  if (e.issued != e.start) j["issued"] = e.issued;
  if (e.did.barrier >= 0) j["barrier"] = e.did.barrier;
  if (e.did.bytes > 0 && e.kind != timeline_kind::arrive_in_order && e.kind != timeline_kind::wait_in_order)
    j["bytes"] = e.did.bytes;
  if (e.kind == timeline_kind::product) {
    j["instructions"] = e.did.count;
    j["fenced"] = e.did.fenced;
  }
  if (e.kind == timeline_kind::copy) j["boxes"] = e.did.count;
  if (e.did.ctas != 0) {
    json ctas = json::array();
    for (int c = 0; c < t.from.cluster_size; ++c)
      if (e.did.ctas >> c & 1) ctas.push_back(c);
    j["ctas"] = ctas;
  }
  if (!e.did.uses.empty() || e.did.from_registers) {
    json uses = json::array();
    if (e.did.from_registers) uses.push_back({{"operand", "registers"}});
    for (const stage_use& u : e.did.uses)
      uses.push_back({{"operand", u.operand}, {"ring", number(u.ring)}, {"stage", u.stage}});
    j["uses"] = uses;
  }
  if (e.did.trip >= 0) j["trip"] = e.did.trip;
  if (e.did.tile >= 0) j["tile"] = e.did.tile;
  if (e.did.fill >= 0) j["fill"] = e.did.fill;
  if (e.did.at[0] >= 0) j["at"] = {e.did.at[0], e.did.at[1]};
  j["causes"] = e.causes;
  j["says"] = sentence(t, e);
  return j;
}

json change_facts(const stage_change& c) {
  return {{"at", c.at},
          {"cta", c.cta},
          {"ring", c.ring},
          {"stage", c.stage},
          {"state", name_of(c.state)},
          {"trip", number(c.trip)},
          {"tile", number(c.tile)},
          {"event", number(c.event)}};
}

/// An event begins or ends.
struct step {
  cycles at;
  int event;
  bool begins, ends;
};

std::vector<step> steps_in_order(const timeline& t) {
  std::vector<step> all;
  for (int id = 0; id < static_cast<int>(t.events.size()); ++id) {
    const timeline_event& e = t.events[static_cast<std::size_t>(id)];
    if (e.kind == timeline_kind::proxy_fence) continue;
    if (is_wait(e.kind) && e.start == e.end) continue;
    all.push_back({e.start, id, true, e.start == e.end});
    if (e.end > e.start) all.push_back({e.end, id, false, true});
  }
  std::ranges::stable_sort(all, {}, &step::at);
  return all;
}

char letter_of(stage_state s) {
  constexpr char letters[] = {'e', 'c', 'f', 'r'};  // empty, copied into, full, read
  static_assert(std::size(letters) == std::size(every_stage_state));
  return letters[static_cast<int>(s)];
}

/// What the letters stand for.
json letters() {
  json all = json::object();
  for (const stage_state s : every_stage_state) all[std::string(1, letter_of(s))] = name_of(s);
  return all;
}

/// The states of all stages, a letter each: by CTA, by ring.
struct stage_letters {
  std::vector<std::vector<std::string>> now{};

  explicit stage_letters(const timeline& t) {
    std::vector<std::string> rings;
    for (const recorded_ring& r : t.from.rings)
      rings.emplace_back(static_cast<std::size_t>(r.stages), letter_of(stage_state::empty));
    now.assign(static_cast<std::size_t>(t.from.cluster_size), rings);
  }
  void apply(const stage_change& c) {
    now[static_cast<std::size_t>(c.cta)][static_cast<std::size_t>(c.ring)][static_cast<std::size_t>(c.stage)] =
        letter_of(c.state);
  }
};

bool same_stage(const stage_change& a, const stage_change& b) {
  return a.cta == b.cta && a.ring == b.ring && a.stage == b.stage;
}

json steps_of(const timeline& t) {
  json all = json::array();
  stage_letters letters(t);
  std::vector<bool> applied(t.changes.size());
  std::size_t first = 0;  // not applied
  for (const step& s : steps_in_order(t)) {
    for (std::size_t i = first; i < t.changes.size() && t.changes[i].at <= s.at; ++i) {
      if (applied[i] || (t.changes[i].at == s.at && t.changes[i].event != s.event)) continue;
      // What happened to that stage in the same cycle, but before, comes before.
      for (std::size_t j = first; j <= i; ++j) {
        if (applied[j] || !same_stage(t.changes[j], t.changes[i])) continue;
        applied[j] = true;
        letters.apply(t.changes[j]);
      }
    }
    while (first < applied.size() && applied[first]) ++first;
    all.push_back({{"at", s.at},
                   {"event", s.event},
                   {"what", s.begins && s.ends ? "happens"
                            : s.begins         ? "begins"
                                               : "ends"},
                   {"stages", letters.now}});
  }
  return all;
}

json statistics_facts(const timeline& t, const timeline_statistics& s) {
  json tensor = json::array(), waits = json::array(), rings = json::array(), bytes = json::array();
  for (std::size_t c = 0; c < s.tensor_busy.size(); ++c) {
    tensor.push_back({{"cta", c},
                      {"busy", s.tensor_busy[c]},
                      {"from", s.first_product[c]},
                      {"to", s.last_product[c]},
                      {"percent", percent(s.tensor_busy[c], s.last_product[c] - s.first_product[c])},
                      {"percent_of_all", percent(s.tensor_busy[c], s.to - s.from)}});
    bytes.push_back({{"cta", c}, {"copied", s.bytes_copied[c]}, {"stored", s.bytes_stored[c]}});
  }
  for (const waiting_total& w : s.waits)
    waits.push_back({{"lane", w.lane},
                     {"kind", name_of(w.kind)},
                     {"for", w.for_whom},
                     {"times", w.times},
                     {"cycles", w.spent},
                     {"percent", percent(w.spent, s.to - s.from)}});
  for (const ring_use& u : s.rings) {
    json j{{"cta", u.cta}, {"ring", u.ring}, {"from", u.from}, {"to", u.to}};
    const cycles whole = (u.to - u.from) * t.from.rings[static_cast<std::size_t>(u.ring)].stages;
    for (const stage_state x : every_stage_state)
      j["percent"][name_of(x)] = percent(u.in_state[static_cast<int>(x)], whole);
    rings.push_back(j);
  }
  return {{"from", s.from}, {"to", s.to},     {"tensor_cores", tensor},
          {"waits", waits}, {"rings", rings}, {"bytes", bytes}};
}

}  // namespace

json facts_of(const timeline& t) {
  const timeline_statistics s = statistics_of(t);
  json events = json::array(), changes = json::array();
  for (const timeline_event& e : t.events) events.push_back(event_facts(t, e));
  for (const stage_change& c : t.changes) changes.push_back(change_facts(c));
  return {{"note", nominal_note()},
          {"unit", "cycles"},
          {"constants", constants()},
          {"complete", t.stopped.empty()},
          {"stopped", t.stopped.empty() ? json() : json(t.stopped)},
          {"summary", summary(t, s)},
          {"length", t.length},
          {"ctas", t.from.cluster_size},
          {"lanes", lanes_of(t)},
          {"rings", rings_of(t)},
          {"barriers", barriers_of(t)},
          {"events", events},
          {"changes", changes},
          {"letters", letters()},
          {"steps", steps_of(t)},
          {"statistics", statistics_facts(t, s)}};
}

json facts_of(const kernel_timeline& k) {
  if (!k.refused.empty()) return {{"refused", k.refused}, {"sizes", k.sizes}};
  json j = facts_of(k.shown);
  j["sizes"] = k.sizes;
  return j;
}

}  // namespace sectile::tell
