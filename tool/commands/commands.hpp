// The commands of the tool as functions: what main() makes of its command line. Each returns the program's exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tool/machines.hpp"
#include "tool/output_files.hpp"

namespace sectile::tool {

/// What the program's exit status says.
enum exit_status : int {
  success = 0,
  failed = 1,       // the result is wrong, or the run broke off
  bad_input = 2,    // an argument, a file or the machine does not allow it; nothing was done
  hazard_found = 3  // the model found an error in the kernel
};

/// `sectile list`
exit_status list_kernels();

struct random_options {
  std::string shape;
  std::uint64_t seed = 0;
  std::string type = "bf16";  // or f4, f16, tf32, e4m3, e5m2, s8, u8, b1
  std::filesystem::path out;
};
/// `sectile random`: writes standard-normal numbers, or integers over their whole range. Throws input_error.
exit_status write_random(const random_options& options);

struct run_options {
  std::string kernel;
  std::optional<std::string> shape;
  std::optional<std::uint64_t> seed;
  std::optional<machine> on;  // the GPU where there is one, if not said
  reading how = reading::wgmma;
  std::optional<bool> check_hazards;
  std::optional<model::schedule_mode> schedule;  // random where there is a seed, fair otherwise, if not said
  std::optional<std::uint64_t> schedule_seed;
  std::optional<int> preemptions;
  std::optional<long> max_schedules;
  std::optional<std::string> replay;
  std::optional<int> workers;
  files_by_option inputs, outputs;  // a kernel's numbers are among the inputs, as they were written
  bool prune = false;
};
/// `sectile run`: computes, checks against the float64 reference, writes. Throws input_error, launch_error,
/// model::hazard.
exit_status run_kernel(const run_options& options);

struct explain_options {
  std::string kernel;
  std::optional<std::string> shape;          // "MxNxK", of a kernel that is shipped in several configurations
  std::optional<std::filesystem::path> svg;  // a file that ends in .svg, or a folder
  std::optional<std::string> sass;           // "tensor" or "full"
};
/// `sectile explain`. Throws input_error.
exit_status explain_kernel(const explain_options& options);

struct export_options {
  std::string kernel;                // whose protocol, as Promela
  std::optional<std::string> shape;  // few tiles, if not said
  bool earlier = false;              // of parts that meet in a workspace, one whose ticket is not the last
  std::optional<std::filesystem::path> out;
};
/// `sectile export`: a kernel's protocol for another checker. Throws input_error and launch_error.
exit_status export_protocol(const export_options& options);

struct tutorial_command {
  std::string kernel;
  std::optional<std::filesystem::path> out;    // the folder of the page
  std::optional<std::filesystem::path> facts;  // JSON; "-": stdout
  std::optional<std::string> shape;            // of the run that the page shows
  std::optional<std::uint64_t> seed;
  std::optional<machine> on;  // the model, if not said
};
/// `sectile tutorial`: a page about a kernel, as HTML and as Markdown, or the facts it is made of. Throws input_error.
exit_status make_tutorial(const tutorial_command& options);

struct instructions_options {
  std::optional<std::string> type;  // of A or B
  bool csv = false;                 // a line for each instruction instead of for each family
};
/// `sectile instructions`: the table of wgmma instructions. Throws input_error.
exit_status show_instructions(const instructions_options& options);

struct evaluate_options {
  std::string text;
  bool functions = false;  // list them instead
  bool lines = false;      // one expression on each line of standard input
};
/// `sectile evaluate`: expressions of the layout algebra and what they are. Throws input_error.
exit_status evaluate_expression(const evaluate_options& options);

struct layout_options {
  std::string text;                    // an expression
  std::optional<std::string> swizzle;  // "3,4,3"
  std::optional<std::filesystem::path> svg;
};
/// `sectile layout`. Throws input_error and layout_error.
exit_status show_layout(const layout_options& options);

struct figure_options {
  std::string subject;            // a kernel, or tile, fragment, epilogue, layout, descriptor, swizzle
  std::optional<std::string> id;  // of a kernel: which picture; else the expression, the bits, the swizzle
  std::optional<std::string> what, type, major, swizzle, operand;
  std::optional<std::string> shape;  // of the run that a timeline shows
  std::optional<int> rows, k, n, slices;
  std::optional<int> cycles;  // that a timeline's axis has at least
  std::optional<int> ctas;    // that share its SM
  bool page_style = false;  // print the style sheet for a page instead
  std::optional<std::filesystem::path> out;
};
/// `sectile figure`: one picture as SVG. Throws input_error and layout_error.
exit_status draw_figure(const figure_options& options);

struct tune_options {
  std::optional<std::string> kernel;           // whose family is measured
  std::optional<std::string> shapes;           // a list, or a file of that name; about 200 problems if not said
  std::optional<std::filesystem::path> out;    // the table; KERNEL_GPU.json if not said
  std::optional<std::filesystem::path> from;   // a table of the family before its configurations changed
  std::vector<std::filesystem::path> tables;   // instead of measuring: tables of one family
  std::optional<std::filesystem::path> header;  // made of those
};
/// `sectile tune`: times the members of a family on the GPU and writes the table, or makes a header of tables. Says how
/// good picks are. Throws input_error.
exit_status tune_family(const tune_options& options);

struct bench_options {
  std::string kernel;
  std::optional<std::string> shapes;  // as of tune; 60 problems if not said
  int rounds = 5;
  std::optional<std::filesystem::path> json;
};
/// `sectile bench`: the pick of a launch against the fastest member and against cuBLASLt. Throws input_error.
exit_status race_family(const bench_options& options);

struct roofline_options {
  std::string kernel;
  std::string shape;          // "M=256,N=512,K=64", or as of run
  bool predict_only = false;  // also where there is a GPU: as for one that is not there
};
/// `sectile roofline`: what bounds a kernel at these sizes, what the cost model predicts, and on a GPU what is reached.
/// Throws input_error and launch_error.
exit_status tell_roofline(const roofline_options& options);

}  // namespace sectile::tool
