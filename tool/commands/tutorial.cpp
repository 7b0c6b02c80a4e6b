#include <fmt/format.h>

#include <cstdio>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/tutorial/page_writer.hpp>
#include <sectile/dsl/tell/tutorial/told.hpp>

#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/machine_code.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/printable.hpp"
#include "tool/problem.hpp"
#include "tool/records.hpp"
#include "tool/roofline/roofline.hpp"
#include "tool/sizes.hpp"
#include "tool/timelines.hpp"
#include "tool/verdict.hpp"

namespace sectile::tool {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Runs the kernel as the page shows it, on the machine that was asked for.
tell::checked_run run_for_page(const kernel_facts& kernel, const tutorial_command& options) {
  const machine on = options.on.value_or(machine::model);
  const reading how = kernel.wgmma.on_model ? reading::wgmma : reading::wmma;
  const std::string shape = options.shape.value_or(default_shape(kernel, on));
  const std::uint64_t seed = options.seed.value_or(0);
  const problem p = random_problem(kernel, how, shape, seed);
  operand_buffers operands(kernel, p);
  tell::checked_run run{.machine = on == machine::gpu ? gpu_name() : "CPU model",
                        .shape = shape,
                        .what = p.what,
                        .data = fmt::format("the operands are random, from seed {}", seed),
                        .error = {},
                        .command = fmt::format("sectile run {} --shape {} --seed {} --on {}", kernel.name, shape, seed,
                                               on == machine::gpu ? "gpu" : "model")};
  run.watched = on == machine::model && how == reading::wgmma;
  try {
    if (on == machine::gpu)
      run_on_gpu(kernel, how, operands.arguments);
    else
      run_on_model(kernel, how, operands.arguments, {.check_hazards = run.watched});
  } catch (const model::hazard& found) {
    run.hazard = found.what();
    run.error = "the run broke off";
    return run;
  }
  const verdict v = whole_verdict(kernel, check_results(operands, p));
  run.error = v.words;
  run.relative_error = v.relative_l2;
  run.bar = v.bar;
  run.ok = v.right;
  return run;
}

/// What a struct is called in a file: "tma" of "kernels/ladder/tma.hpp".
std::string program_name(const kernel_facts& kernel) { return fs::path(kernel.listing).stem().string(); }

/// The facts of a program of the language, or of one that is written by hand.
json facts_for_page(const kernel_facts& kernel, const tutorial_command& options) {
  tell::fact_options told{.name = std::string(kernel.name),
                          .summary = std::string(kernel.summary),
                          .root = SECTILE_SOURCE_DIR,
                          .run = run_for_page(kernel, options),
                          .registers = compiled_registers(kernel.name)};
  const std::optional<tell::kernel_record> record = find_record(kernel);
  if (!record) told.source = fs::path(SECTILE_SOURCE_DIR) / kernel.listing;
  json facts =
      record ? tell::facts_of(*record, told) : tell::facts_of_listing(*kernel.declared, program_name(kernel), told);
  facts["bound"] = bound_facts(kernel, sizes_asked(kernel, default_shape(kernel, machine::gpu)));
  facts["compiled"] = machine_code_of(kernel.name);
  facts["by_hand"] = !record && kernel.wgmma.on_model;
  tell::add_timeline(facts, timeline_of(kernel));
  return facts;
}

/// Throws input_error where an option cannot be met, before anything is worked out.
void require_options(const tutorial_command& options) {
  if (!options.out && !options.facts) throw input_error("tutorial: say where the page goes, with --out FOLDER");
  if (options.on == machine::gpu)
    if (const std::string missing = why_no_gpu(); !missing.empty()) throw input_error("--on gpu: " + missing);
  if (options.facts && *options.facts != "-") require_writable(*options.facts);
  if (options.facts && options.out) {
    const auto place = [](const fs::path& path) { return fs::weakly_canonical(path); };
    for (const fs::path& page :
         {fs::path(""), fs::path(options.kernel + ".html"), fs::path(options.kernel + ".md"), fs::path("figures")})
      if (place(*options.facts) == place(page.empty() ? *options.out : *options.out / page))
        throw input_error(fmt::format("--facts {}: the page goes there as well, by --out {}; choose another file",
                                      options.facts->string(), options.out->string()));
  }
  if (options.out) tell::require_folder(*options.out);
}

}  // namespace

exit_status make_tutorial(const tutorial_command& options) try {
  const kernel_facts& kernel = find_kernel(options.kernel);
  require_options(options);
  const json facts = facts_for_page(kernel, options);
  const std::string text = tell::text_for_page(facts);
  if (options.facts == "-")
    std::fwrite(text.data(), 1, text.size(), stdout);
  else if (options.facts)
    write_text(*options.facts, text);
  if (!options.out) return success;
  for (const fs::path& file : tell::write_page(text, *options.out, tell::generator_folder(SECTILE_GENERATOR)))
    if (file.extension() != ".svg" && options.facts != "-") fmt::print("{}\n", printable(file.string()));
  return success;
} catch (const tutorial_error& error) {
  throw input_error(error.what());
}

}  // namespace sectile::tool
