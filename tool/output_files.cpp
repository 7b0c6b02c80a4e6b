#include "tool/output_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tool/args.hpp"
#include "tool/input_error.hpp"
#include "tool/operand_options.hpp"
#include "tool/printable.hpp"

namespace sectile::tool {

output_files::output_files(const kernel_facts& kernel, const files_by_option& outputs, const files_by_option& inputs) {
  std::vector<std::string> all;
  for (int i = 0; i < kernel.outputs(); ++i) {
    const std::string name = output_option(kernel, i);
    all.push_back(fmt::format("{} ({})", kernel.output(i).name, name));
    const auto given = outputs.find(name);
    of_outputs_.emplace_back(name, given == outputs.end() ? std::nullopt : given->second);
  }
  for (const auto& [name, file] : outputs)
    if (file && std::ranges::count(of_outputs_, name, &named_file::first) == 0)
      throw input_error(
          fmt::format("{}: {} has no such output; it writes {}", name, kernel.name, fmt::join(all, ", ")));
  for (auto file = of_outputs_.begin(); file != of_outputs_.end(); ++file) {
    if (!file->second) continue;
    require_other_file(file->first, *file->second, {inputs.begin(), inputs.end()});
    require_writable(*file->second);
    for (auto before = of_outputs_.begin(); before != file; ++before)
      require_own_place(file->first, *file->second, *before);
  }
}

void output_files::require_room_for(const operand_buffers& operands) const {
  for (std::size_t i = 0; i < of_outputs_.size(); ++i)
    if (const auto& path = of_outputs_[i].second)
      require_room(*path, static_cast<double>(operands.outputs[i].bytes.size()));
}

void output_files::write(const operand_buffers& operands) const {
  for (std::size_t i = 0; i < of_outputs_.size(); ++i) {
    const auto& path = of_outputs_[i].second;
    if (!path) continue;
    const npy_array file = operands.outputs[i].to_npy(path->string());
    write_npy(*path, file);
    fmt::print("written:  {}, {} as {}\n", printable(file.file),
               file.shape.empty() ? "a number" : shape_text(operands.outputs[i].shape), name_of(file.type));
  }
}

}  // namespace sectile::tool
