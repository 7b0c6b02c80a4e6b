// A program that writes the page of its kernel: the folder is its argument.
#include <cstdio>
#include <sectile/dsl/tell/tutorial.hpp>

#include "../kernels/scaled.hpp"

int main(int count, char** words) {
  sectile::tutorial_options options;
  options.name = "my_scaled";
  options.run.sizes = {{"M", 77}};
  options.run.reference = mine::scaled_product;
  for (const auto& file : sectile::write_tutorial<mine::scaled>(count > 1 ? words[1] : "pages", options))
    std::printf("%s\n", file.c_str());
}
