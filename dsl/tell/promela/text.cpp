// A protocol as Promela: its roles, and what stands around them.
#include <sectile/dsl/tell/promela/machine.hpp>
#include <sectile/dsl/tell/promela/role_writer.hpp>
#include <sectile/dsl/tell/promela/text.hpp>

namespace sectile::tell {
namespace {

using namespace promela;
using protocol::act, protocol::action;

constexpr const char* introduction =
    "   A proctype for each role of the cluster, with what it does one line behind the other, and one for the\n"
    "   copies to each CTA. `spin -a`, a C compiler and `pan` say whether all orders are right. */\n\n";

std::string with_macros(std::string text) {
  const std::string begins = "\ndefine ";
  for (auto at = text.find(begins); at != std::string::npos; at = text.find(begins, at + 1)) text.insert(at + 1, "#");
  return text;
}

void define(std::string& out, const std::string& name, int value) { out += say("define ", name, " ", value, "\n"); }

std::string head(const protocol_walk& walk, const shared_things& shared) {
  std::string out;
  define(out, "CTAS", walk.ctas);
  define(out, "ROLES", 1 + walk.consumers);
  out += "\n/* mbarriers of a CTA */\n";
  define(out, "BARRIERS", static_cast<int>(walk.barriers.size()));
  for (std::size_t n = 0; n < walk.barriers.size(); ++n)
    define(out, identifier(walk.barriers[n].name), static_cast<int>(n));
  out += "\n/* what copies fill in a CTA */\n";
  define(out, "STAGES", static_cast<int>(walk.stages.size()));
  for (std::size_t n = 0; n < walk.stages.size(); ++n)
    define(out, identifier(walk.stages[n].name), static_cast<int>(n));
  out += "\n";
  define(out, "COPIES", std::max(shared.copies.count(), 1));
  define(out, "MEETINGS", std::max(shared.meetings.count(), 1));
  for (int n = 0; n < shared.meetings.count(); ++n) {
    const meeting_point& m = shared.meetings.known[n];
    out += say("/* meeting ", n, ": ",
               m.barrier == whole_cluster ? "the cluster's barrier" : walk.named[m.barrier] + of_cta(walk, m.cta),
               " */\n");
  }
  if (shared.places.count() > 0) {
    define(out, "PLACES", shared.places.count());
    define(out, "LOOKS", std::max(shared.looks.count(), 1));
  }
  out +=
      "\n/* Roles that have not left: of each CTA, and of all. */\n"
      "byte alive[CTAS] = ROLES;\nbyte staying = CTAS * ROLES;\nhidden byte i;\n";
  return out;
}

/// When the last role leaves: nothing is on its way, no round is open, and stages were given back as often as filled.
std::string end_text(const protocol_walk& walk) {
  std::string out =
      "\n/* What has to be so when the last role leaves: the next work item would begin there. */\n"
      "inline given_back(filled, freed) {\n"
      "  assert(at[filled].phases == at[freed].phases);\n"
      "  assert(at[filled].pending == at[filled].counts); assert(at[freed].pending == at[freed].counts)\n}\n"
      "inline all_is_done() {\n"
      "  for (i : 0 .. COPIES - 1) { assert(flying[i] == 0) }\n"
      "  for (i : 0 .. MEETINGS - 1) { assert(meet[i].who == 0) }\n";
  for (int cta = 0; cta < walk.ctas; ++cta)
    for (const walked_stage& s : walk.stages)
      if (s.empty >= 0 && s.ring < walk.rings) {
        out += say("  given_back(", barrier_text(walk, cta, s.full), ", ", barrier_text(walk, cta, s.empty), ");\n");
      }
  return out +
         "  skip\n}\n"
         "inline leave(cta) {\n"
         "  alive[cta]--; staying--;\n"
         "  if\n  :: staying == 0 -> all_is_done()\n  :: else\n  fi\n}\n";
}

std::string landing(const protocol_walk& walk, const shared_things& shared, int kind, const std::string& many) {
  const copy_kind& c = shared.copies.known[kind];
  const std::string to =
      c.stage >= 0 ? say("stage(", c.cta, ", ", identifier(walk.stages[c.stage].name), ")") : say(c.place);
  return say(c.stage >= 0 ? "land(" : "land_columns(", many, ", ", kind, ", ", to, ", ",
             barrier_text(walk, c.cta, c.barrier), ", ", c.cta, ", ", c.bytes, ")");
}

/// The copies that one barrier counts.
std::string landings(const protocol_walk& walk, const shared_things& shared, int cta, int barrier) {
  const std::string b = barrier_text(walk, cta, barrier);
  std::string all, together;
  std::vector<int> kinds;
  for (int n = 0; n < shared.copies.count(); ++n) {
    const copy_kind& c = shared.copies.known[n];
    if (c.cta != cta || c.barrier != barrier) continue;
    const std::string flying = say("flying[", n, "]");
    all += say(all.empty() ? "" : " + ", flying, " * ", c.bytes);
    together += landing(walk, shared, n, flying) + "; ";
    kinds.push_back(n);
  }
  if (kinds.empty()) return "";
  std::string moves = say("  :: d_step { comes(", b, ", ", all, ") -> ", together, "settle(", b,
                          ") }  /* the copies come that ", walk.barriers[barrier].name, " counts */\n");
  for (const int n : kinds) {
    const copy_kind& c = shared.copies.known[n];
    const std::string to = c.stage >= 0 ? walk.stages[c.stage].name : "a place of columns";
    moves +=
        say("  :: d_step { flying[", n, "] > 0 && too_many_come(", b, ", ", all, ") -> ", landing(walk, shared, n, "1"),
            "; settle(", b, ") }  /* ", c.bytes, " of too many bytes come to ", to, " */\n");
  }
  return moves;
}

std::string engines(const protocol_walk& walk, const shared_things& shared) {
  std::string out;
  for (int cta = 0; cta < walk.ctas; ++cta) {
    std::string moves;
    for (int b = 0; b < static_cast<int>(walk.barriers.size()); ++b) moves += landings(walk, shared, cta, b);
    if (moves.empty()) continue;
    out += say("\n/* Copies to CTA ", cta, ". */\nactive proctype ", identifier("copies" + of_cta(walk, cta)),
               "() {\nend:\n  do\n", moves, "  od\n}\n");
  }
  return out;
}

}  // namespace

std::string promela_text(const protocol_walk& walk, const std::string& about) {
  shared_things shared;
  std::string roles;
  for (int n = 0; n < static_cast<int>(walk.roles.size()); ++n) roles += "\n" + role_writer(walk, n, shared).text();
  const std::string places = shared.places.count() > 0 ? promela_places : "";
  return with_macros(say("/* ", about, "\n\n", introduction, head(walk, shared), promela_machine, places,
                         end_text(walk), roles, engines(walk, shared)));
}

}  // namespace sectile::tell
