// Random texts in and around the expression language: every one has a value or a problem with a place, soon, and a
// value that is printed reads back as itself. Soon is within some seconds of this program's own time on the processor,
// so that a busy machine breaks no law.
//
//   fuzz_expressions [texts = 20000] [seed = 1] [first = 0]
//
// Half of the texts are expressions as the grammar has them, half have some characters changed. Exits with 1 if a law
// broke; a text is named by its number.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sectile/layouts/expression.hpp>
#include <string>

#include "random.hpp"

namespace sectile_fuzz {
namespace {

using namespace sectile;

std::string leaf(random_source& random) {
  return random.one_of<const char*>({"(4,8):(8,1)",
                                     "Sw<3,4,3> o 16 o (8,64):(64,1)",
                                     "((2,2),3):((24,2),8)",
                                     "<4:2,_,<8:1>>",
                                     "(1,2)",
                                     "_",
                                     "5",
                                     "-3",
                                     "0",
                                     "tile(bf16, 64, 64, k, b128)",
                                     "9223372036854775807",
                                     "-9223372036854775807",
                                     "0xffffffffffffffff",
                                     "Sw<2,0,-2>",
                                     "4611686018427387904:2",
                                     "7:9223372036854775807",
                                     "4:-1",
                                     "(1000000000,1000000000):(1,2)",
                                     "()",
                                     "(2,_)",
                                     "k",
                                     "mn",
                                     "b128",
                                     "none",
                                     "f16",
                                     "(4,8)",
                                     "A",
                                     "3",
                                     "2",
                                     "(4294967296,4294967296):(1,4294967295)",
                                     "(2,2,2,2,2,2,2,2,2,2,2,2,2,2):(1,3,5,7,9,11,13,15,17,19,21,23,25,27)",
                                     "(8,4):(1@0,1@1)",
                                     "(0,7) o ((8,4),3):((1@1,-2@0+3@2),4611686018427387904@1)",
                                     "gmem_ptr[16b](0x400) o (8,4)",
                                     "0x4000004000010200"});
}

std::string expression(random_source& random, int depth) {
  if (depth == 0 || random.once_in(4)) return leaf(random);
  const auto part = [&] { return expression(random, depth - 1); };
  const std::int64_t kind = random.below(8);
  if (kind < 4) {
    const auto& all = expressions::functions();
    const expressions::function& f = all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())))];
    const int most = f.most < f.fewest + 3 ? f.most : f.fewest + 3;
    std::string text = std::string(f.name) + "(";
    for (std::int64_t i = random.between(f.fewest, most); i > 0; --i) text += part() + (i > 1 ? ", " : "");
    return text + ")";
  }
  if (kind == 4) return part() + " o " + part();
  if (kind == 5) {
    const std::string sign =
        random.one_of<const char*>({"+", "-", "*", "/", "%", "<<", ">>", "^", "&", "|", "==", "!=", ":"});
    return part() + sign + part();
  }
  if (kind == 6) return "(" + part() + "," + part() + ")";
  return part() + "(" + part() + ")";
}

/// Some characters removed, put in or changed.
std::string damaged(random_source& random, std::string text) {
  const std::string characters = "()<>,:;_ow-+*/%^&|=!0123456789xabkSlet@[]p \t\n\x80\xE2\x88\x98";
  for (std::int64_t k = random.between(1, 4); k > 0 && !text.empty(); --k) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(text.size())));
    const char c = characters[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(characters.size())))];
    const std::int64_t how = random.below(3);
    if (how == 0) text.erase(at, static_cast<std::size_t>(random.between(1, 3)));
    if (how == 1) text.insert(at, 1, c);
    if (how == 2) text[at] = random.once_in(8) ? static_cast<char>(random.below(256)) : c;
  }
  return text;
}

/// The law that a text breaks, "" if none.
std::string broken_law(const std::string& text) {
  const evaluated e = evaluate(text);
  if (e.position < 0 || static_cast<std::size_t>(e.position) > text.size()) return "the place is in the text";
  if (to_string(e).empty()) return "there is something to say";
  if (!e) return explained(text, e).find(e.problem) == std::string::npos ? "the explanation holds the problem" : "";
  if (std::holds_alternative<matrix_descriptor>(e.result)) return "";
  // Coordinates are not read back where parts of dimensions are counted, nor where no step says that they are some.
  const auto* coordinates = std::get_if<coordinate_layout>(&e.result);
  if (coordinates != nullptr && (depth(coordinates->space) != 1 || to_string(e).find('@') == std::string::npos))
    return "";
  const evaluated again = evaluate(to_string(e));
  const bool too_deep = again.problem.find("nested more than") != std::string::npos;
  return too_deep || (again && to_string(again) == to_string(e)) ? ""
                                                                 : "a value reads back as itself: " + to_string(again);
}

/// Most texts take microseconds; the slowest that are allowed by the bounds of layouts/ some milliseconds.
constexpr double most_seconds = 5;

/// Seconds that this program has spent on the processor.
double seconds_spent() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int run(std::int64_t count, std::uint64_t seed, std::int64_t first) {
  std::int64_t findings = 0, values = 0;
  double longest = 0;
  for (std::int64_t number = first; number < first + count; ++number) {
    random_source random(seed, static_cast<std::uint64_t>(number));
    std::string text = expression(random, 3);
    if (random.once_in(3)) text = "let A = " + leaf(random) + "; " + text;
    if (random.once_in(2)) text = damaged(random, text);
    const double begin = seconds_spent();
    const std::string law = broken_law(text);
    const double seconds = seconds_spent() - begin;
    longest = seconds > longest ? seconds : longest;
    if (evaluate(text)) ++values;
    if (law.empty() && seconds < most_seconds) continue;
    ++findings;
    std::printf("text %lld, \"%s\": %s\n", static_cast<long long>(number), text.c_str(),
                law.empty() ? "an answer comes soon" : law.c_str());
  }
  std::printf("%lld texts, seed %llu: %lld have a value, the slowest took %.1f ms; %lld findings\n",
              static_cast<long long>(count), static_cast<unsigned long long>(seed), static_cast<long long>(values),
              longest * 1e3, static_cast<long long>(findings));
  return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sectile_fuzz

int main(int argc, char** argv) {
  const auto argument = [&](int i, long long otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  return sectile_fuzz::run(argument(1, 20000), static_cast<std::uint64_t>(argument(2, 1)), argument(3, 0));
}
