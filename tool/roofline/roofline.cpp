#include "tool/roofline/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/cost_model.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/launch/sparse.hpp>

#include "tool/problem.hpp"

namespace sectile::tool {
namespace {

/// 33554432 bytes as "33.6 MB".
std::string scaled(double x, std::string_view unit) {
  constexpr std::array prefixes{"", "k", "M", "G", "T"};
  std::size_t at = 0;
  for (; x >= 1000 && at + 1 < prefixes.size(); ++at) x /= 1000;
  return fmt::format("{:.{}f} {}{}", x, at == 0 ? 0 : x < 10 ? 2 : 1, prefixes[at], unit);
}
std::string pace_text(double per_us, std::string_view unit) { return scaled(per_us * 1e6, unit) + "/s"; }
std::string time_text(double us) {
  return us < 1 ? fmt::format("{:.2g} us", us) : fmt::format("{:.{}f} us", us, us < 100 ? 2 : 1);
}

std::string_view operation_of(const roofline& bound) {
  return bound.products && bound.products->sums == "s32" ? "OP" : "FLOP";
}

/// The sizes under the names of the operands' modes.
problem_size sizes_by_mode(const kernel_facts& kernel, const named_sizes& sizes) {
  problem_size all;
  int known = 0;
  for (int o = 0; o < kernel.declared->operands; ++o) {
    const operand_facts& f = kernel.declared->operand[o].facts;
    const std::string letters = letters_of(kernel, o);
    for (int d = 0; d < f.tile.rank && known < max_tiled_modes; ++d)
      if (letters[static_cast<std::size_t>(d)] != gathered_letter &&
          tiles_counted(*kernel.declared, o, d).extent == 0 &&
          sizes.letters.find(letters[static_cast<std::size_t>(d)]) != std::string::npos && all.of(f.mode_at(d)) == 0)
        all.set(known++, {f.mode_at(d), static_cast<int>(sizes.of(letters[static_cast<std::size_t>(d)]))});
  }
  return all;
}

operand_table table_of(const plan& p) {
  operand_table all{.count = p.operands};
  for (int o = 0; o < p.operands; ++o) all.at[o] = p.operand[o].facts;
  return all;
}

/// A tensor that lies alone somewhere, with rows padded as TMA wants them. Nobody reads it.
tensor_facts somewhere(const operand_facts& f, const std::vector<std::int64_t>& shape, std::uintptr_t place) {
  constexpr std::int64_t row_bits = 16 * 8;
  const int rank = f.has_index() ? static_cast<int>(shape.size()) : f.tile.rank;  // of what rows are picked from
  tensor_facts t{.data = reinterpret_cast<const void*>(place), .rank = rank};
  double reach = 1;  // 2^63 and more are refused in any case
  std::int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    const int d = f.has_index() ? rank - 1 - i : f.mode_from_inside(i);
    t.extent[d] = shape[static_cast<std::size_t>(d)];
    t.stride[d] = stride;
    const std::int64_t multiple = i == 0 ? row_bits / f.type.bits : 1;
    reach *= static_cast<double>(t.extent[d] + multiple);
    if (reach < 0x1p62) stride *= (t.extent[d] + multiple - 1) / multiple * multiple;
  }
  if (!f.sparse) return t;
  t.metadata = reinterpret_cast<const std::uint32_t*>(place + (std::uintptr_t{1} << 57));
  t.metadata_stride = metadata_cols(t.extent[1], f.type.bits);
  return t;
}

/// The same of images, and the usual filter.
tensor_facts image_somewhere(const operand_facts& f, const named_sizes& sizes, std::uintptr_t place) {
  const std::int64_t multiple = 16 * 8 / f.type.bits, pixel = (sizes.of('C') + multiple - 1) / multiple * multiple;
  tensor_view<const std::byte> v =
      tensor(reinterpret_cast<const std::byte*>(place), sizes.of('N'), sizes.of('H'), sizes.of('W'), pixel);
  v.extent[3] = sizes.of('C');
  return facts_of(im2col(v, usual_filter_path()));
}

predicted_time explained_time(const kernel_facts& kernel, const named_sizes& sizes, const std::string& gpu) {
  const operand_table operands = table_of(*kernel.declared);
  const predictor predicted(operands, sizes_by_mode(kernel, sizes), constants_of(gpu.c_str()));
  return predicted.explained(timed_kernel(*kernel.cost, operands));
}

/// One trip of the loop that asks most of an SM; null without a loop that loads.
nlohmann::json trip_facts(const kernel_cost& cost) {
  const phase_cost* most = nullptr;
  for (int i = 0; i < cost.phases; ++i) {
    const phase_cost& q = cost.phase[i];
    if (q.along == mode_id::any || !q.loads) continue;
    if (!most || q.tensor_cycles > most->tensor_cycles) most = &q;
  }
  if (!most) return nullptr;
  return {{"tensor_cycles", most->tensor_cycles},
          {"shared_cycles", most->shared_cycles},
          {"arriving_bytes", most->arriving_bytes},
          {"fetched_bytes", most->fetched_bytes}};
}

}  // namespace

roofline roofline_of(const kernel_facts& kernel, const named_sizes& sizes, const gpu_ceilings& gpu) {
  roofline bound{.work = work_of(kernel, sizes), .gpu = &gpu};
  if (bound.work.operations > 0) bound.products = gpu.find(kernel.declared->products.at[0].instruction);
  return bound;
}

std::string why_not_predicted(const kernel_facts& kernel) {
  if (!kernel.cost) return "the cost model knows planned kernels only";
  if (kernel.declared->cuts.count > 0) return "the cost model does not know how many rows groups have";
  const attention_formula* attention = kernel.attention();
  if (attention && (attention->causal || attention->windowed)) return "the cost model does not know what a mask skips";
  return "";
}

double predicted_us(const kernel_facts& kernel, const named_sizes& sizes, const std::string& gpu) {
  return explained_time(kernel, sizes, gpu).microseconds;
}

void require_taken(const kernel_facts& kernel, const named_sizes& sizes) {
  require_head_dimension(kernel, sizes, "the shape");
  given_operands given{};
  const plan& p = *kernel.declared;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    const std::uintptr_t place = static_cast<std::uintptr_t>(o + 1) << 58;
    std::vector<std::int64_t> shape = sizes.of_operand(kernel, o);
    if (f.has_index()) shape.erase(shape.begin(), shape.end() - 2);  // of a matrix that has the rows
    given.tensor[o] = f.im2col ? image_somewhere(f, sizes, place) : somewhere(f, shape, place);
  }
  pick_rows(p, given.tensor);
  check_launch(p, given.tensor);
}

std::string bound_text(const roofline& bound) {
  const std::string_view operation = operation_of(bound);
  std::string moved;
  for (const moved_operand& operand : bound.work.moved)
    moved += fmt::format("{}{} {}", moved.empty() ? "" : ", ", operand.name, scaled(operand.bytes, "B"));
  std::string text = fmt::format("bytes:        {} to move at least ({})\n", scaled(bound.work.bytes(), "B"), moved);
  const std::string memory = fmt::format("memory:       {} at {}, as fast as a copy\n", time_text(bound.memory_us()),
                                         pace_text(bound.gpu->bytes_per_us, "B"));
  if (bound.work.operations == 0)
    return text + memory +
           fmt::format("bound:        {}, by memory alone: no matrices are multiplied\n", time_text(bound.bound_us()));
  text += fmt::format("operations:   {}, {:.1f} for each byte", scaled(bound.work.operations, operation),
                      bound.work.operations / bound.work.bytes());
  if (!bound.products)
    return text + "\n" + memory +
           fmt::format(
               "bound:        {}, by memory; nobody has measured what the tensor cores reach of such products\n",
               time_text(bound.bound_us()));
  const product_ceiling& products = *bound.products;
  text += fmt::format(" (with more than {:.1f} the tensor cores bound it, with fewer memory)\n",
                      products.operations_per_us / bound.gpu->bytes_per_us);
  text += fmt::format("tensor cores: {} at {}, as fast as {}products of {} alone\n", time_text(bound.tensor_us()),
                      pace_text(products.operations_per_us, operation), products.sparse ? "sparse " : "", products.a);
  return text + memory +
         fmt::format("bound:        {}, by {}\n", time_text(bound.bound_us()),
                     bound.bound_by_memory() ? "memory" : "the tensor cores");
}

nlohmann::json bound_facts(const kernel_facts& kernel, const named_sizes& sizes) {
  const gpu_ceilings& gpu = ceilings_of("");
  const roofline bound = roofline_of(kernel, sizes, gpu);
  nlohmann::json facts{{"sizes", sizes.text()},
                       {"gpu", gpu.gpu},
                       {"date", gpu.date},
                       {"bytes", bound.work.bytes()},
                       {"operations", bound.work.operations},
                       {"intensity", bound.work.operations / bound.work.bytes()},
                       {"balance", nullptr},
                       {"by", bound.bound_by_memory() ? "memory" : "the tensor cores"},
                       {"microseconds", bound.bound_us()},
                       {"trip", kernel.cost ? trip_facts(*kernel.cost) : nullptr},
                       {"predicted", nullptr},
                       {"why_not_predicted", why_not_predicted(kernel)}};
  if (bound.products) facts["balance"] = bound.products->operations_per_us / gpu.bytes_per_us;
  if (facts["why_not_predicted"] != "") return facts;
  const predicted_time time = explained_time(kernel, sizes, gpu.gpu);
  facts["predicted"] = {{"microseconds", time.microseconds},
                        {"of_bound", bound.bound_us() / time.microseconds},
                        {"computing", time.computing},
                        {"copying", time.copying},
                        {"by", time.computing > time.copying ? "the SMs" : "memory"},
                        {"waves", time.waves},
                        {"trip_cycles", time.trip_cycles},
                        {"slowest", time.slowest}};
  return facts;
}

std::string reached_text(const roofline& bound, double microseconds) {
  std::string pace = pace_text(bound.work.bytes() / microseconds, "B");
  if (bound.work.operations > 0)
    pace = fmt::format("{}, {}", pace_text(bound.work.operations / microseconds, operation_of(bound)), pace);
  return fmt::format("{}, {:.2f} of the bound ({})", time_text(microseconds), bound.bound_us() / microseconds, pace);
}

}  // namespace sectile::tool
