// Holds generated programs against the oracle's word and, where they were compiled with it, runs them on the model.
//
//   programs [--runs N] [--seed S] [--only NAME]
//
// Exit code 1 if a verdict differs, a run is wrong, or there is no program to judge.
#include "tests/fuzz/programs/programs.hpp"
#include "tests/command_line.hpp"

#include <cstdio>
#include <exception>

namespace {

using namespace sectile;
using namespace sectile::naive;

/// All proofs but the protocol.
violation check_plan(const plan& p) {
  if (!p.refusal.holds()) return p.refusal;
  for (auto* check :
       {&check_alignment, &check_budgets, static_cast<violation (*)(const plan&)>(&check_reachability), &check_banks})
    if (const violation v = check(p); !v.holds()) return v;
  return {};
}

struct options {
  int runs = 3;
  std::uint64_t seed = 1;
  std::string only;
};

struct score {
  int programs = 0, legal = 0, accepted = 0, false_refusals = 0, false_acceptances = 0, protocol = 0, spared = 0;
  int runs = 0, exact = 0, wrong = 0;
};

void judge(const listed_program& p, score& s) {
  const violation v = !p.declared.holds() ? p.declared : p.planned ? check_plan(p.planned()) : p.verdict;
  ++s.programs;
  s.legal += !p.illegal;
  s.accepted += v.holds();
  if (v.holds() && p.blocks && !p.planned) ++s.spared;
  if (v.holds() && p.illegal) {
    ++s.false_acceptances;
    std::printf("ACCEPTED %s, but: %s\n", p.name, p.illegal);
  } else if (!v.holds() && !p.illegal && p.blocks && v.what == rule::protocol_deadlocks) {
    ++s.protocol;  // refused with good reason
  } else if (!v.holds() && !p.illegal) {
    ++s.false_refusals;
    std::printf("REFUSED  %s: %s\n", p.name, v.says.text);
  }
}

void run(const listed_program& p, const options& how, score& s) {
  for (int i = 0; p.run && i < how.runs; ++i) {
    const std::uint64_t seed = how.seed * 1000 + static_cast<std::uint64_t>(i);
    outcome o;
    try {
      o = p.run(seed);
    } catch (const std::exception& e) {
      o.wrong = e.what();
    }
    ++s.runs;
    s.exact += o.exact;
    if (o.wrong.empty()) continue;
    ++s.wrong;
    std::printf("WRONG    %s, seed %llu, %s: %s\n", p.name, static_cast<unsigned long long>(seed), o.shape.c_str(),
                o.wrong.c_str());
  }
}

options read_options(int count, char** words) {
  options o;
  sectile::test::read_command_line(count, words, [&](const std::string& word, const auto& value) {
    if (word == "--runs")
      o.runs = std::stoi(value());
    else if (word == "--seed")
      o.seed = std::stoull(value());
    else if (word == "--only")
      o.only = value();
    else
      return false;
    return true;
  });
  return o;
}

}  // namespace

int main(int count, char** words) {
  try {
    const options how = read_options(count, words);
    program_list list;
    for (const lister l : listers()) l(list);
    score s;
    for (const listed_program& p : list.all) {
      if (!how.only.empty() && how.only != p.name) continue;
      judge(p, s);
      run(p, how, s);
      std::fflush(stdout);
    }
    std::printf(
        "%d programs, %d legal, %d accepted; %d legal ones refused, %d illegal ones accepted; %d need more stages "
        "than they have, %d were expected to and do not\n",
        s.programs, s.legal, s.accepted, s.false_refusals, s.false_acceptances, s.protocol, s.spared);
    if (s.runs) std::printf("%d runs on the model, %d compared exactly, %d wrong\n", s.runs, s.exact, s.wrong);
    return s.programs == 0 || s.false_refusals || s.false_acceptances || s.wrong ? 1 : 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "programs: %s\n", e.what());
    return 1;
  }
}
