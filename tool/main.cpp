// sectile: the command-line tool. This file turns the command line into one call of a command, and what that throws
// into one line on stderr and an exit status.
#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/schedule.hpp>
#include <sectile/layouts/error.hpp>

#include "tool/check.hpp"
#include "tool/commands/commands.hpp"
#include "tool/input_error.hpp"
#include "tool/operand_options.hpp"
#include "tool/printable.hpp"

namespace {

using namespace sectile::tool;

constexpr const char* exit_help =
    "Exit status: 0 all is well; 1 the result is wrong or the run broke off; 2 bad arguments, files or machine; 3 the "
    "model found a hazard.";

/// Accepts whole numbers of so many, in digits alone.
template <class Number>
CLI::Validator whole_number(Number least, Number most, const char* most_in_words = nullptr) {
  const std::string limits = fmt::format("from {} to {}", least, most_in_words ? most_in_words : fmt::to_string(most));
  return {[=](std::string& text) -> std::string {
            Number number = 0;
            const char* const end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc{} && stopped == end && number >= least && number <= most) return "";
            return fmt::format("'{}' is not a whole number {}", text, limits);
          },
          ""};
}
CLI::Validator seed() { return whole_number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max(), "2^64 - 1"); }
/// An extent in elements, or a count of such.
CLI::Validator extent() { return whole_number<int>(1, 1 << 20); }

/// Refuses the empty word, which would be taken for nothing.
CLI::Validator not_empty() {
  return {[](std::string& text) -> std::string { return text.empty() ? "it is empty" : ""; }, ""};
}

/// Accepts what a report of the model names as a schedule.
CLI::Validator schedule_text() {
  return {[](std::string& text) -> std::string {
            try {
              sectile::model::parse_schedule(text);
            } catch (const std::invalid_argument& error) {
              return error.what();
            }
            return "";
          },
          ""};
}

/// Everything that the command line can say.
struct command_line {
  CLI::App app{"sectile: tiled kernels for NVIDIA Hopper, planned, proven and run on the GPU or on a CPU model of it"};
  random_options random;
  run_options run;
  explain_options explain;
  export_options exported;
  tutorial_command tutorial;
  instructions_options instructions;
  evaluate_options evaluate;
  layout_options layout;
  figure_options figure;
  check_options check;
  tune_options tune;
  bench_options bench;
  roofline_options roofline;
  std::optional<std::string> on, tutorial_on, reading_name, schedule_name;
  bool check_hazards = true, checked = false;
  CLI::Option* hazard_flag = nullptr;
  exit_status status = success;

  command_line() {
    app.name("sectile");
    app.require_subcommand(1);
    app.set_version_flag("--version", "sectile " SECTILE_VERSION);
    app.footer(exit_help);
    add_list();
    add_run();
    add_random();
    add_explain();
    add_export();
    add_tutorial();
    add_instructions();
    add_evaluate();
    add_layout();
    add_figure();
    add_check();
    add_tune();
    add_bench();
    add_roofline();
    for (CLI::App* sub : app.get_subcommands({}))
      for (CLI::Option* option : sub->get_options())
        if (option->get_items_expected_max() == 1) option->check(not_empty());
  }

 private:
  CLI::App* add(const char* name, const char* what, std::function<exit_status()> command) {
    CLI::App* sub = app.add_subcommand(name, what);
    sub->callback([this, command = std::move(command)] { status = command(); });
    return sub;
  }

  void add_list() {
    add("list", "List the kernels", [] { return list_kernels(); });
  }

  void add_run() {
    CLI::App* sub = add("run", "Run a kernel and check its result against a float64 reference", [this] {
      if (on) run.on = *on == "gpu" ? machine::gpu : machine::model;
      if (reading_name)
        run.how = *reading_name == "wmma" ? reading::wmma : *reading_name == "simt" ? reading::simt : reading::wgmma;
      if (checked) run.how = reading::checked;
      if (hazard_flag->count() > 0) run.check_hazards = check_hazards;
      using sectile::model::schedule_mode;
      if (schedule_name)
        run.schedule = *schedule_name == "fair"     ? schedule_mode::fair
                       : *schedule_name == "random" ? schedule_mode::random
                                                    : schedule_mode::systematic;
      return run_kernel(run);
    });
    sub->add_option("kernel", run.kernel, "Which kernel (see `sectile list`)")->required()->type_name("KERNEL");
    sub->add_option("--shape", run.shape,
                    "Sizes of random operands, mode by mode: MxNxK of a product, MxN of rows, BxHxSxD of attention")
        ->type_name("SIZES");
    sub->add_option("--seed", run.seed, "Seed of the random operands (0)")->check(seed())->type_name("N");
    sub->add_option("--on", on, "Machine: gpu or model; the GPU where there is one, if not given")
        ->check(CLI::IsMember({"gpu", "model"}))
        ->type_name("MACHINE");
    sub->add_option("--reading", reading_name,
                    "How the kernel is read: wgmma, or for GPUs before Hopper wmma or simt (wgmma)")
        ->check(CLI::IsMember({"wgmma", "wmma", "simt"}))
        ->type_name("READING");
    sub->add_flag("--checked", checked,
                  "Run on the GPU's debug machine: with guards, and with waits that end in a report")
        ->excludes("--reading");
    for (const operand_option& operand : operand_options())
      sub->add_option(operand.name, run.inputs[operand.name], operand.says)
          ->type_name(operand.takes)
          ->group("Operands from files, instead of random numbers, and numbers as they are");
    sub->add_flag("--prune", run.prune, "Make A of a file sparse: keep the largest of each group");
    sub->add_option("--out", run.outputs["--out"], "Where to write the result, of several outputs the first")
        ->type_name("FILE.npy");
    for (const operand_option& operand : output_options())
      sub->add_option(operand.name, run.outputs[operand.name], operand.says)
          ->type_name("FILE.npy")
          ->group("Where to write what a kernel leaves besides");
    const char* model = "The model";
    hazard_flag = sub->add_flag("--check-hazards,!--no-check-hazards", check_hazards,
                                "Whether the model looks for races, missing waits and the like (it does)")
                      ->group(model);
    sub->add_option("--schedule", schedule_name,
                    "Order of threads and copies: fair, random, or systematic: every one that departs little from a "
                    "default (fair)")
        ->check(CLI::IsMember({"fair", "random", "systematic"}))
        ->type_name("HOW")
        ->group(model);
    sub->add_option("--schedule-seed", run.schedule_seed, "What the random schedule is drawn from (0)")
        ->check(seed())
        ->type_name("N")
        ->group(model);
    sub->add_option("--preemptions", run.preemptions, "Systematic: departures from the default schedule, at most (2)")
        ->check(whole_number(0, 100))
        ->type_name("N")
        ->group(model);
    sub->add_option("--schedules", run.max_schedules, "Systematic: runs of each cluster, at most (10,000)")
        ->check(whole_number(1L, 1'000'000'000L))
        ->type_name("N")
        ->group(model);
    sub->add_option("--replay", run.replay, "Only the schedule that a report named, as in 0:17.2")
        ->check(schedule_text())
        ->type_name("SCHEDULE")
        ->group(model);
    sub->add_option("--workers", run.workers, "Threads that the model runs on (one per core)")
        ->check(whole_number(1, 1024))
        ->type_name("N")
        ->group(model);
    sub->footer(
        "Files of '<f2', '<f4', '<f8', '|u1', '|i1', '<i4', and '<V2', '<V1', '<f1' (bf16, e4m3 and e5m2 as ml_dtypes "
        "saves them) are read as numbers and rounded to the kernel's type. '|u1' is raw bits for a kernel of e4m3 or "
        "e5m2, and 8 columns a byte, the first in bit 0, for one of b1.");
  }

  void add_random() {
    CLI::App* sub = add("random", "Write random numbers to a .npy file, the same on every machine",
                        [this] { return write_random(random); });
    sub->add_option("--shape", random.shape, "N, MxK, BxHxSxD, or BxGxHxSxD")->required()->type_name("SIZES");
    sub->add_option("--seed", random.seed, "Seed (0)")->check(seed())->type_name("N");
    sub->add_option("--type", random.type,
                    "bf16, f4, f16, tf32, e4m3, e5m2: standard-normal; s8, u8, b1: evenly (bf16)")
        ->check(CLI::IsMember({"bf16", "f4", "f16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"}))
        ->type_name("TYPE");
    sub->add_option("--out", random.out, "Where to write them")->required()->type_name("FILE.npy");
  }

  void add_explain() {
    CLI::App* sub = add("explain", "Say how a kernel works: tiles, memory, instructions, barriers, waits and proofs",
                        [this] { return explain_kernel(explain); });
    sub->add_option("kernel", explain.kernel, "Which kernel (see `sectile list`)")->required()->type_name("KERNEL");
    sub->add_option("--shape", explain.shape,
                    "Of a kernel that is shipped in several configurations: which one a launch takes for MxNxK, and "
                    "why")
        ->type_name("MxNxK");
    sub->add_option("--svg", explain.svg,
                    "Draw the tiles as they lie in shared memory: into one FILE.svg, or one file each into a folder")
        ->type_name("PATH");
    sub->add_option("--sass", explain.sass,
                    "Disassemble the kernel: its tensor-core instructions (tensor) or all (full)")
        ->check(CLI::IsMember({"tensor", "full"}))
        ->expected(0, 1)
        ->default_str("tensor")
        ->type_name("HOW");
  }

  void add_export() {
    CLI::App* sub = add("export", "Write a kernel's protocol for a model checker that is not Sectile's own",
                        [this] { return export_protocol(exported); });
    sub->add_option("--promela", exported.kernel,
                    "As Promela, for SPIN: of which kernel (see `sectile list`). `spin -a`, a C compiler and pan say "
                    "whether its roles' orders are all right")
        ->required()
        ->type_name("KERNEL");
    sub->add_option("--shape", exported.shape,
                    "Sizes of the problem, as MxNxK or by names, as in M=256,N=256,K=128; a persistent kernel walks "
                    "all its tiles in one cluster (a tile, and two along what is summed over)")
        ->type_name("SIZES");
    sub->add_flag("--earlier", exported.earlier,
                  "Of parts of a tile that meet in a workspace: one that does not come last");
    sub->add_option("--out", exported.out, "Where to write it (stdout)")->type_name("FILE.pml");
  }

  void add_tutorial() {
    CLI::App* sub =
        add("tutorial", "Write a page about a kernel: its program, layouts, pictures, proofs and a run", [this] {
          if (tutorial_on) tutorial.on = *tutorial_on == "gpu" ? machine::gpu : machine::model;
          return make_tutorial(tutorial);
        });
    sub->add_option("kernel", tutorial.kernel, "Which kernel (see `sectile list`)")->required()->type_name("KERNEL");
    sub->add_option("--out", tutorial.out, "Where the page goes: KERNEL.html, KERNEL.md and figures/")
        ->type_name("FOLDER");
    sub->add_option("--facts", tutorial.facts, "Write the facts behind the page as JSON (-: to stdout)")
        ->type_name("FILE.json");
    sub->add_option("--shape", tutorial.shape,
                    "Sizes of the run on the page: MxNxK of a product, MxN of rows, BxHxSxD of attention")
        ->type_name("SIZES");
    sub->add_option("--seed", tutorial.seed, "Seed of its random operands (0)")->check(seed())->type_name("N");
    sub->add_option("--on", tutorial_on, "Its machine: gpu or model (model)")
        ->check(CLI::IsMember({"gpu", "model"}))
        ->type_name("MACHINE");
  }

  void add_instructions() {
    CLI::App* sub = add("instructions", "List the wgmma instructions that there are",
                        [this] { return show_instructions(instructions); });
    sub->add_option("--type", instructions.type, "Only those that multiply this type")->type_name("TYPE");
    sub->add_flag("--csv", instructions.csv, "One line for each instruction, with its PTX");
  }

  void add_evaluate() {
    CLI::App* sub =
        add("evaluate", "Evaluate an expression of the layout algebra, e.g. 'coalesce((2,(1,6)):(1,(6,2)))'",
            [this] { return evaluate_expression(evaluate); });
    sub->add_option("expression", evaluate.text,
                    "Layouts, A o B, A(1,2), A(_,2), <4:2,_>, 'let A = (4,8):(8,1); size(A)', "
                    "'tile(bf16, 128, 64, k, b128)', ...")
        ->type_name("EXPRESSION");
    sub->add_flag("--functions", evaluate.functions, "List the functions that there are");
    sub->add_flag("--lines", evaluate.lines, "Evaluate each line of standard input, and print a line for each");
  }

  void add_layout() {
    CLI::App* sub =
        add("layout", "Show a layout, e.g. '((8,16),(8,8)):((8,512),(1,64))'", [this] { return show_layout(layout); });
    sub->add_option("layout", layout.text,
                    "SHAPE:STRIDE, or SHAPE alone, or 'Sw<3,4,3> o SHAPE:STRIDE', or an expression (see evaluate)")
        ->required()
        ->type_name("LAYOUT");
    sub->add_option("--swizzle", layout.swizzle, "Put a swizzle behind it")->type_name("BITS,BASE,SHIFT");
    sub->add_option("--svg", layout.svg, "Draw it")->type_name("FILE.svg");
  }

  void add_figure() {
    CLI::App* sub = add("figure", "Draw a picture (SVG) of a kernel's plan, or of a tile, fragment or layout by values",
                        [this] { return draw_figure(figure); });
    sub->add_option("subject", figure.subject,
                    "A kernel (see `sectile list`), or tile, fragment, epilogue, layout, descriptor, swizzle")
        ->type_name("SUBJECT");
    sub->add_option(
           "id", figure.id,
           "Of a kernel: which picture, e.g. A.memory (left out: they are listed). Of layout: the expression; of "
           "descriptor: its 64 bits in hexadecimal; of swizzle: none, 32, 64, 128 or bits,base,shift")
        ->type_name("ID");
    sub->add_option("--what", figure.what,
                    "Of tile: memory, canonical, descriptor, box, banks. Of fragment: accumulator, a, metadata")
        ->type_name("WHAT");
    sub->add_option("--type", figure.type, "Element type (bf16; of an accumulator f32)")->type_name("TYPE");
    sub->add_option("--rows", figure.rows, "Tile: extent along M or N (64)")->check(extent())->type_name("N");
    sub->add_option("--k", figure.k, "Tile: extent along K (128 bytes)")->check(extent())->type_name("N");
    sub->add_option("--major", figure.major, "Tile: k, or mn where M or N is contiguous (k)")->type_name("MAJOR");
    sub->add_option("--swizzle", figure.swizzle,
                    "Tile: none, 32, 64, 128 (the widest that fits); epilogue: the panel's (128)")
        ->type_name("BYTES");
    sub->add_option("--operand", figure.operand, "Tile: a or b (a)")->type_name("OPERAND");
    sub->add_option("--slices", figure.slices, "Tile, --what box: CTAs that fetch a part each (1)")
        ->check(extent())
        ->type_name("N");
    sub->add_option("--shape", figure.shape, "Timeline: the sizes of the run (some that show the pipeline)")
        ->type_name("SIZES");
    sub->add_option("--cycles", figure.cycles,
                    "Timeline: cycles that the axis has at least, for two pictures side by side (those of the run)")
        ->check(extent())
        ->type_name("N");
    sub->add_option("--ctas", figure.ctas, "Timeline: CTAs that share an SM, as many as it has room for (1)")
        ->check(extent())
        ->type_name("N");
    sub->add_option("--n", figure.n, "Accumulator: columns (16)")->check(extent())->type_name("N");
    sub->add_option("--out", figure.out, "Where to write it (stdout)")->type_name("FILE.svg");
    sub->add_flag("--page-style", figure.page_style, "Print the style sheet for a page with many pictures instead");
  }

  void add_tune() {
    CLI::App* sub = add("tune", "Time the configurations of a kernel on the GPU, for the table by which a launch picks",
                        [this] { return tune_family(tune); });
    sub->add_option("kernel", tune.kernel, "Which kernel; one that is shipped in several configurations")
        ->type_name("KERNEL");
    sub->add_option("--shapes", tune.shapes,
                    "Sizes, as in 4096x4096x512,1x8192x8192, or a file with one in each line (about 200)")
        ->type_name("LIST|FILE");
    sub->add_option(
           "--out", tune.out,
           "The table; where there is one, its measurement goes on (KERNEL_GPU.json). With --table: what that is "
           "for the family as it is now, where members that are new have no times")
        ->type_name("FILE.json");
    sub->add_option("--from", tune.from,
                    "A table of the family before its configurations changed: of its problems time only members that "
                    "it has no times of")
        ->type_name("FILE.json");
    sub->add_option("--table", tune.tables, "Measure nothing: say how good picks by this table are. One for each GPU")
        ->expected(1)
        ->take_all()
        ->type_name("FILE.json");
    sub->add_option("--header", tune.header, "And write the header that the kernel's includes: kernels/tables/TYPE.hpp")
        ->type_name("FILE.hpp");
    sub->footer(
        "The table is written after each problem. Whatever ends the program, the same command goes on from there; "
        "Ctrl-C ends it after the problem at hand.");
  }

  void add_bench() {
    CLI::App* sub = add("bench", "Race what a launch picks against the fastest configuration, and against cuBLASLt",
                        [this] { return race_family(bench); });
    sub->add_option("kernel", bench.kernel, "Which kernel; one that is shipped in several configurations")
        ->required()
        ->type_name("KERNEL");
    sub->add_option("--shapes", bench.shapes,
                    "Sizes, as in 4096x4096x512,1x8192x8192, or a file with one in each line (60: known ones, and "
                    "others at random)")
        ->type_name("LIST|FILE");
    sub->add_option("--rounds", bench.rounds, "How often each contestant has its turn (5)")
        ->check(whole_number(1, 1000))
        ->type_name("N");
    sub->add_option("--json", bench.json, "Write the figures, too")->type_name("FILE.json");
  }

  void add_roofline() {
    CLI::App* sub = add("roofline", "Say what bounds a kernel, the tensor cores or memory, and how near it comes",
                        [this] { return tell_roofline(roofline); });
    sub->add_option("kernel", roofline.kernel, "Which kernel (see `sectile list`)")->required()->type_name("KERNEL");
    sub->add_option("--shape", roofline.shape, "Sizes by the names of the modes, as in M=4096,N=4096,K=512; or MxNxK")
        ->required()
        ->type_name("SIZES");
    sub->add_flag("--predict", roofline.predict_only, "Measure nothing, also where there is a GPU");
    sub->footer(
        "Ceilings are what was measured of products alone and of a copy. Without a GPU nothing is measured: what is "
        "reached is then what the cost model predicts.");
  }

  void add_check() {
    CLI::App* sub =
        add("check", "Check a file with kernels by the host compiler ($CXX, g++ or clang++): what holds, or why not",
            [this] { return check_file(check); });
    sub->add_option("file", check.file, "A C++ or CUDA file")->required()->type_name("FILE");
    sub->add_option("flags", check.flags, "Further flags for the compiler, behind --")->type_name("FLAG");
    sub->footer(
        "Exit status: 0 it holds; 1 it is refused or does not compile; 2 there is no such file or no compiler.");
  }
};

/// Its beginning and its end, of what is too long to be read.
std::string shortened(const std::string& text) {
  constexpr std::size_t begin = 600, end = 400;
  if (text.size() <= begin + end) return text;
  return fmt::format("{} ... ({} characters) ... {}", text.substr(0, begin), text.size() - begin - end,
                     text.substr(text.size() - end));
}

/// One line on stderr, and what belongs below it.
exit_status complain(const std::string& why, exit_status status, const std::string& below = "") {
  std::fflush(stdout);
  std::string text = fmt::format("sectile: {}\n", shortened(why));
  if (!below.empty()) text += printable_lines(below) + "\n";
  std::fputs(text.c_str(), stderr);  // where stderr is closed, the exit status has to do
  return status;
}

/// What the command line library says, with a way to find out more.
exit_status complain(const command_line& line, const CLI::ParseError& error) {
  std::string command = "sectile";
  for (const CLI::App* sub : line.app.get_subcommands()) command += " " + sub->get_name();
  return complain(fmt::format("{} (see `{} --help`)", printable(error.what()), command), bad_input);
}

/// A first word that is no command would be taken for an argument of one.
void require_command(const command_line& line, int count, char** words) {
  std::vector<std::string> names;
  for (const CLI::App* sub : line.app.get_subcommands({})) names.push_back(sub->get_name());
  const std::string commands = fmt::format("{}", fmt::join(names, ", "));
  if (count < 2) throw input_error(fmt::format("which command? {} (see `sectile --help`)", commands));
  const std::string first = words[1];
  if (std::ranges::count(names, first) > 0 || first == "--help" || first == "-h" || first == "--version") return;
  throw input_error(fmt::format("there is no command '{}'; there are {}", first, commands));
}

exit_status run_command(int count, char** words) {
  command_line line;
  try {
    require_command(line, count, words);
    line.app.parse(count, words);
    return line.status;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(line, error);
    line.app.exit(error);  // --help and --version
    return success;
  } catch (const input_error& error) {
    return complain(printable(error.what()), bad_input, error.below);
  } catch (const sectile::layout_error& error) {
    return complain(printable_lines(error.what()), bad_input);
  } catch (const sectile::launch_error& error) {
    return complain(printable_lines(error.what()), bad_input);
  } catch (const sectile::model::hazard& hazard) {
    return complain(fmt::format("the model found a hazard: {}", hazard.what()), hazard_found);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory for this", bad_input);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return failed;  // which main() says
    return complain(printable_lines(error.what()), failed);
  }
}

/// Whoever starts the program may have closed these; the next file opened would take their place and get their text.
void hold_standard_files() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDONLY);  // the lowest that is free; writing to it fails
}

}  // namespace

int main(int count, char** words) {
  hold_standard_files();
  std::signal(SIGXFSZ, SIG_IGN);  // stdout may be a file over the limit: an error of its own, not the program's end
  const exit_status status = run_command(count, words);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return complain("stdout cannot be written", bad_input);
  return status;
}
