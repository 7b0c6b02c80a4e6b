#include <sectile/dsl/tell/child_process.hpp>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace sectile::tell {
namespace {

/// A file in memory.
struct memory_file {
  int descriptor = memfd_create("sectile", MFD_CLOEXEC);

  memory_file() = default;
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() {
    if (descriptor >= 0) close(descriptor);
  }

  bool fill(const std::string& text) const {
    for (std::size_t written = 0; written < text.size();) {
      const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
      if (count < 0 && errno != EINTR) return false;
      if (count > 0) written += static_cast<std::size_t>(count);
    }
    return lseek(descriptor, 0, SEEK_SET) == 0;
  }

  std::string content() const {
    std::string text;
    char buffer[1 << 14];
    for (off_t at = 0;;) {
      const ssize_t count = pread(descriptor, buffer, sizeof buffer, at);
      if (count <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(count));
      at += count;
    }
  }
};

}  // namespace

child_result run_child(const std::vector<std::string>& command, const std::string& input) {
  const memory_file in, out, complaints;
  child_result result;
  if (in.descriptor < 0 || out.descriptor < 0 || complaints.descriptor < 0 || !in.fill(input)) return result;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor, 1);
  posix_spawn_file_actions_adddup2(&actions, complaints.descriptor, 2);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return result;

  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = out.content();
  result.complaints = complaints.content();
  return result;
}

}  // namespace sectile::tell
