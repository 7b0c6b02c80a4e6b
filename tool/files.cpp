#include "tool/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw input_error(fmt::format("{}: it cannot be written ({})", path.string(), why));
}

/// Whether the path leads to a device, a pipe or the like, which a file must not take the place of.
bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status found = std::filesystem::status(path, ignored);
  return std::filesystem::exists(found) && !std::filesystem::is_regular_file(found);
}

/// Writes into what is there or comes to be there; the error, if any.
std::error_code write_into(const std::filesystem::path& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return out ? std::error_code{} : std::error_code{errno != 0 ? errno : EIO, std::generic_category()};
}

}  // namespace

void require_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.filename().empty() || std::filesystem::is_directory(path, ignored)) refuse(path, "it is a folder");
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, ignored)) refuse(path, fmt::format("no folder {}", folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, std::strerror(errno));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  require_writable(path);
  if (is_special(path)) {
    if (const std::error_code error = write_into(path, text)) refuse(path, error.message());
    return;
  }
  const std::filesystem::path part = fmt::format("{}.{}.part", path.string(), getpid());
  std::error_code error = write_into(part, text);
  if (!error) std::filesystem::rename(part, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  refuse(path, error.message());
}

}  // namespace sectile::tool
