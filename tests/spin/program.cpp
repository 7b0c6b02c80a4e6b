// SPIN as a witness of the protocol's proof:
//
//   spin_witness SPIN COMPILER FOLDER kernels [KERNEL...] [--seconds N] [--megabytes N]
//   spin_witness SPIN COMPILER FOLDER growth [KERNEL...] [--seconds N] [--megabytes N]
//   spin_witness SPIN COMPILER FOLDER faults [EVERY [PART]]        PART of 1 to EVERY, which are all mistakes together
//   spin_witness SPIN COMPILER FOLDER sample
//
// COMPILER is a C compiler; tcc is quickest, as most questions are about few states. Prints a table in Markdown, and
// each disagreement with the order that shows it. Exit status: 0 they agree; 1 they do not; 2 bad arguments; 77 there
// is no SPIN.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "tests/spin/faults.hpp"
#include "tests/spin/kernels.hpp"
#include "tool/input_error.hpp"

namespace {

using namespace sectile::witness;

std::string verdict_text(const std::string& wrong) { return wrong.empty() ? "right" : wrong; }

/// One line of the table for all problems of a kernel, and below it the order in which one goes wrong.
bool show(const std::vector<witnessed_kernel>& problems) {
  const auto largest = std::ranges::max_element(problems, {}, [](const auto& w) { return w.spin.states; });
  std::uint64_t states = 0;
  double seconds = 0;
  std::string spin, too_large;
  bool agree = true;
  for (const witnessed_kernel& w : problems) {
    states += w.spin.states;
    seconds += w.as.empty() ? w.spin.seconds : 0;
    if (spin.empty()) spin = w.spin.whole ? w.spin.wrong : too_many_states(w.spin);
    if (!w.left.empty()) too_large = "; " + w.left;
    agree = agree && w.spin.whole && w.spin.wrong.empty() == w.proof.empty();
  }
  const std::string as = largest->as.empty() ? "" : fmt::format(", as {}", largest->as);
  fmt::print("| {} | {}{} | {} | {} | {:.1f} | {}{} | {} |\n", largest->kernel, problems.size(), as, largest->problem,
             states, seconds, verdict_text(spin), too_large, verdict_text(largest->proof));
  for (const witnessed_kernel& w : problems)
    for (const std::string& step : w.spin.order) fmt::print("    {}: {}\n", w.problem, step);
  std::fflush(stdout);
  return agree;
}

bool witness_kernels(const std::vector<std::string>& kernels, const spin_tools& tools, const spin_bounds& bounds) {
  bool agree = true;
  fmt::print(
      "| kernel | problems | the largest | states of all | seconds | SPIN | proof 5 |\n"
      "| --- | --- | --- | ---: | ---: | --- | --- |\n");
  for (const std::string& kernel : kernels) agree = show(witness_kernel(kernel, tools, bounds)) && agree;
  return agree;
}

/// How many states more a trip has: what a problem that SPIN does not hold would have follows from it.
bool witness_growth(const std::vector<std::string>& kernels, const spin_tools& tools, const spin_bounds& bounds) {
  bool even = true;
  for (const std::string& kernel : kernels) {
    const state_growth g = growth_of(kernel, tools, bounds);
    const bool same = g.whole && std::ranges::all_of(g.more, [&](std::uint64_t n) { return n == g.more[0]; });
    fmt::print("{}: {} states with {}, and {} more for each further trip{}\n", kernel, g.states, g.problem,
               fmt::join(g.more, ", "),
               same      ? ""
               : g.whole ? ": NOT THE SAME"
                         : ": NOT ALL, OR SOMETHING IS WRONG");
    even = even && same;
  }
  return even;
}

bool show(const witnessed_faults& f) {
  int stricter = 0;
  for (const auto& [sentence, times] : f.stricter) stricter += times;
  fmt::print("| {} | {} | {} | {} | {} | {} |\n", f.what, f.faults, f.both_refuse, f.both_accept, stricter, f.states);
  for (const std::string& d : f.disagreements) fmt::print("  {}: {}\n", f.what, d);
  std::fflush(stdout);
  return f.disagreements.empty();
}

bool witness_all_faults(int every, int part, const spin_tools& tools) {
  bool agree = true;
  int refused = 0, accepted = 0;
  std::map<std::string, int> found, stricter;
  fmt::print(
      "| roles of | logs | refused by both | accepted by both | by the proof alone | states |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n");
  witness_faults(every, part, tools, [&](const witnessed_faults& f) {
    agree = show(f) && agree;
    refused += f.both_refuse;
    accepted += f.both_accept;
    for (const auto& [what, times] : f.found) found[what] += times;
    for (const auto& [what, times] : f.stricter) stricter[what] += times;
  });
  fmt::print("\nSPIN finds:\n");
  for (const auto& [what, times] : found) fmt::print("{:6} {}\n", times, what);
  fmt::print("The proof alone:\n");
  for (const auto& [what, times] : stricter) fmt::print("{:6} {}\n", times, what);
  return agree && refused > 0 && accepted > 0;
}

int number(const std::string& word) {
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc{} || end != word.data() + word.size() || n < 1)
    throw sectile::tool::input_error(fmt::format("'{}' is not a whole number from 1", word));
  return n;
}

/// Options behind the kernels' names, and what is left.
std::vector<std::string> take_bounds(std::vector<std::string> words, spin_bounds& bounds) {
  std::vector<std::string> left;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--seconds" && i + 1 < words.size())
      bounds.seconds = number(words[++i]);
    else if (words[i] == "--megabytes" && i + 1 < words.size())
      bounds.megabytes = number(words[++i]);
    else
      left.push_back(words[i]);
  return left;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 4)
    throw sectile::tool::input_error("what to do? SPIN COMPILER FOLDER and kernels, growth, faults or sample");
  const spin_tools tools{words[0], words[1], words[2]};
  if (!has_spin(tools)) {
    fmt::print("skipped: there is no SPIN (Debian: spin)\n");
    return 77;
  }
  const std::vector<std::string> rest(words.begin() + 4, words.end());
  bool agree = true;
  if (words[3] == "kernels") {
    spin_bounds bounds{.optimised = true, .megabytes = 4000, .seconds = 120};
    const std::vector<std::string> named = take_bounds(rest, bounds);
    agree = witness_kernels(named.empty() ? kernels_with_roles() : named, tools, bounds);
  } else if (words[3] == "growth") {
    spin_bounds bounds{.optimised = true, .megabytes = 4000, .seconds = 120};
    const std::vector<std::string> named = take_bounds(rest, bounds);
    agree = witness_growth(named.empty() ? kernels_with_roles() : named, tools, bounds);
  } else if (words[3] == "faults") {
    const int every = rest.empty() ? 1 : number(rest[0]), part = rest.size() < 2 ? 1 : number(rest[1]);
    if (part > every)
      throw sectile::tool::input_error(fmt::format("there is no part {} of {}", part, every));
    agree = witness_all_faults(every, part - 1, tools);
  } else if (words[3] == "sample") {
    constexpr int few = 11999;
    agree = witness_kernels({"attention_d64", "streamed_two_sums"}, tools, {});
    agree = witness_growth({"attention_d64", "streamed_two_sums"}, tools, {}) && agree;
    agree = witness_all_faults(few, 0, tools) && agree;
  } else {
    throw sectile::tool::input_error(fmt::format("'{}' is none of kernels, growth, faults and sample", words[3]));
  }
  fmt::print("\n{}\n", agree ? "SPIN and the proof agree." : "SPIN AND THE PROOF DISAGREE.");
  return agree ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const sectile::tool::input_error& error) {
    fmt::print(stderr, "spin_witness: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "spin_witness: {}\n", error.what());
    return 1;
  }
}
