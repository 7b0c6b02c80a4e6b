// Every shipped kernel in every reading on a GPU and on the model, on the same random operands: the results have to be
// the same, bit for bit. Only attention, layers and softmax may differ, in few elements, because their exponentials are
// not modelled to the last bit. Exits with 77 where there is no GPU.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "tool/error_bar.hpp"
#include "tool/machines.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/row_functions.hpp"
#include "tool/sizes.hpp"
#include "tool/verdict.hpp"

namespace {

using namespace sectile::tool;

/// Shapes that no tile divides, with rows of whole 16 bytes in every storage order.
std::string shape_of(const kernel_facts& kernel, int which) {
  if (takes_image(kernel)) return which == 0 ? "152x3x13x11x72" : "24x5x6x21x208";
  const bool bits = kernel.input(0).type.bits == 1;
  const std::string letters = "MNKBHSLGEPTR", all = size_letters(kernel);
  const int sizes[2][12] = {{520, 776, bits ? 1416 : 456, 2, 3, 500, 328, 2, 128, 8, 504, 252},
                            {136, 24, bits ? 4104 : 1096, 1, 2, 777, 72, 1, 120, 3, 777, 259}};
  const auto size_of = [&](char letter) { return sizes[which][letters.find(letter)]; };
  std::string shape;
  for (const char letter : all) {
    int size = letter == 'D' ? kernel.head_dimension() : size_of(letter);
    if (kernel.attention() && kernel.attention()->varlen && letter == 'H') size *= size_of('G');  // all heads
    shape += (shape.empty() ? "" : "x") + std::to_string(size);
  }
  return shape;
}

const char* name_of(reading how) { return how == reading::wgmma ? "wgmma" : how == reading::wmma ? "wmma" : "simt"; }

/// Elements whose bits differ, and the largest distance of two, in units of their size and the root mean square of all.
struct differences {
  long long elements = 0;
  double distance = 0;
};
differences differing(const tensor_buffer& x, const tensor_buffer& y) {
  const std::size_t size = static_cast<std::size_t>(x.type.bits) / 8;
  differences found;
  for (std::size_t at = 0; at < x.bytes.size(); at += size)
    found.elements += std::memcmp(&x.bytes[at], &y.bytes[at], size) != 0;
  if (found.elements == 0) return found;
  const std::vector<double> a = x.values(), b = y.values();
  double squares = 0;
  for (const double right : b) squares += right * right;
  const double rms = std::sqrt(squares / static_cast<double>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = std::fabs(a[i] - b[i]) / (std::fabs(b[i]) + rms);
    if (!(apart <= found.distance)) found.distance = apart >= 0 ? apart : HUGE_VAL;
  }
  return found;
}

/// The largest part of an output's elements that may differ, and by how much.
struct allowance {
  double part = 0, distance = 0;
};

/// Attention's exponentials are off by 2^-24 of their size, so a probability, rounded to a type whose roundings are off
/// by up to r, becomes its neighbour once in r 2^24 times. Of n in a row such a one is about 1 / sqrt(n) of an element,
/// which then is its neighbour that often: an element is in sqrt(n) / (r 2^24) of all cases, and by a unit, which is 2
/// r.
allowance allowed(const kernel_facts& kernel, const problem& p) {
  if (const auto* rows = std::get_if<row_formula>(&kernel.computes); rows && rows->of != softmax_of_row)
    return {};  // norms have no exponentials
  const auto* product = std::get_if<product_formula>(&kernel.computes);
  const attention_formula* attention = kernel.attention();
  if (!attention) return {.part = !product || product->after ? 1e-3 : 0, .distance = HUGE_VAL};
  if (attention->pass == attention_pass::row_numbers) return {};  // which have no exponentials
  const double r = rounding_bar(kernel.output().type), n = static_cast<double>(p.inputs[1].shape.rbegin()[1]);
  const double of_probability = rounding_bar(kernel.input(0).type);  // of 8 bits, more than the result's
  return {.part = bad_luck * std::sqrt(n) / (r * 0x1p24), .distance = 2 * std::max(r, of_probability)};
}

/// Whether the two machines agree.
bool check(const kernel_facts& kernel, reading how, int which) {
  const std::string shape = shape_of(kernel, which);
  const problem p = random_problem(kernel, how, shape, 1);
  operand_buffers gpu(kernel, p), model(kernel, p);
  run_on_gpu(kernel, how, gpu.arguments);
  run_on_model(kernel, how, model.arguments, {.check_hazards = false});
  const allowance most = allowed(kernel, p);
  bool same = true;
  std::string text;
  for (std::size_t o = 0; o < gpu.outputs.size(); ++o) {
    // Numbers of rows and of columns that are added in any order differ in their last bits, as do logarithms.
    if (o > 0 && (!kernel.attention() || gpu.outputs[o].type.bits != gpu.outputs[0].type.bits)) continue;
    const differences found = differing(gpu.outputs[o], model.outputs[o]);
    const auto elements = static_cast<double>(gpu.outputs[o].values().size());
    same = same && static_cast<double>(found.elements) <= most.part * elements && found.distance <= most.distance;
    char line[120];
    std::snprintf(line, sizeof line, " %lld of %.0f elements differ by up to %.2g,", found.elements, elements,
                  found.distance);
    text += line;
  }
  if (kernel.outputs() > 1) same = same && whole_verdict(kernel, check_results(gpu, p)).right;
  std::printf("%s %-22s %-5s %-14s%s at most %.2g of them by %.2g\n", same ? "ok  " : "FAIL",
              std::string(kernel.name).c_str(), name_of(how), shape.c_str(), text.c_str(), most.part, most.distance);
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
