#include <fmt/format.h>

#include <sectile/dsl/tell/explain.hpp>
#include <sectile/dsl/tell/pictures.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>
#include <system_error>

#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/sass.hpp"

namespace sectile::tool {
namespace {

/// All pictures into one file, or one file each into a folder, which is made if need be.
void draw(const kernel_facts& kernel, const std::filesystem::path& path) {
  const std::vector<tell::operand_picture> pictures = tell::pictures_of(*kernel.planned);
  if (path.extension() == ".svg") {
    write_text(path, tell::to_svg(pictures, std::string(kernel.name)));
    fmt::print("\nPicture: {}\n", path.string());
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw input_error(fmt::format("{}: the folder cannot be made ({})", path.string(), error.message()));
  fmt::print("\nPictures\n");
  for (const tell::operand_picture& picture : pictures) {
    const std::filesystem::path file = path / fmt::format("{}.{}.svg", kernel.name, picture.operand);
    write_text(file, tell::to_svg({picture}, picture.title));
    fmt::print("  {}\n", file.string());
  }
}

}  // namespace

exit_status explain_kernel(const explain_options& options) {
  const kernel_facts& kernel = find_kernel(options.kernel);
  if (kernel.planned == nullptr)
    throw input_error(
        fmt::format("{} has no plan to explain: it is what {} says, line by line; `sectile explain "
                    "gemm_bf16` explains a kernel that is planned",
                    kernel.name, kernel.listing));
  if (options.svg && options.svg->extension() == ".svg") require_writable(*options.svg);
  fmt::print("{}: {}\n\n", kernel.name, kernel.summary);
  const plan& p = *kernel.planned;
  fmt::print("{}\nPTX of the products and copies (p: whether D is added to, m: metadata)\n{}\nProofs\n{}",
             explain(p, kernel.traced()), tell::ptx_text(p), tell::proofs_text(p));
  if (options.sass) fmt::print("\nSASS\n{}", sass_text(kernel, *options.sass == "full"));
  if (options.svg) draw(kernel, *options.svg);
  return success;
}

}  // namespace sectile::tool
