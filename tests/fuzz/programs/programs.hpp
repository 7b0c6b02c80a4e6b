// What a file of generated programs hands over: for each program what the oracle says, what the proofs say, and how to
// run it. SECTILE_FUZZ_LEVEL says how much of that is compiled: 0 the plan (built at run time: some 40 ms of compiler
// per program), 1 all proofs (in constant evaluation, as everywhere else), 2 also a run on the model.
#pragma once
#include <cstdint>
#include <sectile/dsl.hpp>
#include <string>
#include <vector>

#ifndef SECTILE_FUZZ_LEVEL
#define SECTILE_FUZZ_LEVEL 2
#endif
#if SECTILE_FUZZ_LEVEL >= 2
#include "tests/fuzz/programs/trial.hpp"
#endif

namespace sectile::naive {

/// One run: its sizes, and what was wrong with it; nothing if it was right.
struct outcome {
  std::string shape, wrong;
  bool exact = true;
};

struct listed_program {
  const char* name = "";
  const char* illegal = nullptr;                 // why the oracle refuses it; nullptr: it is legal
  const char* blocks = nullptr;                  // whose stages the oracle finds too few for it; nullptr: they suffice
  plan (*planned)() = nullptr;                   // level 0
  violation declared{};                          // what its operands and its configuration alone are refused for
  violation verdict{};                           // level 1 and above
  outcome (*run)(std::uint64_t seed) = nullptr;  // level 2, of verified programs
};

struct program_list {
  std::vector<listed_program> all;

  template <class K>
  void add(const char* name, const char* illegal, const char* blocks = nullptr) {
    listed_program p{name, illegal, blocks};
    p.declared = check_operands(operand_table_of<K>(), configuration_of<K>);
#if SECTILE_FUZZ_LEVEL == 0
    p.planned = &build_plan<K>;
#else
    p.verdict = verdict_of<K>;
#endif
#if SECTILE_FUZZ_LEVEL >= 2
    if constexpr (verdict_of<K>.holds())
      p.run = [](std::uint64_t seed) {
        const trial t = try_program<K>(seed);
        return outcome{t.shape, t.wrong, t.exact};
      };
#endif
    all.push_back(p);
  }
};

/// Every file of programs announces a function that lists them.
using lister = void (*)(program_list&);
inline std::vector<lister>& listers() {
  static std::vector<lister> all;
  return all;
}
inline bool announce(lister l) {
  listers().push_back(l);
  return true;
}

}  // namespace sectile::naive
