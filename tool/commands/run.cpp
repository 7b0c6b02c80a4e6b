#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sectile/dsl/model/hazard.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tool/commands/commands.hpp"
#include "tool/kernel_list.hpp"
#include "tool/machines.hpp"
#include "tool/numbers.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/operand_options.hpp"
#include "tool/output_files.hpp"
#include "tool/printable.hpp"
#include "tool/problem.hpp"
#include "tool/verdict.hpp"

namespace sectile::tool {
namespace {

/// The first option that says in which order the model runs things, as it is spelled; "" if none was given.
std::string_view schedule_option(const run_options& options) {
  if (options.schedule) return "--schedule";
  if (options.schedule_seed) return "--schedule-seed";
  if (options.preemptions) return "--preemptions";
  if (options.max_schedules) return "--schedules";
  if (options.replay) return "--replay";
  return "";
}

model::schedule_mode schedule_of(const run_options& options) {
  return options.schedule.value_or(options.schedule_seed ? model::schedule_mode::random : model::schedule_mode::fair);
}

/// Options that only the model understands, as they are spelled; "" if none was given.
std::string_view model_option(const run_options& options) {
  if (options.check_hazards) return *options.check_hazards ? "--check-hazards" : "--no-check-hazards";
  if (const std::string_view name = schedule_option(options); !name.empty()) return name;
  if (options.workers) return "--workers";
  return "";
}

/// Throws input_error where the kernel cannot be read as asked for, or an option means nothing to that reading.
void require_reading(const kernel_facts& kernel, const run_options& options) {
  if (options.how == reading::checked && kernel.planned == nullptr)
    throw input_error(fmt::format("--checked: {} has no plan that guards could be put into", kernel.name));
  if (options.how == reading::wgmma || options.how == reading::checked) return;
  const std::string_view name = options.how == reading::wmma ? "wmma" : "simt";
  std::vector<std::string_view> others;
  for (const kernel_facts& other : kernel_list())
    if (other.in(options.how).on_model) others.push_back(other.name);
  if (!kernel.in(options.how).on_model)
    throw input_error(fmt::format("--reading {}: {} {}; {} have this reading", name, kernel.name,
                                  kernel.planned ? "is read for wgmma only" : "has one reading, its own",
                                  fmt::join(others, ", ")));
  const std::string_view order = schedule_option(options);
  if (options.check_hazards || !order.empty())
    throw input_error(fmt::format("{}: the model has that for wgmma only, not for --reading {}",
                                  options.check_hazards ? "--check-hazards" : order, name));
}

/// Throws input_error where options about the order of things contradict each other.
void require_schedule(const run_options& options) {
  using model::schedule_mode;
  if (options.replay && (options.schedule || options.schedule_seed || options.preemptions || options.max_schedules))
    throw input_error("--replay is a schedule; give no other option about schedules");
  const schedule_mode asked = schedule_of(options);
  if (options.schedule_seed && asked != schedule_mode::random)
    throw input_error("--schedule-seed: only --schedule random draws from a seed");
  if ((options.preemptions || options.max_schedules) && asked != schedule_mode::systematic)
    throw input_error(fmt::format("{}: only --schedule systematic counts them",
                                  options.preemptions ? "--preemptions" : "--schedules"));
}

/// The machine that runs the kernel, and why that one.
struct choice {
  machine on = machine::model;
  std::string why;
};

choice choose_machine(const run_options& options) {
  const std::string_view for_model = model_option(options);
  if (options.how == reading::checked && (options.on == machine::model || !for_model.empty()))
    throw input_error("--checked is for the GPU; the model looks for hazards anyway");
  if (options.on == machine::model) return {machine::model, "as asked for"};
  if (options.on == machine::gpu && !for_model.empty()) {
    throw input_error(fmt::format("{} says how the model runs; it means nothing with --on gpu", for_model));
  }
  if (!options.on && !for_model.empty()) return {machine::model, fmt::format("because of {}", for_model)};
  const std::string missing = why_no_gpu();
  if (missing.empty()) return {machine::gpu, options.on ? "as asked for" : "there is one"};
  if (options.how == reading::checked) throw input_error("--checked: " + missing);
  if (options.on) throw input_error("--on gpu: " + missing);
  return {machine::model, missing.substr(0, missing.find(';'))};
}

/// The operands' files in the order of the operands, or none. Throws input_error where some are missing or too many.
std::vector<std::filesystem::path> input_files(const run_options& options, const kernel_facts& kernel) {
  std::vector<std::string> takes, numbers;
  for (int i = 0; i < kernel.inputs(); ++i) takes.push_back(option_of(kernel.input(i)));
  for (const auto& [operand, value] : numbers_of(kernel)) numbers.push_back(option_of(*operand));
  const std::string expected = fmt::format("{}", fmt::join(takes, ", "));
  for (const auto& [name, file] : options.inputs)
    if (file && std::ranges::count(takes, name) + std::ranges::count(numbers, name) == 0)
      throw input_error(fmt::format("{}: {} takes {}{}{}", name, kernel.name, expected,
                                    numbers.empty() ? "" : " and the numbers ", fmt::join(numbers, ", ")));
  std::vector<std::filesystem::path> files;
  std::string missing;
  for (const std::string& name : takes) {
    if (const auto given = options.inputs.find(name); given != options.inputs.end() && given->second)
      files.push_back(*given->second);
    else if (missing.empty())
      missing = name;
  }
  if (!files.empty() && !missing.empty())
    throw input_error(fmt::format("{} is missing: {} takes {} together", missing, kernel.name, expected));
  if (!files.empty() && options.shape) throw input_error("--shape: the shape is that of the files");
  if (options.prune && !kernel.is_sparse())
    throw input_error(fmt::format("--prune: {} has no sparse operand", kernel.name));
  if (options.prune && files.empty()) throw input_error("--prune: random operands are pruned anyway");
  if (!files.empty() && options.seed) throw input_error("--seed: nothing is random where files are given");
  return files;
}

/// The numbers that it takes, as the options say.
std::vector<float> numbers_for(const run_options& options, const kernel_facts& kernel) {
  return chosen_numbers(kernel, [&](const std::string& name) -> std::optional<std::string> {
    const auto given = options.inputs.find(name);
    if (given == options.inputs.end() || !given->second) return std::nullopt;
    return given->second->string();
  });
}

/// Runs the kernel on the machine that was chosen.
void compute(const kernel_facts& kernel, const choice& chosen, const run_options& options,
             std::span<const argument> arguments) {
  if (chosen.on == machine::gpu) return run_on_gpu(kernel, options.how, arguments);
  model::schedule_count explored;
  model_options how{.check_hazards = options.check_hazards.value_or(true),
                    .schedule = schedule_of(options),
                    .seed = options.schedule_seed.value_or(0),
                    .replay = options.replay.value_or(""),
                    .explored = &explored,
                    .workers = options.workers.value_or(0)};
  how.preemptions = options.preemptions.value_or(how.preemptions);
  how.max_schedules = options.max_schedules.value_or(how.max_schedules);
  const auto say_explored = [&] {
    if (explored.run > 0) fmt::print("schedule: {}\n", model::describe(explored));
  };
  try {
    run_on_model(kernel, options.how, arguments, how);
  } catch (const model::hazard&) {
    say_explored();
    throw;
  } catch (const std::invalid_argument& error) {
    if (options.replay) throw input_error(fmt::format("--replay: {}", error.what()));
    throw;
  }
  say_explored();
}

/// Whether all outputs are right, with a line for each.
bool show_errors(const kernel_facts& kernel, const std::vector<verdict>& of_outputs) {
  bool right = true;
  for (std::size_t i = 0; i < of_outputs.size(); ++i) {
    const std::string name = of_outputs.size() == 1 ? "" : fmt::format("{}: ", kernel.output(static_cast<int>(i)).name);
    fmt::print("{:<9} {}{}\n", i == 0 ? "error:" : "", name, of_outputs[i].words);
    right = right && of_outputs[i].right;
  }
  return right;
}

}  // namespace

exit_status run_kernel(const run_options& asked) {
  run_options options = asked;
  const kernel_facts& facts = find_kernel(options.kernel);
  if (options.how == reading::wgmma && !facts.wgmma.on_model) options.how = reading::wmma;  // all it has
  require_reading(facts, options);
  require_schedule(options);
  const std::vector<std::filesystem::path> files = input_files(options, facts);
  const std::vector<float> numbers = numbers_for(options, facts);
  const choice chosen = choose_machine(options);
  const output_files results(facts, options.outputs, options.inputs);
  const problem p = files.empty()
                        ? random_problem(facts, options.how, options.shape.value_or(default_shape(facts, chosen.on)),
                                         options.seed.value_or(0), numbers)
                        : problem_from_files(facts, options.how, files, options.prune, numbers);

  operand_buffers operands(facts, p);
  results.require_room_for(operands);

  fmt::print("kernel:   {}, {}\n", facts.name, p.what);
  fmt::print("data:     {}\n", files.empty() ? fmt::format("random, seed {}", options.seed.value_or(0)) : "from files");
  for (const operand_data& input : p.inputs)
    if (!input.note.empty()) fmt::print("          {}\n", printable(input.note));
  const char* reading_note = options.how == reading::wgmma     ? ""
                             : options.how == reading::checked ? ", its debug machine"
                             : options.how == reading::wmma    ? ", through wmma"
                                                               : ", with plain multiplications (simt)";
  fmt::print("machine:  {} ({}){}\n", chosen.on == machine::gpu ? "GPU" : "CPU model", chosen.why, reading_note);
  std::fflush(stdout);

  compute(facts, chosen, options, operands.arguments);
  if (options.replay) {
    fmt::print("schedule: {} has no hazard; only its cluster ran, so the result is not checked\n", *options.replay);
    return success;
  }
  const bool right = show_errors(facts, check_results(operands, p));
  results.write(operands);
  fmt::print("{}\n", right ? "VERIFIED" : "FAILED: the result is not that of the float64 reference");
  return right ? success : failed;
}

}  // namespace sectile::tool
