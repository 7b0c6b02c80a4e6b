// The program line by line: what each says, and what was derived for it.
#include <algorithm>
#include <iterator>
#include <map>
#include <sectile/dsl/tell/body_text.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/memory_text.hpp>
#include <sectile/dsl/tell/operands_text.hpp>

namespace sectile::tell {
namespace {

using notes = std::map<int, std::vector<std::string>>;  // by line

const char* name_of(event_kind kind) {
  constexpr const char* names[] = {"load", "read", "issue", "touch", "store", "loop", "finish"};
  static_assert(std::size(names) == static_cast<std::size_t>(event_kind::finish) + 1);
  return names[static_cast<int>(kind)];
}

void add_note(notes& to, int line, std::string text) {
  if (line <= 0 || text.empty()) return;
  std::vector<std::string>& here = to[line];
  if (std::ranges::find(here, text) == here.end()) here.push_back(std::move(text));
}

/// What a load makes the producer and the consumers do; `first` of its stage.
std::string load_note(const plan& p, const event& e, bool first) {
  const operand_plan& op = p.operand[e.operand];
  const ring_plan& r = p.ring[op.ring];
  const std::string copies = lines_of(copy_text(p, e.operand)).front();
  if (!first) return say("the producer copies into the same stage: ", copies);
  if (r.resident)
    return say("the producer announces ", r.transaction_bytes, " bytes and copies them for the CTA's first work, ",
               copies, "; they stay, and consumers wait here until ", members_text(p, r), " has landed");
  return say(r.lanes > 1 ? "for each consumer the producer waits for a free stage of ring "
                         : "the producer waits for a free stage of ring ",
             op.ring, " (it has ", r.stages, r.lanes > 1 ? say(", ", r.stages_of_lane(), " for each") : "",
             "), announces ", r.transaction_bytes, " bytes and copies: ", copies, "; consumers wait here until ",
             members_text(p, r), r.members == 1 ? " has landed" : " have landed");
}

std::string issue_note(const plan& p, const trace& t, const event& e) {
  int product = 0;
  while (product < p.products.count && p.products.position[product] != e.position) ++product;
  if (product == p.products.count) return said_text(p, t, e);
  const product_plan& q = p.products.at[product];
  const int number = q.k_steps * q.m_blocks;
  return say(said_text(p, t, e), ": each consumer issues ", number, " wgmma m", wgmma_rows, "n", q.instruction.n, "k",
             q.instruction.k, " (", count(q.k_steps, "step"), " along K, ", count(q.m_blocks, "block"), " of ",
             wgmma_rows, " rows)");
}

/// What a line says about one event; the first sentence is the program's, the second what was derived.
void note_event(const plan& p, const trace& t, const body_line& line, int at, notes& to) {
  const event& e = t.at[line.event];
  switch (e.kind) {
    case event_kind::load:
      return add_note(to, at, load_note(p, e, line.first_of_stage));
    case event_kind::issue:
      add_note(to, at, issue_note(p, t, e));
      return add_note(to, at, "derived: " + line.derived);
    case event_kind::touch:
      if (!line.derived.empty())
        add_note(to, at, say("before the registers of f", e.value, " are used or given up: ", line.derived));
      return;
    case event_kind::store:
      add_note(to, at, say(line.program, line.derived.empty() ? "" : ": ", line.derived));
      return add_note(to, at, lines_of(epilogue_text(p)).front());
    case event_kind::read:
      return add_note(
          to, at, say(line.program, ": by the consumers", line.derived.empty() ? "" : "; ", line.derived));
    case event_kind::loop:
      return add_note(
          to, at,
          say("a pipelined loop: the producer runs up to ", count(p.how.stages, "stage"), " ahead of the consumers"));
    case event_kind::finish:
      return add_note(to, at, say("end: ", line.derived));
  }
}

/// Accumulators and operands in registers, on the lines where they come into being.
void note_fragments(const plan& p, const located_trace& run, notes& to) {
  for (const json& f : fragments_part(p, run.log))
    add_note(to, run.line_of_value(std::stoi(f["name"].get<std::string>().substr(1))),
             f["name"].get<std::string>() + ": " + f["says"].get<std::string>());
}

/// What operand o's declaration comes to.
std::string operand_note(const plan& p, int o) {
  const operand_plan& op = p.operand[o];
  const operand_facts& f = op.facts;
  if (f.kind == operand_kind::scalar) return say(f.name, ": a number, the same for every tile");
  if (f.kind == operand_kind::vector_output) {
    const std::string what = f.tile.rank == 0 ? std::string("a number") : say("parts of ", f.cols());
    return say(f.name, ": ", what, " of ", f.type.name, ", which threads ", written_text(op));
  }
  if (f.path == with_tiles)
    return say(f.name, ": parts of ", part_text(f), " ", f.type.name, ", which come with the tiles of their trip");
  if (f.cuts[0]) return say(f.name, ": ", group_numbers_text(f), ", which each role reads for itself");
  if (picks_rows(p, o))
    return say(f.name, ": ", picked_text(p, o),
               names_rows(p, o) ? ", which the consumers read" : ", which the producer reads");
  if (f.kind == operand_kind::vector)
    return f.tile.rank == 0
               ? say(f.name, ": a number of ", f.type.name, " in memory, the same for every tile")
               : say(f.name, ": parts of ", part_text(f), " ", f.type.name, ", which threads read where they use them");
  std::string text = say(f.name, ": tiles of ", matrix_text(f), " ", f.type.name, ", ", stage_bytes_of(f), " bytes");
  if (f.kind == operand_kind::output || !p.refusal.holds()) return text;
  const operand_use use = use_of(p, o);
  return text + say(", ", major_text(use.tile.major), ", ", swizzle_text(op.swizzle), " in shared memory",
                    op.metadata.bytes > 0 ? say(", and ", op.metadata.bytes, " bytes of metadata") : std::string());
}

constexpr const char* operands_words = " operands =";
/// Whether a line declares how the program runs: static constexpr configuration how{..}, or auto how = ..
bool declares_configuration(const std::string& line) {
  const auto has = [&line](const char* words) { return line.find(words) != std::string::npos; };
  return has("static constexpr") && (has(" how{") || has(" how ="));
}

/// Notes at the operands' declarations, which are found by the names in them: names are literals.
void note_operands(const plan& p, const source_text& text, notes& to) {
  for (int n = text.first_line; n <= text.last_line(); ++n) {
    const std::string& line = text.lines[static_cast<std::size_t>(n - text.first_line)];
    for (int o = 0; o < p.operands; ++o) {
      const std::string name = std::string("\"") + p.operand[o].facts.name;
      const std::size_t at = line.find(name);
      if (at == std::string::npos || at + name.size() >= line.size()) continue;
      if (const char end = line[at + name.size()]; end == '"' || end == '(') add_note(to, n, operand_note(p, o));
    }
  }
}

void note_configuration(const plan& p, const source_text& text, notes& to) {
  for (int n = text.first_line; n <= text.last_line(); ++n)
    if (declares_configuration(text.lines[static_cast<std::size_t>(n - text.first_line)])) {
      if (p.refusal.holds())
        for (const std::string& s : lines_of(configuration_text(p))) add_note(to, n, s);
      return;
    }
}

json lines_json(const source_text& text, notes& said) {
  json lines = json::array();
  for (int n = text.first_line; n <= text.last_line(); ++n)
    lines.push_back(
        {{"n", n}, {"code", text.lines[static_cast<std::size_t>(n - text.first_line)]}, {"notes", said[n]}});
  return lines;
}

json text_json(const source_text& text, notes& said) {
  return {{"file", text.file},
          {"first_line", text.first_line},
          {"last_line", text.last_line()},
          {"lines", lines_json(text, said)}};
}

}  // namespace

json positions_part(const plan& p, const located_trace& run) {
  json all = json::array();
  for (const body_line& line : body_lines(p, run.log)) {
    const event& e = run.log.at[line.event];
    const step& s = p.steps[e.position];
    const int at = run.line_of_event(line.event);
    all.push_back({{"position", line.position},
                   {"line", at > 0 ? json(at) : json()},
                   {"kind", name_of(e.kind)},
                   {"says", line.program},
                   {"derived", line.derived},
                   {"inside_loop", line.inside_loop},
                   {"operand", e.operand < 0 ? json() : json(p.operand[e.operand].facts.name)},
                   {"fragment", e.value < 0 ? json() : json(say("f", e.value))},
                   {"wait", s.wait < 0 ? json() : json(s.wait)},
                   {"wait_after", s.wait_after < 0 ? json() : json(s.wait_after)},
                   {"fence", s.fence},
                   {"wait_in_order", s.wait_in_order},
                   {"arrive_in_order", s.arrive_in_order},
                   {"idle", e.kind == event_kind::touch && line.derived.empty()}});
  }
  return all;
}

bool declares_operands_in(const source_text& text) { return text.contains(operands_words); }
bool declares_configuration_in(const source_text& text) {
  return std::ranges::any_of(text.lines, declares_configuration);
}

json source_part(const plan& p, const located_trace& run, const source_text& text,
                 const std::vector<other_struct>& others) {
  notes said;
  json other_texts = json::array();
  bool operands_noted = false, how_noted = false;
  for (const other_struct& other : others) {
    notes here;
    if (!operands_noted && declares_operands_in(other.text)) note_operands(p, other.text, here), operands_noted = true;
    if (!how_noted && declares_configuration_in(other.text)) note_configuration(p, other.text, here), how_noted = true;
    other_texts.push_back(text_json(other.text, here));
    other_texts.back()["says"] = other.says;
  }
  if (!operands_noted) note_operands(p, text, said);
  if (!how_noted) note_configuration(p, text, said);
  if (p.refusal.holds()) {
    for (const body_line& line : body_lines(p, run.log)) {
      const bool behind_body = run.log.at[line.event].kind == event_kind::finish;
      note_event(p, run.log, line, behind_body ? text.last_line() - 1 : run.line_of_event(line.event), said);
    }
    note_fragments(p, run, said);
  }
  json j = text_json(text, said);
  j["others"] = other_texts;
  j["attributed"] = run.why_not.empty();
  j["says"] = run.why_not;
  return j;
}

}  // namespace sectile::tell
