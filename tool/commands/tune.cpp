#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>

#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/printable.hpp"
#include "tool/progress.hpp"
#include "tool/tune/gpu_race.hpp"
#include "tool/tune/measured_family.hpp"
#include "tool/tune/quality.hpp"
#include "tool/tune/session.hpp"
#include "tool/tune/shapes.hpp"

namespace sectile::tool {
namespace {

volatile std::sig_atomic_t interrupt_asked = 0;
extern "C" void ask_for_interrupt(int) { interrupt_asked = 1; }

/// While it lives, Ctrl-C asks for the end instead of bringing it; a second one does.
struct interrupt_watch {
  struct sigaction before {};

  interrupt_watch() {
    interrupt_asked = 0;
    struct sigaction ask {};
    ask.sa_handler = ask_for_interrupt;
    ask.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(SIGINT, &ask, nullptr);  // where it is ignored it stays so
  }
  ~interrupt_watch() { sigaction(SIGINT, &before, nullptr); }
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;
};

/// "gemm_bf16_nvidia_h200.json"
std::filesystem::path usual_table(const shipped_family& family, const std::string& gpu) {
  std::string name = fmt::format("{}_{}", family.kernel, gpu);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
  return name + ".json";
}

exit_status measure_table(const tune_options& options) {
  if (options.header) throw input_error("--header: it is made of what has been measured; say of which --table");
  const shipped_family& family = find_family(find_kernel(*options.kernel).name, "tune");
  const operand_table& operands = *family.facts->operands;
  const std::vector<mode_id> modes = modes_of(operands);
  const std::vector<problem_size> problems = problems_asked(options.shapes, modes, problems_to_tune);
  for (const problem_size& sizes : problems) require_taken(operands, sizes);

  gpu_race gpu(family);
  for (const problem_size& sizes : problems) gpu.require_room(sizes);
  tuning_table table{.head = head_of(family, gpu.gpu(), gpu.software())};
  const gpu_constants& constants = own_constants("tune", gpu.gpu());
  const std::filesystem::path out = options.out.value_or(usual_table(family, gpu.gpu()));
  if (std::filesystem::exists(out)) {
    tuning_table known = read_table(out);
    require_family(out.string(), known.head, family);
    require_machine(out.string(), known.head, table.head);
    table = std::move(known);
  }
  require_writable(out);
  const std::size_t left = problems_left(table, problems).size();
  fmt::print(
      "kernel:   {}, {} of {}, {} members\nmachine:  {}, {}\nproblems: {}, of which {} are measured\ntable:    {}\n",
      family.kernel, family.type, family.header, family.facts->count, gpu.machine(), gpu.software(), problems.size(),
      problems.size() - left, printable(out.string()));
  std::fflush(stdout);

  bool complete = false;
  {
    const interrupt_watch watch;
    progress bar("timing", static_cast<std::int64_t>(left));
    complete = measure_problems(
        family, problems, constants, table,
        {.measure = [&](const problem_size& sizes, std::span<const int> members) { return gpu.times(sizes, members); },
         .save = [&](const tuning_table& now) { write_text(out, to_json(now)); },
         .interrupted = [] { return interrupt_asked != 0; },
         .done = [&] { bar.add(); }});
  }
  if (!complete) {
    fmt::print("interrupted: {} of {} problems are in the table; the same command goes on from there\n",
               problems.size() - problems_left(table, problems).size(), problems.size());
    return failed;
  }
  fmt::print("\n{}", quality_text(family, table));
  return success;
}

exit_status use_tables(const tune_options& options) {
  if (options.kernel || options.shapes || options.out)
    throw input_error("--table: nothing is measured then, so there is no kernel, --shapes or --out to say");
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
