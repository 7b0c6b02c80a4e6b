// Any kernel as an operator: everything that one needs is in the kernel's operands.
#pragma once
#include <sectile/dsl.hpp>  // first: what a compiler lists of the way to a header is short then

#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>
#endif
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/operator/given_tensors.hpp>
#include <sectile/dsl/operator/typed_arguments.hpp>
#ifdef __CUDACC__
#include <sectile/dsl/launch/device_of_call.hpp>
#endif

namespace sectile {

namespace detail {

/// What a program has whatever its configuration: of a family, what its first member has.
template <class P>
constexpr const plan& plan_of_program() {
  if constexpr (is_family<P>)
    return plan_of<member<P, 0>>;
  else
    return plan_of<P>;
}

static_assert(max_operands <= most_operator_operands);
template <class P>
struct operator_operands {
  operator_operand at[max_operands]{};
  constexpr operator_operands() {
    constexpr const plan& p = plan_of_program<P>();
    for (int i = 0; i < p.operands; ++i) {
      const operand_facts& f = p.operand[i].facts;
      at[i] = {.name = f.name, .type = f.type.name, .bits = f.type.bits};
      if (f.has_index()) {  // a matrix of any number of rows, which no other operand has
        for (int d = 0; d + 2 < f.tile.rank; ++d)
          if (place_in_index(f, p.operand[find_index(p, i)].facts, d) < 0) at[i].mode[at[i].modes++] = f.mode_name[d];
        at[i].mode[at[i].modes++] = f.name;
        at[i].mode[at[i].modes++] = f.mode_name[f.tile.rank - 1];
      }
      for (int d = 0; d < f.tile.rank && !f.has_index(); ++d)  // the rows of groups follow each other: no mode counts
        if (!counts_groups(p, i, d)) at[i].mode[at[i].modes++] = f.mode_name[d];  // them there
      at[i].role = f.is_written() ? operator_role::output : f.is_read() ? operator_role::input : operator_role::scalar;
      at[i].by_columns = f.is_tiled() && f.order == col_major;
      at[i].sparse = f.sparse;
      at[i].in_place = p.operand[i].in_place;
      at[i].image = f.im2col;
    }
  }
};
template <class P>
inline constexpr operator_operands<P> operands_for_operator{};

}  // namespace detail

/// Whether a launch of K can be given a workspace, and whether it must.
template <class K>
constexpr bool must_have_workspace() {
  if constexpr (is_family<K>)
    return false;
  else
    return needs_workspace(plan_of<K>);
}
template <class K>
inline constexpr bool takes_workspace = is_family<K> || must_have_workspace<K>();

/// K's operator. Name and summary outlive it.
template <class K>
class operator_of {
  static_assert(verified<K>);  // here as well: it is a few steps less from the line that names K

 public:
  constexpr operator_of(const char* name, const char* summary) {
    facts_ = {.name = name, .summary = summary, .operands = detail::operands_for_operator<K>.at};
    facts_.count = operand_count<K>;
    facts_.needs_workspace = must_have_workspace<K>();
    facts_.workspace_bytes = workspace_bytes_of;
    facts_.on_model = run_on_model_of;
#ifdef __CUDACC__
    facts_.launch = launch_of;
#endif
  }
  constexpr const operator_facts& facts() const { return facts_; }

 private:
  static given_tensors take(const operator_call& call, operator_place place) {
    const operator_facts facts{.name = "the operator", .operands = detail::operands_for_operator<K>.at,
                               .count = operand_count<K>};
    return take_tensors(facts, call, place);
  }
  static operator_place place_of(const operator_call& call) {
    for (int i = 0; i < call.count; ++i)
      if (call.arguments[i].tensor && call.arguments[i].tensor->where.kind == dlpack::on_cuda) return operator_place::gpu;
    return operator_place::model;
  }
  static std::int32_t workspace_bytes_of(const operator_call* call, std::uint64_t* bytes) {
    return refused(*call, [&] {
      *bytes = 0;
      const given_tensors given = take(*call, place_of(*call));
      if constexpr (takes_workspace<K>)
        with_typed_arguments<K>(given.all(),
                                [&](const auto&... typed) { *bytes = sectile::workspace_bytes<K>(typed...); });
    });
  }
  static std::int32_t run_on_model_of(const operator_call* call) {
    return refused(*call, [&] {
      const given_tensors given = take(*call, operator_place::model);
      with_typed_arguments<K>(given.all(), [&](const auto&... typed) {
        if constexpr (takes_workspace<K>)
          if (call->workspace != nullptr)
            return run_on_model_with<K>({}, typed..., workspace(call->workspace, call->workspace_bytes));
        run_on_model_by_itself<K>({}, typed...);
      });
    });
  }
#ifdef __CUDACC__
  static std::int32_t launch_of(const operator_call* call) {
    return refused(*call, [&] {
      const given_tensors given = take(*call, operator_place::gpu);
      const device_of_call device(given.device);
      const multiprocessors_at_most held(call->multiprocessors);
      const auto stream = static_cast<cudaStream_t>(call->stream);
      with_typed_arguments<K>(given.all(), [&](const auto&... typed) {
        if constexpr (takes_workspace<K>)
          launch_on<K>(stream, typed..., workspace(call->workspace, call->workspace_bytes));
        else
          launch_on<K>(stream, typed...);
      });
    });
  }
#endif

  operator_facts facts_{};
};

}  // namespace sectile
