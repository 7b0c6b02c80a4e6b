// The tensors of a launch on the CPU: which bytes of host memory may be read, and that each element of the outputs is
// written once, or combined.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <sectile/dsl/model/coverage.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::portable {

struct host_memory {
  struct output {
    model::tensor_label label;
    model::coverage written;
  };
  std::vector<model::tensor_label> inputs;
  std::vector<output> outputs;

  host_memory(std::vector<model::tensor_label> all_inputs, const std::vector<model::tensor_label>& all_outputs)
      : inputs(std::move(all_inputs)) {
    for (const model::tensor_label& l : all_outputs) outputs.push_back({l, model::coverage(l)});
  }

  /// Throws out_of_range unless the bytes are of one row of an input.
  void require_read(const unsigned char* from, int bytes) const {
    const auto* const at = reinterpret_cast<const std::byte*>(from);
    for (const model::tensor_label& l : inputs)
      if (in_one_row(l, at, bytes)) return;
    throw model::hazard(model::hazard_kind::out_of_range,
                        model::text("a thread reads ", bytes, " bytes from ", element_at(at),
                                    " on, which are not elements of a row of an input"));
  }
  /// Throws unless the bytes are elements of an output that nobody has written before.
  void note_write(const void* to, std::size_t bytes) {
    const auto* const at = static_cast<const std::byte*>(to);
    if (!find(at, static_cast<int>(bytes), false).add(at, bytes))
      throw model::hazard(model::hazard_kind::written_twice, model::text(element_at(at), " is written twice"));
  }
  /// Throws unless an element of a vector that is combined into begins there.
  void note_combined(const float* to) {
    const auto* const at = reinterpret_cast<const std::byte*>(to);
    find(at, sizeof *to, true).add_again(at);
  }
  /// Throws never_written if elements of the outputs are missing.
  void require_covered() const {
    for (const output& o : outputs)
      if (const std::string missing = o.written.missing(); !missing.empty())
        throw model::hazard(model::hazard_kind::never_written, missing);
  }

 private:
  static bool in_one_row(const model::tensor_label& l, const std::byte* at, int bytes) {
    const auto first = model::find_element(l, at);
    return first && (*first)[0] * l.map.stride_bytes[0] + bytes <= l.map.extent[0] * l.map.stride_bytes[0];
  }
  model::coverage& find(const std::byte* at, int bytes, bool combined) {
    for (output& o : outputs)
      if (o.label.combined == combined && in_one_row(o.label, at, bytes)) return o.written;
    throw model::hazard(model::hazard_kind::out_of_range,
                        model::text("a thread writes ", bytes, " bytes from ", element_at(at),
                                    " on, which are not elements of a row of ", outputs.front().label.name));
  }
  std::string element_at(const std::byte* at) const {
    model::label_set names;
    for (const output& o : outputs) names.tensors.push_back(o.label);
    names.tensors.insert(names.tensors.end(), inputs.begin(), inputs.end());
    return model::name_element(names, at);
  }
};

}  // namespace sectile::portable
