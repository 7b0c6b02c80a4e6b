// Finding a kernel's struct in a file: braces are matched, comments and literals stepped over.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sectile/dsl/tell/facts/source.hpp>
#include <set>
#include <sstream>
#include <string_view>

namespace sectile::tell {
namespace {

struct braces {
  std::size_t head = 0;  // where the statement begins that has them
  std::size_t open = 0, close = 0;
};

/// The end of the comment or literal that begins at `at`, or `at` if none does.
std::size_t step_over(const std::string& s, std::size_t at) {
  const auto behind = [&s](std::size_t found, std::size_t length) {
    return found == std::string::npos ? s.size() : found + length;
  };
  if (s.compare(at, 2, "//") == 0) return behind(s.find('\n', at), 0);
  if (s.compare(at, 2, "/*") == 0) return behind(s.find("*/", at + 2), 2);
  if (s.compare(at, 2, "R\"") == 0) {
    const std::size_t open = s.find('(', at);
    if (open == std::string::npos) return s.size();
    const std::string end = ")" + s.substr(at + 2, open - at - 2) + "\"";
    return behind(s.find(end, open), end.size());
  }
  const bool digit_before = at > 0 && std::isalnum(static_cast<unsigned char>(s[at - 1]));
  if (s[at] != '"' && (s[at] != '\'' || digit_before)) return at;  // 1'000 is a number
  std::size_t i = at + 1;
  while (i < s.size() && s[i] != s[at] && s[i] != '\n') i += s[i] == '\\' ? 2 : 1;
  return std::min(i + 1, s.size());
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The end of the template parameters that begin at `at`, or `at` if none do: braces in them open no block.
std::size_t step_over_template(const std::string& s, std::size_t at) {
  constexpr std::string_view word = "template";
  if (s.compare(at, word.size(), word) != 0 || (at > 0 && is_letter(s[at - 1]))) return at;
  std::size_t i = at + word.size();
  while (i < s.size() && std::isspace(static_cast<unsigned char>(s[i]))) ++i;
  if (i >= s.size() || s[i] != '<') return at;
  for (int angles = 0, others = 0; i < s.size();) {
    if (const std::size_t end = step_over(s, i); end > i) {
      i = end;
      continue;
    }
    const char c = s[i++];
    others += c == '(' || c == '{' || c == '[';
    others -= c == ')' || c == '}' || c == ']';
    if (others > 0) continue;
    angles += c == '<';
    angles -= c == '>';
    if (angles == 0) return i;
  }
  return s.size();
}

/// All pairs of braces, in the order in which they close.
std::vector<braces> match_braces(const std::string& s) {
  std::vector<braces> pairs, open;
  std::size_t head = 0;
  for (std::size_t i = 0; i < s.size();) {
    if (const std::size_t end = std::max(step_over(s, i), step_over_template(s, i)); end > i) {
      i = end;
      continue;
    }
    if (s[i] == '{') open.push_back({head, i, 0});
    if (s[i] == '}' && !open.empty()) {
      pairs.push_back(open.back());
      pairs.back().close = i;
      open.pop_back();
    }
    if (s[i] == ';' || s[i] == '{' || s[i] == '}') head = i + 1;
    ++i;
  }
  return pairs;
}

/// The words of the code in [from, to), without comments and literals.
std::vector<std::string> words_in(const std::string& s, std::size_t from, std::size_t to) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = from; i < to;) {
    if (const std::size_t end = step_over(s, i); end > i) {
      i = end;
      inside = false;
      continue;
    }
    const bool letter = is_letter(s[i]);
    if (letter && !inside) words.emplace_back();
    if (letter) words.back() += s[i];
    inside = letter;
    ++i;
  }
  return words;
}

/// The name of the struct that these braces are the body of, and the words behind it; none, if they are no struct's.
std::vector<std::string> struct_words(const std::string& s, const braces& b) {
  std::vector<std::string> words = words_in(s, b.head, b.open);
  for (std::size_t i = words.size(); i-- > 0;)  // from behind: template parameters are classes, too
    if ((words[i] == "struct" || words[i] == "class") && i + 1 < words.size() && (i == 0 || words[i - 1] != "enum")) {
      words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return words;
    }
  return {};
}
std::string struct_name(const std::string& s, const braces& b) {
  const std::vector<std::string> words = struct_words(s, b);
  return words.empty() ? std::string() : words.front();
}

int line_at(const std::string& s, std::size_t at) {
  return 1 + static_cast<int>(std::count(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Whole lines from the head of these braces, comments right above included, to where they close.
source_text cut(const std::string& file, const std::string& s, const braces& b) {
  std::size_t begin = b.head;
  while (begin < b.open && std::isspace(static_cast<unsigned char>(s[begin]))) ++begin;
  // What stands above an empty line is about something else.
  if (const std::size_t gap = s.rfind("\n\n", b.open); gap != std::string::npos && gap >= begin) begin = gap + 2;
  begin = s.rfind('\n', begin) == std::string::npos ? 0 : s.rfind('\n', begin) + 1;
  while (s[begin] == '#') begin = s.find('\n', begin) + 1;  // of the preprocessor
  const std::vector<std::string> words = struct_words(s, b);
  source_text text{file, line_at(s, begin), {}, words.front(), {words.begin() + 1, words.end()}};
  std::istringstream lines(s.substr(begin, s.find('\n', b.close) - begin));
  for (std::string line; std::getline(lines, line);) text.lines.push_back(line);
  return text;
}

}  // namespace

source_text struct_around(const std::string& file, int line) {
  const std::string s = read_file(file);
  const braces* best = nullptr;
  const std::vector<braces> all = match_braces(s);
  for (const braces& b : all)  // inner ones close first
    if (!best && line_at(s, b.open) <= line && line <= line_at(s, b.close) && !struct_name(s, b).empty()) best = &b;
  return best ? cut(file, s, *best) : source_text{file};
}

source_text struct_named(const std::string& file, const std::string& name) {
  const std::string s = read_file(file);
  for (const braces& b : match_braces(s))
    if (struct_name(s, b) == name) return cut(file, s, b);
  return {file};
}

source_text struct_beside(const std::string& file, const std::string& name) {
  if (const source_text own = struct_named(file, name); !own.lines.empty()) return own;
  constexpr std::uintmax_t largest = 1 << 20;  // bytes; programs are not generated tables
  std::error_code error;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(file).parent_path(), error)) {
    const std::string extension = entry.path().extension().string();
    const bool program =
        extension == ".hpp" || extension == ".h" || extension == ".cuh" || extension == ".cu" || extension == ".cpp";
    if (program && entry.is_regular_file(error) && entry.file_size(error) <= largest) files.insert(entry.path());
  }
  for (const std::filesystem::path& other : files)
    if (const source_text found = struct_named(other.string(), name); !found.lines.empty()) return found;
  return {file};
}

}  // namespace sectile::tell
