#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/observed_factors.hpp>
#include <sectile/dsl/model/registers.hpp>

namespace sectile::model {
namespace {

/// "element (0, 192) of A is there, which the tma_load of ... brought"
std::string found_instead(const cta& c, std::uint32_t address, const copy_source& right) {
  const copy_source there = c.memory.source(address);
  if (there.bytes == copy_source::not_copied) return "which no copy has brought";
  const std::string brought = text(", brought by ", name_copy(c, address));
  if (there.from == nullptr)
    return text("but zeros are there", brought, ", which took it to lie outside of the tensor");
  if (there.from == right.from)
    return text("but of its ", right.bytes, " bytes that lie in the tensor ", there.bytes, " have come", brought);
  return text("but ", name_element(c.all->what.how.labels, there.from), " is there", brought);
}

[[noreturn]] void report_element(const cta& c, const std::string& who, const placed_tile& tile, int byte, int row,
                                 std::uint32_t address) {
  report(hazard_kind::wrong_element, text(who, " takes ", name_bytes(c, address), " for ", tile.name(byte, row), ", ",
                                          found_instead(c, address, tile.at(byte, row))));
}

}  // namespace

factor_part take_part(const cuda_thread& t, observed_factors& told) {
  if (told.blocks == 0) return {};
  const int number = told.issued++;
  if (number >= told.instructions())
    report(hazard_kind::wrong_element,
           text(name(t), " issues more than the ", told.instructions(), " instructions of its product"));
  if (told.at_once > 0) return {told.a, told.b, told.row, number * told.at_once, told.steps};
  return {told.a, told.b, told.row + number % told.blocks * 64, told.first + number / told.blocks};
}

void close_factors(const cuda_thread& t, observed_factors& told) {
  const int all = told.instructions();
  if (told.issued != all)
    report(hazard_kind::wrong_element, text(name(t), " has issued ", told.issued, " of the ", all,
                                            " instructions of a product: elements are left out of the sums"));
  told = {};
}

void require_factor(const cta& c, const observed_tile& told, const operand_shape& shape, int row, int step,
                    std::uint32_t base, const operand_chunks& chunks, const warpgroup& by, int trip) {
  const tensor_label* const tensor = find_operand(c.all->what.how.labels, told.operand);
  if (tensor == nullptr) return;
  const placed_tile tile(*tensor, told);
  const std::uint32_t* offset = chunks.offset.data();
  const auto check = [&](int x, int y) {
    const std::uint32_t address = base + *offset++;
    if (c.memory.source(address) != tile.at(x, y))
      report_element(c, text("wgmma of ", name(by, trip)), tile, x, y, address);
  };
  if (shape.direction == major::k) {
    for (int mn = row; mn < row + shape.rows; ++mn)
      for (int x = step * shape.row_bytes; x < (step + 1) * shape.row_bytes; x += 16) check(x, mn);
  } else {
    const int size = shape.element_bits / 8;
    for (int k = step * shape.columns(); k < (step + 1) * shape.columns(); ++k)
      for (int x = row * size; x < (row + shape.rows) * size; x += 16) check(x, k);
  }
}

void require_read(const cta& c, const warp_step& step, const cuda_thread& by) {
  const tensor_label* const tensor = find_operand(c.all->what.how.labels, step.part.a.operand);
  if (tensor == nullptr) return;
  const placed_tile tile(*tensor, step.part.a);
  // A matrix for each register of a lane: in turns of the upper and the lower 8 rows, and of the next 16 bytes.
  for (int lane = 0; lane < 32; ++lane) {
    const int number = step.part.step + lane / 8, of_block = number % step.part.of_block, line = lane % 8;
    const int row = step.part.row + number / step.part.of_block * 64 + by.index % 128 / 32 * 16 + of_block % 2 * 8;
    int x = 16 * (of_block / 2), y = row + line;
    if (step.what == warp_instruction::ldmatrix_trans) {  // lines run along the rows: 8 elements of 2 bytes
      x = row * 2;
      y = 8 * (of_block / 2) + line;
    }
    const std::uint32_t address = step.matrix[static_cast<std::size_t>(lane)].address;
    if (c.memory.source(address) != tile.at(x, y))
      report_element(c, text("ldmatrix of ", name(by)), tile, x, y, address);
  }
}

void require_words(const cta& c, const factor_part& part, int words, std::uint32_t address, const cuda_thread& by) {
  const tensor_label* const tensor = find_operand(c.all->what.how.labels, part.a.operand);
  if (tensor == nullptr) return;
  const placed_tile tile(*tensor, part.a);
  const auto [inside_block, col] = element_of_register(by.index, 0, part.step % part.of_block);
  const int row = part.row + part.step / part.of_block * 64 + inside_block;
  const int x = words == 2 ? col * 4 : row * 4, y = words == 2 ? row : col, inside = x % 16;
  const std::uint32_t base = address - static_cast<std::uint32_t>(inside);
  if (base % 16 != 0 || c.memory.source(base) != tile.at(x - inside, y))
    report_element(c, text("load_shared of ", name(by)), tile, x - inside, y, base);
}

}  // namespace sectile::model
