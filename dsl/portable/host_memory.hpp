// The tensors of a launch on the CPU: which bytes of host memory may be read, and that each element of the output is
// written once.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <sectile/dsl/model/coverage.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::portable {

struct host_memory {
  std::vector<model::tensor_label> inputs;
  model::tensor_label output;
  model::coverage written;

  host_memory(std::vector<model::tensor_label> all_inputs, model::tensor_label out)
      : inputs(std::move(all_inputs)), output(std::move(out)), written(output) {}

  /// Throws out_of_range unless the bytes are of one row of an input.
  void require_read(const unsigned char* from, int bytes) const {
    const auto* const at = reinterpret_cast<const std::byte*>(from);
    for (const model::tensor_label& l : inputs) {
      const auto first = model::find_element(l, at);
      if (first && (*first)[0] * l.map.stride_bytes[0] + bytes <= l.map.extent[0] * l.map.stride_bytes[0]) return;
    }
    throw model::hazard(model::hazard_kind::out_of_range,
                        model::text("a thread reads ", bytes, " bytes from ", element_at(at),
                                    " on, which are not elements of a row of an input"));
  }
  /// Throws unless the bytes are elements of the output that nobody has written before.
  void note_write(const void* to, std::size_t bytes) {
    const auto* const at = static_cast<const std::byte*>(to);
    const auto first = model::find_element(output, at);
    if (!first || (*first)[0] * output.map.stride_bytes[0] + static_cast<std::int64_t>(bytes) >
                      output.map.extent[0] * output.map.stride_bytes[0])
      throw model::hazard(model::hazard_kind::out_of_range,
                          model::text("a thread writes ", bytes, " bytes from ", element_at(at),
                                      " on, which are not elements of a row of ", output.name));
    if (!written.add(at, bytes))
      throw model::hazard(model::hazard_kind::written_twice, model::text(element_at(at), " is written twice"));
  }
  /// Throws never_written if elements of the output are missing.
  void require_covered() const {
    if (const std::string missing = written.missing(); !missing.empty())
      throw model::hazard(model::hazard_kind::never_written, missing);
  }

 private:
  std::string element_at(const std::byte* at) const {
    model::label_set names;
    names.tensors = inputs;
    names.tensors.insert(names.tensors.begin(), output);
    return model::name_element(names, at);
  }
};

}  // namespace sectile::portable
