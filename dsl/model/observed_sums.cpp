#include <sectile/dsl/model/observed_sums.hpp>

#include <bit>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {

namespace {

std::uint32_t add(std::uint32_t x, std::uint32_t y, bool floating) {
  return floating ? std::bit_cast<std::uint32_t>(machine::add(std::bit_cast<float>(x), std::bit_cast<float>(y)))
                  : x + y;
}

}  // namespace

observed_sums::key observed_sums::key_of(const cuda_thread& t, const sums_name& which) {
  const int parts_here = t.all->what.workspace != nullptr ? 1 : which.parts;  // in the cluster
  const int in_part = static_cast<int>(t.all->ctas.size()) / parts_here;
  return {which.meeting, t.block->rank % in_part, t.index};
}

void observed_sums::observe_part(const cuda_thread& t, const sums_name& which, std::span<const std::uint32_t> words) {
  auto& parts = parts_[key_of(t, which)];
  parts.resize(static_cast<std::size_t>(which.parts));
  parts[static_cast<std::size_t>(which.part)].assign(words.begin(), words.end());
}

void observed_sums::observe_whole(const cuda_thread& t, const sums_name& which,
                                  std::span<const std::uint32_t> words) const {
  const auto& parts = parts_.at(key_of(t, which));
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t sum = i < parts[0].size() ? parts[0][i] : 0;
    for (std::size_t part = 1; part < parts.size(); ++part)
      sum = add(sum, i < parts[part].size() ? parts[part][i] : 0, which.floating);
    if (sum == words[i]) continue;
    report(hazard_kind::wrong_element,
           text(name(t), " adds up the parts of a sum in its register ", i, ", of ", which.parts,
                " CTAs, to 0x", std::hex, words[i], "; added in their order they are 0x", sum));
  }
}

void observed_sums::observe_merge(const cuda_thread& t, const sums_name& which, std::span<const std::uint32_t> words) {
  int& next = merged_[key_of(t, which)];
  if (which.part != next)
    report(hazard_kind::wrong_element, text(name(t), " merges part ", which.part, " of ", which.parts,
                                            " with what it has of others, where part ", next, " is the next"));
  ++next;
  const auto& part = parts_.at(key_of(t, which))[static_cast<std::size_t>(which.part)];
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i >= part.size() || words[i] != part[i])
      report(hazard_kind::wrong_element, text(name(t), " merges part ", which.part, " of ", which.parts,
                                              ", and has other words of it than that ", "part has left: word ", i));
}

void observed_sums::observe_merged(const cuda_thread& t, const sums_name& which) const {
  const auto found = merged_.find(key_of(t, which));
  const int merged = found == merged_.end() ? 0 : found->second;
  const int left = static_cast<int>(parts_.at(key_of(t, which)).size());
  if (merged != left)
    report(hazard_kind::wrong_element, text(name(t), " merges ", merged, " of ", left, " parts of a tile"));
}

}  // namespace sectile::model
