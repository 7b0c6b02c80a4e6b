// A page about a kernel of one's own, from a program: write_tutorial<my_gemm>("pages") writes pages/my_gemm.html, .md
// and figures/. The file that calls it is compiled with -g1 (or -g), so that lines of the program can be named, and
// linked with sectile_tell. The page is made by a Python program (docs/generator).
#pragma once
#include <filesystem>
#include <vector>

#include <sectile/dsl/tell/tutorial/page_writer.hpp>
#include <sectile/dsl/tell/tutorial/told.hpp>

namespace sectile {

namespace tell {

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
#ifdef SECTILE_GENERATOR  // by every target that links sectile_tell through CMake
  const std::filesystem::path usual = tell::generator_folder(SECTILE_GENERATOR);
#else
  const std::filesystem::path usual = tell::generator_folder({});
#endif
  tell::require_folder(folder);
  return tell::write_page(tell::text_for_page(tell::own_facts<K>(options)), folder,
                          options.generator.empty() ? usual : options.generator);
}

/// A program of its own that writes the page of K: sectile_add_tutorial() makes its main() of this. Arguments are --out
/// FOLDER, --sizes M=256,N=512, --scalars alpha=0.5 and --seed N. Returns its exit status: 0, or 2 with one sentence on
/// stderr.
template <class K>
int tutorial_main(int count, char** words, const tutorial_options& given) {
  return tell::tutorial_program(count, words, given, write_tutorial<K>);
}

}  // namespace sectile
