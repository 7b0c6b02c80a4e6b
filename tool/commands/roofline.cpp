#include <fmt/format.h>

#include "tool/args.hpp"
#include "tool/commands/commands.hpp"
#include "tool/input_error.hpp"
#include "tool/numbers.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/roofline/roofline.hpp"

namespace sectile::tool {
namespace {

/// For Hopper, unless a kernel has no such reading.
reading reading_of(const kernel_facts& kernel) { return kernel.wgmma.on_model ? reading::wgmma : reading::wmma; }

/// Why nothing is measured; "" if it is.
std::string why_not_measured(const kernel_facts& kernel, const roofline_options& options) {
  if (options.predict_only) return "of --predict";
  std::string why = why_no_gpu();
  if (why.empty()) why = why_no_machine_code(kernel, reading_of(kernel));
  return why.substr(0, why.find(';'));
}

/// What the kernel takes on the GPU, on random operands.
double measured_us(const kernel_facts& kernel, const named_sizes& sizes) {
  const reading how = reading_of(kernel);
  const problem p = random_problem(kernel, how, shape_text(sizes.at), 0);
  const operand_buffers operands(kernel, p);
  return time_on_gpu(kernel, how, operands.arguments);
}

}  // namespace

exit_status tell_roofline(const roofline_options& options) {
  const kernel_facts& kernel = find_kernel(options.kernel);
  const named_sizes sizes = sizes_asked(kernel, options.shape);
  require_taken(kernel, sizes);
  const bool at_hand = !options.predict_only && why_no_gpu().empty();
  const std::string gpu = at_hand ? gpu_name() : ceilings_of("").gpu;
  const gpu_ceilings& ceilings = ceilings_of(gpu);
  const roofline bound = roofline_of(kernel, sizes, ceilings);
  fmt::print("kernel:       {} with {}\n", kernel.name, sizes.text());
  fmt::print("machine:      {}{}\n", gpu,
             gpu == ceilings.gpu
                 ? fmt::format(", whose ceilings were measured on {}", ceilings.date)
                 : fmt::format(", of which no ceilings are known: those of an {} stand here", ceilings.gpu));
  fmt::print("{}", bound_text(bound));
  const std::string no_prediction = why_not_predicted(kernel);
  fmt::print("predicted:    {}\n", no_prediction.empty()
                                       ? reached_text(bound, predicted_us(kernel, sizes, gpu)) + " by the cost model"
                                       : "nothing, because " + no_prediction);
  std::fflush(stdout);
  const std::string why_not = why_not_measured(kernel, options);
  fmt::print("measured:     {}\n",
             why_not.empty() ? reached_text(bound, measured_us(kernel, sizes)) : "nothing, because " + why_not);
  return success;
}

}  // namespace sectile::tool
