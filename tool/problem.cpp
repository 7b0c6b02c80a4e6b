#include "tool/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sectile/dsl/plan/counted_tiles.hpp>
#include <sectile/layouts/sparse.hpp>
#include <string_view>
#include <utility>

#include "tool/args.hpp"
#include "tool/attention_answer.hpp"
#include "tool/error_bar.hpp"
#include "tool/gathers.hpp"
#include "tool/groups.hpp"
#include "tool/memory.hpp"
#include "tool/numbers.hpp"
#include "tool/row_answer.hpp"
#include "tool/sparse_data.hpp"

namespace sectile::tool {
namespace {

double elements_of(const std::vector<std::int64_t>& shape) {
  double result = 1;
  for (const std::int64_t size : shape) result *= static_cast<double>(size);
  return result;
}

/// For each element of the first output.
double bytes_of_result(const formula& computes) {
  constexpr double of_matrix = 24, of_bounds = 8 + 2.0 * sizeof(approximate);
  if (std::holds_alternative<row_formula>(computes)) return of_matrix + of_bounds;
  if (const auto* what = std::get_if<attention_formula>(&computes); what && what->pass == attention_pass::keys)
    return 2 * of_matrix;
  const auto* what = std::get_if<product_formula>(&computes);
  if (!what || what->is_plain()) return of_matrix;
  const double sums = 8.0 * static_cast<double>(what->right.size());
  const double matrices = of_matrix * static_cast<double>(1 + what->further.size());
  return matrices + sums + (what->multiplies() && what->groups.empty() ? 0 : of_bounds);
}

/// The operands as floats and once more as the kernel takes them; of the result, the reference in float64 as well, and
/// every sum behind the first; of further matrices the same; where groups of elements are reduced or elements are
/// judged one by one, these twice, each with its bound.
void require_run_memory(const kernel_facts& kernel, const named_sizes& sizes) {
  double inputs = 0;
  for (int i = 0; i < kernel.inputs(); ++i) inputs += elements_of(sizes.of_input(kernel, i));
  require_memory(8 * inputs + bytes_of_result(kernel.computes) * elements_of(sizes.of_output(kernel, 0)),
                 "the operands, the result and its float64 reference");
}

/// "C = A W^T, amax = max(|C|), A sparse, with M = 256, N = 512, alpha = 0.5"
std::string stated_as(std::string text, const kernel_facts& kernel, const named_sizes& sizes,
                      const std::vector<float>& numbers) {
  return fmt::format("{}{} with {}{}", text, kernel.is_sparse() ? ", A sparse," : "", sizes.text(),
                     numbers_text(kernel, numbers));
}

void state(problem& p, const product_formula& what, const kernel_facts& kernel, reading how, signs of_products,
           const named_sizes& sizes) {
  std::string text = what.text;
  for (const matrix_formula& matrix : what.further) text += ", " + matrix.text;
  for (const group_formula& group : what.groups) text += ", " + group.text;
  p.what = stated_as(std::move(text), kernel, sizes, p.numbers);
  p.reference_steps = what.ends > 0 ? p.inputs[static_cast<std::size_t>(what.ends)].shape[0] * std::ssize(what.right)
                                    : product_steps(what, p.output_shapes[0][0]);
  p.reference = [&kernel, how, of_products, numbers = p.numbers, rows = p.output_shapes[0][0]](
                    const std::vector<operand_data>& in, progress& tick) {
    return product_answers(kernel, how, of_products, in, numbers, &tick, rows);
  };
}

void state(problem& p, const row_formula& what, const kernel_facts& kernel, reading, signs, const named_sizes& sizes) {
  std::string text = what.text;
  for (const group_formula& group : what.groups) text += ", " + group.text;
  p.what = stated_as(std::move(text), kernel, sizes, p.numbers);
  p.reference_steps = p.output_shapes[0][0];
  p.reference = [&kernel, numbers = p.numbers](const std::vector<operand_data>& in, progress& tick) {
    return row_answers(kernel, in, numbers, &tick);
  };
}

void state(problem& p, const attention_formula& what, const kernel_facts& kernel, reading, signs,
           const named_sizes& sizes) {
  const attention_shape s = attention_shape_of(what, sizes);
  p.what = fmt::format("{} with {}{}", said_of(what), sizes.text(), numbers_text(kernel, p.numbers));
  p.reference_steps = attention_steps(kernel, s, p.inputs);
  p.reference = [&kernel, s, numbers = p.numbers](const std::vector<operand_data>& in, progress& tick) {
    return attention_answers(kernel, s, in, numbers, &tick);
  };
  if (what.pass == attention_pass::row_numbers || what.scaled) return;  // which have no number of that name
  p.numbers.insert(p.numbers.begin(), static_cast<float>(usual_scale(s.dimension)));
}

/// The problem whose operands are there.
problem stated(const kernel_facts& kernel, reading how, signs of_products, const named_sizes& sizes,
               std::vector<operand_data> inputs, const std::vector<float>& numbers) {
  problem p;
  p.inputs = std::move(inputs);
  p.numbers = numbers;
  if (takes_image(kernel)) p.path = path_of(numbers);
  for (int i = 0; i < kernel.outputs(); ++i) p.output_shapes.push_back(sizes.of_output(kernel, i));
  std::visit([&](const auto& what) { state(p, what, kernel, how, of_products, sizes); }, kernel.computes);
  return p;
}

/// Makes A sparse, and says so.
void prune_left(const kernel_facts& kernel, operand_data& a, const std::string& what) {
  prune(kernel.input(0).type, a);
  const bool pairs = sparse_group(kernel.input(0).type.bits) == 2;
  a.note +=
      fmt::format("{}{}: of every {} neighbours along a row the {} in magnitude {} kept", a.note.empty() ? "" : "; ",
                  what, pairs ? "two" : "four", pairs ? "larger" : "two largest", pairs ? "is" : "are");
}

/// Makes random scales exponents of powers that have a place in f32, products of two as well, and says so.
void draw_exponents(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const operand_facts& facts = kernel.input(static_cast<int>(i));
    if (!facts.is_vector()) continue;
    for (float& x : inputs[i].values) x = 120 + std::floor(x / 16);
    inputs[i].note = fmt::format("{}: exponents of 2^-7 to 2^8", facts.name);
  }
}

/// Makes random scales of attention's heads positive, and those of scores what these are to be multiplied by.
void draw_scales_of_heads(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
  const double usual = usual_scale(kernel.head_dimension());
  operand_data &of_scores = inputs[3], &of_values = inputs.back();
  for (float& x : of_scores.values) x = static_cast<float>(usual) * std::exp2(x / 4);
  for (float& x : of_values.values) x = std::exp2(x / 4);
  of_scores.note = "scale: log2(e) / sqrt(D) times a random scale of Q's and K's elements, above 0";
}

/// Makes random vectors as small as the formula wants them, and says so.
void scale_vectors(const kernel_facts& kernel, std::vector<operand_data>& inputs) {
  if (kernel.attention() && kernel.attention()->scaled) draw_scales_of_heads(kernel, inputs);
  const auto* what = std::get_if<product_formula>(&kernel.computes);
  if (what && what->blocks.exponents) draw_exponents(kernel, inputs);
  if (!what || what->of_vectors == 1) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const operand_facts& facts = kernel.input(static_cast<int>(i));
    if (!facts.is_vector()) continue;
    for (float& x : inputs[i].values) x *= what->of_vectors;
    inputs[i].note = fmt::format("{}: times {}, so that results have a place in {}", facts.name, what->of_vectors,
                                 kernel.output().type.name);
  }
}

/// What the operands from files say of the sizes. Throws input_error where two of them do not fit together.
named_sizes sizes_of(const kernel_facts& kernel, const std::vector<operand_data>& inputs,
                     const std::vector<std::filesystem::path>& files, const std::vector<float>& numbers) {
  named_sizes sizes{.letters = size_letters(kernel), .at = {}};
  sizes.at.resize(sizes.letters.size());
  std::vector<std::size_t> said_by(sizes.letters.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int o = kernel.number_of_input(static_cast<int>(i));
    const bool image = kernel.declared->operand[o].facts.im2col;
    const std::string letters = image ? image_letters : letters_of(kernel, o);
    std::size_t given = 0;
    for (const int d : given_modes(kernel, o)) {
      const std::int64_t size = inputs[i].shape[given++];
      const char letter = letters[static_cast<std::size_t>(d)];
      const bool counted = tiles_counted(*kernel.declared, o, d).extent > 0;
      const bool in_blocks = kernel.declared->operand[o].facts.block[d] > 1;
      if (!image && (counted || in_blocks)) continue;                 // its size follows from another one,
      if (sizes.letters.find(letter) == std::string::npos) continue;  // or from the filter's way
      std::int64_t& known = sizes.of(letter);
      std::size_t& other = said_by[sizes.letters.find(letter)];
      if (known == 0) other = i;
      if (known == 0) known = size;
      if (known == size) continue;
      const int earlier = kernel.number_of_input(static_cast<int>(other));
      throw input_error(fmt::format(
          "{} is {} and {} is {}: {} is {} and {} is {}, so both need the same {}, not {} "
          "and {}",
          files[other].string(), shape_text(inputs[other].shape), files[i].string(), shape_text(inputs[i].shape),
          kernel.input(static_cast<int>(other)).name, modes_text(kernel, earlier),
          kernel.input(static_cast<int>(i)).name, modes_text(kernel, o), letter, known, size));
    }
  }
  if (takes_image(kernel)) add_places(sizes, path_of(numbers));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const auto needed = sizes.of_input(kernel, static_cast<int>(i)); inputs[i].shape != needed)
      throw input_error(fmt::format("{} is {}, and with {} {}, {}, is {}", files[i].string(),
                                    shape_text(inputs[i].shape), sizes.text(), kernel.input(static_cast<int>(i)).name,
                                    modes_text(kernel, kernel.number_of_input(static_cast<int>(i))),
                                    shape_text(needed)));
  return sizes;
}

/// Whether rows are heads of new tokens, which are few.
bool is_of_new_tokens(const kernel_facts& kernel) {
  const attention_formula* const what = kernel.attention();
  return what && what->pass == attention_pass::counted;
}

/// Of a convolution.
std::int64_t default_image_size(bool gpu, char letter) {
  switch (letter) {
    case 'N':
      return gpu ? 32 : 1;
    case 'H':
      return gpu ? 28 : 14;
    case 'W':
      return gpu ? 28 : 12;
    default:
      return gpu ? 256 : 64;
  }
}

/// A size that suits a run of the kernel.
std::int64_t default_size(const kernel_facts& kernel, machine on, char letter) {
  const bool gpu = on == machine::gpu;
  if (takes_image(kernel)) return default_image_size(gpu, letter);
  if (const std::vector<int> cut = vectors_of_groups(kernel); !cut.empty()) {
    if (letter == kernel.input(cut[0]).mode_name[0][0]) return gpu ? 16 : 4;
    if (letter == 'S') return gpu ? 8192 : 512;  // of all sequences
  }
  switch (letter) {
    case 'M':  // what has no tensor cores takes ten times as long on the model
      return gpu ? 4096 : kernel.planned && kernel.planned->products.count == 0 ? 64 : 256;
    case 'T':
      return gpu ? 4096 : 384;
    case 'N':
      return kernel.input(0).tile.rank > 2 ? (gpu ? 1024 : 128) : gpu ? 4096 : 512;
    case 'K':
      return kernel.input(0).type.bits == 1 ? (gpu ? 4096 : 2048) : (gpu ? 1024 : 256);
    case 'L':
      return gpu ? 1024 : 256;
    case 'P':
      return 8;
    case 'B':
      return gpu ? 2 : 1;
    case 'G':
      return 2;
    case gathered_letter:
      return gpu ? 2048 : 192;
    case 'E':
      return kernel.output().cols();
    case 'F':
      return kernel.input(1).cols();
    case 'H':
      return gpu ? 8 : 2;
    case 'S':
      return is_of_new_tokens(kernel) ? 8 : gpu ? 2048 : 384;
    default:
      return kernel.head_dimension();
  }
}

}  // namespace

void require_head_dimension(const kernel_facts& kernel, const named_sizes& sizes, std::string_view where) {
  const attention_formula* const what = kernel.attention();
  if (!what || sizes.of('D') == kernel.head_dimension()) return;
  std::vector<std::string_view> right;
  std::vector<int> dimensions;
  for (const kernel_facts& other : kernel_list()) {
    if (!other.attention() || *other.attention() != *what) continue;
    dimensions.push_back(other.head_dimension());
    if (other.head_dimension() == sizes.of('D')) right.push_back(other.name);
  }
  const std::string hint = right.empty() ? fmt::format("there are kernels for D = {}", fmt::join(dimensions, " and "))
                                         : fmt::format("use {}", right.front());
  throw input_error(fmt::format("{} has D = {}, {} takes D = {}; {}", where, sizes.of('D'), kernel.name,
                                kernel.head_dimension(), hint));
}

std::string default_shape(const kernel_facts& kernel, machine on) {
  std::vector<std::int64_t> shape;
  for (const char letter : size_letters(kernel)) shape.push_back(default_size(kernel, on, letter));
  return shape_text(shape);
}

problem random_problem(const kernel_facts& kernel, reading how, const std::string& shape, std::uint64_t seed) {
  return random_problem(kernel, how, shape, seed, chosen_numbers(kernel, [](const auto&) { return std::nullopt; }));
}

problem random_problem(const kernel_facts& kernel, reading how, const std::string& shape, std::uint64_t seed,
                       const std::vector<float>& numbers) {
  named_sizes sizes{.letters = size_letters(kernel), .at = {}};
  sizes.at = parse_shape(shape, sizes.letters);
  if (takes_image(kernel)) add_places(sizes, path_of(numbers));
  require_head_dimension(kernel, sizes, "shape '" + shape + "'");
  require_run_memory(kernel, sizes);
  std::vector<operand_data> inputs;
  for (int i = 0; i < kernel.inputs(); ++i)
    inputs.push_back(
        random_operand(kernel.input(i).type, sizes.of_input(kernel, i), seed + static_cast<std::uint64_t>(i)));
  if (kernel.is_sparse()) prune_left(kernel, inputs[0], "A");
  scale_vectors(kernel, inputs);
  make_groups(kernel, inputs);
  make_indices(kernel, sizes, inputs);
  return stated(kernel, how, signs::random, sizes, std::move(inputs), numbers);
}

problem problem_from_files(const kernel_facts& kernel, reading how, const std::vector<std::filesystem::path>& files,
                           bool pruned, const std::vector<float>& numbers) {
  if (scatters_rows(kernel))
    throw input_error(fmt::format("{} takes random operands alone: no file says how many rows {} has; say --shape",
                                  kernel.name, kernel.output().name));
  std::vector<operand_data> inputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const operand_facts& operand = kernel.input(static_cast<int>(i));
    const int o = kernel.number_of_input(static_cast<int>(i));
    inputs.push_back(read_operand(operand.type, files[i], given_modes(kernel, o).size(),
                                  fmt::format("{}, {}", operand.name, modes_text(kernel, o))));
  }
  const named_sizes sizes = sizes_of(kernel, inputs, files, numbers);
  require_head_dimension(kernel, sizes, files[0].string());
  require_groups(kernel, inputs, files);
  require_indices(kernel, inputs, files);
  if (pruned) prune_left(kernel, inputs[0], files[0].string());
  if (kernel.is_sparse()) require_sparse(kernel.input(0).type, inputs[0], files[0].string());
  require_run_memory(kernel, sizes);
  return stated(kernel, how, signs::any, sizes, std::move(inputs), numbers);
}

}  // namespace sectile::tool
