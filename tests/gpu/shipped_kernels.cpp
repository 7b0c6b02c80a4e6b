// Every shipped kernel in every reading on a GPU and on the model, on the same random operands: the results have to be
// the same, bit for bit. Only attention, layers and rows may differ, in few elements, because their exponentials are
// not modelled to the last bit. Exits with 77 where there is no GPU.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "tool/machines.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/sizes.hpp"
#include "tool/verdict.hpp"

namespace {

using namespace sectile::tool;

/// Shapes that no tile divides, with rows of whole 16 bytes in every storage order.
std::string shape_of(const kernel_facts& kernel, int which) {
  const bool bits = kernel.input(0).type.bits == 1;
  const std::string letters = "MNKBHSLGE", all = size_letters(kernel);
  const int sizes[2][9] = {{520, 776, bits ? 1416 : 456, 2, 3, 500, 328, 2, 128},
                           {136, 24, bits ? 4104 : 1096, 1, 2, 777, 72, 1, 120}};
  std::string shape;
  for (const char letter : all)
    shape += (shape.empty() ? "" : "x") +
             std::to_string(letter == 'D' ? kernel.head_dimension() : sizes[which][letters.find(letter)]);
  return shape;
}

const char* name_of(reading how) { return how == reading::wgmma ? "wgmma" : how == reading::wmma ? "wmma" : "simt"; }

/// Elements whose bits differ.
long long differing(const tensor_buffer& x, const tensor_buffer& y) {
  const std::size_t size = static_cast<std::size_t>(x.type.bits) / 8;
  long long differ = 0;
  for (std::size_t at = 0; at < x.bytes.size(); at += size)
    differ += std::memcmp(&x.bytes[at], &y.bytes[at], size) != 0;
  return differ;
}

/// Whether the two machines agree.
bool check(const kernel_facts& kernel, reading how, int which) {
  const std::string shape = shape_of(kernel, which);
  const problem p = random_problem(kernel, how, shape, 1);
  operand_buffers gpu(kernel, p), model(kernel, p);
  run_on_gpu(kernel, how, gpu.arguments);
  run_on_model(kernel, how, model.arguments, {.check_hazards = false});
  const long long differ = differing(gpu.outputs[0], model.outputs[0]);
  long long elements = 1;
  for (const std::int64_t size : p.output_shapes[0]) elements *= size;
  const auto* product = std::get_if<product_formula>(&kernel.computes);
  bool same = !product || product->after ? differ < elements / 1000 : differ == 0;
  // Sums that are added in any order differ in their last bits.
  if (kernel.outputs() > 1) same = same && whole_verdict(kernel, check_results(gpu, p)).right;
  std::printf("%s %-22s %-5s %-14s %lld of %lld elements differ\n", same ? "ok  " : "FAIL",
              std::string(kernel.name).c_str(), name_of(how), shape.c_str(), differ, elements);
  return same;
}

}  // namespace

int main() {
  if (const std::string why = why_no_gpu(); !why.empty()) {
    std::printf("left out: %s\n", why.c_str());
    return 77;
  }
  int runs = 0;
  std::string differ;  // the names of those that do
  for (const kernel_facts& kernel : kernel_list())
    for (const reading how : {reading::wgmma, reading::wmma, reading::simt})
      for (int which = 0; kernel.in(how).on_model && which < 2; ++which) {
        ++runs;
        bool same = false;
        try {
          same = check(kernel, how, which);
        } catch (const std::exception& why) {
          std::printf("FAIL %s: %s\n", std::string(kernel.name).c_str(), why.what());
        }
        if (!same) differ += " " + std::string(kernel.name);
      }
  std::printf("%d runs; not as on the model:%s\n", runs, differ.empty() ? " none" : differ.c_str());
  return differ.empty() ? 0 : 1;
}
