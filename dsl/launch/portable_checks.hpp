// From the arguments of a portable launch to the kernel's parameters, with the checks that hold on every machine. Less
// is asked than TMA asks for: pointers and strides need only the alignment of an element.
#pragma once
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/portable/work.hpp>

namespace sectile::portable {

/// Throws unless threads can walk over the tensor as operand `f`.
inline void check_tensor(const operand_facts& f, const tensor_facts& t) {
  check_sizes(f, t, "");
  for (int d = 0; d < t.rank; ++d)
    if (t.extent[d] > 1 && t.stride[d] < 0)
      refuse_operand(f, "the stride of ", name_of_mode(f, d), " is ", t.stride[d],
                     " elements; it must not be negative");
  const int bytes = f.type.bits < 8 ? 1 : f.type.bits / 8;
  if (reinterpret_cast<std::uintptr_t>(t.data) % static_cast<unsigned>(bytes))
    refuse_operand(f, "the pointer is not aligned to the ", bytes, " bytes of an element");
  const int contiguous = f.mode_from_inside(0);
  if (t.stride[contiguous] != 1 && t.extent[contiguous] > 1)
    refuse_operand(f, name_of_mode(f, contiguous), " must be contiguous (stride 1), its stride is ",
                   t.stride[contiguous]);
  if (t.extent[contiguous] % f.packing() != 0)
    refuse_operand(f, name_of_mode(f, contiguous), " = ", t.extent[contiguous], " elements of ", f.type.name,
                   " are no whole bytes; pad it to ", (t.extent[contiguous] / f.packing() + 1) * f.packing(),
                   " with zeros");
  if (f.type.bits < 8)
    for (int i = 1; i < t.rank; ++i)
      if (t.stride[f.mode_from_inside(i)] * f.type.bits % 8)
        refuse_operand(f, "the stride of ", name_of_mode(f, f.mode_from_inside(i)), " is not a whole number of bytes");
  bytes_of(f, t);
  if (f.kind == operand_kind::output) check_overlap(f, t);
}

inline tensor_place place_of(const operand_facts& f, const tensor_facts& t) {
  tensor_place p{};
  p.data = static_cast<unsigned char*>(const_cast<void*>(t.data));
  p.aligned = reinterpret_cast<std::uintptr_t>(t.data) % 16 == 0;
  for (int d = 0; d < t.rank; ++d) {
    p.stride_bytes[d] = t.extent[d] == 1 ? 0 : t.stride[d] * f.type.bits / 8;
    if (!f.is_tiled() || d == f.mode_from_inside(0) || t.extent[d] == 1) continue;
    p.aligned = p.aligned && p.stride_bytes[d] % 16 == 0;
  }
  return p;
}

/// Checks the arguments, which fit, and fills in the parameters; `given` gets them without their types. Throws
/// launch_error.
template <class K, class How, class... Arguments>
parameters<K> fill_in(given_operands& given, const Arguments&... arguments) {
  const plan& program = portable_plan_of<K, How>.program;
  parameters<K> all{};
  parameter_places places{};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (take_argument<K, I>(arguments, given, all.arguments, places), ...);
  }
  (std::make_integer_sequence<int, operand_count<K>>{});
  check_operands(program, given.tensor, portable::check_tensor, {}, 1);
  for (int o = 0; o < program.operands; ++o)
    if (const operand_facts& f = program.operand[o].facts; f.kind != operand_kind::scalar)
      all.place[o] = place_of(f, given.tensor[o]);
  fill_in_sizes(program, given, places);
  count_work<K, How>(all);
  return all;
}

}  // namespace sectile::portable
