#include <sectile/dsl/tell/tutorial/page_writer.hpp>

#include <unistd.h>

#include <cstdlib>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/child_process.hpp>
#include <sstream>

namespace sectile::tell {
namespace {

namespace fs = std::filesystem;

constexpr int module_missing = 3;  // an exit status of the generator
constexpr const char* packages =
    "on Debian: apt-get install python3 python3-jinja2 python3-markdown-it python3-pygments";

/// The interpreters that may do: the one that $SECTILE_PYTHON names, and no other; or those that are usual.
std::vector<std::string> interpreters() {
  if (const char* named = std::getenv("SECTILE_PYTHON"); named != nullptr && *named != '\0') return {named};
  return {"python3", "/usr/bin/python3"};
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::string last_line(const std::string& text) {
  const std::string whole = trimmed(text);
  return whole.substr(whole.find_last_of('\n') + 1);
}

/// What the generator says that it wrote. Throws tutorial_error where that is not so.
std::vector<fs::path> written_by(const std::string& python, const std::string& output) {
  std::vector<fs::path> paths;
  std::istringstream in(output);
  std::error_code failed;
  for (std::string line; std::getline(in, line);) paths.emplace_back(line);
  if (paths.empty() || !fs::exists(paths.front(), failed))
    throw tutorial_error(say(python, " ran without a complaint, but wrote no page; is it a Python?"));
  return paths;
}

/// What went wrong in a program that broke off.
std::string reason(const child_result& child) {
  const std::string last = last_line(child.complaints);
  return last.empty() ? say("exit status ", child.status) : last;
}

}  // namespace

void require_folder(const fs::path& folder) {
  if (folder.empty()) throw tutorial_error("the folder for the page has no name");
  std::error_code error;
  fs::path there = fs::absolute(folder, error).lexically_normal();
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (there.empty()) throw tutorial_error(say(folder.string(), ": there is no folder here that it could be in"));
  if (!fs::is_directory(there, error))
    throw tutorial_error(say(there.string(), " is a file; a page goes into a folder"));
  if (access(there.c_str(), W_OK | X_OK) != 0)
    throw tutorial_error(say(there.string(), " cannot be written to: choose another folder for the page"));
}

fs::path generator_folder(const fs::path& built) {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path installed = program.parent_path().parent_path() / "share" / "sectile" / "generator";
  return fs::exists(installed / "__main__.py", failed) ? installed : built;
}

std::vector<fs::path> write_page(const std::string& facts, const fs::path& folder, const fs::path& generator) {
  require_folder(folder);
  if (!fs::exists(generator / "__main__.py"))
    throw tutorial_error(say("the generator of pages is not in '", generator.string(), "'"));
  std::string missing;
  for (const std::string& python : interpreters()) {
    const child_result child =
        run_child({python, "-B", generator.string(), "page", "--facts", "-", "--out", folder.string()}, facts);
    if (child.status == 0) return written_by(python, child.output);
    if (child.status == 2) throw tutorial_error(trimmed(child.complaints));
    if (child.status == module_missing) {
      missing = trimmed(child.complaints);
    } else if (child.status >= 0 && child.status != 127) {
      throw tutorial_error(say("the generator of pages broke off: ", reason(child)));
    }
  }
  if (!missing.empty()) throw tutorial_error(missing);
  throw tutorial_error(
      say("pages are made by a Python program, and there is no ", list(interpreters()), "; ", packages));
}

}  // namespace sectile::tell
