// Tickets from a counter that may hold anything (plan/ticket_counters.hpp): whatever the order in which the steps of
// all who use it come, each gets a number of its own, and a launch that is replayed finds it as a new one does.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <sectile/dsl/plan/ticket_counters.hpp>

#include "tests/exhaustively.hpp"

namespace {

using word = std::uint64_t;
constexpr int most_agents = sectile::test::exhaustively ? 4 : 3;
constexpr word token = 0x1234'5678'9ABC'DEF0, next_token = token + (1ull << sectile::token_step_bits);

/// What may be wrong with the machine, or with who uses it.
enum class mistake { none, replaces_anything, adds_in_two_steps, opens_late };

/// A step that somebody does at once.
struct step {
  enum { add, replace, load, set } what;
  word old = 0, by = 0;

  auto operator<=>(const step&) const = default;
  word on(word& at, mistake made) const {
    const word before = at;
    if (what == add) at += 1;
    if (what == replace && (before == old || made == mistake::replaces_anything)) at = by;
    if (what == set) at = by;
    return before;
  }
};

/// Somebody, as far as he has come: what his steps have told him, and the next one. Who is done keeps nothing but how
/// many tickets were taken before his.
constexpr int not_done = -2, takes_none = -1;
struct agent {
  bool opens = false;
  int answer = not_done;
  std::vector<word> told{};
  step next{};

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

/// He does the same again up to where he was, and asks for his next step.
void go_on(agent& who, int tickets, mistake made) {
  std::size_t done = 0;
  const word_of_agent counter{&who, &done, made};
  try {
    int answer = takes_none;
    if (!who.opens)
      answer = sectile::take_ticket_of(counter, token, tickets);
    else if (made == mistake::opens_late)
      counter.set(token);
    else
      sectile::open_counter(counter, token);
    who = {who.opens, answer};
  } catch (const step& next) {
    who.next = next;
  }
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

  void go(state now) {
    std::sort(now.agents.begin(), now.agents.end());  // who does the same is the same
    if (!right || !seen.insert(now).second) return;
    std::set<int> answers;
    bool all_done = true;
    for (const agent& a : now.agents) {
      all_done = all_done && a.answer != not_done;
      if (a.answer >= 0) right = answers.insert(a.answer).second && right;
    }
    const int done = static_cast<int>(answers.size());
    right = right && (answers.empty() || (*answers.begin() == 0 && *answers.rbegin() == done - 1));
    if (all_done) right = right && done == takers, after.insert(now.counter);
    for (std::size_t i = 0; i < now.agents.size(); ++i) {
      const step s = now.agents[i].next;
      if (now.agents[i].answer != not_done) continue;
      if (s.what == step::set && s.by == token && made == mistake::none) right = right && done == tickets - 1;
      state then = now;
      then.agents[i].told.push_back(s.on(then.counter, made));
      go_on(then.agents[i], tickets, made);
      go(std::move(then));
    }
  }
};

/// The words that a counter is left with, behind `takers` parts of `tickets` and some who open it, from `left` on; none
/// if some order is not right.
std::optional<std::set<word>> count(word left, int takers, int tickets, int openers, mistake made = mistake::none) {
  state begin{left, std::vector<agent>(static_cast<std::size_t>(takers + openers))};
  for (int i = 0; i < openers; ++i) begin.agents[static_cast<std::size_t>(i)].opens = true;
  for (agent& a : begin.agents) go_on(a, tickets, made);
  every_order all{takers, tickets, made};
  all.go(begin);
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
        if (tickets + openers > most_agents) continue;
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
    CHECK(count(next_token + taken, 3, 3, most_agents - 3) == std::optional(std::set<word>{token}));
}

TEST_CASE("steps that are no single ones are found, and so is a word that looks as if tickets were taken") {
  CHECK(!count(0, 2, 2, 0, mistake::adds_in_two_steps));
  CHECK(!count(0, 2, 2, 0, mistake::replaces_anything));
  CHECK(!count(0, 2, 2, 1, mistake::opens_late));
  CHECK(!count(token + 1, 2, 2, 0));
}

}  // namespace
