#include <sectile/dsl/tell/tutorial/trial.hpp>

#include <algorithm>
#include <cmath>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/linked_modes.hpp>

namespace sectile::tell {
namespace {

/// 64 well mixed bits (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Two tiles, or one where the program takes no more.
std::int64_t usual_size(const plan& p, const linked_modes& modes) {
  const bool stepped = std::ranges::all_of(modes.members, [&](const operand_mode& m) {
    const operand_plan& op = p.operand[m.operand];
    return !op.facts.is_read() || op.stepped[m.mode];
  });
  return stepped && !takes_one_tile(p, modes) ? 2 * std::int64_t{modes.extent} : modes.extent;
}

}  // namespace

std::vector<std::int64_t> trial_extents(const plan& p, int o, const std::vector<named_size>& sizes) {
  const std::vector<linked_modes> all = modes_by_name(p);
  for (const named_size& s : sizes)
    if (std::ranges::none_of(all, [&](const linked_modes& modes) { return modes.name == s.mode; }))
      throw launch_error(say("no operand has a mode '", s.mode, "', whose size was given"));
  operand_extents extents{};
  for (const linked_modes& modes : all) {
    std::int64_t size = usual_size(p, modes);
    for (const named_size& s : sizes)
      if (modes.name == s.mode) size = s.size;
    for (const operand_mode& m : modes.members) extents[m.operand][m.mode] = size;
  }
  count_tiles(p, extents);
  return {extents[o], extents[o] + p.operand[o].facts.tile.rank};
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
      known =
          known || (p.operand[other].facts.kind == operand_kind::scalar && one.scalar == p.operand[other].facts.name);
    if (!known) throw launch_error(say("there is no scalar '", one.scalar, "', whose value was given"));
    if (one.scalar == p.operand[o].facts.name) value = one.value;
  }
  return value;
}

void judge(trial_result& result, const tensor_values& computed, const tensor_values& expected, bool compared) {
  double distance = 0, size = 0;
  result.elements += static_cast<std::int64_t>(computed.values.size());
  result.compared = compared;
  for (std::size_t i = 0; i < computed.values.size(); ++i) {
    if (!std::isfinite(computed.values[i])) ++result.not_finite;
    const double difference = std::abs(computed.values[i] - expected.values[i]);
    result.largest = std::max(result.largest, difference);
    distance += difference * difference;
    size += expected.values[i] * expected.values[i];
  }
  result.relative_l2 = std::max(result.relative_l2, size > 0 ? std::sqrt(distance / size) : std::sqrt(distance));
}

}  // namespace sectile::tell
