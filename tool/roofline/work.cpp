#include "tool/roofline/work.hpp"

#include <algorithm>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/layouts/sparse.hpp>

#include "tool/attention_answer.hpp"

namespace sectile::tool {
namespace {

double elements(const std::vector<std::int64_t>& shape) {
  double all = 1;
  for (const std::int64_t size : shape) all *= static_cast<double>(size);
  return all;
}

/// Of the letters of `from` that `others` lack.
double elements_besides(const named_sizes& sizes, std::string_view from, std::string_view others) {
  double all = 1;
  for (const char letter : from)
    if (letter != gathered_letter && others.find(letter) == std::string_view::npos)
      all *= static_cast<double>(sizes.of(letter));
  return all;
}

double stored_bytes(const operand_facts& f, double elements) {
  if (!f.sparse) return elements * f.type.bits / 8;
  const double metadata_bits = 4.0 / sparse_group(f.type.bits);  // for each element
  return elements * (f.type.bits / 2.0 + metadata_bits) / 8;
}

double operations_of(const product_formula& what, const kernel_facts& kernel, const named_sizes& sizes) {
  if (!what.multiplies()) return 0;
  const auto letters_of_input = [&](int i) { return letters_of(kernel, kernel.number_of_input(i)); };
  const std::string out = letters_of(kernel, kernel.number_of_output(0)), left = letters_of_input(0);
  const double results = elements(sizes.of_output(kernel, 0)), depth = elements_besides(sizes, left, out);
  const plan& p = *kernel.declared;
  if (what.ends > 0 && !walks_groups(p)) return 2 * results * depth / elements(sizes.of_input(kernel, what.ends));
  if (kernel.output().has_index())  // each row that is stored, whatever row of the output it becomes a part of
    return 2 * results / static_cast<double>(sizes.of(gathered_letter)) * depth;
  if (what.next == 0) return 2 * static_cast<double>(what.right.size()) * results * depth;
  // (A W^T) V^T: the first sums have the rows of A and the columns that W has besides.
  const std::string right = letters_of_input(what.right[0]), next = letters_of_input(what.next);
  const double rows = elements(sizes.of_input(kernel, 0)) / depth, between = elements_besides(sizes, right, left);
  return 2 * rows * depth * between + 2 * results * elements_besides(sizes, next, out);
}

double operations_of(const row_formula&, const kernel_facts&, const named_sizes&) { return 0; }

/// Of each key that a row sees: one element of every product, of matrices as deep as keys or values are. Those are Q
/// K^T and the one with V; for gradients Q K^T and dO V^T, then dS^T Q and P^T dO, or dS K.
double products_of(attention_pass pass, const attention_shape& shape) {
  const auto of_keys = static_cast<double>(shape.dimension), of_values = static_cast<double>(shape.values);
  switch (pass) {
    case attention_pass::row_numbers:
      return 0;
    case attention_pass::keys:
      return 2 * (of_keys + of_values);
    case attention_pass::queries:
      return 2 * of_keys + of_values;
    default:
      return of_keys + of_values;
  }
}

/// Of a window keys are as many as where nobody says otherwise; sequences that are packed are as long as each other.
double operations_of(const attention_formula& what, const kernel_facts&, const named_sizes& sizes) {
  const attention_shape shape = attention_shape_of(what, sizes);
  const attention_rules rules = rules_of(what, what.numbers);
  double keys = 0;
  for (std::int64_t row = 0; row < shape.queries; ++row)
    keys += static_cast<double>(std::max<std::int64_t>(rules.end_of_keys(shape, row) - rules.first_key(shape, row), 0));
  return 2 * keys * static_cast<double>(shape.batch * shape.heads) * products_of(what.pass, shape);
}

}  // namespace

double kernel_work::bytes() const {
  double all = 0;
  for (const moved_operand& operand : moved) all += operand.bytes;
  return all;
}

kernel_work work_of(const kernel_facts& kernel, const named_sizes& sizes) {
  kernel_work work;
  for (int i = 0; i < kernel.inputs(); ++i)
    work.moved.push_back({kernel.input(i).name, stored_bytes(kernel.input(i), elements(sizes.of_input(kernel, i)))});
  for (int i = 0; i < kernel.outputs(); ++i)
    work.moved.push_back({kernel.output(i).name, stored_bytes(kernel.output(i), elements(sizes.of_output(kernel, i)))});
  work.operations = std::visit([&](const auto& what) { return operations_of(what, kernel, sizes); }, kernel.computes);
  return work;
}

}  // namespace sectile::tool
