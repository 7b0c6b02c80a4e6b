#include <sectile/dsl/launch/family.hpp>

#include <cstring>
#include <limits>
#include <sectile/dsl/launch/table_pick.hpp>

namespace sectile {

namespace {

/// The table that was measured on such a GPU; nullptr if there is none.
const measured_table* table_of(const family_facts& family, const gpu_constants& gpu) {
  for (int t = 0; t < family.table_count; ++t)
    if (std::strncmp(gpu.name, family.tables[t].gpu, std::strlen(family.tables[t].gpu)) == 0) return &family.tables[t];
  return nullptr;
}

}  // namespace

member_choice choose(const family_facts& family, const problem_size& sizes, const gpu_constants& gpu,
                     std::uint64_t workspace_bytes, const members_passed_over& passed_over) {
  const predictor predicted(*family.operands, sizes, gpu);
  const auto may_be = [&](int i) {
    return predicted.workspace_bytes(family.members[i]) <= static_cast<double>(workspace_bytes) && !passed_over.has(i);
  };
  const measured_table* table = table_of(family, gpu);
  const near_shapes similar = table ? near_shapes(*table, sizes) : near_shapes();
  if (const int best = similar.measured_best(); best >= 0 && may_be(best))
    return {best, choice_reason::measured, predicted.microseconds(family.members[best])};
  constexpr auto fourth_power = [](double x) { return x * x * x * x; };
  constexpr double most_gain = fourth_power(near_shapes::least_factor);
  const auto corrected = [&](int i, double time) { return time * fourth_power(similar.factor(i)); };
  float bound[member_bounds::most];
  const int bounded = family.bounds ? family.bounds->count : 0;
  if (bounded > 0) predicted.bounds(*family.bounds, bound);
  int best = similar.nearest_best();  // the others rarely come near it
  constexpr double never = std::numeric_limits<double>::infinity();
  double least = may_be(best) ? corrected(best, predicted.fourth_power(family.members[best])) : never;
  for (int i = 0; i < family.count; ++i) {
    // (The first of these asks for no correction, which takes longer.)
    if (i < bounded && (bound[i] * most_gain >= least || corrected(i, bound[i]) >= least)) continue;
    const double time = corrected(i, predicted.fourth_power(family.members[i]));
    if (time < least && may_be(i)) best = i, least = time;
  }
  return {best, table ? choice_reason::corrected : choice_reason::model, predicted.microseconds(family.members[best])};
}

int remembered_choices::find(const problem_size& sizes, const gpu_constants* gpu, std::uint64_t workspace_bytes) const {
  for (const entry& e : last_)
    if (e.gpu == gpu && e.workspace_bytes == workspace_bytes && e.sizes == sizes) return e.member;
  return -1;
}
void remembered_choices::keep(const problem_size& sizes, const gpu_constants* gpu, int member,
                              std::uint64_t workspace_bytes) {
  for (entry& e : last_)
    if (e.gpu == gpu && e.workspace_bytes == workspace_bytes && e.sizes == sizes) {
      e.member = member;
      return;
    }
  last_[next_] = {sizes, gpu, workspace_bytes, member};
  next_ = (next_ + 1) % kept;
}

}  // namespace sectile
