// A page about a kernel of one's own, from a program: write_tutorial<my_gemm>("pages") writes pages/my_gemm.html, .md
// and figures/. The file that calls it is compiled with -g1 (or -g), so that lines of the program can be named, and
// linked with sectile_tell. The page is made by a Python program (docs/generator).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/timeline/timeline_facts.hpp>
#include <sectile/dsl/tell/timeline/timeline_figure.hpp>
#include <sectile/dsl/tell/tutorial/page_writer.hpp>
#include <sectile/dsl/tell/tutorial/trial.hpp>

namespace sectile {

/// What a page cannot find out from the kernel's type.
struct tutorial_options {
  std::string name{};     // of the page and its files; "": the type's, without its namespace
  std::string summary{};  // one line: what the kernel computes
  tell::trial_options run{};
  std::string source_root{};  // the program's file is named relative to this folder
  /// The folder of the generator of pages. A target that links sectile_tell by CMake knows it.
#ifdef SECTILE_GENERATOR
  std::filesystem::path generator{SECTILE_GENERATOR};
#else
  std::filesystem::path generator{};
#endif
};

namespace tell {

/// A run in the words of a page.
checked_run told_run(const trial_result& result, const trial_options& options);

/// "my::gemm<64>" as the name of a page: "gemm_64".
std::string page_name(const std::string& type);

/// Facts of the timeline, and its pictures.
void add_timeline(nlohmann::json& facts, const kernel_timeline& timeline);

using page_function = std::vector<std::filesystem::path>(const std::filesystem::path&, const tutorial_options&);

/// Reads the arguments of tutorial_main(), writes the page and prints the paths of what is not a picture.
int tutorial_program(int count, char** words, tutorial_options given, page_function* write);

/// All facts of K, with a run on the model and its timeline where K holds.
template <class K>
nlohmann::json own_facts(const tutorial_options& options) {
  fact_options told{.name = options.name.empty() ? page_name(kernel_name<K>()) : options.name,
                    .summary = options.summary,
                    .root = options.source_root};
  const kernel_record record = record_of<K>();
  if constexpr (plan_of<K>.refusal.holds()) {
    if constexpr (verdict_of<K>.holds()) {
      told.run = told_run(try_out<K>(options.run, [](const auto& run) { run(); }), options.run);
      nlohmann::json facts = facts_of(record, told);
      facts["run"]["reference"] = options.run.reference ? "user" : "none";
      add_timeline(facts, timeline_of_kernel<K>());
      return facts;
    }
  }
  return facts_of(record, told);
}

}  // namespace tell

/// Writes the page of kernel K into `folder`, which is made if need be; of a kernel that is refused, a page with the
/// refusal. Returns the paths of what was written. Throws tutorial_error where it cannot be written, and launch_error
/// for sizes that K does not take.
template <class K>
std::vector<std::filesystem::path> write_tutorial(const std::filesystem::path& folder,
                                                  const tutorial_options& options = {}) {
  tell::require_folder(folder);
  return tell::write_page(tell::own_facts<K>(options).dump(), folder, options.generator);
}

/// A program of its own that writes the page of K: sectile_add_tutorial() makes its main() of this. Arguments are --out
/// FOLDER, --sizes M=256,N=512 and --seed N. Returns its exit status: 0, or 2 with one sentence on stderr.
template <class K>
int tutorial_main(int count, char** words, const tutorial_options& given) {
  return tell::tutorial_program(count, words, given, write_tutorial<K>);
}

}  // namespace sectile
