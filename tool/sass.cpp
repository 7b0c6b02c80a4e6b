#include "tool/sass.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <sectile/dsl/tell/child_process.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "tool/machines.hpp"

namespace sectile::tool {
namespace {

/// cuobjdump on PATH or in a CUDA toolkit.
std::optional<std::filesystem::path> find_cuobjdump() {
  std::vector<std::filesystem::path> folders;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(name)) folders.emplace_back(std::filesystem::path(toolkit) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::filesystem::path& folder : folders)
    if (const auto program = folder / "cuobjdump"; access(program.c_str(), X_OK) == 0) return program;
  return std::nullopt;
}

/// What the command writes to stdout, or nothing where it fails.
std::optional<std::string> output_of(const std::vector<std::string>& command) {
  tell::child_result result = tell::run_child(command, "");
  return result.status == 0 ? std::optional(std::move(result.output)) : std::nullopt;
}

/// A type without the members of constants that are zero up to the end: compilers differ in whether they write them.
std::string without_trailing_zeros(std::string type) {
  static const std::regex last_is_zero(R"((,|\{)(false|(\([A-Za-z0-9_:]+\))?0)\})");
  for (std::smatch zero; std::regex_search(type, zero, last_is_zero);)
    type.replace(static_cast<std::size_t>(zero.position()), static_cast<std::size_t>(zero.length()),
                 zero[1] == "{" ? "{}" : "}");
  return type;
}

/// A symbol or a type as C++ spells it, without blanks; "" if it is none.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  std::string plain = status == 0 ? text.get() : "";
  std::erase(plain, ' ');
  return without_trailing_zeros(plain);
}

/// The instruction of a line "/*0b10*/ @P0 HGMMA.64x128x16.F32 R24, ... ; /* 0x... */", or "".
std::string_view instruction_of_line(std::string_view line) {
  const std::size_t address = line.find("/*"), behind = line.find("*/");
  if (address == std::string_view::npos || behind == std::string_view::npos) return "";
  line = line.substr(behind + 2);
  const std::size_t end = line.find(';'), begin = line.find_first_not_of(' ');
  return end == std::string_view::npos || begin > end ? "" : line.substr(begin, end - begin);
}

/// Its first word that is no predicate.
std::string_view opcode_of(std::string_view instruction) {
  if (instruction.starts_with('@')) {
    instruction.remove_prefix(std::min(instruction.find(' '), instruction.size()));
    instruction.remove_prefix(std::min(instruction.find_first_not_of(' '), instruction.size()));
  }
  return instruction.substr(0, instruction.find(' '));
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// One instruction a line, without its encoding.
std::string instructions_text(std::string_view listing) {
  std::string text;
  for_each_line(listing, [&](std::string_view line) {
    if (const std::string_view instruction = instruction_of_line(line); !instruction.empty())
      text += fmt::format("  {}\n", instruction);
  });
  return text;
}

}  // namespace

std::string count_tensor_instructions(std::string_view listing) {
  std::map<std::string, int> times;
  int all = 0, spills = 0;
  for_each_line(listing, [&](std::string_view line) {
    const std::string_view opcode = opcode_of(instruction_of_line(line));
    all += opcode.empty() ? 0 : 1;
    spills += opcode.starts_with("STL") || opcode.starts_with("LDL");
    const bool counts =
        opcode.find("GMMA") != std::string_view::npos || opcode.starts_with("WARPGROUP") || opcode.starts_with("UTMA");
    if (counts) ++times[std::string(opcode)];
  });
  std::string text;
  for (const auto& [opcode, count] : times) text += fmt::format("  {:>5} x {}\n", count, opcode);
  text += spills > 0 ? fmt::format("  {:>5} loads and stores of local memory, where spilled registers go\n", spills)
                     : std::string("      no load or store of local memory: no register was spilled\n");
  return text + fmt::format("  {:>5} instructions in all\n", all);
}

std::string find_kernel_symbol(std::string_view listing, std::string_view type_name) {
  const std::string kernel = "voidsectile::hopper::run<" + demangled(std::string(type_name)) + ">(";
  std::string found;
  for_each_line(listing, [&](std::string_view line) {
    const std::size_t begin = line.find("_ZN");
    if (begin == std::string_view::npos || !found.empty()) return;
    const std::string symbol(line.substr(begin, line.find(' ', begin) - begin));
    if (demangled(symbol).starts_with(kernel)) found = symbol;
  });
  return found;
}

std::string sass_text(const kernel_facts& kernel, bool all) {
  if (kernel.wgmma.launch == nullptr)
    return fmt::format("  left out: {}\n", built_without_gpu);
  const std::optional<std::filesystem::path> cuobjdump = find_cuobjdump();
  if (!cuobjdump)
    return "  left out: there is no cuobjdump on PATH, under CUDA_HOME or in /usr/local/cuda/bin (it comes with the "
           "CUDA "
           "toolkit)\n";
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string dump = cuobjdump->string();
  const std::optional<std::string> symbols = output_of({dump, "-symbols", program});
  const std::string symbol = symbols ? find_kernel_symbol(*symbols, kernel.type_name) : "";
  if (symbol.empty())
    return fmt::format("  left out: {} does not find the kernel in this program\n", cuobjdump->string());
  const std::optional<std::string> listing = output_of({dump, "-sass", "-fun", symbol, program});
  if (!listing) return fmt::format("  left out: {} cannot disassemble this program\n", cuobjdump->string());
  return all ? instructions_text(*listing) : count_tensor_instructions(*listing);
}

}  // namespace sectile::tool
