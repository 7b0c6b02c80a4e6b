// The kernels that the tool knows by name: what they compute, on what, and how to run them. Each family has a source
// file in tool/kernels/, where its kernels are compiled, once; everything else reads what is here.
#pragma once

#include <cstdint>
#include <sectile/dsl/launch/model_options.hpp>
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>
#include <span>
#include <string>
#include <string_view>

#include "tool/argument.hpp"
#include "tool/formula.hpp"

namespace sectile {
struct kernel_cost;
}

namespace sectile::tool {

/// How a kernel's body is read: for Hopper's machine or its debug machine, or for older GPUs through nvcuda::wmma or
/// plain multiplications.
enum class reading { wgmma, wmma, simt, checked };

/// A kernel's code in one reading, where its type is not known.
struct reading_functions {
  // nullptr: no such reading
  void (*on_model)(std::span<const argument> arguments, const model_options& how) = nullptr;
  // On a stream of CUDA's (nullptr: the default one), queued when it returns; nullptr without CUDA.
  void (*launch)(std::span<const argument> on_device, void* stream) = nullptr;
};

struct kernel_facts {
  std::string_view name;
  std::string_view summary{};  // one line
  formula computes{};
  /// The kernel's plan for Hopper; nullptr for one that is written by hand, or read for older GPUs only.
  const plan* planned = nullptr;
  /// What every kernel has of a plan: operands, the one whose tiles are the work, the instruction of the first product,
  /// threads and bytes of shared memory. The plan itself if there is one.
  const plan* declared = nullptr;
  const kernel_cost* cost = nullptr;           // for the cost model; nullptr without a plan
  std::string_view listing{};                  // of a kernel without a plan: the file to read
  std::string_view type_name{};                // as the compiler's symbols have it
  trace (*traced)() = nullptr;                 // the body, every loop with trips
  int (*model_clusters)(int items) = nullptr;  // that a launch of so many work items has on the model
  reading_functions wgmma{}, wmma{}, simt{}, checked{};

  const reading_functions& in(reading how) const {
    return how == reading::wgmma ? wgmma : how == reading::wmma ? wmma : how == reading::simt ? simt : checked;
  }

  /// What the kernel reads and what it writes in memory, in the order of the declaration. The first output is the
  /// matrix; the others are made of it.
  int inputs() const { return count(&operand_facts::is_read); }
  int outputs() const { return count(&operand_facts::is_written); }
  const operand_facts& input(int i) const { return declared->operand[number_of_input(i)].facts; }
  const operand_facts& output(int i = 0) const { return output_plan(i).facts; }
  const operand_plan& output_plan(int i) const { return declared->operand[number_of_output(i)]; }
  /// Their places among all operands of the declaration.
  int number_of_input(int i) const { return nth(&operand_facts::is_read, i); }
  int number_of_output(int i) const { return nth(&operand_facts::is_written, i); }
  bool is_sparse() const { return input(0).sparse; }
  /// nullptr unless the kernel computes attention.
  const attention_formula* attention() const { return std::get_if<attention_formula>(&computes); }
  /// Of attention: the only D that the kernel takes.
  int head_dimension() const { return attention() && attention()->latent > 0 ? attention()->latent : input(0).cols(); }

 private:
  using is_one = bool (operand_facts::*)() const;
  int count(is_one asked) const {
    int found = 0;
    for (int o = 0; o < declared->operands; ++o) found += (declared->operand[o].facts.*asked)();
    return found;
  }
  int nth(is_one asked, int i) const {
    int o = 0;
    while (!(declared->operand[o].facts.*asked)() || i-- > 0) ++o;
    return o;
  }
};

/// All of them.
std::span<const kernel_facts> kernel_list();

/// What `sectile list` has to say of families of kernels that this build was told to do without; "" if it has all.
std::string kernels_left_out();

/// Why this build cannot run the kernel on a GPU in that reading; "" if it can.
std::string why_no_machine_code(const kernel_facts& kernel, reading how);

/// The kernel of that name. Throws input_error with the names that come nearest.
const kernel_facts& find_kernel(std::string_view name);

}  // namespace sectile::tool
