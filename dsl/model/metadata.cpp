#include <sectile/dsl/model/metadata.hpp>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::model {
namespace {

/// Elements that a nibble says the place of.
int stored_in_group(const wgmma_instruction& i) { return i.a.bits == 32 ? 1 : 2; }

bool is_right(const wgmma_instruction& i, unsigned nibble) {
  if (i.a.bits == 32) return nibble == 0x4 || nibble == 0xE;
  return (nibble & 3) < nibble >> 2;
}

bool are_zero(const wgmma_instruction& i, const std::byte* a, int row, int group) {
  const int bytes = i.a.bits / 8, count = stored_in_group(i) * bytes;
  const std::byte* const stored = a + row * operand_row_bytes + group * count;
  for (int at = 0; at < count; ++at) {
    const bool holds_sign = i.a.kind == sectile::number::floating && at % bytes == bytes - 1;
    if ((stored[at] & (holds_sign ? std::byte{0x7F} : std::byte{0xFF})) != std::byte{0}) return false;
  }
  return true;
}

}  // namespace

unsigned metadata_nibble(const wgmma_instruction& i, const std::uint32_t* metadata, int row, int group) {
  const int quad = thread_of(row, 0);   // first of the four lanes that share the row
  const int lower_half = row % 16 / 8;  // of the 16 rows of a warp
  if (i.a.bits == 8) return metadata[quad + 2 * (group / 8) + lower_half] >> 4 * (group % 8) & 0xF;
  return metadata[quad + 2 * i.selector + group / 4] >> (16 * lower_half + 4 * (group % 4)) & 0xF;
}

void find_columns(const wgmma_instruction& i, const std::uint32_t* metadata, std::uint8_t* columns) {
  for (int row = 0; row < wgmma_rows; ++row) {
    for (int group = 0; group < metadata_groups(i); ++group) {
      const unsigned nibble = metadata_nibble(i, metadata, row, group);
      const auto first = static_cast<unsigned>(i.k / metadata_groups(i) * group);
      if (stored_in_group(i) == 1) {
        *columns++ = static_cast<std::uint8_t>(first + (nibble & 3) / 2);
      } else {
        *columns++ = static_cast<std::uint8_t>(first + (nibble & 3));
        *columns++ = static_cast<std::uint8_t>(first + (nibble >> 2));
      }
    }
  }
}

std::optional<bad_nibble> find_bad_nibble(const wgmma_instruction& i, const std::uint32_t* metadata,
                                          const std::byte* a) {
  for (int row = 0; row < wgmma_rows; ++row) {
    for (int group = 0; group < metadata_groups(i); ++group) {
      const unsigned nibble = metadata_nibble(i, metadata, row, group);
      if (is_right(i, nibble) || (nibble == 0 && are_zero(i, a, row, group))) continue;
      return bad_nibble{row, group, nibble};
    }
  }
  return std::nullopt;
}

}  // namespace sectile::model
