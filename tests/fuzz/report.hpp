#pragma once
// What a run found: how often each operation was accepted and refused and why a refusal is right, and every law that
// broke.

#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

namespace sectile_fuzz {

/// A law that does not hold; what() names it and the operands.
struct finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Why a refusal is justified.
enum class grounds {
  impossible,  // brute force: no layout does what is promised
  rule,        // a precondition that the documentation states is broken, by brute force
  cancelling,  // composition: one exists only because carries cancel, as documented
  overflow,    // the exact numbers do not fit 64 bits
  cautious,    // some number on the way does not fit 64 bits, though the result would
  capacity,    // more than 24 leaves or 100 levels
  unsearched,  // too large to search
};

inline const char* name_of(grounds why) {
  constexpr const char* names[] = {"impossible", "rule",     "cancelling", "overflow",
                                   "cautious",   "capacity", "unsearched"};
  return names[static_cast<int>(why)];
}

struct tally {
  std::int64_t accepted = 0;
  std::map<grounds, std::int64_t> refused;
};

struct report {
  std::map<std::string, tally> operations;
  std::map<std::string, std::int64_t> notes;
  std::int64_t findings = 0;

  void accept(const std::string& operation) { ++operations[operation].accepted; }
  void refuse(const std::string& operation, grounds why) { ++operations[operation].refused[why]; }

  /// Something that is worth counting and no fault.
  void note(const std::string& what) { ++notes[what]; }

  void found(std::int64_t number, const std::string& what) {
    if (++findings <= 20) std::printf("FINDING in case %lld: %s\n", static_cast<long long>(number), what.c_str());
  }

  void print() const {
    for (const auto& [name, t] : operations) {
      std::int64_t refused = 0;
      std::string reasons;
      for (const auto& [why, count] : t.refused) {
        refused += count;
        reasons += std::string(" ") + name_of(why) + " " + std::to_string(count);
      }
      const double share = 100.0 * static_cast<double>(refused) / static_cast<double>(refused + t.accepted);
      std::printf("  %-24s %10lld done, %9lld refused (%4.1f %%)%s\n", name.c_str(), static_cast<long long>(t.accepted),
                  static_cast<long long>(refused), share, reasons.c_str());
    }
    for (const auto& [what, count] : notes)
      std::printf("  note: %s: %lld\n", what.c_str(), static_cast<long long>(count));
  }
};

}  // namespace sectile_fuzz
