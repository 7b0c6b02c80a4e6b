// A program's text: in which file its body stands, on which line each event, and which lines make up the kernel.
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/tell/facts/witness.hpp>

namespace sectile::tell {

/// A line of a file; 0 is no line.
struct source_place {
  std::string file{};
  int line = 0;
};

/// Lines first .. first + lines.size() - 1 of a file.
struct source_text {
  std::string file{};
  int first_line = 0;
  std::vector<std::string> lines{};
  std::string name{};                 // of the struct
  std::vector<std::string> behind{};  // the words between its name and its brace, its bases among them

  bool contains(const std::string& words) const {
    for (const std::string& line : lines)
      if (line.find(words) != std::string::npos) return true;
    return false;
  }
  int last_line() const { return first_line + static_cast<int>(lines.size()) - 1; }
};

/// A trace whose events have places in the text.
struct located_trace {
  trace log{};
  source_text text{};             // the struct in which K::body stands; no lines: not known
  std::vector<int> event_line{};  // by number of the event; 0: not known
  std::vector<int> value_line{};  // where a fragment came into being, by its number
  std::string why_not{};          // one sentence, if lines could not be found

  int line_of_event(int event) const { return line_in(event_line, event); }
  int line_of_value(int value) const { return line_in(value_line, value); }

 private:
  static int line_in(const std::vector<int>& lines, int index) {
    const auto i = static_cast<std::size_t>(index);
    return i < lines.size() ? lines[i] : 0;
  }
};

/// Looks the sightings of a run up in the program's debug information. The line of an event is the innermost one that
/// lies in the struct of the body: what a function outside of it does is found where the body calls that.
located_trace locate(const witnessed_run& run);

/// For each address (of an instruction of this process) the places that it stands for, innermost first: several where
/// functions were inlined. Empty where there is no debug information. One call of addr2line for each file.
std::vector<std::vector<source_place>> places_of(const std::vector<const void*>& addresses);

/// The struct that holds line `line` of the file, with the comment and template<> right above it. No lines, if there is
/// no such file or struct.
source_text struct_around(const std::string& file, int line);

/// The struct of that name in the file. No lines, if there is none.
source_text struct_named(const std::string& file, const std::string& name);

/// The same in any header or source of the folder in which `file` lies, in the order of their names; first in it.
source_text struct_beside(const std::string& file, const std::string& name);

}  // namespace sectile::tell
