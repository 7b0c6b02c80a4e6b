#include "tool/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sectile/dsl/proofs/names.hpp>
#include <sectile/dsl/tell/child_process.hpp>
#include <sstream>

#include "tool/input_error.hpp"
#include "tool/printable.hpp"

namespace sectile::tool {
namespace {

namespace fs = std::filesystem;

constexpr int most_lines = 15;
constexpr std::size_t most_columns = 240;

using words = std::vector<std::string>;

/// One command line of several parts.
words joined(std::initializer_list<words> parts) {
  words all;
  for (const words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct outcome {
  int status = -1;
  std::string text;  // stdout and stderr
};

/// Starts the command with limits, since a file can include one that has no end: 4 GB of memory, half an hour of CPU.
/// Where less is granted anyway, that stays.
const words limited{"env",
                    "LC_ALL=C",
                    "sh",
                    "-c",
                    "ulimit -S -v 4000000 2>/dev/null || :; ulimit -S -t 1800 2>/dev/null || :; exec \"$@\"",
                    "sh"};

outcome run(const words& command) {
  const tell::child_result result = tell::run_child(joined({limited, command}), "");
  if (result.status < 0) throw input_error("no other program can be started here");
  return {result.status, result.output + result.complaints};
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream list(path ? path : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// What starts the compiler: $CXX, which may hold several words, or g++, whose messages say most, or clang++.
words find_compiler() {
  if (const char* named = std::getenv("CXX"); named != nullptr) {
    std::istringstream in(named);
    words compiler;
    for (std::string word; in >> word;) compiler.push_back(word);
    if (!compiler.empty()) return compiler;
  }
  for (const char* program : {"g++", "clang++"})
    if (on_path(program)) return {program};
  throw input_error("there is no host compiler: neither g++ nor clang++ is on PATH, and $CXX is not set");
}

void require_cxx20(const words& compiler) {
  const outcome empty = run(joined({compiler, {"-std=c++20", "-fsyntax-only", "-x", "c++", "/dev/null"}}));
  if (empty.status == 0) return;
  const std::string name = fmt::format("{}", fmt::join(compiler, " "));
  if (empty.status == 127) throw input_error(fmt::format("there is no compiler '{}'", name));
  throw input_error(fmt::format("the compiler '{}' does not take C++20 (-std=c++20): {}", name,
                                empty.text.substr(0, empty.text.find('\n'))));
}

/// The folder with sectile/dsl.hpp: beside the program as it is built, or as it is installed.
std::string include_folder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (const fs::path& folder : {program.parent_path() / "include", program.parent_path().parent_path() / "include"})
    if (fs::exists(folder / "sectile" / "dsl.hpp")) return folder.string();
  throw input_error("the headers of Sectile are neither in include/ beside this program nor in ../include/");
}

constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;  // of a source file

/// The text of a source file. Only a file has an end, and can be read once more by the compiler.
std::string content_of(const fs::path& file) {
  std::error_code error;
  const fs::file_status there = fs::status(file, error);
  const auto refuse = [&](const std::string& why) {
    throw input_error(fmt::format("{} cannot be read: {}", file.string(), why));
  };
  if (there.type() == fs::file_type::not_found) refuse("there is no such file");
  if (!fs::exists(there)) refuse(error.message());
  if (fs::is_directory(there)) refuse("it is a folder");
  if (!fs::is_regular_file(there)) refuse("it is a device or a pipe, not a file");
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (bytes > most_bytes) refuse(fmt::format("it has {} bytes; a source file has at most {}", bytes, most_bytes));
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The file as a compiler takes it: "-x.cpp" and "@x.cpp" would be options.
std::string as_argument(const fs::path& file) {
  const std::string name = file.string();
  return name.starts_with('-') || name.starts_with('@') ? "./" + name : name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Line `number` of a file, or "".
std::string text_of(const source_line& where) {
  std::ifstream in(where.file);
  std::string line;
  for (int n = 0; n < where.number; ++n)
    if (!std::getline(in, line)) return "";
  return line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
}

void show(const complaint& found, const std::string& output) {
  fmt::print("{}: {}\n", found.refusal ? "refused" : "does not compile", printable(found.why));
  if (found.where)
    fmt::print("{}:{}: {}\n", printable(found.where->file), found.where->number, printable(text_of(*found.where)));
  fmt::print("\nThe compiler says:\n");
  const std::vector<std::string> lines = lines_of(output);
  for (std::size_t n = 0; n < std::min<std::size_t>(lines.size(), most_lines); ++n)
    fmt::print("  {}{}\n", printable(lines[n].substr(0, most_columns)), lines[n].size() > most_columns ? " ..." : "");
  if (lines.size() > most_lines) fmt::print("  ... {} more lines\n", lines.size() - most_lines);
}

void show_proven(const fs::path& file, const std::vector<std::string>& kernels) {
  if (kernels.empty()) {
    fmt::print("compiles: {}, but it asserts no kernel; add static_assert(sectile::verified<K>)\n",
               printable(file.string()));
    return;
  }
  fmt::print("holds: {}\n", printable(file.string()));
  for (const std::string& kernel : kernels) fmt::print("  {}: {}\n", printable(kernel), fmt::join(proof_names, ", "));
}

// ---- reading messages

/// The text of a C++ literal that begins at `at`, behind its opening quotation mark.
std::string literal_at(const std::string& text, std::size_t at) {
  std::string plain;
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    plain += text[at];
  }
  return plain;
}

/// "tile_is_not_a_multiple_of_the_instruction, 40LL, 16LL>" as "tile is not a multiple of the instruction (40, 16)".
std::string rule_at(const std::string& text, std::size_t at) {
  std::string name, numbers;
  for (; at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'); ++at)
    name += text[at] == '_' ? ' ' : text[at];
  for (; at < text.size() && text[at] != '>'; ++at)
    if (text[at] != 'L') numbers += text[at];
  return numbers.size() < 3 ? name : fmt::format("{} ({})", name, numbers.substr(2));
}

/// "FILE:12:3: ..." or nvcc's "FILE(12): ...".
std::optional<source_line> place_in(const std::string& line) {
  const std::size_t begin = line.rfind("from ", 0) == 0 ? 5 : 0;
  for (std::size_t at = line.find_first_of(":(", begin); at != std::string::npos;
       at = line.find_first_of(":(", at + 1)) {
    std::size_t end = at + 1;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
    const bool closed = end < line.size() && line[end] == (line[at] == ':' ? ':' : ')');
    if (end > at + 1 && end - at < 9 && closed)
      return source_line{line.substr(begin, at - begin), std::stoi(line.substr(at + 1, end - at - 1))};
  }
  return std::nullopt;
}

}  // namespace

complaint read_complaint(const std::string& output, const std::vector<std::string>& foreign) {
  complaint found;
  const std::vector<std::string> lines = lines_of(output);
  const auto error = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.find("error:") != std::string::npos; });
  if (error == lines.end()) {
    const auto said = std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return !line.empty(); });
    found.why = said == lines.end() ? "the compiler does not say why" : *said;
    return found;
  }
  found.why = error->substr(error->find("error:") + 7);
  // The refusal of a program, and what a check of layouts found: a sentence, or a rule and its numbers.
  for (const std::string says : {"refused_because<sectile::sentence{", "it_was_found_that<sectile::literal_text<"}) {
    const std::size_t at = error->find(says),
                      literal = error->find("{\"", at == std::string::npos ? at : at + says.size() - 1);
    if (literal == std::string::npos) continue;
    found.why = literal_at(*error, literal + 2);
    found.refusal = true;
  }
  for (const std::string rule : {"refused_because<sectile::rule::", "it_was_found_that<sectile::check_rule::"}) {
    const std::size_t name = error->find(rule);
    if (name == std::string::npos) continue;
    found.why = rule_at(*error, name + rule.size());
    found.refusal = true;
  }
  for (const std::string& line : lines) {
    const std::optional<source_line> place = place_in(line);
    const auto lies_in = [&](const std::string& folder) { return place->file.rfind(folder, 0) == 0; };
    if (!place || line.rfind("In file included from", 0) == 0 || line.rfind("                 from", 0) == 0) continue;
    if (place->file.front() == '<' || std::any_of(foreign.begin(), foreign.end(), lies_in)) continue;
    found.where = place;
    break;
  }
  return found;
}

std::vector<std::string> asserted_kernels(const std::string& source) {
  std::vector<std::string> kernels;
  const std::string asserts = "static_assert(", name = "verified<";
  for (std::size_t at = source.find(asserts); at != std::string::npos; at = source.find(asserts, at + 1)) {
    const std::size_t end = source.find(';', at);
    for (std::size_t begin = source.find(name, at); begin < end; begin = source.find(name, begin + 1)) {
      std::size_t last = begin + name.size();
      for (int open = 1; last < source.size(); ++last) {
        open += source[last] == '<' ? 1 : source[last] == '>' ? -1 : 0;
        if (open == 0) break;
      }
      kernels.push_back(source.substr(begin + name.size(), last - begin - name.size()));
    }
  }
  return kernels;
}

exit_status check_file(const check_options& options) {
  const std::string source = content_of(options.file);
  const words compiler = find_compiler();
  const std::string include = include_folder();
  require_cxx20(compiler);
  const outcome result = run(joined({compiler,
                                     {"-std=c++20", "-fsyntax-only", "-I" + include, "-DSECTILE_HAS_CUDA=0"},
                                     options.flags,
                                     {"-x", "c++", as_argument(options.file)}}));
  if (result.status == 0) {
    show_proven(options.file, asserted_kernels(source));
    return success;
  }
  show(read_complaint(result.text, {include, "/usr/"}), result.text);
  return failed;
}

}  // namespace sectile::tool
