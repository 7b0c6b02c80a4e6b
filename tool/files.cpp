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
  const std::filesystem::path part = fmt::format("{}.{}.part", path.string(), getpid());
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (!out) error.assign(errno, std::generic_category());
  if (!error) std::filesystem::rename(part, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  refuse(path, error.message());
}

}  // namespace sectile::tool
