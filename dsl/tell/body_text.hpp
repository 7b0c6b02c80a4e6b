// The body of a kernel position by position: what the program says there, and what was derived from it.
#pragma once
#include <string>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/build.hpp>

namespace sectile::tell {

/// What is derived for one position: waits, fences, turns, stages that go back.
inline std::string derived_text(const plan& p, const event& e) {
  const step& s = p.steps[e.position];
  std::vector<std::string> acts;
  const auto in_flight = [](int n) {
    return n == 0 ? std::string("wait until every product is complete")
                  : say("wait until at most ", count(n, "product"), n == 1 ? " is" : " are", " in flight");
  };
  const bool product = e.kind == event_kind::issue;
  const bool multiplies = p.products.count > 0;  // else there is nothing to wait for
  if (s.wait >= 0 && multiplies) acts.push_back(in_flight(s.wait));
  if (s.wait_in_order) acts.push_back("take the turn");
  if (s.fence) acts.push_back(e.kind == event_kind::read ? "fence.proxy.async" : "wgmma.fence");
  if (product) acts.push_back("issue and commit");
  if (s.arrive_in_order) acts.push_back("pass the turn on");
  if (s.wait_after >= 0 && multiplies) acts.push_back(in_flight(s.wait_after));
  if (s.settle && !product) acts.push_back("take its registers over from the tensor cores");
  for (int r = 0; r < p.rings; ++r)
    if (s.release[r] > 0)
      acts.push_back(say("release ring ", r,
                         s.keep[r] == 0 ? std::string("'s stages") : say(" but for ", count(s.keep[r], "stage"))));
  std::string text;
  for (const std::string& act : acts) text += (text.empty() ? "" : "; ") + act;
  return text;
}

/// What the program says at one position.
inline std::string said_text(const plan& p, const trace& t, const event& e) {
  const auto loaded = [&](int load) { return p.operand[t.at[load].operand].facts.name; };
  switch (e.kind) {
    case event_kind::load:
      return say("load ", p.operand[e.operand].facts.name);
    case event_kind::read:
      if (e.value < 0) return say("read ", loaded(e.a_load));  // a vector, where it is used
      return say("f", e.value, " = ", loaded(e.a_load), " in registers");
    case event_kind::issue:
      return say("f", e.value, " (+)= ", e.takes_a() ? say("f", e.a_value) : std::string(loaded(e.a_load)), " * ",
                 e.places_b() ? "a fragment in shared memory" : loaded(e.b_load));
    case event_kind::touch:
      return say("use f", e.value);
    case event_kind::store:
      return say("store f", e.value, " to ", p.operand[e.operand].facts.name);
    case event_kind::loop:
      return "loop";
    case event_kind::finish:
      return "end";
  }
  return "";
}

/// One place of the body: the first event there, what the program says, and what was derived.
struct body_line {
  int event = 0;  // its number in the trace
  int position = 0;
  bool inside_loop = false;
  bool first_of_stage = false;  // of a load
  std::string program{}, derived{};
};

/// The places of the body in the order of the text. `t` is a run of the body in which every loop has trips.
inline std::vector<body_line> body_lines(const plan& p, const trace& t) {
  std::vector<body_line> lines;
  int part[max_rings]{};  // members of the stage that have been loaded
  int next = 0;           // positions come in order the first time they are seen
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    body_line line{i,     e.position,         e.loop >= 0 && e.kind != event_kind::loop,
                   false, said_text(p, t, e), derived_text(p, e)};
    if (e.kind == event_kind::load) {
      const int r = p.operand[e.operand].ring;
      line.first_of_stage = part[r] == 0;
      line.derived = part[r] == 0 ? say("wait until the stage of ring ", r, " is full") : "in the same stage";
      if (part[r] == 0 && shows_copies(p, r)) line.derived += "; fence.proxy.async";
      part[r] = (part[r] + 1) % p.ring[r].members;
    }
    if (e.position < next) continue;
    next = e.position + 1;
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The same as a table, loops indented; uses of fragments at which there is nothing to do are left out.
inline std::string body_text(const plan& p, const trace& t) {
  table lines;
  lines.add("position", "program", "derived");
  for (const body_line& line : body_lines(p, t))
    if (t.at[line.event].kind != event_kind::touch || !line.derived.empty())
      lines.add(line.position, (line.inside_loop ? "  " : "") + line.program, line.derived);
  return lines.text();
}

}  // namespace sectile::tell
