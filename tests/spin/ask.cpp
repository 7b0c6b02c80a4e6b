#include "tests/spin/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <sectile/dsl/tell/child_process.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace sectile::witness {
namespace {

/// What an assertion that fails says; the first part that its text has.
constexpr std::pair<const char*, const char*> meanings[] = {
    {".phases==meant", "a wait passes in another phase than it is meant for"},
    {".phases==at", "a stage is not given back as often as it is filled"},
    {".pending==at", "a barrier is in the middle of a phase when all is done"},
    {".pending>0", "a barrier receives more arrivals than it counts"},
    {".counts==0", "a barrier is initialised twice"},
    {".shown", "a barrier is used before it is initialised and shown"},
    {"alive", "a CTA is gone while another reaches for it"},
    {"reading", "a stage is overwritten while it is read"},
    {"coming", "a stage is read while it is filled"},
    {"brought", "a stage is read that holds another tile, or part of one"},
    {"flying", "a copy is under way when all is done"},
    {".who==0||", "a round of a named barrier is asked for with two numbers of threads"},
    {".who&", "a role comes twice to one round of a named barrier"},
    {".who==0", "a round of a named barrier is left open"},
    {".threads", "more threads come to a named barrier than it counts"},
    {"storing|freed", "an epilogue's buffer is written while TMA may read it"},
    {"published", "an epilogue's buffer is stored before all warps have published it"},
    {"storing", "a role leaves while TMA may read its epilogue's buffers"},
    {"looking", "columns are overwritten while somebody may read them"},
    {"open[", "what warps write is read before all have written"},
    {"rounds[", "what is read was not written, or not as often as it should be"},
    {">0&&", "a part of a tile waits for others that may not run"},
    {"0>0", "a stage is read that nobody has waited for"},
};

std::string meaning_of(const std::string& assertion) {
  std::string text;
  for (const char c : assertion)
    if (c != ' ') text += c;
  if (text == "0" || text == "(0)") return "a role leaves while its products run";
  text = std::regex_replace(text, std::regex("phases==[0-9]+"), "phases==meant");
  if (std::regex_match(text, std::regex(R"(\(?[0-9]+==[0-9]+\)?)")))
    return "sums in the workspace are another consumer's";
  for (const auto& [part, says] : meanings)
    if (text.find(part) != std::string::npos) return says;
  return "assertion " + assertion;
}

tell::child_result run_in(const spin_tools& tools, const std::string& command) {
  return tell::run_child({"sh", "-c", fmt::format("cd '{}' && {}", tools.folder.string(), command)}, "");
}
void require(const tell::child_result& result, const std::string& what) {
  if (result.status == 0) return;
  const std::string says = result.complaints + result.output;
  throw std::runtime_error(fmt::format("{}: exit status {}: {}", what, result.status, says.substr(0, 600)));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::string comment_of(const std::string& line) {
  const auto begin = line.find("/* "), end = line.find(" */");
  return begin == std::string::npos || end == std::string::npos ? "" : line.substr(begin + 3, end - begin - 3);
}
/// The step to which line `at` belongs, counted from 0: where it begins, and what it says.
struct told_step {
  std::size_t begin = 0;
  std::string says;
};
told_step step_at(const std::vector<std::string>& text, std::size_t at) {
  told_step step{std::min(at, text.size() - 1), ""};
  while (step.begin > 0 && text[step.begin].find("d_step {") == std::string::npos) --step.begin;
  std::size_t line = step.begin;
  step.says = comment_of(text[line]);
  const bool one = text[line].find(" }") != std::string::npos;
  for (++line; !one && line < text.size() && text[line] != "  }"; ++line)
    if (const std::string more = comment_of(text[line]); !more.empty())
      step.says += (step.says.empty() ? "" : "; ") + more;
  return step;
}

/// The order that pan has left in its trail: who does what. SPIN tells each statement, of which a step has many; those
/// of the machine stand before the roles.
std::vector<std::string> trail(const std::string& promela, const spin_tools& tools) {
  const std::vector<std::string> text = lines_of(promela);
  const std::regex moved(R"(^ *[0-9]+:\s+proc +[0-9]+ \(([A-Za-z0-9_]+):[0-9]+\) \S+:([0-9]+) )");
  std::vector<std::string> order;
  std::size_t last = 0, roles = 0;
  while (roles < text.size() && !text[roles].starts_with("active proctype")) ++roles;
  for (const std::string& line : lines_of(run_in(tools, tools.spin + " -t -p model.pml").output)) {
    if (line.find("process") != std::string::npos || line.find("#processes") != std::string::npos) break;
    std::smatch found;
    if (!std::regex_search(line, found, moved)) continue;
    const std::size_t at = std::stoul(found[2]) - 1;
    if (at < roles) continue;
    const told_step step = step_at(text, at);
    if (!order.empty() && step.begin == last) continue;
    last = step.begin;
    order.push_back(fmt::format("{}: {}", found[1].str(), step.says));
  }
  return order;
}

spin_answer read_verdict(const std::string& said) {
  spin_answer answer;
  std::smatch found;
  if (std::regex_search(said, found, std::regex(R"(([0-9.e+]+) states, stored)")))
    answer.states = static_cast<std::uint64_t>(std::stod(found[1]));
  if (std::regex_search(said, found, std::regex(R"(assertion violated (.*) \(at depth)")))
    answer.wrong = meaning_of(found[1]);
  else if (said.find("invalid end state") != std::string::npos && said.find("(at depth") != std::string::npos)
    answer.wrong = "nobody can go on";
  answer.whole = !answer.wrong.empty() || (said.find("errors: 0") != std::string::npos &&
                                           said.find("Search not completed") == std::string::npos &&
                                           said.find("max search depth too small") == std::string::npos);
  return answer;
}

}  // namespace

std::string too_many_states(const spin_answer& answer) {
  return fmt::format("too many states, more than {}", answer.states);
}

bool has_spin(const spin_tools& tools) {
  std::filesystem::create_directories(tools.folder);
  return !tools.spin.empty() && run_in(tools, tools.spin + " -V").status == 0;
}

spin_answer ask_spin(const std::string& promela, const spin_tools& tools, const spin_bounds& bounds) {
  std::filesystem::create_directories(tools.folder);
  std::ofstream(tools.folder / "model.pml") << promela;
  require(run_in(tools, "rm -f model.pml.trail pan && " + tools.spin + " -a model.pml"), "spin");
  const std::string how = bounds.optimised ? "-O2 -DCOLLAPSE" : "-O0";
  const std::string compiler = bounds.optimised ? "cc" : tools.compiler;
  require(run_in(tools,
                 fmt::format("{} -w {} -DSAFETY -DNOFAIR -DMEMLIM={} pan.c -o pan", compiler, how, bounds.megabytes)),
          compiler);
  const auto began = std::chrono::steady_clock::now();
  // Interrupted, pan says how far it has come.
  const tell::child_result ran = run_in(tools, fmt::format("timeout --signal=INT --kill-after=10 {} ./pan -m20000 -w{}",
                                                           bounds.seconds, bounds.optimised ? 24 : 16));
  spin_answer answer = read_verdict(ran.output + ran.complaints);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!answer.wrong.empty()) answer.order = trail(promela, tools);
  return answer;
}

}  // namespace sectile::witness
