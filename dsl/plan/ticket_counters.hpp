// Counters of tickets in memory that may hold anything, which nobody clears ahead of a launch.
//
// A launch has a token of its own, a number of 64 bits. Behind n tickets, of `tickets`, a counter holds token + n. Any
// other word is foreign. Who takes a ticket adds 1. If the word was this launch's, that was it; if it was foreign the
// ticket does not count: then he puts the token in place of what is there, until he or somebody has, and adds again.
// Why that counts right in every order, and what is left to chance: docs/design/splits.md.
#pragma once
#include <cstdint>

namespace sectile {

/// The counters of a launch.
struct ticket_counters {
  std::uint64_t* first = nullptr;
  std::uint64_t token = 0;

  friend constexpr bool operator==(const ticket_counters&, const ticket_counters&) = default;
};

constexpr int token_step_bits = 32;  // tokens of a process are 2^32 apart, and tickets fewer than 2^31

/// How many of `tickets` were taken from a counter before the one of who has found this when he added 1. A Word does at
/// once, whoever else does something: add_one() and replace(old, by), which return what was there, load() and set(x).
template <class Word>
constexpr int number_of_ticket(const Word& counter, std::uint64_t found, std::uint64_t token, int tickets) {
  const auto all = static_cast<std::uint64_t>(tickets);
  if (found - token >= all) {
    while ((found = counter.load()) - token >= all && counter.replace(found, token) != found) {
    }
    found = counter.add_one();
  }
  if (found - token == all - 1) counter.set(token);
  return static_cast<int>(found - token);
}

/// Takes one of them; returns how many were taken before.
template <class Word>
constexpr int take_ticket_of(const Word& counter, std::uint64_t token, int tickets) {
  return number_of_ticket(counter, counter.add_one(), token, tickets);
}

/// Puts the token there ahead of all tickets, if a word is foreign at first sight: so that hardly anybody adds twice.
/// It may come early, late, or never. Words up to token + 2^31 are left to who takes a ticket.
template <class Word>
constexpr void open_counter(const Word& counter, std::uint64_t token) {
  const std::uint64_t found = counter.load();
  if ((found - token) >> (token_step_bits - 1) != 0) counter.replace(found, token);
}

}  // namespace sectile
