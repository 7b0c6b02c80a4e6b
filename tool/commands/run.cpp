#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

#include "tool/args.hpp"
#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/kernel_list.hpp"
#include "tool/problem.hpp"

namespace sectile::tool {
namespace {

/// Options that only the model understands, as they are spelled; "" if none was given.
std::string_view model_option(const run_options& options) {
  if (options.check_hazards) return *options.check_hazards ? "--check-hazards" : "--no-check-hazards";
  if (options.schedule_seed) return "--schedule-seed";
  if (options.workers) return "--workers";
  return "";
}

/// The machine that runs the kernel, and why that one.
struct choice {
  machine on = machine::model;
  std::string why;
};

choice choose_machine(const run_options& options) {
  const std::string_view for_model = model_option(options);
  if (options.on == machine::model) return {machine::model, "as asked for"};
  if (options.on == machine::gpu && !for_model.empty()) {
    throw input_error(fmt::format("{} says how the model runs; it means nothing with --on gpu", for_model));
  }
  if (!options.on && !for_model.empty()) return {machine::model, fmt::format("because of {}", for_model)};
  const std::string missing = why_no_gpu();
  if (missing.empty()) return {machine::gpu, options.on ? "as asked for" : "there is one"};
  if (options.on) throw input_error("--on gpu: " + missing);
  return {machine::model, missing.substr(0, missing.find(';'))};
}

/// A shape that takes a second or two.
std::string default_shape(const kernel_facts& kernel, machine on) {
  if (kernel.family == kernel_family::gemm) return on == machine::gpu ? "4096x4096x1024" : "256x512x256";
  return (on == machine::gpu ? "2x8x2048x" : "1x2x384x") + std::to_string(kernel.head_dimension());
}

/// The operands' files in the order of the operands, or none. Throws input_error where some are missing or too many.
std::vector<std::filesystem::path> input_files(const run_options& options, const kernel_facts& kernel) {
  using named = std::pair<std::string_view, const std::optional<std::filesystem::path>*>;
  const std::vector<named> of_gemm{{"--a", &options.a}, {"--b", &options.b}};
  const std::vector<named> of_attention{{"--q", &options.q}, {"--k", &options.k}, {"--v", &options.v}};
  const bool gemm = kernel.family == kernel_family::gemm;
  std::vector<std::filesystem::path> files;
  std::string missing, expected;
  for (const auto& [name, file] : gemm ? of_gemm : of_attention) {
    expected += fmt::format("{}{}", expected.empty() ? "" : ", ", name);
    if (*file)
      files.push_back(**file);
    else if (missing.empty())
      missing = name;
  }
  for (const auto& [name, file] : gemm ? of_attention : of_gemm)
    if (*file) throw input_error(fmt::format("{}: {} takes {}", name, kernel.name, expected));
  if (!files.empty() && !missing.empty())
    throw input_error(fmt::format("{} is missing: {} takes {} together", missing, kernel.name, expected));
  if (!files.empty() && options.shape) throw input_error("--shape: the shape is that of the files");
  if (!files.empty() && options.seed) throw input_error("--seed: nothing is random where files are given");
  return files;
}

/// Runs the kernel on the inputs and returns what it wrote.
tensor_buffer compute(int kernel, const choice& chosen, const run_options& options, const problem& p) {
  std::vector<tensor_buffer> inputs;
  for (const operand_data& input : p.inputs)
    inputs.emplace_back(element_of<bf16>(), input.shape).fill_bf16(input.values);
  tensor_buffer output(kernel_list()[static_cast<std::size_t>(kernel)].output().type, p.output_shape);

  std::vector<argument> arguments;
  for (tensor_buffer& input : inputs) arguments.push_back(input.as_argument());
  arguments.push_back(output.as_argument());
  if (p.number) arguments.push_back({.number = *p.number});
  if (chosen.on == machine::gpu) {
    run_on_gpu(kernel, arguments);
  } else {
    run_on_model(kernel, arguments,
                 {.check_hazards = options.check_hazards.value_or(true),
                  .random_schedule = options.schedule_seed.has_value(),
                  .schedule_seed = options.schedule_seed.value_or(0),
                  .workers = options.workers.value_or(0)});
  }
  return output;
}

/// Compares with the reference, says how far off the result is, and whether rounding explains it.
bool check_result(const tensor_buffer& output, const problem& p) {
  progress tick("float64 reference", p.reference_steps);
  const std::vector<float> result = output.to_floats();
  const error_report error = compare(result, p.reference(p.inputs, tick));
  const auto place = [&] {
    std::vector<std::int64_t> at(p.output_shape.size());
    std::int64_t rest = error.worst_index;
    for (std::size_t d = at.size(); d-- > 0; rest /= p.output_shape[d]) at[d] = rest % p.output_shape[d];
    return fmt::format("({})", fmt::join(at, ", "));
  };
  if (!error.finite) {
    fmt::print("error:    element {} is {}\n", place(), result[static_cast<std::size_t>(error.worst_index)]);
    return false;
  }
  fmt::print("error:    relative L2 {:.2e} (at most {:.2g} is rounding)", error.relative_l2, p.bar);
  if (error.worst_index >= 0) fmt::print(", largest difference {:.2g} at {}", error.max_abs, place());
  fmt::print("\n");
  return error.relative_l2 <= p.bar;
}

}  // namespace

exit_status run_kernel(const run_options& options) {
  const int kernel = find_kernel(options.kernel);
  const kernel_facts& facts = kernel_list()[static_cast<std::size_t>(kernel)];
  const std::vector<std::filesystem::path> files = input_files(options, facts);
  const choice chosen = choose_machine(options);
  if (options.out) require_writable(*options.out);
  const problem p = files.empty() ? random_problem(facts, options.shape.value_or(default_shape(facts, chosen.on)),
                                                   options.seed.value_or(0))
                                  : problem_from_files(facts, files);

  fmt::print("kernel:   {}, {}\n", facts.name, p.what);
  fmt::print("data:     {}\n", files.empty() ? fmt::format("random, seed {}", options.seed.value_or(0)) : "from files");
  for (const operand_data& input : p.inputs)
    if (!input.note.empty()) fmt::print("          {}\n", input.note);
  fmt::print("machine:  {} ({})\n", chosen.on == machine::gpu ? "GPU" : "CPU model", chosen.why);
  std::fflush(stdout);

  const tensor_buffer output = compute(kernel, chosen, options, p);
  const bool right = check_result(output, p);
  if (options.out) {
    write_npy(*options.out, output.to_npy(options.out->string()));
    fmt::print("written:  {}, {} as '{}'\n", options.out->string(), shape_text(p.output_shape),
               output.type.bits == 16 ? "<V2" : "<f4");
  }
  fmt::print("{}\n", right ? "VERIFIED" : "FAILED: the result is not that of the float64 reference");
  return right ? success : failed;
}

}  // namespace sectile::tool
