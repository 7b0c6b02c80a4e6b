// The built program as a user starts it: a folder to work in, a command, and what came of it.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tool/npy.hpp"

namespace cli {

using sectile::tool::npy_array;
using sectile::tool::npy_type;
using sizes = std::vector<std::int64_t>;

/// A folder of its own for each test case, gone afterwards; commands run in it.
struct scratch_folder {
  std::filesystem::path path;

  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sectile-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::string read(const std::string& name) const {
    std::ifstream in(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void write(const std::string& name, npy_type type, const sizes& shape, const std::vector<float>& values) const {
    write_npy(path / name, sectile::tool::from_floats(name, type, shape, values));
  }

  std::vector<float> numbers(const std::string& name) const { return to_floats(sectile::tool::read_npy(path / name)); }
};

struct outcome {
  int status = -1;
  std::string out;
  std::string err;
};

/// Runs `sectile ARGUMENTS`, which a shell reads. No progress is shown, however long a busy machine takes.
inline outcome sectile_in(const scratch_folder& folder, const std::string& arguments) {
  const std::string command = "cd '" + folder.path.string() + "' && SECTILE_NO_PROGRESS=1 '" SECTILE_CLI "' " +
                              arguments + " >.out 2>.err </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read(".out"), folder.read(".err")};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Exit status 2, nothing but one line on stderr, and these words in it.
inline void check_refusal(const scratch_folder& folder, const std::string& arguments, const std::string& words) {
  CAPTURE(arguments);
  const outcome result = sectile_in(folder, arguments);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK_MESSAGE(contains(result.err, words), result.err);
  CHECK(result.err.starts_with("sectile: "));
  CHECK(result.err.find('\n') == result.err.size() - 1);
}

/// Small whole numbers that differ from row to row and from column to column.
inline std::vector<float> pattern(std::int64_t count, int period) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>(i % static_cast<std::size_t>(period)) - period / 2);
  }
  return values;
}

}  // namespace cli
