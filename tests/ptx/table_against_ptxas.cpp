// The table of wgmma instructions against ptxas: it assembles every row, and refuses what the table does not have.
//
//   table_against_ptxas PTXAS FOLDER
//
// PTX and messages are left in FOLDER. Exit code: 0 if the table is exact, 1 if not, 77 if there is no ptxas.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "candidates.hpp"

namespace {

using namespace sectile::ptx_test;

struct setting {
  std::string ptxas, folder;
};

/// PTX with the instructions on lines of their own; knows which line is whose. 8.4 is the first version with integers
/// of mixed signs.
struct ptx_file {
  std::string text = ".version 8.4\n.target sm_90a\n.address_size 64\n";
  std::map<int, const candidate*> at_line;
  int lines = 3;

  void put(const std::string& line) {
    text += line + "\n";
    ++lines;
  }

  /// A kernel of these instructions. If `kept`, their results are stored, so that ptxas has to generate code for them;
  /// otherwise it checks them and drops them, which is much faster.
  void put_kernel(const std::string& name, const std::vector<const candidate*>& instructions, bool kept) {
    put(".visible .entry " + name + "(.param .b64 memory) {");
    put(".reg .f32 f<132>; .reg .b32 r<132>, a<4>, m; .reg .b64 a, b, to; .reg .pred p;");
    put("ld.param.b64 to, [memory]; ld.global.b64 a, [to]; ld.global.b64 b, [to]; ld.global.b32 m, [to];");
    put("setp.ne.b32 p, m, 0; mov.b32 a0, m; mov.b32 a1, m; mov.b32 a2, m; mov.b32 a3, m;");
    for (int i = 0; kept && i < 4; ++i)
      put("ld.global.b32 r" + std::to_string(i) + ", [to]; ld.global.f32 f" + std::to_string(i) + ", [to];");
    put("wgmma.fence.sync.aligned;");
    for (const candidate* c : instructions) {
      put(c->text + ";");
      at_line[lines] = c;
    }
    put("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    for (int i = 0; kept && i < 4; ++i)
      put("st.global.b32 [to], r" + std::to_string(i) + "; st.global.f32 [to], f" + std::to_string(i) + ";");
    put("ret; }");
  }
};

/// What ptxas makes of a file: whether it assembled it, and what it says about which line.
struct verdict {
  bool assembled = false;
  std::map<int, std::string> errors;  // the first of each line
};

std::string quoted(const std::string& path) { return "\"" + path + "\""; }

verdict assemble(const setting& s, const std::string& name, const ptx_file& file) {
  const std::string stem = s.folder + "/" + name, log = stem + ".txt";
  std::ofstream(stem + ".ptx") << file.text;
  const std::string command = quoted(s.ptxas) + " -O1 -arch=sm_90a " + quoted(stem + ".ptx") + " -o " +
                              quoted(stem + ".cubin") + " > " + quoted(log) + " 2>&1";
  verdict v;
  v.assembled = std::system(command.c_str()) == 0;
  std::ifstream messages(log);
  for (std::string line; std::getline(messages, line);) {
    const std::size_t at = line.find(", line "), error = line.find("; error");
    if (at == std::string::npos || error == std::string::npos) continue;
    v.errors.emplace(std::atoi(line.c_str() + at + 7), line.substr(line.find(':', error) + 2));
  }
  return v;
}

/// Counts what is checked, and shows the first few that are not as they should be.
struct tally {
  int checked = 0, wrong = 0;

  void count(bool right, const std::string& complaint) {
    ++checked;
    if (right || ++wrong > 10) return;
    std::cout << complaint << "\n";
  }
};

/// The rows of a family: those with N = 8 down to machine code, the others as far as ptxas checks them.
ptx_file file_of_rows(const std::vector<candidate>& rows) {
  std::vector<const candidate*> narrow, others;
  for (const candidate& c : rows) (c.w.n == 8 ? narrow : others).push_back(&c);
  ptx_file file;
  file.put_kernel("narrow", narrow, true);
  constexpr std::size_t at_once = 128;  // in one kernel ptxas would take twice as long
  for (std::size_t i = 0; i < others.size(); i += at_once) {
    const auto first = others.begin() + static_cast<std::ptrdiff_t>(i);
    file.put_kernel("others_" + std::to_string(i),
                    {first, first + static_cast<std::ptrdiff_t>(std::min(at_once, others.size() - i))}, false);
  }
  return file;
}

void check_rows(const verdict& v, const ptx_file& file, tally& to) {
  for (const auto& [line, c] : file.at_line) {
    const auto error = v.errors.find(line);
    to.count(error == v.errors.end(),
             "in the table, but ptxas refuses " + c->text + (error == v.errors.end() ? "" : ": " + error->second));
  }
  if (!v.assembled && v.errors.empty()) to.count(false, "ptxas failed without an error of a line; see its messages");
}

/// What the table leaves out, ptxas refuses.
void check_refusals(const verdict& v, const ptx_file& file, tally& to) {
  for (const auto& [line, c] : file.at_line)
    to.count(v.errors.contains(line), "not in the table, but ptxas takes " + c->text);
}

/// All that check_instruction takes is a row, and no two rows are the same instruction.
void check_texts(const std::vector<candidate>& rows, const std::vector<candidate>& around, tally& to) {
  std::set<std::string> texts;
  for (const candidate& c : rows) to.count(texts.insert(c.text).second, "twice in the table: " + c.text);
  for (const candidate& c : around)
    if (c.in_table) to.count(texts.contains(c.text), "taken, but no row of the table: " + c.text);
}

std::vector<verdict> assemble_all(const setting& s, const std::vector<ptx_file>& files) {
  std::vector<verdict> verdicts(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++)
      verdicts[i] = assemble(s, "instructions_" + std::to_string(i), files[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  return verdicts;
}

bool check_all(const setting& s) {
  constexpr int families = sectile::instruction_table::families;
  std::vector<std::vector<candidate>> rows;
  for (int f = 0; f < families; ++f) rows.push_back(rows_of_family(f));
  const std::vector<candidate> around = around_the_table();
  std::vector<const candidate*> outside;
  for (const candidate& c : around)
    if (!c.in_table) outside.push_back(&c);

  // One file for each family, and one for what is not in the table.
  std::vector<ptx_file> files;
  for (const std::vector<candidate>& r : rows) files.push_back(file_of_rows(r));
  files.emplace_back().put_kernel("refused", outside, false);
  const std::vector<verdict> verdicts = assemble_all(s, files);

  tally accepted, refused, texts;
  std::vector<candidate> all_rows;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    check_rows(verdicts[f], files[f], accepted);
    all_rows.insert(all_rows.end(), rows[f].begin(), rows[f].end());
  }
  check_refusals(verdicts.back(), files.back(), refused);
  check_texts(all_rows, around, texts);
  std::cout << accepted.checked << " instructions of the table, of which ptxas refuses " << accepted.wrong << "; "
            << refused.checked << " that are not in it, of which ptxas takes " << refused.wrong << "\n";
  return accepted.wrong == 0 && refused.wrong == 0 && texts.wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !std::filesystem::exists(argv[1])) {
    std::cout << "there is no ptxas: the table of instructions is not held against it\n";
    return argc == 3 ? 77 : 2;
  }
  const setting s{argv[1], argv[2]};
  std::filesystem::create_directories(s.folder);
  return check_all(s) ? 0 : 1;
}
