#include <sectile/dsl/tell/tutorial/trial.hpp>

#include <algorithm>
#include <cmath>
#include <sectile/dsl/tell/words.hpp>

namespace sectile::tell {
namespace {

/// 64 well mixed bits (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

bool has_mode(const plan& p, const std::string& name) {
  for (int o = 0; o < p.operands; ++o)
    for (const auto& mode : p.operand[o].facts.mode_name)
      if (name == mode) return true;
  return false;
}

bool same_mode(const operand_facts& a, int mode_of_a, const operand_facts& b, int mode_of_b) {
  const std::string name = a.mode_name[mode_of_a];
  return name.empty() ? &a == &b && mode_of_a == mode_of_b : name == b.mode_name[mode_of_b];
}

/// Two tiles, or one where the program takes no more. Modes of one name have one size, that of the largest tile along
/// it.
std::int64_t size_of(const plan& p, int o, int mode) {
  std::int64_t tile = 0;
  bool stepped = true;
  for (int other = 0; other < p.operands; ++other) {
    const operand_plan& op = p.operand[other];
    for (int d = 0; d < op.facts.tile.rank; ++d) {
      if (!same_mode(p.operand[o].facts, mode, op.facts, d)) continue;
      tile = std::max<std::int64_t>(tile, op.facts.tile.extent[d]);
      stepped = stepped && (op.facts.kind != operand_kind::input || op.stepped[d]);
    }
  }
  return stepped ? 2 * tile : tile;
}

}  // namespace

std::vector<std::int64_t> trial_extents(const plan& p, int o, const std::vector<named_size>& sizes) {
  for (const named_size& s : sizes)
    if (!has_mode(p, s.mode)) throw launch_error(say("no operand has a mode '", s.mode, "', whose size was given"));
  std::vector<std::int64_t> extents;
  for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) {
    std::int64_t size = size_of(p, o, d);
    for (const named_size& s : sizes)
      if (s.mode == p.operand[o].facts.mode_name[d]) size = s.size;
    extents.push_back(size);
  }
  return extents;
}

double trial_number(const element& type, std::uint64_t seed, int o, std::int64_t index) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  const std::uint64_t bits =
      mixed(mixed(mixed(seed + golden) + static_cast<std::uint64_t>(o)) + static_cast<std::uint64_t>(index) * golden);
  switch (type.kind) {
    case number::bits:
      return static_cast<double>(bits >> 63);
    case number::unsigned_integer:
      return static_cast<double>(bits >> 60);
    case number::signed_integer:
      return static_cast<double>(bits >> 60) - 8;
    case number::floating:
      break;
  }
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

double trial_scalar(const plan& p, int o, const trial_options& options) {
  double value = trial_number(p.operand[o].facts.type, options.seed, o, 0);
  for (const named_number& one : options.scalars) {
    bool known = false;
    for (int other = 0; other < p.operands; ++other)
      known = known || (p.operand[other].facts.kind == operand_kind::scalar && one.scalar == p.operand[other].facts.name);
    if (!known) throw launch_error(say("there is no scalar '", one.scalar, "', whose value was given"));
    if (one.scalar == p.operand[o].facts.name) value = one.value;
  }
  return value;
}

void judge(trial_result& result, const tensor_values& computed, const tensor_values& expected, bool compared) {
  double distance = 0, size = 0;
  result.elements = static_cast<std::int64_t>(computed.values.size());
  result.compared = compared;
  for (std::size_t i = 0; i < computed.values.size(); ++i) {
    if (!std::isfinite(computed.values[i])) ++result.not_finite;
    const double difference = std::abs(computed.values[i] - expected.values[i]);
    result.largest = std::max(result.largest, difference);
    distance += difference * difference;
    size += expected.values[i] * expected.values[i];
  }
  result.relative_l2 = size > 0 ? std::sqrt(distance / size) : std::sqrt(distance);
}

}  // namespace sectile::tell
