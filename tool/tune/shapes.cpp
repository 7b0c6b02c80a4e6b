#include "tool/tune/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <utility>

#include "tool/args.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

problem_size product_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {{"M", static_cast<int>(m)}, {"N", static_cast<int>(n)}, {"K", static_cast<int>(k)}};
}

void add_once(std::vector<problem_size>& all, const problem_size& sizes) {
  if (std::ranges::count(all, sizes) == 0) all.push_back(sizes);
}

/// What people multiply: squares, and the layers of language models for few tokens and for many.
std::vector<problem_size> familiar_products() {
  std::vector<problem_size> all;
  for (const int n : {256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 5120}) all.push_back(product_of(n, n, n));
  for (const auto& [m, n, k] : {std::tuple{4096, 24576, 1536},
                                {4096, 32768, 512},
                                {64, 28672, 8192},
                                {128, 8192, 28672},
                                {256, 7168, 16384},
                                {4096, 2112, 7168},
                                {16, 16384, 4096},
                                {1000, 4000, 12288},
                                {8, 8192, 8192},
                                {32, 4096, 14336},
                                {152, 12208, 2048}})
    all.push_back(product_of(m, n, k));
  return all;
}

/// The i-th number of van der Corput's sequence: from 0 to 1, evenly for every count of them.
double evenly(int i, int base) {
  double value = 0, place = 1;
  for (; i > 0; i /= base) value += (i % base) * (place /= base);
  return value;
}

/// From least to most, evenly in its logarithm.
double between(double least, double most, double share) { return least * std::pow(most / least, share); }

}  // namespace

problem_size parse_sizes(const std::string& text, std::span<const mode_id> modes) {
  std::string names;
  for (const mode_id m : modes) names += text_of(m).text[0];
  const std::vector<std::int64_t> sizes = parse_shape(text, names);
  problem_size problem;
  for (std::size_t i = 0; i < modes.size(); ++i)
    problem.set(static_cast<int>(i), {modes[i], static_cast<int>(sizes[i])});
  return problem;
}

std::string sizes_text(const problem_size& sizes, std::span<const mode_id> modes, const char* times) {
  std::string text;
  for (const mode_id m : modes) text += fmt::format("{}{}", text.empty() ? "" : times, sizes.of(m));
  return text;
}

std::vector<problem_size> read_problems(const std::string& list_or_file, std::span<const mode_id> modes) {
  std::vector<problem_size> all;
  std::error_code unknown;
  if (std::filesystem::is_regular_file(list_or_file, unknown)) {
    std::ifstream file(list_or_file);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      line.erase(std::min(line.find('#'), line.size()));
      line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
                 line.end());
      if (line.empty()) continue;
      try {
        add_once(all, parse_sizes(line, modes));
      } catch (const input_error& error) {
        throw input_error(fmt::format("{}, line {}: {}", list_or_file, number, error.what()));
      }
    }
    if (file.bad()) throw input_error(fmt::format("{}: it cannot be read", list_or_file));
    if (all.empty()) throw input_error(fmt::format("{}: there is no problem in it", list_or_file));
    return all;
  }
  std::stringstream list(list_or_file);
  for (std::string item; std::getline(list, item, ',');) {
    try {
      add_once(all, parse_sizes(item, modes));
    } catch (const input_error& error) {
      throw input_error(fmt::format("--shapes: there is no file '{}', and as a list: {}", list_or_file, error.what()));
    }
  }
  if (all.empty()) throw input_error("--shapes: the list is empty");
  return all;
}

std::vector<problem_size> problems_asked(const std::optional<std::string>& list_or_file, std::span<const mode_id> modes,
                                         std::vector<problem_size> (*usual)()) {
  if (list_or_file) return read_problems(*list_or_file, modes);
  const mode_id gemm[] = {mode_named("M"), mode_named("N"), mode_named("K")};
  if (!std::ranges::equal(modes, gemm)) throw input_error("which sizes? Say --shapes: the usual ones are of a GEMM");
  return usual();
}

std::vector<problem_size> problems_to_tune() {
  std::vector<problem_size> all = familiar_products();
  constexpr std::pair<int, int> layers[] = {{4096, 4096},  {6144, 4096},  {28672, 4096}, {4096, 14336}, {8192, 8192},
                                            {10240, 8192}, {57344, 8192}, {8192, 28672}, {2048, 2048},  {7168, 2048}};
  for (const int m : {1, 16, 64, 128, 256, 512, 1024, 4096, 8192})
    for (const auto& [n, k] : layers) add_once(all, product_of(m, n, k));
  constexpr int spread = 90;
  for (int i = 1; i <= spread; ++i) {
    const auto m = std::llround(between(1, 16384, evenly(i, 2)));
    const auto n = 16 * std::llround(between(256, 32768, evenly(i, 3)) / 16);
    const auto k = 16 * std::llround(between(256, 16384, evenly(i, 5)) / 16);
    add_once(all, product_of(m, n, k));
  }
  return all;
}

std::vector<problem_size> problems_to_race() {
  std::vector<problem_size> all = familiar_products();
  std::mt19937_64 random(12);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };  // the same everywhere
  for (int i = 0; i < 40; ++i) {
    const auto m = std::lround(std::exp2(14 * uniform()));
    const auto n = 16 * (1 + static_cast<std::int64_t>(2048 * uniform()));
    const auto k = 16 * (1 + static_cast<std::int64_t>(1024 * uniform()));
    add_once(all, product_of(m, n, k));
  }
  return all;
}

void require_taken(const operand_table& operands, const problem_size& sizes) {
  constexpr int bits = 8 * 16;
  const std::vector<mode_id> modes = [&] {
    std::vector<mode_id> all;
    for (int i = 0; i < max_tiled_modes && sizes[i].along.name != mode_id::any; ++i) all.push_back(sizes[i].along.name);
    return all;
  }();
  for (int o = 0; o < operands.count; ++o) {
    const operand_facts& f = operands.at[o];
    if (f.kind == operand_kind::scalar) continue;
    const mode_id m = f.mode_at(f.mode_from_inside(0));
    const int stored = f.type.bits * (f.sparse ? 1 : 2);  // twice, as half of a sparse row is stored
    const std::int64_t row = std::int64_t{sizes.of(m)} * stored / 2;
    if (row % bits != 0)
      throw input_error(
          fmt::format("shape {}: no member takes it: {} = {} makes rows of {} of {:g} bytes, and TMA takes "
                      "multiples of 16; {} has to be a multiple of {}",
                      sizes_text(sizes, modes), text_of(m).text, sizes.of(m), f.name, static_cast<double>(row) / 8,
                      text_of(m).text, 2 * bits / stored));
  }
}

}  // namespace sectile::tool
