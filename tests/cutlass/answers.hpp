// What the two algebras answer, and a judgement by the definitions, element by element, where that differs. Knows
// nothing of CuTe's types, so that a test can give it answers.
#pragma once

#include <algorithm>
#include <map>
#include <regex>
#include <sectile/layouts.hpp>
#include <sectile/layouts/text.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace witness {

using namespace sectile;

/// What one of the two says: a layout or a refusal.
struct answer {
  bool refused = false;
  swizzled_layout value{};
  std::string words{};
  std::string why{};  // it is refused
};

/// A refusal without its layouts and numbers: the reason that many have in common.
inline std::string reason_of(const std::string& refusal) {
  static const std::regex layouts("Sw<[^>]*>|[(]*-?[0-9][0-9(),:-]*");
  return std::regex_replace(refusal, layouts, "#");
}

/// Ours, at run time, so that a refusal is an answer.
template <class Call>
answer ours(Call call) {
  try {
    const auto value = call();
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, layout>)
      return {false, {swizzle{0, 4, 3}, 0, value}, to_string(value)};
    else
      return {false, value, to_string(value)};
  } catch (const layout_error& why) {
    return {true, {}, why.what(), why.what()};
  }
}

/// An expression that only one side can express.
struct one_sided {
  std::string operation, refused_by, why;

  auto operator<=>(const one_sided&) const = default;
};

/// The counts of every operation, and an example of each sort of difference.
struct record {
  std::map<std::string, std::map<std::string, int>> counts;
  std::map<std::string, std::vector<std::string>> examples;
  std::map<one_sided, std::vector<std::string>> alone;  // the questions
  int wrong = 0;

  void take(const std::string& operation, const std::string& sort, const std::string& example = {}) {
    ++counts[operation][sort];
    std::vector<std::string>& shown = examples[operation + ": " + sort];
    if (sort != "the same" && !example.empty() && shown.size() < 3) shown.push_back(example);
  }

  /// All that was taken, as text.
  std::string text() const {
    std::string says;
    int asked = 0, one_side = 0;
    for (const auto& [operation, sorts] : counts) {
      says += operation + "\n";
      for (const auto& [sort, count] : sorts) {
        asked += count;
        std::string number = std::to_string(count);
        says += std::string(8 - std::min<std::size_t>(number.size(), 8), ' ') + number + " " + sort + "\n";
        for (const std::string& example : examples.at(operation + ": " + sort)) says += "    " + example + "\n";
      }
    }
    for (const auto& [what, questions] : alone) one_side += static_cast<int>(questions.size());
    says += std::to_string(one_side) + " of them only one side can express:\n";
    for (const auto& [what, questions] : alone) {
      says += "  " + what.operation + ", " + std::to_string(questions.size()) + " times: " + what.refused_by +
              " refuses: " + what.why + "\n";
      for (const std::string& question : questions) says += "    " + question + "\n";
    }
    return says + std::to_string(asked) + " questions, wrong here " + std::to_string(wrong) + " times\n";
  }
};
inline record all;

/// Compares two answers to a question; law(value) is whether a value is right by the definition of the operation.
template <class Law>
void compare_answers(const std::string& operation, const std::string& question, const answer& a, const answer& b,
                     Law law) {
  const auto lawful = [&](const answer& x) {
    try {
      return law(x.value);
    } catch (const layout_error&) {
      return false;
    }
  };
  const std::string text =
      question + "\n      here: " + a.words + "\n      CuTe: " + (b.refused ? "(" + b.why + ") " : "") + b.words;
  if (!a.refused && !lawful(a)) {
    ++all.wrong;
    return all.take(operation, "WRONG HERE", text);
  }
  if (a.refused && b.refused) return all.take(operation, "both refuse");
  if (a.refused && !lawful(b)) return all.take(operation, "refused here, CuTe is wrong", text);
  if (a.refused || b.refused)
    all.alone[{operation, a.refused ? "layouts/" : "CuTe", reason_of(a.refused ? a.why : b.why)}].push_back(question);
  if (a.refused) return all.take(operation, "refused here, and CuTe is right", text);
  if (b.refused) return all.take(operation, "CuTe refuses, right here", text);
  if (a.value == b.value) return all.take(operation, "the same");
  if (!lawful(b)) return all.take(operation, "CuTe is wrong, right here", text);
  const bool alike = size(a.value) == size(b.value) && same_function(a.value, b.value);
  all.take(operation, alike ? "one function, in other modes" : "both right, other functions", text);
}

/// Two numbers.
inline void compare_numbers(const std::string& operation, const std::string& question, std::int64_t a, std::int64_t b,
                            bool right) {
  const std::string text = question + "\n      here: " + std::to_string(a) + "\n      CuTe: " + std::to_string(b);
  if (a == b) return all.take(operation, "the same");
  if (!right) ++all.wrong;
  all.take(operation, right ? "other numbers, right here" : "WRONG HERE", text);
}

}  // namespace witness
