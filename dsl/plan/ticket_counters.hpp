// Counters of tickets in memory that may hold anything: what a launch has left, or one that was broken off, or what
// somebody else has written. Nobody clears them ahead of a launch.
//
// A launch has a token of its own, a number of 64 bits. Behind n tickets, of `tickets`, a counter holds token + n. Any
// other word is foreign. Who takes a ticket adds 1. If the word was this launch's, that was it; if it was foreign the
// ticket does not count: then he puts the token in place of what is there, until he or somebody has, and adds again.
//
// Whatever the order, the n-th addition that counts finds token + n, and each part makes one:
// - A foreign word becomes the launch's own only by being the token, by which nobody is counted yet: somebody puts it
//   there for a word that has not changed since he found it foreign, or additions that do not count lead up to it.
// - A word of the launch's own changes by additions that count, and becomes foreign by the last one alone, when nobody
//   is left to add. Who has made that one leaves the token, and so a launch that is replayed with it finds it there.
// - Each part finds the word foreign once at most, so nobody tries to replace it more often than there are parts.
//
// A word that was in memory before and lies in token + 1 .. token + tickets - 1 would be taken for a counter of this
// launch. Tokens are random, so that of a word of 64 bits that is (tickets - 1) / 2^64; and those of the launches of a
// process are further apart than tickets can be, so what a launch has left is never taken for another's.
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
