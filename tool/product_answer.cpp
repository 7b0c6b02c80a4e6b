#include "tool/product_answer.hpp"

#include <algorithm>
#include <cmath>
#include <sectile/dsl/plan/gather.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <utility>

#include "tool/gathers.hpp"
#include "tool/group_answer.hpp"
#include "tool/groups.hpp"
#include "tool/images.hpp"
#include "tool/storage_types.hpp"
#include "tool/stored_elements.hpp"

namespace sectile::tool {
namespace {

/// A matrix as a factor: what it is summed along lies along the columns. A copy only where that is the rows' mode.
struct factor {
  std::vector<float> turned{};
  const std::vector<float>* values = nullptr;
  std::int64_t rows = 0, k = 0;

  factor(const operand_data& data, bool is_turned) : values(&data.values), rows(data.shape[0]), k(data.shape[1]) {
    if (!is_turned) return;
    std::swap(rows, k);
    turned.reserve(data.values.size());
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t l = 0; l < k; ++l) turned.push_back(data.values[static_cast<std::size_t>(l * rows + i)]);
    values = &turned;
  }
  factor(const factor&) = delete;
  factor& operator=(const factor&) = delete;
};

std::vector<double> sum_products(const wgmma_instruction& w, const factor& left, const factor& right, progress* tick) {
  const gemm_shape s{left.rows, right.rows, left.k};
  if (family_of(w).sum != summation::integer) return reference_gemm(*left.values, *right.values, s, tick);
  return reference_integer_gemm(*left.values, *right.values, s, w.saturate ? overflow::clamps : overflow::wraps, w.k,
                                tick);
}

/// The scales of all blocks of `rows` rows, of which `together` have one in each block.
std::vector<double> scales_of_blocks(const operand_facts& facts, const operand_data& data, mode_id block,
                                     std::int64_t blocks, std::int64_t rows, std::int64_t together, bool exponents) {
  const bool blocks_first = facts.position_of(block) == 0;
  const std::int64_t parts = (rows + together - 1) / together;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(blocks * rows));
  for (std::int64_t l = 0; l < blocks; ++l)
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t part = i / together, at = blocks_first ? l * parts + part : part * blocks + l;
      const double x = data.values[static_cast<std::size_t>(at)];
      all.push_back(exponents ? std::exp2(x - 127) : x);
    }
  return all;
}

/// Sums whose blocks have scales.
std::vector<double> sum_scaled_products(const kernel_facts& kernel, const block_formula& what,
                                        const std::vector<operand_data>& in, const factor& left, const factor& right,
                                        progress* tick) {
  const std::int64_t blocks = (left.k + what.along_k - 1) / what.along_k;
  const mode_id block = kernel.input(what.of_left).mode_at(0);
  const auto scales = [&](int i, std::int64_t rows, int together) {
    if (i == 0) return std::vector<double>(static_cast<std::size_t>(rows * blocks), 1);
    return scales_of_blocks(kernel.input(i), in[static_cast<std::size_t>(i)], block, blocks, rows, together,
                            what.exponents);
  };
  return reference_scaled_gemm(
      *left.values, *right.values, {left.rows, right.rows, left.k},
      {what.along_k, scales(what.of_left, left.rows, 1), scales(what.of_right, right.rows, what.rows_of_right)}, tick);
}

/// The mode of a matrix besides this one.
mode_id other_mode(const operand_facts& matrix, mode_id one) { return matrix.mode_at(1 - matrix.position_of(one)); }

/// Sums as the matrix that a next product takes.
operand_data rounded_to(const element& type, const std::vector<double>& sums, std::int64_t rows) {
  operand_data data{.shape = {rows, std::ssize(sums) / rows}, .values = {sums.begin(), sums.end()}};
  with_storage_type(type, [&]<class T>(std::type_identity<T>) {
    for (float& x : data.values) x = static_cast<float>(T(x));
  });
  return data;
}

/// What a sum of so many products is off in f32.
void add_errors(summed_products& p, const wgmma_instruction& w, std::int64_t products, signs of_products) {
  p.bar += sum_error_bar(w, element_of<f32>(), products, of_products);
  p.error += sum_error(w, products, of_products);
}
/// The same where blocks of k products are scaled and go on as f32; the instruction may add up `more` times as many.
void add_block_errors(summed_products& p, const wgmma_instruction& w, const block_formula& by, std::int64_t k,
                      std::int64_t more, signs of_products) {
  add_errors(p, w, more * std::min<std::int64_t>(by.along_k, k), of_products);
  const double of_f32 = std::ldexp(static_cast<double>((k + by.along_k - 1) / by.along_k), -24);
  p.bar += of_f32;
  p.error += of_f32;
}

/// Notes the inputs that no product takes.
void add_others(summed_products& p, const kernel_facts& kernel, const std::vector<operand_data>& in,
                const std::vector<bool>& taken) {
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!taken[i] && !picks_rows(*kernel.declared, kernel.number_of_input(static_cast<int>(i))))
      p.others.emplace_back(kernel.input(static_cast<int>(i)), in[i], kernel.output());
}

/// The sums, and what rounding they explain.
summed_products summed(const kernel_facts& kernel, const product_formula& what, reading how, signs of_products,
                       const std::vector<operand_data>& in, progress* tick) {
  const wgmma_instruction& w = kernel.declared->products.at[0].instruction;
  const operand_facts& out = kernel.output();
  std::vector<bool> taken(in.size(), false);
  const auto as_factor = [&](int i, mode_id along) {
    taken[static_cast<std::size_t>(i)] = true;
    return factor(in[static_cast<std::size_t>(i)], kernel.input(i).position_of(along) == 0);
  };
  const mode_id k = other_mode(kernel.input(0), out.row_mode());
  const factor left = as_factor(0, k);
  summed_products p{.rows = left.rows};
  for (const int r : what.right) {
    const factor right = as_factor(r, k);
    p.sums.push_back(what.blocks.along_k > 0 ? sum_scaled_products(kernel, what.blocks, in, left, right, tick)
                                             : sum_products(w, left, right, tick));
    p.cols = right.rows;
    if (r == 0) of_products = signs::any;  // squares have one sign
  }
  // Older tensor cores may add half as many products at once as wgmma.
  const std::int64_t more = how == reading::wmma ? 2 : 1;
  if (what.is_plain()) {
    p.bar = sum_error_bar(w, out.type, more * left.k, of_products);
    return p;
  }
  if (const block_formula& by = what.blocks; by.along_k > 0) {
    taken[static_cast<std::size_t>(by.of_left)] = taken[static_cast<std::size_t>(by.of_right)] = true;
    add_block_errors(p, w, by, left.k, more, of_products);
  } else {
    add_errors(p, w, more * left.k, of_products);
  }
  if (what.next > 0) {
    const element& type = kernel.input(what.next).type;
    const operand_data between = rounded_to(type, p.sums[0], p.rows);
    const factor right = as_factor(what.next, other_mode(kernel.input(what.right[0]), k));
    p.sums[0] = sum_products(w, factor(between, false), right, tick);
    p.cols = right.rows;
    add_errors(p, w, more * right.k, of_products);
    p.bar += rounding_bar(type);  // a sum may be rounded the other way
    p.error += rounding_bar(type);
  }
  add_others(p, kernel, in, taken);
  return p;
}

/// The same of a convolution, as the product of matrices that it is.
summed_products sum_places(const kernel_facts& kernel, reading how, signs of_products,
                           const std::vector<operand_data>& in, const std::vector<float>& numbers, progress* tick) {
  const wgmma_instruction& w = kernel.declared->products.at[0].instruction;
  const operand_data met = met_pixels(in[0], path_of(numbers)), filters = rows_of_filters(in[1]);
  const factor left(met, false), right(filters, false);
  summed_products p{.rows = left.rows, .cols = right.rows};
  p.sums.push_back(sum_products(w, left, right, tick));
  p.bar = sum_error_bar(w, kernel.output().type, (how == reading::wmma ? 2 : 1) * left.k, of_products);
  return p;
}

/// So many rows of a matrix, or of matrices one behind the other.
operand_data rows_of(const operand_data& data, std::int64_t begin, std::int64_t rows) {
  const std::int64_t cols = data.shape.back();
  const auto first = data.values.begin() + begin * cols;
  return {.shape = {rows, cols}, .values = {first, first + rows * cols}};
}
/// So many columns of a matrix.
operand_data columns_of(const operand_data& data, std::int64_t begin, std::int64_t cols) {
  operand_data some{.shape = {data.shape[0], cols}, .values = {}};
  for (auto row = data.values.begin(); row != data.values.end(); row += data.shape[1])
    some.values.insert(some.values.end(), row + begin, row + begin + cols);
  return some;
}

/// The scales of blocks, of a group: of rows from begin up to end for the first factor, of its matrix for the second.
std::vector<operand_data> scales_of_group(const block_formula& what, const std::vector<operand_data>& in,
                                          std::int64_t e, const group_bounds& at) {
  std::vector<operand_data> of_group(in.size());
  const auto left = static_cast<std::size_t>(what.of_left), right = static_cast<std::size_t>(what.of_right);
  of_group[left] = columns_of(in[left], at.begin, at.end - at.begin);
  of_group[right] = rows_of(in[right], e * in[right].shape[1], in[right].shape[1]);
  return of_group;
}

/// The elements of rows behind groups that have rooms, where the output has rows of groups.
std::vector<bool> rows_in_no_group(const kernel_facts& kernel, const std::vector<operand_data>& in, int ends,
                                   std::size_t elements) {
  if (!walks_groups(*kernel.declared)) return {};
  std::vector<bool> untouched(elements, true);
  const std::int64_t cols = static_cast<std::int64_t>(elements) / in[0].shape[0];
  for (const group_bounds& at : groups_of(kernel, in, ends))
    std::fill(untouched.begin() + at.begin * cols, untouched.begin() + at.end * cols, false);
  return untouched;
}

/// Products of groups of the first input's rows: with matrices of their own, or with the same rows of another matrix.
summed_products sum_groups(const kernel_facts& kernel, const product_formula& what, signs of_products,
                           const std::vector<operand_data>& in, progress* tick) {
  const bool over_rows = !walks_groups(*kernel.declared);
  const mode_id k = over_rows ? kernel.input(0).row_mode() : kernel.input(0).col_mode();
  summed_products p{.rows = over_rows ? 0 : in[0].shape[0]};
  std::int64_t longest = 0;
  for (const int r : what.right) {
    const operand_data& right = in[static_cast<std::size_t>(r)];
    const bool turned = kernel.input(r).row_mode() == k;
    const std::int64_t n = right.shape[1];  // rows of one matrix, where each group has its own
    p.cols = turned ? right.shape.back() : n;
    std::vector<double>& all = p.sums.emplace_back();
    if (!over_rows) all.resize(p.elements());  // what is in no group stays zero
    std::int64_t e = 0;
    for (const group_bounds& at : groups_of(kernel, in, what.ends)) {
      const auto [begin, end] = at;
      const operand_data of_left = rows_of(in[0], begin, end - begin);
      const operand_data of_right = over_rows ? rows_of(right, begin, end - begin) : rows_of(right, e * n, n);
      const factor a(of_left, over_rows), b(of_right, turned);
      const std::vector<double> sums =
          what.blocks.along_k > 0
              ? sum_scaled_products(kernel, what.blocks, scales_of_group(what.blocks, in, e, at), a, b, nullptr)
              : reference_gemm(*a.values, *b.values, {a.rows, b.rows, a.k});
      if (over_rows)
        all.insert(all.end(), sums.begin(), sums.end());
      else
        std::ranges::copy(sums, all.begin() + begin * p.cols);
      longest = std::max(longest, a.k);
      ++e;
      if (tick != nullptr) tick->add();
    }
  }
  const wgmma_instruction& w = kernel.declared->products.at[0].instruction;
  if (what.blocks.along_k > 0) {
    add_block_errors(p, w, what.blocks, longest, 1, of_products);
  } else if (what.is_plain()) {
    p.bar = sum_error_bar(w, kernel.output().type, longest, of_products);
  } else {
    add_errors(p, w, longest, of_products);
    std::vector<bool> taken(in.size(), false);
    taken[0] = taken[static_cast<std::size_t>(what.ends)] = true;
    for (const int r : what.right) taken[static_cast<std::size_t>(r)] = true;
    add_others(p, kernel, in, taken);
  }
  return p;
}

/// Inputs alone: the first has all modes of the output.
summed_products beside_each_other(const kernel_facts& kernel, const std::vector<operand_data>& in) {
  const operand_facts &first = kernel.input(0), &out = kernel.output();
  const auto extent = [&](mode_id m) { return in[0].shape[static_cast<std::size_t>(first.position_of(m))]; };
  summed_products p{.rows = extent(out.row_mode()), .cols = extent(out.col_mode())};
  for (std::size_t i = 0; i < in.size(); ++i) p.others.emplace_back(kernel.input(static_cast<int>(i)), in[i], out);
  return p;
}

/// A matrix, from its elements before they are rounded to `out`: floats made of sums by their bar, others one by one.
answer matrix_answer(const summed_products& p, element_function after, const element& out) {
  if (p.sums.empty() || out.kind != number::floating) return judged_when_rounded(approximate_elements(p, after), out);
  answer result = stored_elements(p, after);
  result.bar += arithmetic_bar + rounding_bar(out);
  return result;
}

}  // namespace

std::int64_t product_steps(const product_formula& what, std::int64_t m) {
  return reference_steps(gemm_shape{.m = m}) * (std::ssize(what.right) + (what.next > 0 ? 1 : 0));
}

std::vector<answer> product_answers(const kernel_facts& kernel, reading how, signs of_products,
                                    const std::vector<operand_data>& given, const std::vector<float>& numbers,
                                    progress* tick, std::int64_t rows) {
  const bool gathers = kernel.declared->gather_warps > 0;
  const std::vector<operand_data> picked = gathers ? with_rows_picked(kernel, given) : std::vector<operand_data>();
  const std::vector<operand_data>& in = gathers ? picked : given;
  const auto& what = std::get<product_formula>(kernel.computes);
  summed_products p = takes_image(kernel) ? sum_places(kernel, how, of_products, in, numbers, tick)
                      : what.ends > 0     ? sum_groups(kernel, what, of_products, in, tick)
                      : what.multiplies() ? summed(kernel, what, how, of_products, in, tick)
                                          : beside_each_other(kernel, in);
  p.numbers.assign(numbers.begin(), numbers.end());
  if (scatters_rows(kernel)) {
    const std::vector<approximate> stored = approximate_elements(p, what.after);
    return {judged_when_rounded(rows_added_up(kernel, in, stored, rows, p.cols), kernel.output().type)};
  }
  std::vector<answer> all{what.is_plain() ? answer{std::move(p.sums[0]), p.bar}
                                          : matrix_answer(p, what.after, kernel.output().type)};
  if (what.ends > 0) all[0].untouched = rows_in_no_group(kernel, in, what.ends, all[0].values.size());
  for (const matrix_formula& matrix : what.further)
    all.push_back(matrix_answer(p, matrix.after, kernel.output(static_cast<int>(all.size())).type));
  std::vector<approximate> stored, before;
  for (const group_formula& group : what.groups) {
    std::vector<approximate>& elements = group.before ? before : stored;
    if (elements.empty()) elements = approximate_elements(p, group.before ? nullptr : what.after);
    all.push_back(group_answer(kernel, static_cast<int>(all.size()), group, elements, p.rows, p.cols));
  }
  return all;
}

}  // namespace sectile::tool
