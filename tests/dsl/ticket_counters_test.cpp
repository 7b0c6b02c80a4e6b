// Tickets from a counter that may hold anything (plan/ticket_counters.hpp): whatever the order in which the steps of
// all who use it come, each gets a number of its own, and a launch that is replayed finds it as a new one does.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <sectile/dsl/plan/ticket_counters.hpp>

namespace {

using word = std::uint64_t;
constexpr word token = 0x1234'5678'9ABC'DEF0, next_token = token + (1ull << sectile::token_step_bits);

/// What may be wrong with the machine, or with who uses it.
enum class mistake { none, replaces_anything, adds_in_two_steps, opens_late };

/// A step that somebody does at once.
struct step {
  enum { add, replace, load, set } what;
  word old = 0, by = 0;

  word on(word& at, mistake made) const {
    const word before = at;
    if (what == add) at += 1;
    if (what == replace && (before == old || made == mistake::replaces_anything)) at = by;
    if (what == set) at = by;
    return before;
  }
};

/// Somebody, as far as he has come: what his steps have told him. He does the same again up to there, and then asks for
/// the next one.
struct agent {
  bool opens = false;
  std::vector<word> told{};

  auto operator<=>(const agent&) const = default;
};
struct word_of_agent {
  const agent* who;
  std::size_t* done;
  mistake made;

  word ask(step next) const {
    if (*done == who->told.size()) throw next;
    return who->told[(*done)++];
  }
  word add_one() const {
    if (made != mistake::adds_in_two_steps) return ask({step::add});
    const word before = load();
    set(before + 1);
    return before;
  }
  word replace(word old, word by) const { return ask({step::replace, old, by}); }
  word load() const { return ask({step::load}); }
  void set(word x) const { ask({step::set, 0, x}); }
};

/// How many tickets were taken before this one; -1: he takes none. Throws the next step, if he is not done.
int answer_of(const agent& who, int tickets, mistake made) {
  std::size_t done = 0;
  const word_of_agent counter{&who, &done, made};
  if (!who.opens) return sectile::take_ticket_of(counter, token, tickets);
  if (made == mistake::opens_late)
    counter.set(token);
  else
    sectile::open_counter(counter, token);
  return -1;
}

struct state {
  word counter = 0;
  std::vector<agent> agents{};

  auto operator<=>(const state&) const = default;
};
/// All ways in which agents, of which `takers` take one of `tickets`, can come to their end.
struct every_order {
  int takers, tickets;
  mistake made;
  bool right = true;       // tickets are numbered from 0, and none is taken behind the last one
  std::set<word> after{};  // what the counter is left with
  std::set<state> seen{};

  void go(const state& now) {
    if (!seen.insert(now).second) return;
    std::set<int> answers;
    std::vector<std::pair<std::size_t, step>> next;
    for (std::size_t i = 0; i < now.agents.size(); ++i) {
      try {
        answers.insert(answer_of(now.agents[i], tickets, made));
      } catch (const step& s) {
        next.emplace_back(i, s);
      }
    }
    answers.erase(-1);
    const int done = static_cast<int>(answers.size());
    right = right && (answers.empty() || (*answers.begin() == 0 && *answers.rbegin() == done - 1));
    if (next.empty()) right = right && done == takers, after.insert(now.counter);
    for (const auto& [i, s] : next) {
      if (s.what == step::set && s.by == token && made == mistake::none) right = right && done == tickets - 1;
      state then = now;
      then.agents[i].told.push_back(s.on(then.counter, made));
      go(then);
    }
  }
};

/// The words that a counter is left with, behind `takers` parts of `tickets` and some who open it, from `left` on; none
/// if some order is not right.
std::optional<std::set<word>> count(word left, int takers, int tickets, int openers, mistake made = mistake::none) {
  state begin{left, std::vector<agent>(static_cast<std::size_t>(takers + openers))};
  for (int i = 0; i < openers; ++i) begin.agents[static_cast<std::size_t>(i)].opens = true;
  every_order all{takers, tickets, made};
  all.go(begin);
  REQUIRE(!all.after.empty());
  return all.right ? std::optional(all.after) : std::nullopt;
}

std::vector<word> words_left(int tickets) {
  const auto all = static_cast<word>(tickets);
  return {0,
          ~word{0},
          token,
          token - 1,
          token - 2,
          token - all,
          token + all,
          token + all + 1,
          next_token,
          next_token + all - 1,
          token - (1ull << sectile::token_step_bits) + 1};
}

TEST_CASE("whatever a counter holds, tickets are numbered from 0, and the launch's token is left") {
  for (const int tickets : {1, 2, 3})
    for (const int openers : {0, 1, 2})
      for (const word left : words_left(tickets)) {
        if (tickets == 3 && openers == 2) continue;  // four agents are enough
        CAPTURE(tickets);
        CAPTURE(openers);
        CAPTURE(left - token);
        CHECK(count(left, tickets, tickets, openers) == std::optional(std::set<word>{token}));
      }
}

TEST_CASE("who waits for all others finds a word that says so, and no other") {
  for (const word left : words_left(3)) CHECK(count(left, 2, 3, 1) == std::optional(std::set<word>{token + 2}));
}

TEST_CASE("what a launch has left that was broken off is nobody else's") {
  for (word taken = 0; taken < 3; ++taken)
    CHECK(count(next_token + taken, 3, 3, 1) == std::optional(std::set<word>{token}));
}

TEST_CASE("steps that are no single ones are found, and so is a word that looks as if tickets were taken") {
  CHECK(!count(0, 2, 2, 0, mistake::adds_in_two_steps));
  CHECK(!count(0, 2, 2, 0, mistake::replaces_anything));
  CHECK(!count(0, 2, 2, 1, mistake::opens_late));
  CHECK(!count(token + 1, 2, 2, 0));
}

}  // namespace
