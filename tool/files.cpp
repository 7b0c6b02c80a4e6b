#include "tool/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <system_error>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw input_error(fmt::format("{}: it cannot be written ({})", path.string(), why));
}

// ---- what is not finished goes when a signal ends the program

constexpr std::array ending{SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU};
char unfinished[PATH_MAX] = "";  // written while those signals are blocked
std::array<struct sigaction, ending.size()> before;
struct sigaction before_too_large;

extern "C" void remove_unfinished(int signal) {
  unlink(unfinished);
  raise(signal);  // as it would have ended without this: the handler is reset by its call
}

sigset_t ending_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending) sigaddset(&set, signal);
  return set;
}

/// No signal comes between a file and the note of it.
struct quiet {
  sigset_t old{};
  quiet() {
    const sigset_t set = ending_set();
    pthread_sigmask(SIG_BLOCK, &set, &old);
  }
  ~quiet() { pthread_sigmask(SIG_SETMASK, &old, nullptr); }
  quiet(const quiet&) = delete;
  quiet& operator=(const quiet&) = delete;
};

void watch_signals() {
  struct sigaction remove {};
  remove.sa_handler = remove_unfinished;
  remove.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < ending.size(); ++i) {
    sigaction(ending[i], nullptr, &before[i]);
    if (before[i].sa_handler == SIG_DFL) sigaction(ending[i], &remove, nullptr);  // what is ignored stays so (nohup)
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;  // a file over the limit is an error of write(), with a sentence
  sigaction(SIGXFSZ, &ignore, &before_too_large);
}

void leave_signals() {
  for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], &before[i], nullptr);
  sigaction(SIGXFSZ, &before_too_large, nullptr);
}

// ---- where a file goes

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// The path that a chain of links leads to, whether or not something is there.
fs::path without_links(const fs::path& path) {
  constexpr int most = 40;
  fs::path at = path;
  std::error_code error;
  for (int links = 0; links < most; ++links) {
    const fs::path folder = fs::canonical(folder_of(at), error);
    const bool absent = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (absent || (!error && !fs::is_directory(folder)))
      refuse(path, fmt::format("no folder {}", folder_of(at).string()));
    if (error) refuse(path, error.message());
    if ((folder / "").string().starts_with("/proc/"))
      refuse(path, "it is an open file of a program, not a place for one");
    at = folder / at.filename();
    if (!fs::is_symlink(at, error)) return at;
    const fs::path next = fs::read_symlink(at, error);
    if (error) refuse(path, error.message());
    at = folder / next;
  }
  refuse(path, "it is a link that leads to itself");
}

void require_regular(const fs::path& name, const fs::path& target) {
  std::error_code error;
  switch (fs::status(target, error).type()) {
    case fs::file_type::not_found:
      return;
    case fs::file_type::regular:
      if (access(target.c_str(), W_OK) != 0) refuse(name, std::strerror(errno));
      return;
    case fs::file_type::directory:
      refuse(name, "it is a folder");
    case fs::file_type::fifo:
      refuse(name, "it is a pipe, not a file");
    case fs::file_type::block:
    case fs::file_type::character:
      refuse(name, "it is a device, not a file");
    default:
      refuse(name, error ? error.message() : "it is not a regular file");
  }
}

/// A name beside the target that is free: no longer than names may be, and nothing that is there is opened.
int open_part(const fs::path& target) {
  constexpr std::size_t most_of_a_name = 200;
  constexpr int attempts = 100;
  const std::string begin = (folder_of(target) / target.filename().string().substr(0, most_of_a_name)).string();
  for (int i = 0; i < attempts; ++i) {
    const std::string part = fmt::format("{}.{}{}.part", begin, getpid(), i == 0 ? "" : fmt::format("-{}", i));
    if (part.size() >= sizeof unfinished) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int handle = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle >= 0) std::strcpy(unfinished, part.c_str());
    if (handle >= 0 || errno != EEXIST) return handle;
  }
  return -1;
}

}  // namespace

output_file::output_file(const fs::path& path) : name_(path) {
  if (path.filename().empty()) refuse(path, path.empty() ? "it has no name" : "it is a folder");
  target_ = without_links(path);
  require_regular(name_, target_);
  const quiet now;
  handle_ = open_part(target_);
  if (handle_ < 0) fail(errno);
  watch_signals();
  struct stat there {};
  if (stat(target_.c_str(), &there) == 0) fchmod(handle_, there.st_mode & 07777);  // who may read it stays as it was
}

output_file::~output_file() {
  const quiet now;
  if (handle_ >= 0) close(handle_);
  if (unfinished[0] != '\0') unlink(unfinished);
  unfinished[0] = '\0';
  leave_signals();
}

void output_file::fail(int error) const { refuse(name_, std::strerror(error)); }

void output_file::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(handle_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void output_file::put_in_place() {
  if (fsync(handle_) != 0 || close(std::exchange(handle_, -1)) != 0) fail(errno);
  const quiet now;
  if (rename(unfinished, target_.c_str()) != 0) fail(errno);
  unfinished[0] = '\0';
}

void require_writable(const fs::path& path) { const output_file trial(path); }

void require_room(const fs::path& path, double bytes) {
  const fs::path folder = folder_of(without_links(path));
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      bytes > static_cast<double>(limit.rlim_cur))
    refuse(path, fmt::format("it takes {:.0f} bytes, and a file may have {}", bytes, limit.rlim_cur));
  std::error_code unknown;
  const fs::space_info disk = fs::space(folder, unknown);
  if (!unknown && bytes > static_cast<double>(disk.available))
    refuse(path, fmt::format("it takes {:.0f} bytes, and the disk has {} free", bytes, disk.available));
}

void require_other_file(std::string_view option, const fs::path& output, const std::vector<named_file>& inputs) {
  std::error_code absent;
  for (const auto& [name, input] : inputs)
    if (input && fs::equivalent(output, *input, absent))
      throw input_error(fmt::format("{} {}: that is the file of {}, which would be lost; write to another", option,
                                    output.string(), name));
}

void require_own_place(std::string_view option, const fs::path& output, const named_file& other) {
  if (other.second && without_links(output) == without_links(*other.second))
    throw input_error(
        fmt::format("{} {}: {} goes there as well; write to another", option, output.string(), other.first));
}

void write_text(const fs::path& path, const std::string& text) {
  output_file file(path);
  file.write(std::as_bytes(std::span<const char>(text)));
  file.put_in_place();
}

}  // namespace sectile::tool
