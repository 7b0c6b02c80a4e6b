// `sectile tune KERNEL` on a machine: the table is begun or gone on with, measured, written and judged.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tool/commands/commands.hpp"
#include "tool/family_list.hpp"

namespace sectile::tool {

/// Where members are timed: a GPU, or what the tests take for one.
struct tuning_machine {
  std::string gpu, name, software;  // as of gpu_race
  std::function<void(const problem_size&)> require_room;
  std::function<std::vector<double>(const problem_size&, std::span<const int> members)> measure;  // microseconds
};

/// Measures what the table at `out` (KERNEL_GPU.json if not said) lacks of the problems, with a progress bar. `from`: a
/// table of the family before its configurations changed, whose times of members that stay are kept. `failed` if Ctrl-C
/// has ended it. Throws input_error.
exit_status tune_on(const tuning_machine& machine, const shipped_family& family, std::span<const problem_size> problems,
                    const std::optional<std::filesystem::path>& out,
                    const std::optional<std::filesystem::path>& from = {});

}  // namespace sectile::tool
