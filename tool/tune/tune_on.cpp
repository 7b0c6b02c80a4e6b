#include "tool/tune/tune_on.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/printable.hpp"
#include "tool/progress.hpp"
#include "tool/tune/interrupt.hpp"
#include "tool/tune/measured_family.hpp"
#include "tool/tune/measuring.hpp"
#include "tool/tune/quality.hpp"

namespace sectile::tool {
namespace {

/// "gemm_bf16_nvidia_h200.json"
std::filesystem::path usual_table(const shipped_family& family, const std::string& gpu) {
  std::string name = fmt::format("{}_{}", family.kernel, gpu);
  for (char& c : name) {
    const auto letter = static_cast<unsigned char>(c);
    c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return name + ".json";
}

/// The table that is there, or an empty one.
tuning_table open_table(const std::filesystem::path& path, const shipped_family& family,
                        const tuning_machine& machine) {
  const table_head here = table_head_of(family, machine.gpu, machine.software);
  if (!std::filesystem::exists(path)) return {.head = here};
  tuning_table known = read_table(path);
  require_family(path.string(), known.head, family);
  require_machine(path.string(), known.head, here);
  return known;
}

/// A table whose times of members that stay can be kept.
tuning_table read_earlier(const std::filesystem::path& path, const table_head& here) {
  tuning_table earlier = read_table(path);
  require_kernel(path.string(), earlier.head, here.kernel);
  require_machine(path.string(), earlier.head, here);
  require_names(path.string(), earlier.head, here);
  return earlier;
}

}  // namespace

exit_status tune_on(const tuning_machine& machine, const shipped_family& family, std::span<const problem_size> problems,
                    const std::optional<std::filesystem::path>& out, const std::optional<std::filesystem::path>& from) {
  const gpu_constants& constants = own_constants("tune", machine.gpu);
  for (const problem_size& sizes : problems) machine.require_room(sizes);
  const std::filesystem::path path = out.value_or(usual_table(family, machine.gpu));
  tuning_table table = open_table(path, family, machine);
  std::optional<tuning_table> earlier;
  if (from) earlier = read_earlier(*from, table.head);
  require_writable(path);
  const auto left = [&] { return problems_left(table, problems).size(); };
  fmt::print(
      "kernel:   {}, {} of {}, {} members\nmachine:  {}, {}\nproblems: {}, of which {} are measured\n"
      "table:    {}\n",
      family.kernel, family.type, family.header, family.facts->count, machine.name, machine.software, problems.size(),
      problems.size() - left(), printable(path.string()));
  std::fflush(stdout);

  const bool complete = [&] {
    const interrupt_watch watch;
    progress bar("timing", static_cast<std::int64_t>(left()));
    return measure_problems(family, problems, constants, table,
                            {.measure = machine.measure,
                             .save = [&](const tuning_table& now) { write_text(path, to_json(now)); },
                             .interrupted = [&] { return watch.asked(); },
                             .done = [&] { bar.add(); }},
                            earlier ? &*earlier : nullptr);
  }();
  if (!complete) {
    fmt::print("interrupted: {} of {} problems are in the table; the same command goes on from there\n",
               problems.size() - left(), problems.size());
    return failed;
  }
  fmt::print("\n{}", quality_text(family, table));
  return success;
}

}  // namespace sectile::tool
