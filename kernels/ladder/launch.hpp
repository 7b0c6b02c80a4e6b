// Running a rung that is written by hand: on the CPU model, and on a GPU where nvcc compiles this. Nothing to study
// here.
#pragma once
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/model/ordinary.hpp>
#include <sectile/kernels/ladder/parts.hpp>
#include <string>
#ifdef __CUDACC__
#include <sectile/dsl/hopper/ordinary.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>
#endif

namespace sectile::kernels::ladder {

/// How K wants B (N x K) to be stored: by rows unless it says otherwise.
template <class K>
constexpr storage_order b_order_of() {
  if constexpr (requires { K::b_order; })
    return K::b_order;
  else
    return row_major;
}

/// The instruction of K, or one with the same types.
template <class K>
constexpr wgmma_instruction instruction_of() {
  if constexpr (requires { K::instruction; })
    return K::instruction;
  else
    return multiply_bf16(K::cols);
}

/// Whether TMA brings the tiles of K.
template <class K>
constexpr bool uses_tma() {
  return requires { K::a_box; };
}

/// The operands and the tile of K, as programs of the language declare theirs.
template <class K>
struct declaration {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(b_order_of<K>()), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", K::rows}, {"N", K::cols}, {"K", K::depth}}};
};

/// A plan of which there is nothing but the operands and the instruction: K is written by hand, not planned.
template <class K>
constexpr plan make_outline() {
  plan p{};
  const operand_table declared = operand_table_of<declaration<K>>();
  p.operands = declared.count;
  for (int o = 0; o < declared.count; ++o) {
    p.operand[o].facts = declared.at[o];
    for (bool& stepped : p.operand[o].stepped) stepped = true;
  }
  p.products.count = 1;
  p.products.at[0].instruction = instruction_of<K>();
  p.work = declared.count - 1;
  p.threads = K::threads;
  p.shared_bytes = static_cast<int>(K::shared_bytes);
  return p;
}
template <class K>
inline constexpr plan outline_of = make_outline<K>();

/// The matrix as it lies in memory, contiguous lines as rows.
template <class T>
global_matrix<T> as_stored(const tensor_view<T>& v, storage_order order) {
  const int line = order == row_major ? 0 : 1;
  return {v.data, static_cast<int>(v.extent[line]), static_cast<int>(v.extent[1 - line]), v.stride[line]};
}

/// What the tensor map of a matrix says.
template <class T>
map_request request_map(const tensor_view<T>& v, const tma_box& box) {
  return {v.data, {v.extent[1], v.extent[0]}, {2, 2 * v.stride[0]}, box, element_of<bf16>()};
}

/// Checks the arguments and makes the problem. `encode(map_request)` makes a tensor map. Throws launch_error.
template <class K, class Machine, class Encode>
problem<Machine> prepare(const Encode& encode, const tensor_view<const bf16>& A, const tensor_view<const bf16>& B,
                         const tensor_view<bf16>& C) {
  const tensor_facts facts[max_operands] = {sectile::facts_of(A), sectile::facts_of(B), sectile::facts_of(C)};
  check_launch(outline_of<K>, facts);
  if (!uses_tma<K>() && A.extent[1] % piece_elements<bf16>)
    throw launch_error("operand A: K = " + std::to_string(A.extent[1]) + " is not a multiple of " +
                       std::to_string(piece_elements<bf16>) + ", the elements that a thread moves at once");
  problem<Machine> p{as_stored(A, row_major), as_stored(B, b_order_of<K>()), as_stored(C, row_major)};
  if constexpr (uses_tma<K>()) {
    p.A_map = encode(request_map(A, K::a_box));
    p.B_map = encode(request_map(B, K::b_box));
  }
  return p;
}

/// CTAs of a launch: one for each tile of C.
template <class K>
int cta_count(const tensor_view<bf16>& C) {
  return static_cast<int>((C.extent[0] + K::rows - 1) / K::rows * ((C.extent[1] + K::cols - 1) / K::cols));
}

/// Names for the model's reports.
template <class K>
model::label_set name_everything(const tensor_view<const bf16>& A, const tensor_view<const bf16>& B,
                                 const tensor_view<bf16>& C) {
  model::label_set names;
  if (K::threads == warpgroup) names.roles.push_back({"warpgroup", 0, K::threads - 1});
  names.operands = {"A", "B", "C"};
  int stages = 1, stage_bytes = 0;
  if constexpr (requires { K::stage_count; }) {
    stages = K::stage_count;
    stage_bytes = K::stage_bytes;
  }
  for (int s = 0; s < stages; ++s) {
    const auto begin = static_cast<std::uint32_t>(s * stage_bytes), a_bytes = static_cast<std::uint32_t>(K::a_bytes),
               b_bytes = static_cast<std::uint32_t>(K::b_bytes);
    const int number = stages > 1 ? s : -1;
    names.shared.push_back({"A", number, begin, begin + a_bytes});
    names.shared.push_back({"B", number, begin + a_bytes, begin + a_bytes + b_bytes});
    if constexpr (requires { K::full_at; })
      names.barriers.push_back(
          {"full", s, static_cast<std::uint32_t>(K::full_at + 8 * s), "A and B", "fill", "warpgroup"});
  }
  const auto name_tensor = [&](const char* name, const auto& m) {
    model::tensor_map map{};
    map.base = reinterpret_cast<const std::byte*>(m.data);
    map.rank = 2;
    map.extent[0] = m.cols;
    map.extent[1] = m.rows;
    map.stride_bytes[0] = 2;
    map.stride_bytes[1] = 2 * m.stride;
    names.tensors.push_back({name, map});
  };
  name_tensor("A", as_stored(A, row_major));
  name_tensor("B", as_stored(B, b_order_of<K>()));
  name_tensor("C", as_stored(C, row_major));
  return names;
}

/// Runs K on the CPU model, on a machine that may be another one than the model's (a test's, with a fault). Throws
/// launch_error for arguments that no machine takes, model::hazard for what the model finds.
template <class K, class Machine = model::ordinary_machine>
void run_on_model_with(const model_options& how, const tensor_view<const bf16>& A, const tensor_view<const bf16>& B,
                       const tensor_view<bf16>& C) {
  const problem<Machine> p =
      prepare<K, Machine>([](const map_request& r) { return model::encode_map(r, false); }, A, B, C);
  model::options options = model::options_of(how);
  options.labels = name_everything<K>(A, B, C);
  const model::grid shape{cta_count<K>(C), 1, K::threads, static_cast<std::uint32_t>(K::shared_bytes)};
  model::simulate(shape, options, [&](model::machine& hw) {
    Machine mine(hw);
    K::run(mine, p);
  });
}
/// The same on the model's own machine, looking for hazards.
template <class K>
void run_on_model(const tensor_view<const bf16>& A, const tensor_view<const bf16>& B, const tensor_view<bf16>& C) {
  run_on_model_with<K>({}, A, B, C);
}

#ifdef __CUDACC__
/// The __global__ function of K.
template <class K>
__global__ __launch_bounds__(K::threads) void run_by_hand(const __grid_constant__ problem<hopper::ordinary_machine> p) {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) unsigned char shared[];
  hopper::ordinary_machine hw{{{}, {}, {}, {}, {}, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))}, {}};
  K::run(hw, p);
#elif __CUDA_ARCH__ == 900
  static_assert(sizeof(K) == 0,
                "wgmma exists on sm_90a only: compile with -gencode=arch=compute_90a,code=sm_90a, not for sm_90 "
                "(as -arch=sm_90a does besides)");
#endif
}

/// Runs K on the current device. Returns when the launch is queued. Throws launch_error.
template <class K>
void launch(const tensor_view<const bf16>& A, const tensor_view<const bf16>& B, const tensor_view<bf16>& C,
            cudaStream_t stream = nullptr) {
  const int device = hopper::check_device();
  const auto p = prepare<K, hopper::ordinary_machine>(
      [](const map_request& r) {
        hopper::tensor_map map{};
        hopper::encode_map(r, map);
        return map;
      },
      A, B, C);
  const hopper::kernel_shape shape{K::threads, static_cast<int>(K::shared_bytes), 1};
  {
    const hopper::outside_of_captures pause;
    hopper::reserve_shared_memory(reinterpret_cast<const void*>(run_by_hand<K>), shape, device);
  }
  const hopper::launch_config config(shape, cta_count<K>(C), hopper::default_stream_of_file(stream));
  hopper::check_cuda(cudaLaunchKernelEx(&config.all, run_by_hand<K>, p), "launching a rung of the ladder");
}
#endif

}  // namespace sectile::kernels::ladder
