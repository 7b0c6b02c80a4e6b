#include <fmt/format.h>

#include <sectile/dsl/tell/explain.hpp>
#include <sectile/dsl/tell/pictures.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>
#include <system_error>

#include "tool/commands/commands.hpp"
#include "tool/family_list.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/printable.hpp"
#include "tool/sass.hpp"

namespace sectile::tool {
namespace {

/// Where the pictures go: all into one file, or one file each into a folder, which is made if need be.
std::vector<std::filesystem::path> picture_files(const std::filesystem::path& path, const kernel_facts& kernel,
                                                 const std::vector<tell::operand_picture>& pictures) {
  if (path.extension() == ".svg") return {path};
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw input_error(fmt::format("{}: the folder cannot be made ({})", path.string(), error.message()));
  std::vector<std::filesystem::path> files;
  for (const tell::operand_picture& picture : pictures)
    files.push_back(path / fmt::format("{}.{}.svg", kernel.name, picture.operand));
  return files;
}

void draw(const kernel_facts& kernel, const std::vector<tell::operand_picture>& pictures,
          const std::vector<std::filesystem::path>& files, bool into_folder) {
  fmt::print("\n{}", into_folder ? "Pictures\n" : "Picture: ");
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_text(files[i], into_folder ? tell::to_svg({pictures[i]}, pictures[i].title)
                                     : tell::to_svg(pictures, std::string(kernel.name)));
    fmt::print("{}{}\n", into_folder ? "  " : "", printable(files[i].string()));
  }
}

}  // namespace

exit_status explain_kernel(const explain_options& options) {
  const kernel_facts& kernel = find_kernel(options.kernel);
  if (options.shape) {
    if (options.svg || options.sass)
      throw input_error("--shape says which configuration is taken; --svg and --sass are about the kernel itself");
    fmt::print("{}", choice_text(find_family(kernel.name, "--shape"), *options.shape));
    return success;
  }
  if (kernel.planned == nullptr)
    throw input_error(
        fmt::format("{} has no plan to explain: it is what {} says, line by line; `sectile explain "
                    "gemm_bf16` explains a kernel that is planned",
                    kernel.name, kernel.listing));
  const std::vector<tell::operand_picture> pictures = tell::pictures_of(*kernel.planned);
  std::vector<std::filesystem::path> files;
  if (options.svg) files = picture_files(*options.svg, kernel, pictures);
  for (const std::filesystem::path& file : files) require_writable(file);
  fmt::print("{}: {}\n\n", kernel.name, kernel.summary);
  const plan& p = *kernel.planned;
  fmt::print("{}\nPTX of the products and copies (p: whether D is added to, m: metadata)\n{}\nProofs\n{}",
             explain(p, kernel.traced()), tell::ptx_text(p), tell::proofs_text(p));
  if (options.sass) fmt::print("\nSASS\n{}", sass_text(kernel, *options.sass == "full"));
  if (options.svg) draw(kernel, pictures, files, options.svg->extension() != ".svg");
  return success;
}

}  // namespace sectile::tool
