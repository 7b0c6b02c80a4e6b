// The program in hostile hands: devices, pipes and closed files for arguments, limits, and text that a terminal obeys.
#include <sys/stat.h>

#include <algorithm>
#include <sstream>

#include "tests/tool/cli.hpp"

namespace {

using namespace cli;

/// A shell command with $S for the program, its output in .out and .err; 124 where it takes a minute.
outcome shell(const scratch_folder& folder, const std::string& command) {
  std::ofstream(folder.path / ".sh") << command;
  const int status = std::system(
      ("cd '" + folder.path.string() + "' && S='" SECTILE_CLI "' timeout 60 bash .sh >.out 2>.err </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read(".out"), folder.read(".err")};
}

/// How many files are there whose names end in .part.
int unfinished(const scratch_folder& folder) {
  int count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path))
    count += file.path().extension() == ".part" ? 1 : 0;
  return count;
}

TEST_CASE("what has no end is not read") {
  const scratch_folder folder;
  REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  for (const char* command : {"$S check /dev/zero", "$S check pipe", "$S run gemm_bf16 --a /dev/zero --b /dev/zero",
                              "$S run gemm_bf16 --a pipe --b pipe"}) {
    CAPTURE(command);
    const outcome result = shell(folder, command);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  check_refusal(folder, "check /dev/zero", "/dev/zero cannot be read: it is a device or a pipe, not a file");
  check_refusal(folder, "check nowhere.cpp", "nowhere.cpp cannot be read: there is no such file");
  check_refusal(folder, "check .", ". cannot be read: it is a folder");
  std::ofstream(folder.path / "huge.cpp") << "";
  std::filesystem::resize_file(folder.path / "huge.cpp", std::uintmax_t{1} << 30);
  check_refusal(folder, "check huge.cpp",
                "huge.cpp cannot be read: it has 1073741824 bytes; a source file has at most");
}

TEST_CASE("a file that includes what has no end is a compiler's error") {
  const scratch_folder folder;
  std::ofstream(folder.path / "endless.cpp") << "#include \"/dev/zero\"\n";
  const outcome result = shell(folder, "CXX=g++ $S check endless.cpp");
  CHECK(result.status == 1);
  CHECK_MESSAGE(contains(result.out, "does not compile: cc1plus: out of memory"), result.out);
}

TEST_CASE("numbers of options are whole, in digits, and within limits") {
  const scratch_folder folder;
  for (const char* option :
       {"run gemm_bf16 --shape 8x8x8 --seed", "run gemm_bf16 --shape 8x8x8 --workers",
        "run gemm_bf16 --shape 8x8x8 --schedule systematic --preemptions",
        "run gemm_bf16 --shape 8x8x8 --schedule systematic --schedules", "random --out a.npy --shape 1x8 --seed",
        "figure tile --rows", "figure tile --k", "figure tile --what box --slices", "figure fragment --n",
        "figure gemm_bf16 timeline --cycles", "figure ladder_tma timeline --ctas"})
    for (const char* number : {"''", "nan", "inf", "-1", "1e3", "0x10", "+3", "' 3'", "1.5", "99999999999999999999"})
      check_refusal(folder, std::string(option) + " " + number, "is not a whole number from ");
  check_refusal(folder, "figure tile --what box --slices 2147483647", "'2147483647' is not a whole number from 1 to");
  check_refusal(folder, "figure tile --rows 0", "'0' is not a whole number from 1 to 1048576");
}

TEST_CASE("an option that is given is not empty") {
  const scratch_folder folder;
  for (const char* arguments :
       {"run gemm_bf16 --shape", "run gemm_bf16 --out", "run gemm_bf16 --a", "figure tile --type", "figure tile --what",
        "explain gemm_bf16 --svg", "tutorial gemm_bf16 --out", "tutorial gemm_bf16 --facts", "layout 8:1 --swizzle",
        "instructions --type", "random --shape 2x8 --out", "check", "run", "evaluate"})
    check_refusal(folder, std::string(arguments) + " ''", "it is empty");
  check_refusal(folder, "evaluate --functions '8:1'", "--functions lists them, and takes no expression");
  check_refusal(folder, "evaluate --lines '8:1'", "--lines reads standard input, and takes no expression");
}

TEST_CASE("each line of standard input has a line of the answer, whatever it is") {
  const scratch_folder folder;
  const outcome all = shell(folder, "printf '8:2 o 4:1\n(4,\n\n(4,6,8):(2,3,5) o 6:3' | $S evaluate --lines");
  CHECK(all.status == 0);
  std::istringstream lines(all.out);
  std::vector<std::string> line(4);
  for (std::string& l : line) std::getline(lines, l);
  CHECK(line[0] == "4:2");
  for (int refused : {1, 2, 3}) CHECK(line[static_cast<std::size_t>(refused)].rfind("no: ", 0) == 0);
  CHECK(lines.peek() == std::istringstream::traits_type::eof());
  const outcome unread = shell(folder, "$S evaluate --lines < .");
  CHECK(unread.status == 2);
  CHECK(unread.err.find("evaluate --lines: standard input cannot be read") != std::string::npos);
}

TEST_CASE("a long argument is quoted in part") {
  const scratch_folder folder;
  for (const char* arguments : {"run $(printf '%0100000d' 0)", "run gemm_bf16 --shape $(printf '%0100000d' 1)",
                                "check $(printf '%05000d' 0)", "$(printf '%0100000d' 0)"}) {
    CAPTURE(arguments);
    const outcome result = shell(folder, std::string("$S ") + arguments);
    CHECK(result.status == 2);
    CHECK(result.err.size() < 1200);
  }
}

TEST_CASE("a .npy file larger than memory is refused by its header") {
  const scratch_folder folder;
  const std::int64_t rows = std::int64_t{1} << 34;
  npy_array lying{.file = "a.npy", .type = npy_type::f4, .shape = {rows, 16}};
  const std::string front = npy_front(lying);
  std::ofstream(folder.path / "a.npy", std::ios::binary) << front;
  std::error_code no_holes;
  std::filesystem::resize_file(folder.path / "a.npy", front.size() + static_cast<std::uintmax_t>(rows) * 64, no_holes);
  if (no_holes) return;
  check_refusal(folder, "run gemm_bf16 --a a.npy --b a.npy",
                "a.npy: its 1099511627776 bytes of data and their numbers need 2199.0 GB");
}

TEST_CASE("an output that is no place for a file is refused before anything is computed") {
  const scratch_folder folder;
  REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  for (const char* path : {"/dev/full", "pipe", ".", "/dev/stdout"})
    for (const char* command : {"run gemm_bf16 --shape 8x8x8 --out ", "random --shape 8x8 --out ", "layout 8:1 --svg ",
                                "figure gemm_bf16 A.memory --out ", "tutorial gemm_bf16 --facts "})
      check_refusal(folder, std::string(command) + path, std::string(path) + ": it cannot be written (it is a");
  check_refusal(folder, "explain gemm_bf16 --svg /dev/full", "/dev/full: the folder cannot be made");
  std::filesystem::create_directories(folder.path / "pictures/gemm_bf16.A.svg");
  check_refusal(folder, "explain gemm_bf16 --svg pictures", "gemm_bf16.A.svg: it cannot be written (it is a folder)");
}

TEST_CASE("an output does not replace an input") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {4, 8}, pattern(32, 3));
  folder.write("b.npy", npy_type::f4, {4, 8}, pattern(32, 5));
  std::filesystem::create_symlink("b.npy", folder.path / "link.npy");
  const std::string before = folder.read("b.npy");
  const std::string run = "run gemm_bf16 --on model --a a.npy --b b.npy --out ";
  check_refusal(folder, run + "b.npy", "--out b.npy: that is the file of --b, which would be lost");
  check_refusal(folder, run + "./a.npy", "--out ./a.npy: that is the file of --a");
  check_refusal(folder, run + "link.npy", "--out link.npy: that is the file of --b");
  CHECK(folder.read("b.npy") == before);
}

TEST_CASE("two outputs are two files") {
  const scratch_folder folder;
  for (const char* facts : {"pages/gemm_bf16.html", "pages/gemm_bf16.md", "pages/../pages/gemm_bf16.md"}) {
    std::filesystem::create_directories(folder.path / "pages");
    check_refusal(folder, std::string("tutorial gemm_bf16 --out pages --facts ") + facts,
                  "the page goes there as well");
  }
  check_refusal(folder, "tutorial gemm_bf16 --out both --facts both", "--facts both: the page goes there as well");
}

TEST_CASE("a folder that is gone is no place for an output") {
  const scratch_folder folder;
  for (const char* command : {"random --shape 2x8 --out x.npy", "tutorial gemm_bf16 --out x", "layout 8:1 --svg x"}) {
    CAPTURE(command);
    const outcome result = shell(folder, std::string("mkdir gone; cd gone; rmdir ../gone; $S ") + command);
    CHECK(result.status == 2);
    CHECK_MESSAGE(contains(result.err, "no folder"), result.err);
  }
}

TEST_CASE("a limit on files is a sentence, and leaves nothing half written") {
  const scratch_folder folder;
  const outcome result = shell(folder, "ulimit -f 8; $S random --shape 512x512 --out a.npy");
  CHECK(result.status == 2);
  CHECK_MESSAGE(contains(result.err, "a.npy: it cannot be written (it takes 524288 bytes, and a file may have 8192)"),
                result.err);
  const outcome svg = shell(folder, "ulimit -f 1; $S figure gemm_bf16 A.memory --out a.svg");
  CHECK(svg.status == 2);
  CHECK_MESSAGE(contains(svg.err, "a.svg: it cannot be written (File too large)"), svg.err);
  const outcome run = shell(folder, "ulimit -f 1; $S run gemm_bf16 --on model --shape 300x300x8 --out a.npy");
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK_MESSAGE(contains(run.err, "a.npy: it cannot be written (it takes 182400 bytes"), run.err);
  const outcome out = shell(folder, "ulimit -f 1; $S instructions --csv > list");
  CHECK(out.status == 2);
  CHECK(out.err == "sectile: stdout cannot be written\n");
  CHECK(unfinished(folder) == 0);
  CHECK(!std::filesystem::exists(folder.path / "a.npy"));
}

TEST_CASE("stdout that is closed or full is an error, and no file gets its text") {
  const scratch_folder folder;
  for (const char* command : {"$S list", "$S instructions --csv", "$S explain gemm_bf16", "$S layout 8:1", "$S --help"})
    for (const char* out : {" >&-", " >/dev/full"}) {
      CAPTURE(command);
      CAPTURE(out);
      const outcome result = shell(folder, std::string(command) + out);
      CHECK(result.status == 2);
      CHECK(result.err == "sectile: stdout cannot be written\n");
    }
  const outcome random = shell(folder, "$S random --shape 3x8 --out a.npy >&- 2>&- <&-");
  CHECK(random.status == 2);
  CHECK(sectile::tool::read_npy(folder.path / "a.npy").shape == sizes{3, 8});
}

TEST_CASE("an argument is shown as text that no terminal obeys, in one line") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {4, 8}, pattern(32, 3));
  for (const char* arguments : {"$'\\e[31mred\\n'",
                                "run $'\\e[31m\\nred'",
                                "run gemm_bf16 --shape $'1\\e[2Jx\\n2'",
                                "explain $'\\a'",
                                "run gemm_bf16 --a $'\\e[31m\\n' --b a.npy",
                                "run gemm_bf16 --a a.npy --b a.npy --out $'\\e/\\n'",
                                "run gemm_bf16 --on $'\\e[31m\\n'",
                                "run gemm_bf16 --seed $'\\e\\n'",
                                "run gemm_bf16 $'\\e\\n'",
                                "run gemm_bf16 $'--\\e\\n'",
                                "instructions --type $'\\e\\n'",
                                "evaluate $'\\e'",
                                "layout $'\\e'",
                                "layout 8:1 --swizzle $'\\e\\n'",
                                "figure $'\\e\\n'",
                                "figure gemm_bf16 $'\\e\\n'",
                                "figure tile --type $'\\e\\n'",
                                "figure descriptor $'\\e\\n'",
                                "figure swizzle $'\\e\\n,'",
                                "figure layout $'\\e\\n'",
                                "check $'\\e\\n'",
                                "tutorial gemm_bf16 --out $'a.npy/\\e\\n'",
                                "random --shape $'\\e\\n' --out x.npy",
                                "random --shape 1x1 --out $'\\e/\\n'",
                                "run gemm_bf16 --replay $'\\e\\n'",
                                "run $'\\xff\\xc2\\x9b'"}) {
    CAPTURE(arguments);
    const outcome result = shell(folder, std::string("$S ") + arguments);
    CHECK(result.status == 2);
    CHECK(result.err.starts_with("sectile: "));
    const auto obeyed = [](char c) { return (c != '\n' && static_cast<unsigned char>(c) < ' ') || c == '\x7f'; };
    CHECK(std::none_of(result.err.begin(), result.err.end(), obeyed));
    CHECK(!contains(result.err, "\xff"));
    CHECK(!contains(result.err, "\xc2\x9b"));
    const bool has_caret = result.err.ends_with("^\n");  // of an expression: the text and the place
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == (has_caret ? 3 : 1));
  }
}

TEST_CASE("names of files and what a compiler says of them are shown as text") {
  const scratch_folder folder;
  const outcome random = shell(folder, "$S random --shape 2x8 --out $'\\e[31m.npy'");
  CHECK(random.status == 0);
  CHECK(random.out.starts_with("\\x1b[31m.npy: 2x8"));
  std::ofstream(folder.path / "evil.cpp") << "#error \x1b[31mred\x1b[0m\n";
  const outcome check = shell(folder, "$S check evil.cpp");
  CHECK(check.status == 1);
  CHECK(!contains(check.out, "\x1b"));
  CHECK(contains(check.out, "\\x1b[31mred"));
}

TEST_CASE("a file whose name looks like an option is a file") {
  const scratch_folder folder;
  std::ofstream(folder.path / "-x.cpp") << "int x;\n";
  std::ofstream(folder.path / "@x.cpp") << "int x;\n";
  CHECK(contains(shell(folder, "$S check -- -x.cpp").out, "compiles: -x.cpp"));
  CHECK(contains(shell(folder, "$S check @x.cpp").out, "compiles: @x.cpp"));
}

}  // namespace
