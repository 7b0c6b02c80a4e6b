#include <sectile/dsl/launch/family.hpp>

#include <cstring>

namespace sectile {

member_choice choose(const family_facts& family, const problem_size& sizes, const gpu_constants& gpu) {
  const double bytes = bytes_of(*family.operands, sizes);
  for (int t = 0; t < family.table_count; ++t) {
    const measured_table& table = family.tables[t];
    if (std::strncmp(gpu.name, table.gpu, std::strlen(table.gpu)) != 0) continue;
    for (int i = 0; i < table.count; ++i) {
      const measured_pick& p = table.picks[i];
      bool same = true;
      for (int m = 0; m < max_tiled_modes && same; ++m)
        same = p.sizes[m].along.name == mode_id::any || sizes.of(p.sizes[m].along.name) == p.sizes[m].elements;
      if (same) return {p.member, true, predict_microseconds(family.members[p.member], sizes, bytes, gpu)};
    }
  }
  member_choice best;
  for (int i = 0; i < family.count; ++i) {
    const double us = predict_microseconds(family.members[i], sizes, bytes, gpu);
    if (i == 0 || us < best.microseconds) best = {i, false, us};
  }
  return best;
}

int remembered_choices::find(const problem_size& sizes, const gpu_constants* gpu) const {
  for (const entry& e : last_)
    if (e.gpu == gpu && e.sizes == sizes) return e.member;
  return -1;
}
void remembered_choices::keep(const problem_size& sizes, const gpu_constants* gpu, int member) {
  last_[next_] = {sizes, gpu, member};
  next_ = (next_ + 1) % kept;
}

}  // namespace sectile
