// Files that the tool writes. They are complete or not there: what stood in a place stays until the new file is whole,
// whatever ends the program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sectile::tool {

/// A file under another name in the same folder, which put_in_place() renames. It is gone again if that is not reached,
/// and where a signal ends the program (but for SIGKILL). At most one exists at a time.
struct output_file {
  /// Of a link, the file that it leads to. Throws input_error unless a regular file is or can be there: a folder, a
  /// pipe and a device are none, and /dev/stdout and the like are open files, whose place another cannot take.
  explicit output_file(const std::filesystem::path& path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Both throw input_error, with what the system says.
  void write(std::span<const std::byte> bytes);
  void put_in_place();

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path name_;    // as messages call it
  std::filesystem::path target_;  // without links
  int handle_ = -1;
};

/// Throws input_error unless a file can be written there, so that a long run is not in vain: one is made and removed.
void require_writable(const std::filesystem::path& path);

/// Throws input_error where a file of so many bytes is over the limit of files, or more than the disk has free.
void require_room(const std::filesystem::path& path, double bytes);

/// A file by the option that names it, if it is given.
using named_file = std::pair<std::string, std::optional<std::filesystem::path>>;

/// Throws input_error where `output` is one of these files, which would be lost.
void require_other_file(std::string_view option, const std::filesystem::path& output,
                        const std::vector<named_file>& inputs);

/// The same of another output, which need not be there yet.
void require_own_place(std::string_view option, const std::filesystem::path& output, const named_file& other);

/// Writes a text file. Throws input_error.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace sectile::tool
