// The file of measurements that the documents read.
//
// docs/measured/NAME.json says on what, when and by which command something was measured, and holds one row for each
// case. The pages take their figures from there, so a run that writes the file is all it takes to bring them up to
// date.
#pragma once
#include <cmath>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sectile::bench {

/// Text as JSON.
inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// A number as JSON; null where JSON has no such number.
inline std::string json_number(double x) {
  if (!std::isfinite(x)) return "null";
  std::ostringstream text;
  text.precision(6);
  text << x;
  return text.str();
}

/// One case: a name that the documents ask for, a title that they print, and values under their keys.
struct measured_row {
  std::string name, title;
  std::vector<std::pair<std::string, std::string>> values{};  // key, JSON

  measured_row& set(std::string key, double x) { return set_json(std::move(key), json_number(x)); }
  measured_row& set(std::string key, std::string_view text) { return set_json(std::move(key), quoted(text)); }
  /// The values of several repeats, in order; of one, the value itself.
  measured_row& set(std::string key, const std::vector<double>& repeats) {
    if (repeats.size() == 1) return set(std::move(key), repeats[0]);
    std::string list;
    for (const double x : repeats) list += (list.empty() ? "[" : ", ") + json_number(x);
    return set_json(std::move(key), list.empty() ? "null" : list + "]");
  }

 private:
  measured_row& set_json(std::string key, std::string json) {
    values.emplace_back(std::move(key), std::move(json));
    return *this;
  }
};

/// A column of the table that the documents print: a key of the rows, its head, and digits behind the point.
struct measured_column {
  std::string key, title;
  int digits = 0;
};

/// docs/measured/NAME.json.
struct measured_file {
  std::string title, device, software, command;
  int rounds = 0;
  std::vector<measured_column> columns;
  std::vector<measured_row> rows{};

  /// Throws std::runtime_error if the file cannot be written.
  void write(const std::string& path) const {
    std::ofstream to(path);
    to << text();
    if (!to.flush()) throw std::runtime_error("cannot write " + path);
  }
  std::string text() const {
    std::ostringstream to;
    to << "{\n \"title\": " << quoted(title) << ",\n \"device\": " << quoted(device)
       << ",\n \"software\": " << quoted(software) << ",\n \"date\": " << quoted(today())
       << ",\n \"command\": " << quoted(command) << ",\n \"rounds\": " << rounds << ",\n \"columns\": [";
    const char* separator = "\n";
    for (const measured_column& c : columns) {
      to << separator << "  {\"key\": " << quoted(c.key) << ", \"title\": " << quoted(c.title)
         << ", \"digits\": " << c.digits << "}";
      separator = ",\n";
    }
    to << "\n ],\n \"rows\": [";
    separator = "\n";
    for (const measured_row& r : rows) {
      to << separator << "  {\"name\": " << quoted(r.name) << ", \"title\": " << quoted(r.title);
      for (const auto& [key, json] : r.values) to << ", " << quoted(key) << ": " << json;
      to << "}";
      separator = ",\n";
    }
    to << "\n ]\n}\n";
    return to.str();
  }

 private:
  /// The date in UTC, as in 2026-11-21.
  static std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return text;
  }
};

}  // namespace sectile::bench
