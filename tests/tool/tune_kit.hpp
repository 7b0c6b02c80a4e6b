// Tables for the tests of `sectile tune`, measured by a clock that the tests make up.
#pragma once

#include <string>
#include <vector>

#include "tool/tune/measured_family.hpp"
#include "tool/tune/measuring.hpp"
#include "tool/tune/shapes.hpp"
#include "tool/tune/table.hpp"

namespace tune_kit {

using namespace sectile;
using namespace sectile::tool;

inline const shipped_family& family() { return find_family("gemm_bf16", "tune"); }
inline const operand_table& operands() { return *family().facts->operands; }
inline const gpu_constants& h200() { return constants_of("NVIDIA H200"); }
inline std::vector<mode_id> modes() { return modes_of(operands()); }
inline problem_size sizes_of_text(const std::string& text) { return parse_sizes(text, modes()); }
inline std::vector<problem_size> problems(const std::string& list) { return read_problems(list, modes()); }

inline table_head head(const std::string& gpu = "NVIDIA H200") { return table_head_of(family(), gpu, "CUDA 13.0"); }

/// What the model predicts, times a factor of each member: 0.93, 0.96 or 0.99; and 1.08 for the one that the model puts
/// first for a large square, so that it errs.
inline double made_up_time(const problem_size& of, int member) {
  family_facts alone = *family().facts;
  alone.table_count = 0;
  static const int first = choose(alone, sizes_of_text("4096x4096x4096"), h200()).member;
  const double factor = member == first ? 1.08 : 0.93 + 0.03 * (member % 3);
  return predictor(operands(), of, h200()).microseconds(alone.members[member]) * factor;
}

/// A world whose clock is made up; it counts what is asked of it and can be interrupted after so many problems.
struct made_up_world {
  int measured = 0, saved = 0, done = 0;
  int interrupted_after = 1 << 20;
  std::string file{};  // as it was saved last

  tuning_world world() {
    return {.measure =
                [this](const problem_size& of, std::span<const int> members) {
                  ++measured;
                  std::vector<double> times;
                  for (const int m : members) times.push_back(made_up_time(of, m));
                  return times;
                },
            .save =
                [this](const tuning_table& table) {
                  ++saved;
                  file = to_json(table);
                },
            .interrupted = [this] { return measured >= interrupted_after; },
            .done = [this] { ++done; }};
  }
};

/// A table of these problems.
inline tuning_table made_up_table(const std::string& list, const std::string& gpu = "NVIDIA H200") {
  tuning_table table{.head = head(gpu)};
  made_up_world world;
  measure_problems(family(), problems(list), h200(), table, world.world());
  return table;
}

}  // namespace tune_kit
