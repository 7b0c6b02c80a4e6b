#include "tool/attention_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tool/error_bar.hpp"
#include "tool/groups.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

std::string result_of(attention_pass pass) {
  const std::string of_scores = ", P = exp2(log2(e) Q K^T / sqrt(D) + offset), dS = P * (dO V^T - delta)";
  switch (pass) {
    case attention_pass::counted:
      return "O = softmax(Q K^T / sqrt(D)) V of the keys that there are";
    case attention_pass::row_numbers:
      return "delta = the sums of dO * O by rows, offset = -log2(e) lse";
    case attention_pass::keys:
      return "dK = dS^T Q / sqrt(D), dV = P^T dO" + of_scores;
    case attention_pass::queries:
      return "dQ = dS K / sqrt(D)" + of_scores;
    default:
      return "O = softmax(Q K^T / sqrt(D)) V";
  }
}

/// Of O, dO and lse: both outputs are sums in f32.
std::vector<answer> row_number_answers(const kernel_facts& kernel, const std::vector<operand_data>& in) {
  const std::size_t rows = in[2].values.size(), width = in[0].values.size() / rows;
  std::vector<approximate> delta(rows), offset(rows), products(width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t d = 0; d < width; ++d)
      products[d].value = static_cast<double>(in[0].values[row * width + d]) * in[1].values[row * width + d];
    delta[row] = sum_of(products);
    offset[row].value = -std::numbers::log2e * in[2].values[row];
    offset[row].off = std::ldexp(std::fabs(offset[row].value), -24);  // log2(e) is rounded, too
  }
  return {judged_when_rounded(delta, kernel.output(0).type), judged_when_rounded(offset, kernel.output(1).type)};
}

/// dQ, or dK and dV, from Q, K, V, dO, offset and delta.
std::vector<std::vector<double>> gradients_of(attention_pass pass, const attention_shape& shape,
                                              const attention_rules& rules,
                                              const std::array<std::span<const float>, 6>& in, progress* tick) {
  const attention_row_gradients given{in[3], in[4], in[5]};
  if (pass == attention_pass::queries)
    return {reference_query_gradients(in[0], in[1], in[2], given, shape, rules, tick)};
  attention_key_gradients right = reference_key_gradients(in[0], in[1], in[2], given, shape, rules, tick);
  return {std::move(right.keys), std::move(right.values)};
}

/// Sequence number e of a packed problem, whose heads have rows of all sequences.
struct packed_sequence {
  group_bounds queries, keys;

  attention_shape shape(attention_shape of) const {
    of.batch = 1;
    of.queries = queries.end - queries.begin;
    of.keys = keys.end - keys.begin;
    return of;
  }
  /// The rows of each head that are those of the sequence.
  static std::vector<float> rows(const operand_data& all, const group_bounds& at) {
    const std::int64_t width = all.shape.size() > 2 ? all.shape[2] : 1, pitch = all.shape[1] * width;
    std::vector<float> own;
    for (std::int64_t head = 0; head < all.shape[0]; ++head)
      own.insert(own.end(), all.values.begin() + head * pitch + at.begin * width,
                 all.values.begin() + head * pitch + at.end * width);
    return own;
  }
  /// Puts what belongs to these of `rows` rows, `width` numbers to each, in its place.
  static void put(const std::vector<double>& own, const group_bounds& at, std::int64_t heads, std::int64_t width,
                  std::int64_t rows, std::vector<double>& all) {
    const std::int64_t size = (at.end - at.begin) * width;
    for (std::int64_t head = 0; head < heads; ++head)
      std::copy_n(own.begin() + head * size, size, all.begin() + (head * rows + at.begin) * width);
  }
};
std::vector<packed_sequence> packed_sequences(const kernel_facts& kernel, const std::vector<operand_data>& in) {
  const std::vector<int> ends = vectors_of_groups(kernel);
  const std::vector<group_bounds> queries = groups_of(kernel, in, ends[0]), keys = groups_of(kernel, in, ends[1]);
  std::vector<packed_sequence> all;
  for (std::size_t e = 0; e < queries.size(); ++e)
    if (queries[e].end > queries[e].begin) all.push_back({queries[e], keys[e]});
  return all;
}

attention_result packed_attention(const kernel_facts& kernel, const attention_shape& shape,
                                  const std::vector<operand_data>& in, const attention_rules& rules, progress* tick) {
  const std::int64_t rows = in[0].shape[1];
  attention_result all{std::vector<double>(static_cast<std::size_t>(shape.heads * rows * shape.values)),
                       std::vector<double>(static_cast<std::size_t>(shape.heads * rows))};
  for (const packed_sequence& one : packed_sequences(kernel, in)) {
    const attention_result own =
        reference_attention(packed_sequence::rows(in[0], one.queries), packed_sequence::rows(in[1], one.keys),
                            packed_sequence::rows(in[2], one.keys), one.shape(shape), rules, tick);
    one.put(own.rows, one.queries, shape.heads, shape.values, rows, all.rows);
    one.put(own.log_sums, one.queries, shape.heads, 1, rows, all.log_sums);
  }
  return all;
}

/// Elements of keys or values, times the numbers of their heads.
std::vector<float> scaled_heads(const operand_data& x, const operand_data& scales, double factor) {
  std::vector<float> all = x.values;
  const std::size_t head = all.size() / scales.values.size();
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<float>(static_cast<double>(all[i]) * static_cast<double>(scales.values[i / head]) * factor);
  return all;
}
/// Of elements of 8 bits, which have scales.
attention_result scaled_attention(const attention_shape& shape, const std::vector<operand_data>& in,
                                  const attention_rules& rules, progress* tick) {
  return reference_attention(in[0].values, scaled_heads(in[1], in[3], 1 / usual_scale(shape.dimension)),
                             scaled_heads(in[2], in.back(), 1), shape, rules, tick);
}

std::vector<std::vector<double>> packed_gradients(const kernel_facts& kernel, const attention_shape& shape,
                                                  const std::vector<operand_data>& in, const attention_rules& rules,
                                                  progress* tick) {
  const attention_pass pass = kernel.attention()->pass;
  const operand_data& like = in[pass == attention_pass::queries ? 0 : 1];  // what has the gradients' shape
  std::vector<std::vector<double>> all(static_cast<std::size_t>(kernel.outputs()),
                                       std::vector<double>(like.values.size()));
  for (const packed_sequence& one : packed_sequences(kernel, in)) {
    std::array<std::vector<float>, 6> own;
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = packed_sequence::rows(in[i], i == 1 || i == 2 ? one.keys : one.queries);
    const std::array<std::span<const float>, 6> given{own[0], own[1], own[2], own[3], own[4], own[5]};
    const auto right = gradients_of(pass, one.shape(shape), rules, given, tick);
    for (std::size_t i = 0; i < right.size(); ++i)
      one.put(right[i], pass == attention_pass::queries ? one.queries : one.keys, like.shape[0], like.shape[2],
              like.shape[1], all[i]);
  }
  return all;
}

/// Rows of two operands side by side, of one head.
operand_data side_by_side(const operand_data& left, const operand_data& right) {
  const auto columns = static_cast<std::size_t>(left.shape.back()), more = static_cast<std::size_t>(right.shape.back());
  const std::size_t rows = left.values.size() / columns;
  operand_data all{};
  all.shape = {1, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns + more)};
  for (std::size_t row = 0; row < rows; ++row) {
    const auto add = [&](const operand_data& x, std::size_t count) {
      all.values.insert(all.values.end(), x.values.begin() + static_cast<std::ptrdiff_t>(row * count),
                        x.values.begin() + static_cast<std::ptrdiff_t>((row + 1) * count));
    };
    add(left, columns), add(right, more);
  }
  return all;
}
/// Sequence by sequence, each of as many keys as it has.
std::vector<answer> counted_answers(const std::vector<group_bounds>& sequences, const attention_shape& shape,
                                    const std::vector<operand_data>& in, const attention_rules& rules, progress* tick) {
  const std::int64_t rows = shape.heads * shape.queries;
  const auto queries = static_cast<std::size_t>(rows * shape.dimension);
  std::vector<double> all, sums;
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    const group_bounds keys = sequences[static_cast<std::size_t>(b)];
    attention_result own{std::vector<double>(static_cast<std::size_t>(rows * shape.values)),
                         std::vector<double>(static_cast<std::size_t>(rows), -std::numeric_limits<double>::infinity())};
    attention_shape of = shape;
    of.batch = 1;
    of.keys = keys.end - keys.begin;
    if (of.keys > 0)
      own =
          reference_attention(std::span(in[0].values).subspan(static_cast<std::size_t>(b) * queries, queries),
                              packed_sequence::rows(in[1], keys), packed_sequence::rows(in[2], keys), of, rules, tick);
    all.insert(all.end(), own.rows.begin(), own.rows.end());
    sums.insert(sums.end(), own.log_sums.begin(), own.log_sums.end());
  }
  return {{std::move(all), attention_error_bar}, {std::move(sums), arithmetic_bar}};
}
std::vector<answer> counted_answers(const kernel_facts& kernel, const attention_shape& shape,
                                    const std::vector<operand_data>& in, const attention_rules& rules, progress* tick) {
  if (kernel.attention()->latent == 0) return counted_answers(groups_of(kernel, in, 3), shape, in, rules, tick);
  operand_data values = in[2];
  values.shape.insert(values.shape.begin(), 1);
  return counted_answers(groups_of(kernel, in, 4), shape,
                         {side_by_side(in[0], in[1]), side_by_side(in[2], in[3]), values}, rules, tick);
}

std::vector<answer> gradient_answers(const kernel_facts& kernel, const attention_shape& shape,
                                     const std::vector<operand_data>& in, const attention_rules& rules,
                                     progress* tick) {
  const attention_formula& what = *kernel.attention();
  const std::array<std::span<const float>, 6> given{in[0].values, in[1].values, in[2].values,
                                                    in[3].values, in[4].values, in[5].values};
  std::vector<answer> all;
  for (std::vector<double>& right : what.varlen ? packed_gradients(kernel, shape, in, rules, tick)
                                                : gradients_of(what.pass, shape, rules, given, tick))
    all.push_back({std::move(right), attention_error_bar});
  return all;
}

}  // namespace

double usual_scale(std::int64_t dimension) { return std::numbers::log2e / std::sqrt(static_cast<double>(dimension)); }

std::int64_t attention_steps(const kernel_facts& kernel, const attention_shape& shape,
                             const std::vector<operand_data>& in) {
  if (!kernel.attention()->varlen) return reference_steps(shape);
  std::int64_t steps = 0;
  for (const packed_sequence& one : packed_sequences(kernel, in)) steps += reference_steps(one.shape(shape));
  return steps;
}

attention_shape attention_shape_of(const attention_formula& what, const named_sizes& sizes) {
  const auto of = [&](char letter, std::int64_t otherwise) {
    return sizes.letters.find(letter) == std::string::npos ? otherwise : sizes.of(letter);
  };
  const std::int64_t groups = what.varlen ? 1 : of('G', 1), heads = groups * of('H', 1), columns = sizes.of('D');
  if (what.varlen && heads % of('G', heads) != 0)
    throw input_error(
        fmt::format("H = {} heads cannot share the keys of G = {}: each of these has as many", heads, sizes.of('G')));
  const std::int64_t queries = what.varlen ? sizes.of('S') / sizes.of('B') : sizes.of('S');
  return {.batch = sizes.of('B'),
          .heads = heads,
          .queries = queries,
          .dimension = columns + (what.latent > 0 ? sizes.of('F') : 0),
          .keys = of('T', queries * sizes.of('B')) / sizes.of('B'),
          .values = of('E', columns),
          .key_heads = of('G', heads)};
}

attention_rules rules_of(const attention_formula& what, std::span<const float> numbers) {
  attention_rules rules{.from_end = what.from_end};
  std::size_t next = 0;
  if (what.windowed) rules.left = static_cast<std::int64_t>(numbers[next++]);
  if (what.windowed && !what.causal) rules.right = static_cast<std::int64_t>(numbers[next++]);
  if (what.causal) rules.right = 0;
  if (what.capped) rules.cap = static_cast<double>(numbers[next++]);
  return rules;
}

std::string said_of(const attention_formula& what) {
  std::string all = result_of(what.pass);
  const std::size_t plain = all.size();
  if (what.causal) all += ", causal";
  if (what.windowed) all += ", windowed";
  if (what.capped) all += ", scores capped";
  if (what.slopes) all += ", sloped";
  if (what.sinks) all += ", beside sinks";
  if (what.varlen) all += ", sequence by sequence";
  return all.size() == plain ? all : all + ",";
}

std::vector<answer> attention_answers(const kernel_facts& kernel, const attention_shape& shape,
                                      const std::vector<operand_data>& in, std::span<const float> numbers,
                                      progress* tick) {
  const attention_formula& what = *kernel.attention();
  if (what.pass == attention_pass::row_numbers) return row_number_answers(kernel, in);
  attention_rules rules = rules_of(what, numbers);
  if (what.pass == attention_pass::counted) return counted_answers(kernel, shape, in, rules, tick);
  std::size_t next = (what.pass == attention_pass::forward ? 3 : 6) + (what.varlen ? 2 : 0) + (what.scaled ? 1 : 0);
  if (what.sinks) rules.sinks = in[next++].values;
  if (what.slopes) rules.slopes = in[next++].values;
  if (what.pass != attention_pass::forward) return gradient_answers(kernel, shape, in, rules, tick);
  attention_result right = what.varlen ? packed_attention(kernel, shape, in, rules, tick)
                           : what.scaled
                               ? scaled_attention(shape, in, rules, tick)
                               : reference_attention(in[0].values, in[1].values, in[2].values, shape, rules, tick);
  std::vector<answer> all{{std::move(right.rows), what.scaled ? eight_bit_attention_bar : attention_error_bar}};
  if (kernel.outputs() > 1)
    all.push_back({std::move(right.log_sums), what.scaled ? eight_bit_scores_bar : arithmetic_bar});
  return all;
}

}  // namespace sectile::tool
