// What a role does at once, as d_steps of Promela.
#pragma once

#include <sectile/dsl/launch/words.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sectile::tell::promela {

/// A line of a role: what it does, and what that means.
struct line {
  std::string code, says;
};

/// What is done at once, if the guard holds.
struct role_step {
  std::string notes, guard;
  std::vector<line> lines{};
};

/// The steps of a role, one after the other. What only it can notice is done together with the next thing that others
/// can: it holds as much before as after, and nobody waits for it.
class role_steps {
 protected:
  std::string out{};  // what is written
  std::vector<std::string> guards{};
  std::vector<line> step{};
  bool step_is_open = false;  // for copies, of which more may follow
  role_step last{};           // not yet written
  std::string notes{};        // comments before the open step

  void note_trip(int trip) {
    if (trip >= 0) notes += say("  /* trip ", trip, " */\n");
  }
  void then(std::string code, std::string says = "") { step.push_back({std::move(code), std::move(says)}); }
  void end_step() {
    step_is_open = false;
    if (step.empty() && guards.empty()) return;
    put_last();
    for (const std::string& g : guards) last.guard += (last.guard.empty() ? "" : " && ") + g;
    last.notes = std::exchange(notes, "");
    last.lines = std::exchange(step, {});
    guards.clear();
  }
  /// Writes the step before the open one.
  void put_last() {
    const role_step s = std::exchange(last, {});
    if (s.lines.empty() && s.guard.empty()) return;
    out += s.notes;
    const bool one = s.lines.size() == 1 && s.guard.empty();
    const auto ends = [](const std::string& says) { return says.empty() ? "\n" : "  /* " + says + " */\n"; };
    if (one) {
      out += "  d_step { " + s.lines[0].code + " }" + ends(s.lines[0].says);
      return;
    }
    out += s.guard.empty() ? "  d_step {\n" : "  d_step { " + s.guard + " ->\n";
    for (const line& l : s.lines) out += "    " + l.code + ";" + ends(l.says);
    out += "  }\n";
  }
  /// Others can see it.
  void visible(std::string code, std::string says) {
    if (step_is_open) end_step();
    then(std::move(code), std::move(says));
    end_step();
  }
  /// A reading of a stage: the earlier it begins the more it meets, so it is part of the step before, unless it stands
  /// behind a meeting.
  void reads(std::string code, std::string says) {
    if (step_is_open) end_step();
    if (!guards.empty() || last.lines.empty()) return visible(std::move(code), std::move(says));
    last.lines.push_back({std::move(code), std::move(says)});
  }
};

}  // namespace sectile::tell::promela
