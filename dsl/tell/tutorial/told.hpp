// What a page tells beside the facts that follow from the kernel: its run and its timeline; and the program that writes
// it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/timeline/timeline_facts.hpp>
#include <sectile/dsl/tell/tutorial/trial.hpp>

namespace sectile {

/// What a page cannot find out from the kernel's type.
struct tutorial_options {
  std::string name{};     // of the page and its files; "": the type's, without its namespace
  std::string summary{};  // one line: what the kernel computes
  tell::trial_options run{};
  std::string source_root{};          // the program's file is named relative to this folder
  std::filesystem::path generator{};  // the folder of the generator of pages; "": the one that CMake knows
};

namespace tell {

/// A run in the words of a page.
checked_run told_run(const trial_result& result, const trial_options& options);

/// "my::gemm<64>" as the name of a page: "gemm_64".
std::string page_name(const std::string& type);

/// Adds facts of the timeline, and its pictures.
void add_timeline(nlohmann::json& facts, const kernel_timeline& timeline);

/// The facts as the generator of pages reads them: with the style sheet of the pictures.
std::string text_for_page(nlohmann::json facts);

using page_function = std::vector<std::filesystem::path>(const std::filesystem::path&, const tutorial_options&);

/// A program that writes a page by `write`: reads its arguments, and prints the paths of what is not a picture. Returns
/// its exit status: 0, or 2 with one sentence on stderr.
int tutorial_program(int count, char** words, tutorial_options given, page_function* write);

}  // namespace tell
}  // namespace sectile
