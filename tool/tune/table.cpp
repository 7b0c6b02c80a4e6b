#include "tool/tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "tool/input_error.hpp"
#include "tool/tune/shapes.hpp"

namespace sectile::tool {
namespace {

using nlohmann::json;

constexpr int version = 1;
constexpr const char* mend = "put back the file as `sectile tune` wrote it, or measure again with another --out";

std::string hexadecimal(std::uint64_t x) { return fmt::format("{:016x}", x); }

/// A check that follows another: FNV-1a over its digits and the text.
std::string next_check(const std::string& before, const std::string& text) {
  std::uint64_t h = 14695981039346656037u;
  for (const std::string& part : {before, text})
    for (const char c : part) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hexadecimal(h);
}

std::string quoted_list(const std::vector<std::string>& all, const char* between) {
  std::string text;
  for (const std::string& s : all) text += fmt::format("{}{}", text.empty() ? "" : between, json(s).dump());
  return text;
}

/// The lines above the check of the head.
std::string head_text(const table_head& h) {
  std::vector<std::string> modes;
  for (const mode_id m : h.modes) modes.push_back(text_of(m).text);
  return fmt::format(
      " \"sectile_table\": {},\n \"kernel\": {},\n \"family\": \"{}\",\n \"gpu\": {},\n \"software\": {},\n \"date\": "
      "{},\n \"modes\": [{}],\n \"members\": [\n  {}\n ],\n",
      version, json(h.kernel).dump(), hexadecimal(h.family), json(h.gpu).dump(), json(h.software).dump(),
      json(h.date).dump(), quoted_list(modes, ", "), quoted_list(h.members, ",\n  "));
}
std::string problem_text(const timed_problem& p, const std::vector<mode_id>& modes) {
  std::string times;
  for (const std::optional<double>& us : p.us)
    times += fmt::format("{}{}", times.empty() ? "" : ", ", us ? fmt::format("{:.3f}", *us) : "null");
  return fmt::format("\"sizes\": [{}], \"us\": [{}]", sizes_text(p.sizes, modes, ", "), times);
}

/// Reads a file's JSON; whatever is not as to_json writes it is refused with the place.
struct reader {
  const std::string& name;

  [[noreturn]] void refuse(const std::string& why) const {
    throw input_error(fmt::format("{}: {}; {}", name, why, mend));
  }

  json parse(const std::string& text) const {
    try {
      return json::parse(text);
    } catch (const json::parse_error& error) {
      const std::size_t at = std::min(error.byte, text.size());
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      if (text.find_last_not_of(" \n\r\t") + 1 <= error.byte - std::min<std::size_t>(error.byte, 1))
        refuse(fmt::format("it ends in the middle, in line {}", line));
      refuse(fmt::format("line {} is no JSON", line));
    }
  }

  const json& field(const json& of, const char* key, const std::string& where) const {
    if (!of.is_object() || !of.contains(key)) refuse(fmt::format("{} has no \"{}\"", where, key));
    return of[key];
  }
  std::string string(const json& of, const char* key, const std::string& where) const {
    const json& value = field(of, key, where);
    if (!value.is_string()) refuse(fmt::format("\"{}\" of {} is no text", key, where));
    return value.get<std::string>();
  }
  const json& list(const json& of, const char* key, const std::string& where) const {
    const json& value = field(of, key, where);
    if (!value.is_array()) refuse(fmt::format("\"{}\" of {} is no list", key, where));
    return value;
  }
  std::vector<std::string> strings(const json& of, const char* key, const std::string& where) const {
    std::vector<std::string> all;
    for (const json& s : list(of, key, where)) {
      if (!s.is_string()) refuse(fmt::format("\"{}\" of {} holds more than texts", key, where));
      all.push_back(s.get<std::string>());
    }
    return all;
  }

  table_head head(const json& file) const {
    const std::string where = "the file";
    const json& number = field(file, "sectile_table", where);
    if (!number.is_number_integer()) refuse("\"sectile_table\" is no whole number");
    if (number != version)
      throw input_error(
          fmt::format("{}: it is a table of version {}, and this program writes version {}; measure again "
                      "with another --out",
                      name, number.dump(), version));
    table_head h{.kernel = string(file, "kernel", where),
                 .gpu = string(file, "gpu", where),
                 .software = string(file, "software", where),
                 .date = string(file, "date", where),
                 .modes = {},
                 .members = strings(file, "members", where)};
    const std::string family = string(file, "family", where);
    if (family.size() != 16 || family.find_first_not_of("0123456789abcdef") != std::string::npos)
      refuse("\"family\" is no fingerprint of 16 hexadecimal digits");
    h.family = std::stoull(family, nullptr, 16);
    for (const std::string& m : strings(file, "modes", where)) {
      if (m.empty() || m.size() > static_cast<std::size_t>(mode_letters)) refuse(fmt::format("'{}' is no mode", m));
      h.modes.push_back(mode_named(m.c_str()));
    }
    if (h.modes.empty() || h.modes.size() > static_cast<std::size_t>(max_measured_modes))
      refuse("\"modes\" are not from 1 to 6");
    if (h.members.empty()) refuse("\"members\" is empty");
    return h;
  }

  timed_problem problem(const json& line, const table_head& h, const std::string& where) const {
    timed_problem p;
    const json& sizes = list(line, "sizes", where);
    if (sizes.size() != h.modes.size())
      refuse(fmt::format("{} has {} sizes for {} modes", where, sizes.size(), h.modes.size()));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool fits = sizes[i].is_number_integer() && sizes[i] >= 1 && sizes[i] <= std::numeric_limits<int>::max();
      if (!fits) refuse(fmt::format("{} has the size {}", where, sizes[i].dump()));
      p.sizes.set(static_cast<int>(i), {h.modes[i], sizes[i].get<int>()});
    }
    const json& times = list(line, "us", where);
    if (times.size() != h.members.size())
      refuse(fmt::format("{} has {} times for {} members", where, times.size(), h.members.size()));
    bool measured = false;
    for (const json& us : times) {
      const bool fits = us.is_null() || (us.is_number() && us.get<double>() > 0 && std::isfinite(us.get<double>()));
      if (!fits) refuse(fmt::format("{} has the time {}", where, us.dump()));
      measured = measured || !us.is_null();
      p.us.push_back(us.is_null() ? std::optional<double>() : us.get<double>());
    }
    if (!measured) refuse(fmt::format("{} has no time at all", where));
    return p;
  }
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

}  // namespace

const timed_problem* tuning_table::find(const problem_size& sizes) const {
  const auto at = std::ranges::find(problems, sizes, &timed_problem::sizes);
  return at == problems.end() ? nullptr : &*at;
}

table_head table_head_of(const shipped_family& family, const std::string& gpu, const std::string& software) {
  table_head h{.kernel = std::string(family.kernel),
               .family = family.facts->fingerprint,
               .gpu = gpu,
               .software = software,
               .date = today(),
               .modes = modes_of(*family.facts->operands),
               .members = {}};
  for (const configuration& c : family.members) h.members.push_back(member_text(c, h.modes));
  return h;
}

std::string to_json(const tuning_table& table) {
  const std::string head = head_text(table.head);
  std::string check = next_check("", head);
  std::string text = fmt::format("{{\n{} \"check\": \"{}\",\n \"problems\": [", head, check);
  const char* separator = "\n";
  for (const timed_problem& p : table.problems) {
    const std::string line = problem_text(p, table.head.modes);
    check = next_check(check, line);
    text += fmt::format("{}  {{{}, \"check\": \"{}\"}}", separator, line, check);
    separator = ",\n";
  }
  return text + "\n ]\n}\n";
}

tuning_table table_from_json(const std::string& name, const std::string& text) {
  const reader read{name};
  const json file = read.parse(text);
  tuning_table table{.head = read.head(file)};
  std::string check = next_check("", head_text(table.head));
  if (read.string(file, "check", "the file") != check) read.refuse("what stands above its first \"check\" was edited");
  for (const json& line : read.list(file, "problems", "the file")) {
    const std::string where = fmt::format("problem {}", table.problems.size() + 1);
    const timed_problem p = read.problem(line, table.head, where);
    const std::string line_text = problem_text(p, table.head.modes);
    check = next_check(check, line_text);
    const std::string named = fmt::format("{} ({})", where, sizes_text(p.sizes, table.head.modes));
    if (read.string(line, "check", named) != check)
      read.refuse(fmt::format("{} was edited, or one before it is missing", named));
    if (table.find(p.sizes)) read.refuse(fmt::format("{} is there twice", named));
    table.problems.push_back(p);
  }
  return table;
}

tuning_table read_table(const std::filesystem::path& path) {
  std::error_code unknown;
  std::ifstream file(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, unknown) || !file.is_open())
    throw input_error(fmt::format("{}: it cannot be read", path.string()));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return table_from_json(path.string(), text);
}

void require_kernel(const std::string& name, const table_head& table, std::string_view kernel) {
  if (table.kernel != kernel)
    throw input_error(fmt::format("{}: it is of {}, not of {}; give another --out", name, table.kernel, kernel));
}

void require_family(const std::string& name, const table_head& table, const shipped_family& family) {
  require_kernel(name, table, family.kernel);
  if (table.family != family.facts->fingerprint)
    throw input_error(
        fmt::format("{}: the configurations of {} have changed since it was measured; measure again with "
                    "another --out",
                    name, family.kernel));
}

void require_names(const std::string& name, const table_head& table, const table_head& here) {
  for (const auto* members : {&table.members, &here.members})
    for (const std::string& member : *members)
      if (std::ranges::count(*members, member) > 1)
        throw input_error(
            fmt::format("{}: members go by their names, and more than one is called {}; measure all, "
                        "without --from",
                        name, member));
}

void require_machine(const std::string& name, const table_head& table, const table_head& here) {
  if (table.gpu != here.gpu)
    throw input_error(
        fmt::format("{}: it was measured on an {}, and this is an {}; give another --out", name, table.gpu, here.gpu));
  if (table.software != here.software)
    throw input_error(
        fmt::format("{}: it was measured with {}, and this is {}; times of both do not mix, so give "
                    "another --out",
                    name, table.software, here.software));
}

}  // namespace sectile::tool
