// From return addresses to lines of source: what debug information says, through addr2line (GNU binutils), which knows
// of inlined functions.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/child_process.hpp>
#include <sectile/dsl/tell/facts/source.hpp>

namespace sectile::tell {
namespace {

/// Return addresses that are kept: a body's own frame is among the innermost.
constexpr int kept_frames = 40;

/// A program file or library that is loaded, and how far from its own addresses.
struct loaded_object {
  std::string file{};
  std::uintptr_t offset = 0;
};

loaded_object object_of(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map) return {};
  std::error_code none;
  const bool is_program = !map->l_name || !*map->l_name;
  return {is_program ? std::filesystem::read_symlink("/proc/self/exe", none).string() : map->l_name, map->l_addr};
}

/// "file:12 (discriminator 3)" as a place; line 0 for "??:0" and the like.
source_place read_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.starts_with("??")) return {};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

/// addr2line's answer for addresses of one object: an address, then the places that it stands for, innermost first.
void read_answer(const std::string& answer, std::map<std::uintptr_t, std::vector<source_place>>& to) {
  std::vector<source_place>* places = nullptr;
  for (std::size_t at = 0; at < answer.size();) {
    const std::size_t end = std::min(answer.find('\n', at), answer.size());
    const std::string line = answer.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("0x"))
      places = &to[std::strtoull(line.c_str(), nullptr, 16)];
    else if (const source_place place = read_place(line); places && place.line > 0)
      places->push_back(place);
  }
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Whether a file is this library's own, where no body stands: debug information that says so is not understood
/// (clang's DWARF 5 in an old addr2line).
bool is_own_header(const std::string& file, const call_site& witness) {
  const std::filesystem::path dsl = std::filesystem::path(witness.file).parent_path().parent_path().parent_path();
  return file.starts_with(dsl.string() + "/");
}

}  // namespace

[[gnu::noinline]] void note_stack(void* run, int event, int value) {
  void* at[kept_frames];
  const int count = backtrace(at, kept_frames);
  static_cast<witnessed_run*>(run)->seen.push_back({event, value, std::vector<const void*>(at, at + count)});
}

std::vector<std::vector<source_place>> places_of(const std::vector<const void*>& addresses) {
  std::map<std::string, std::vector<std::uintptr_t>> asked;  // by object
  std::vector<loaded_object> objects;
  for (const void* address : addresses) {
    objects.push_back(object_of(address));
    if (!objects.back().file.empty())
      asked[objects.back().file].push_back(reinterpret_cast<std::uintptr_t>(address) - objects.back().offset);
  }
  std::map<std::string, std::map<std::uintptr_t, std::vector<source_place>>> known;
  for (auto& [file, list] : asked) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::string questions;
    for (const std::uintptr_t address : list) questions += hexadecimal(address, 16) + "\n";
    read_answer(run_child({"addr2line", "-a", "-i", "-e", file}, questions).output, known[file]);
  }
  std::vector<std::vector<source_place>> places;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    places.push_back(known[objects[i].file][reinterpret_cast<std::uintptr_t>(addresses[i]) - objects[i].offset]);
  return places;
}

namespace {

/// The event of `seen` that is event `i` of `told`. Operands of one expression may have changed places; what they are
/// does not change.
int same_event(const trace& told, int i, const trace& seen) {
  const auto alike = [](const event& x, const event& y) {
    if (x.kind != y.kind || x.operand != y.operand || x.family != y.family || x.trip != y.trip) return false;
    return std::equal(std::begin(x.coordinate), std::end(x.coordinate), std::begin(y.coordinate));
  };
  if (i < seen.events && alike(told.at[i], seen.at[i])) return i;
  for (int distance = 1; distance < seen.events; ++distance)
    for (const int j : {i - distance, i + distance})
      if (j >= 0 && j < seen.events && alike(told.at[i], seen.at[j])) return j;
  return i;
}

/// A sighting's lines in the file of the body, innermost first; the last is in the body itself.
using nested_lines = std::vector<int>;

/// The lines of a run in its own numbering.
struct found_lines {
  std::string file{};
  std::vector<nested_lines> event{}, value{};
};

void set_lines(std::vector<nested_lines>& all, int index, nested_lines lines) {
  const auto i = static_cast<std::size_t>(index);
  if (all.size() <= i) all.resize(i + 1);
  all[i] = std::move(lines);
}

found_lines find_lines(const witnessed_run& run) {
  std::vector<const void*> addresses;
  for (const sighting& s : run.seen)
    for (const void* address : s.stack) addresses.push_back(static_cast<const char*>(address) - 1);  // the call itself
  const std::vector<std::vector<source_place>> places = places_of(addresses);
  found_lines found;
  std::size_t next = 0;
  for (const sighting& s : run.seen) {
    std::vector<source_place> inside;  // of the body's caller, innermost first
    bool complete = false;
    for (std::size_t i = 0; i < s.stack.size(); ++i)
      for (const source_place& place : places[next + i]) {
        complete = complete || (place.line == run.body.line && file_name(place.file) == file_name(run.body.file));
        if (!complete) inside.push_back(place);
      }
    next += s.stack.size();
    if (!complete || inside.empty() || is_own_header(inside.back().file, run.body)) continue;
    if (found.file.empty()) found.file = inside.back().file;
    nested_lines lines;
    for (const source_place& place : inside)
      if (place.file == found.file) lines.push_back(place.line);
    set_lines(s.event >= 0 ? found.event : found.value, s.event >= 0 ? s.event : s.value, std::move(lines));
  }
  return found;
}

/// The struct in which the body stands: around the first of its lines that an event is on.
source_text body_struct(const found_lines& found) {
  int first = 0;
  for (const nested_lines& lines : found.event)
    if (!lines.empty() && (first == 0 || lines.back() < first)) first = lines.back();
  return first > 0 ? struct_around(found.file, first) : source_text{};
}

/// Of the lines of number `i` the innermost in the struct; where its text could not be read, the body's.
int line_of(const std::vector<nested_lines>& all, int i, const source_text& text) {
  if (i < 0 || static_cast<std::size_t>(i) >= all.size() || all[static_cast<std::size_t>(i)].empty()) return 0;
  const nested_lines& lines = all[static_cast<std::size_t>(i)];
  for (const int line : lines)
    if (text.first_line <= line && line <= text.last_line()) return line;
  return lines.back();
}

}  // namespace

located_trace locate(const witnessed_run& run) {
  located_trace t{.log = *run.told};
  const found_lines found = find_lines(run);
  t.text = body_struct(found);
  t.event_line.resize(static_cast<std::size_t>(t.log.events));
  const auto set_value = [&t](int value, int line) {
    if (value < 0) return;
    t.value_line.resize(std::max(t.value_line.size(), static_cast<std::size_t>(value) + 1));
    t.value_line[static_cast<std::size_t>(value)] = line;
  };
  int missing = 0;
  for (int i = 0; i < t.log.events; ++i) {
    const int j = same_event(t.log, i, run.log);
    const event &told = t.log.at[i], &seen = run.log.at[j];
    t.event_line[static_cast<std::size_t>(i)] = line_of(found.event, j, t.text);
    missing += told.kind != event_kind::finish && t.line_of_event(i) == 0;
    set_value(told.value, line_of(found.value, seen.value, t.text));
    set_value(told.a_value, line_of(found.value, seen.a_value, t.text));
  }
  if (found.file.empty())
    t.why_not =
        "lines are not attributed: this was compiled without debug information (-g1 -gdwarf-4), or there is no "
        "addr2line to read it";
  else if (missing > 0)
    t.why_not = say(count(missing, "event"), " of ", t.log.events,
                    " could not be attributed to lines; compile with -g1 -gdwarf-4 -O1");
  return t;
}

}  // namespace sectile::tell
