#include <fmt/format.h>

#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/printable.hpp"
#include "tool/tune/gpu_race.hpp"
#include "tool/tune/measured_family.hpp"
#include "tool/tune/measuring.hpp"
#include "tool/tune/quality.hpp"
#include "tool/tune/shapes.hpp"
#include "tool/tune/tune_on.hpp"

namespace sectile::tool {
namespace {

exit_status measure_table(const tune_options& options) {
  if (options.header) throw input_error("--header: it is made of what has been measured; say of which --table");
  const shipped_family& family = find_family(find_kernel(*options.kernel).name, "tune");
  const operand_table& operands = *family.facts->operands;
  const std::vector<mode_id> modes = modes_of(operands);
  std::vector<problem_size> problems;
  if (options.from && !options.shapes)
    for (const timed_problem& p : read_table(*options.from).problems) problems.push_back(p.sizes);
  else
    problems = problems_asked(options.shapes, modes, problems_to_tune);
  for (const problem_size& sizes : problems) require_taken(operands, sizes);

  gpu_race gpu(family);
  const tuning_machine machine{
      .gpu = gpu.gpu(),
      .name = gpu.machine(),
      .software = gpu.software(),
      .require_room = [&](const problem_size& sizes) { gpu.require_room(sizes); },
      .measure = [&](const problem_size& sizes, std::span<const int> members) { return gpu.times(sizes, members); }};
  return tune_on(machine, family, problems, options.out, options.from);
}

/// Writes the table of a family whose configurations have changed since as one of the family now.
exit_status take_over(const tune_options& options) {
  if (options.tables.size() != 1 || options.header)
    throw input_error("--out: one --table is taken over to the family as it is now; a --header is made of the result");
  const std::filesystem::path& path = options.tables.front();
  const tuning_table earlier = read_table(path);
  const shipped_family& family = find_family(find_kernel(earlier.head.kernel).name, "tune");
  require_names(path.string(), earlier.head, table_head_of(family, earlier.head.gpu, earlier.head.software));
  require_other_file("--out", *options.out, {{"--table", path}});
  const tuning_table now = taken_over(family, earlier);
  write_text(*options.out, to_json(now));
  fmt::print("{}written: {}\n", quality_text(family, now), printable(options.out->string()));
  return success;
}

exit_status use_tables(const tune_options& options) {
  if (options.kernel || options.shapes || options.from)
    throw input_error("--table: nothing is measured then, so there is no kernel, --shapes or --from to say");
  if (options.out) return take_over(options);
  std::vector<tuning_table> tables;
  const shipped_family* family = nullptr;
  for (const std::filesystem::path& path : options.tables) {
    tables.push_back(read_table(path));
    const table_head& head = tables.back().head;
    if (!family) family = &find_family(find_kernel(head.kernel).name, "tune");
    require_family(path.string(), head, *family);
    if (tables.back().problems.empty()) throw input_error(fmt::format("{}: nothing was measured yet", path.string()));
    const gpu_constants& gpu = own_constants(path.string(), head.gpu);
    for (const tuning_table& other : tables)
      if (&other != &tables.back() && other.head.gpu.starts_with(gpu.name))
        throw input_error(fmt::format("{}: there is another table of an {}", path.string(), gpu.name));
  }
  if (options.header) {
    for (const std::filesystem::path& path : options.tables)
      require_other_file("--header", *options.header, {{"--table", path}});
    require_writable(*options.header);
  }
  for (const tuning_table& table : tables) fmt::print("{}", quality_text(*family, table));
  if (!options.header) return success;
  write_text(*options.header, header_text(*family, tables));
  fmt::print("written: {}; {} includes it as <sectile/kernels/tables/{}.hpp>\n", printable(options.header->string()),
             family->header, family->type);
  return success;
}

}  // namespace

exit_status tune_family(const tune_options& options) {
  if (!options.tables.empty()) return use_tables(options);
  if (!options.kernel) throw input_error("tune: which kernel? Or which --table?");
  return measure_table(options);
}

}  // namespace sectile::tool
