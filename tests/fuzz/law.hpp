#pragma once
// What every law needs: the state of a case, a way to fail with the operands in the text, and a way to attempt an
// operation whose refusal must be justified.

#include <optional>
#include <sectile/layouts/layouts.hpp>
#include <sectile/layouts/text.hpp>
#include <string>
#include <string_view>

#include "brute_force.hpp"
#include "random.hpp"
#include "report.hpp"

namespace sectile_fuzz {

using sectile::to_string;

/// One case: its random numbers and where its results are counted.
struct case_state {
  random_source random;
  report& out;
};

inline std::string to_text(const char* text) { return text; }
inline std::string to_text(const std::string& text) { return text; }
template <class T>
std::string to_text(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return to_string(value);
  }
}
inline std::string to_text(wide value) {
  return fits_64(value) ? std::to_string(static_cast<std::int64_t>(value)) : "(over 64 bits)";
}

/// Fails unless ok; the operands are joined by "; ".
template <class... Operand>
void require(bool ok, const char* law, const Operand&... operands) {
  if (ok) return;
  std::string why = law;
  ((why += "; " + to_text(operands)), ...);
  throw finding(why);
}

/// Most coordinates that are looked at one by one, and the largest table that a law makes.
constexpr std::int64_t most_samples = 256;
constexpr std::int64_t largest_table = 4096;

inline bool is_small(const layout& l) { return size_of(l) <= largest_table; }

/// Calls visit(i) for 0 <= i < n: for all of them, or the ends, the middle and some others.
template <class Visit>
void for_indices(random_source& random, wide n, Visit visit) {
  if (n <= most_samples) {
    for (wide i = 0; i < n; ++i) visit(i);
    return;
  }
  for (const wide i : {wide{0}, wide{1}, wide{2}, n / 2, n - 2, n - 1}) visit(i);
  for (int k = 0; k < 32; ++k) visit(static_cast<wide>(random.next() >> random.below(64)) % n);
}

/// Whether the text of a refusal has these words.
inline bool says(std::string_view why, std::string_view words) { return why.find(words) != std::string_view::npos; }

/// The grounds that the text of a refusal itself gives, if it does: the limits of leaves, levels and 64 bits.
inline std::optional<grounds> limit_of(std::string_view why) {
  if (says(why, "at most 24 leaves") || says(why, "at most 100 deep")) return grounds::capacity;
  if (says(why, "fit 64 bits") || says(why, "than 64 bits")) return grounds::cautious;
  return std::nullopt;
}

/// The value of call(). If it is refused: nothing, and justify(text) says on which grounds, or fails.
template <class Call, class Justify>
auto attempt(case_state& state, const char* operation, Call call, Justify justify) -> std::optional<decltype(call())> {
  try {
    std::optional<decltype(call())> value = call();
    state.out.accept(operation);
    return value;
  } catch (const sectile::layout_error& error) {
    const std::string_view why = error.what();
    require(why.size() > 20 && why.size() < 2047, "a refusal is a whole sentence", operation, error.what());
    const std::optional<grounds> limit = limit_of(why);
    state.out.refuse(operation, limit ? justify(why, *limit) : justify(why, grounds::rule));
    return std::nullopt;
  }
}

/// The value of call(), which may not be refused.
template <class Call>
auto never_refused(case_state& state, const char* operation, Call call) {
  try {
    auto value = call();
    state.out.accept(operation);
    return value;
  } catch (const sectile::layout_error& error) {
    throw finding(std::string(operation) + " is never refused, but here: " + error.what());
  }
}

/// For attempt(): the limits are accepted as they are, anything else has to be explained by `explain`.
template <class Explain>
auto unless_limit(Explain explain) {
  return [explain](std::string_view why, grounds limit) { return limit == grounds::rule ? explain(why) : limit; };
}

}  // namespace sectile_fuzz
