// What a benchmark of C = A B^T is asked to do: its command line.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sectile::bench {

/// M, N and K of one product.
struct shape {
  std::int64_t m, n, k;

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// The three extents with `times` between them: "4096x4096x1024".
  std::string text(const char* times = "x") const {
    return std::to_string(m) + times + std::to_string(n) + times + std::to_string(k);
  }
};

/// What the words of a command line may say.
struct command_line {
  shape multiple{1, 8, 8};  // each extent of a shape is a multiple of these, because the operands are packed
  bool has_shapes = true;   // --shapes is among the options
  bool selects = false;     // so is --only
  bool repeats = false;     // and --repeats
  bool profiles = false;    // and --once
};

struct options {
  std::vector<shape> shapes;
  int rounds = 9;
  int repeats = 1;  // of the whole measurement, for figures that vary from one to the next
  std::string json, only;
  std::string once{};     // choices to run once each, for a profiler
  std::string command{};  // as it was typed, for the report
};

/// Shapes from "MxNxK,...". Throws if one is malformed or no multiple of `multiple`.
inline std::vector<shape> read_shapes(const std::string& text, const shape& multiple) {
  std::vector<shape> shapes;
  std::stringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    char rest = 0;
    long long m = 0, n = 0, k = 0;
    if (std::sscanf(item.c_str(), "%lldx%lldx%lld%c", &m, &n, &k, &rest) != 3 || m < 1 || n < 1 || k < 1)
      throw std::runtime_error("'" + item + "' is not a shape; write MxNxK, as in 4096x4096x1024");
    if (m % multiple.m || n % multiple.n || k % multiple.k)
      throw std::runtime_error("shape " + item + ": M, N and K must be multiples of " + std::to_string(multiple.m) +
                               ", " + std::to_string(multiple.n) + " and " + std::to_string(multiple.k) +
                               ", because the operands are packed here");
    shapes.push_back({m, n, k});
  }
  return shapes;
}

/// The options that `words` give; what they leave out stays as in `o`. Throws at the first word that makes no sense.
inline options read_options(int count, char** words, const command_line& allowed, options o) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    if (word == "--shapes" && allowed.has_shapes)
      o.shapes = read_shapes(value(), allowed.multiple);
    else if (word == "--rounds")
      o.rounds = std::atoi(value().c_str());
    else if (word == "--json")
      o.json = value();
    else if (word == "--repeats" && allowed.repeats)
      o.repeats = std::atoi(value().c_str());
    else if (word == "--only" && allowed.selects)
      o.only = value();
    else if (word == "--once" && allowed.profiles)
      o.once = value();
    else
      throw std::runtime_error("unknown option " + word + "; there are " + (allowed.has_shapes ? "--shapes, " : "") +
                               "--rounds" + (allowed.repeats ? ", --repeats" : "") +
                               (allowed.selects ? ", --only" : "") + " and --json");
  }
  if (o.rounds < 1) throw std::runtime_error("--rounds must be at least 1");
  if (o.repeats < 1) throw std::runtime_error("--repeats must be at least 1");
  return o;
}

}  // namespace sectile::bench
