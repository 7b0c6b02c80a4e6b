// From facts to files: the generator of pages (docs/generator, in Python) is started with the facts of a kernel.
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace sectile {

/// A page that cannot be made. what() is one sentence.
struct tutorial_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace tell {

/// Throws tutorial_error where `folder` is a file, lies below one, or is not to be written into; so that nothing is
/// worked out in vain.
void require_folder(const std::filesystem::path& folder);

/// The folder of the generator: the one that is installed with the running program (bin/../share/sectile/generator) if
/// there is one, else `built`.
std::filesystem::path generator_folder(const std::filesystem::path& built);

/// Writes NAME.html, NAME.md and figures/NAME.*.svg into `folder`, which is made if need be; `facts` is the JSON
/// document of kernel NAME, and `generator` the folder of the generator. What is there stays as it was until everything
/// new is complete. Returns the paths of what was written, the HTML among them. Throws tutorial_error.
std::vector<std::filesystem::path> write_page(const std::string& facts, const std::filesystem::path& folder,
                                              const std::filesystem::path& generator);

}  // namespace tell
}  // namespace sectile
