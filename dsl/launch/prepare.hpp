// From the arguments of a launch to the parameters of a kernel: the same for every machine but for the tensor maps.
#pragma once
#include <sectile/dsl/launch/argument_rules.hpp>
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/in_place.hpp>
#include <sectile/dsl/launch/same_path.hpp>
#include <sectile/dsl/roles/parameters.hpp>

namespace sectile {

/// A tensor map's contents, in the order of TMA's dimensions (innermost first).
struct map_request {
  const void* base = nullptr;
  std::int64_t extent[max_rank]{};
  std::int64_t stride_bytes[max_rank]{};  // [0] is the element
  tma_box box{};
  element type{};
};

/// Columns of an output in whole pieces of 16 bytes: what TMA may store (see output_place).
inline std::int64_t whole_columns(const operand_facts& f, std::int64_t cols) {
  const int piece = 128 / f.type.bits;
  return cols / piece * piece;
}

/// Where an output is, for the columns that TMA does not store.
inline output_place place_output(const operand_facts& f, const tensor_facts& t) {
  output_place o{};
  o.data = static_cast<unsigned char*>(const_cast<void*>(t.data));
  for (int d = 0; d < t.rank; ++d)  // that of a mode of size 1 is never used, and may be anything
    o.stride_bytes[d] = t.extent[d] == 1 ? 0 : t.stride[d] * f.type.bits / 8;
  o.rows = static_cast<int>(t.extent[t.rank - 2]);
  o.cols = static_cast<int>(t.extent[t.rank - 1]);
  o.whole_cols = static_cast<int>(whole_columns(f, o.cols));
  return o;
}

/// What the tensor map of operand `o` says. An output's box is one panel of the epilogue.
inline map_request request_map(const plan& p, int o, const tensor_facts& t) {
  const operand_plan& op = p.operand[o];
  map_request r{t.data, {}, {}, op.box, op.facts.type};
  const bool output = op.facts.kind == operand_kind::output;
  if (output)
    r.box = box_of(op.facts, p.epilogue.swizzle, p.epilogue.panel_cols, epilogue_rows);
  for (int i = 0; i < t.rank; ++i) {
    const int d = op.facts.mode_from_inside(i);
    r.extent[i] = t.extent[d];
    if (op.facts.sparse && d == t.rank - 1) r.extent[i] /= 2;
    if (i == 0) r.extent[i] /= op.facts.packing();
    // A mode of size 1 is never stepped over, but TMA wants a multiple of 16.
    r.stride_bytes[i] = i > 0 && t.extent[d] == 1 ? 16 : t.stride[d] * op.facts.type.bits / 8;
  }
  if (output && whole_columns(op.facts, r.extent[0]) > 0) r.extent[0] = whole_columns(op.facts, r.extent[0]);
  return r;
}

/// What the tensor map of a sparse operand's metadata says: a matrix of words.
inline map_request request_metadata_map(const operand_plan& op, const tensor_facts& t) {
  map_request r{t.metadata, {}, {}, op.metadata.box, element_of<s32>()};
  r.extent[0] = metadata_cols(t.extent[1], op.facts.type.bits);
  r.extent[1] = metadata_rows(t.extent[0]);
  r.stride_bytes[0] = 4;
  r.stride_bytes[1] = 4 * t.metadata_stride;
  return r;
}

/// Operand I's argument of the body: sizes and tile counts, or the scalar.
template <class K, int I, class Argument>
typename body_argument<K, I>::type make_argument(const Argument& a) {
  if constexpr (operand_at<K, I>::kind == operand_kind::scalar) {
    return static_cast<typename operand_at<K, I>::element_type>(a);
  } else {
    constexpr violation v = check_argument<K, I, Argument>();
    static_assert(decltype(reason<v>())::verified);
    operand_handle<K, I> h{};
    constexpr operand_facts f = operand_facts_of<K, I>();
    if constexpr (v.holds()) {
      for (int d = 0; d < f.tile.rank; ++d) {
        h.extent[d] = static_cast<int>(a.extent[d]);
        h.tile_count[d] = static_cast<int>((a.extent[d] + f.tile.extent[d] - 1) / f.tile.extent[d]);
      }
    }
    return h;
  }
}

template <class Argument>
tensor_facts facts_or_nothing(const Argument& a) {
  if constexpr (is_view<Argument>::value || is_sparse_view<Argument>::value)
    return facts_of(a);
  else
    return {};
}

/// Checks the arguments and fills in the parameters; `encode(map_request, operand_kind)` makes a tensor map.
template <class K, class Machine, class Encode, class... Arguments>
kernel_parameters<K, Machine> prepare(Encode encode, const Arguments&... arguments) {
  constexpr violation count = check_argument_count(sizeof...(Arguments), operand_count<K>);
  static_assert(decltype(reason<count>())::verified);
  constexpr const plan& p = plan_of<K>;
  const tensor_facts t[max_operands] = {facts_or_nothing(arguments)...};
  check_launch(p, t, in_place_inputs<K>());
  kernel_parameters<K, Machine> parameters{};
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    if (op.facts.kind == operand_kind::scalar) continue;
    parameters.map[o] = encode(request_map(p, o, t[o]), op.facts.kind);
    if (op.facts.sparse) parameters.metadata_map[o] = encode(request_metadata_map(op, t[o]), op.facts.kind);
  }
  [&]<int... I>(std::integer_sequence<int, I...>) {
    if constexpr (sizeof...(Arguments) == operand_count<K>)
      ((parameters.arguments.template at<I>() = make_argument<K, I>(arguments)), ...);
  }(std::make_integer_sequence<int, operand_count<K>>{});
  parameters.output = place_output(p.operand[p.epilogue.operand].facts, t[p.epilogue.operand]);
  check_path<K>(parameters.arguments);
  parameters.work = work_of<K>(parameters.arguments);
  return parameters;
}

}  // namespace sectile
