// A descriptor's 64 bits as a ruler: two rows of 32 bits, the fields in colours, the hexadecimal digits below the bits
// that they stand for.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/rule_text.hpp>

namespace sectile::tell {
namespace {

constexpr double bit_width = 18, row_pitch = 84;

/// x of the left edge and y of the top of a bit's cell; bit 63 is at the upper left.
double x_of(int bit) { return (31 - bit % 32) * bit_width; }
double y_of(int bit) { return bit >= 32 ? 26 : 26 + row_pitch; }

int field_of(const std::vector<descriptor_field>& fields, int bit) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f].first_bit <= bit && bit <= fields[f].last_bit) return static_cast<int>(f);
  return -1;
}

void draw_bits(picture_sheet& sheet, std::uint64_t bits, const std::vector<descriptor_field>& fields) {
  for (int bit = 63; bit >= 0; --bit) {
    const int f = field_of(fields, bit);
    const std::string digit = bits >> bit & 1 ? "1" : "0";
    const std::string kind = f < 0 ? "cell soft" : "cell g" + std::to_string(f);
    const std::string tip = say("bit ", bit, f < 0 ? ", must be 0" : ", " + fields[static_cast<std::size_t>(f)].name);
    sheet.cell(x_of(bit), y_of(bit), bit_width, 22, kind, digit, f < 0 ? "mid muted mono small" : "mid mono", tip);
    if (f < 0 && digit == "1") sheet.rect(x_of(bit) + 1, y_of(bit) + 1, bit_width - 2, 20, "mark");
  }
  for (int digit = 15; digit >= 0; --digit) {
    const double x = x_of(4 * digit + 3), y = y_of(4 * digit) + 25;
    sheet.path("M" + std::to_string(static_cast<int>(x) + 2) + " " + std::to_string(static_cast<int>(y)) + "v4h" +
                   std::to_string(4 * static_cast<int>(bit_width) - 4) + "v-4",
               "rule");
    sheet.text(x + 2 * bit_width, y + 18, "mid mono strong", hexadecimal(bits >> (4 * digit) & 0xF, 1).substr(2));
  }
}

/// The name of each field above its bits, with the numbers of its first and last.
void draw_names(picture_sheet& sheet, const std::vector<descriptor_field>& fields) {
  for (const descriptor_field& f : fields) {
    const double left = x_of(f.last_bit), right = x_of(f.first_bit) + bit_width, y = y_of(f.first_bit);
    sheet.rect(left, y, right - left, 22, "frame");
    const bool wide = f.last_bit - f.first_bit > 8;
    if (wide) {
      sheet.text((left + right) / 2, y - 5, "small strong mid", f.name);
      sheet.text(right, y - 5, "tiny muted end", std::to_string(f.first_bit));
      sheet.text(left, y - 5, "tiny muted", std::to_string(f.last_bit));
    } else {
      sheet.text(left, y - 16, "small strong", f.name);
      sheet.text(left, y - 5, "tiny muted", say(f.last_bit, " .. ", f.first_bit));
    }
  }
}

/// One line for each field: colour, bits, name, what stands there, what it means.
double draw_table(picture_sheet& sheet, const std::vector<descriptor_field>& fields, double y) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const descriptor_field& f = fields[i];
    sheet.rect(0, y - 10, 12, 12, "cell g" + std::to_string(i));
    sheet.text(20, y, "muted", say(f.first_bit, " .. ", f.last_bit));
    sheet.text(76, y, "strong", f.name);
    sheet.text(220, y, "end", std::to_string(f.value));
    if (f.bytes >= 0) sheet.text(230, y, "", say("= ", f.bytes, f.bytes == 1 ? " byte" : " bytes"));
    sheet.text(340, y, "", f.meaning);
    y += 20;
  }
  return y;
}

figure drawn(std::uint64_t bits, const std::vector<descriptor_field>& fields, const std::string& title,
             const std::string& note) {
  picture_sheet sheet;
  draw_bits(sheet, bits, fields);
  draw_names(sheet, fields);
  double y = y_of(0) + 78;
  sheet.text(0, y, "mono strong", hexadecimal(bits, 16));
  y = draw_table(sheet, fields, y + 26);
  if (!note.empty()) y = sheet.paragraph(0, y + 6, 32 * bit_width, "small", note);
  std::string alt = say("The 64 bits ", hexadecimal(bits, 16), ": ");
  for (std::size_t i = 0; i < fields.size(); ++i)
    alt += say(i == 0 ? "" : "; ", "bits ", fields[i].first_bit, " to ", fields[i].last_bit, ", ", fields[i].name, ", ",
               fields[i].value, fields[i].bytes >= 0 ? say(" or ", fields[i].bytes, " bytes") : std::string(), ", ",
               fields[i].meaning);
  alt += "." + (note.empty() ? "" : " " + note);
  return {sheet.finish(title, alt), title, alt};
}

}  // namespace

figure draw_descriptor(std::uint64_t bits) {
  std::string note = "Addresses and offsets are stored in units of 16 bytes.";
  if ((bits & descriptor_reserved_bits) != 0) {
    note += " Not a legal descriptor: bits that must be 0 are set:";
    for (int bit = 0; bit < 64; ++bit)
      if (bits & descriptor_reserved_bits & std::uint64_t{1} << bit) note += say(" ", bit);
    note += ".";
  } else if (const descriptor_violation v = check(bits); !v.ok()) {
    message why;
    print(why, v);
    note += say(" Not a legal descriptor: ", why.chars, ".");
  }
  return drawn(bits, descriptor_fields(bits), "Descriptor " + hexadecimal(bits, 16), note);
}

figure draw_descriptor(const tile_subject& s) {
  matrix_descriptor d = descriptor_at(s.tile, 0, 0);
  d.start_bytes += s.base;
  const std::uint64_t bits = encode(d);
  std::string note = "Addresses and offsets are stored in units of 16 bytes.";
  for (int k = 0; k * s.k_step < s.tile.k; ++k)
    note += say(k == 0 ? " The steps along K start at + " : ", ", start_of(s.tile, 0, k * s.k_step));
  note += " bytes";
  if (s.mn_step < s.tile.mn)
    note += say(", blocks of ", s.mn_step, " rows every ", start_of(s.tile, s.mn_step, 0), " bytes");
  return drawn(bits, descriptor_fields(bits, s.tile), say("Descriptor of ", title_of(s)), note + ".");
}

}  // namespace sectile::tell
