// What a program declares, looked at before its body is: operands with names, types and modes, and configurations whose
// tile is one of these operands.
#pragma once
#include <sectile/dsl/plan/outputs.hpp>

namespace sectile {

template <class P>
concept declares_operands = requires {
  operand_count_of(&P::operands);
  typename std::bool_constant<(void(std::remove_cvref_t<decltype(P::operands)>(P::operands)), true)>;  // a constant
};
template <class P>
concept declares_constants = requires {
  typename std::integral_constant<int, find_configuration<P>().stages>;
};
template <class P>
constexpr bool has_constants() {
  if constexpr (count_configurations<P>() > 0)
    return declares_constants<P>;
  else
    return false;
}
template <class P>
concept declares_how = requires {
  P::how;
};
constexpr violation check_form(bool operands, bool how, int configurations, bool constants) {
  if (operands && configurations > 0 && constants) return {};
  if (!operands)
    return refuse(
        rule::operand_is_used_in_another_way,
        "a program declares its operands: static constexpr auto operands = sectile::operands(..), as a public "
        "member");
  return refuse(rule::operand_is_used_in_another_way,
                !how                 ? "a program declares how it runs"
                : configurations > 0 ? "how is no constant"
                                     : "how is no configuration",
                ": static constexpr sectile::configuration how{.tile = {{\"M\", 128}, ..}}, or configurations(..) of "
                "several");
}

inline constexpr int most_block = 1 << 15;

// ---- whether the configuration's tile is one of the program's operands

constexpr violation check_mode_names(const operand_facts& f) {
  const char* form = f.is_written() ? "output" : "input";
  if ((f.modes < 2 && !f.is_vector()) || f.modes > max_rank)
    return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, " has ", f.modes,
                  f.modes == 1 ? " mode" : " modes", ", ", form[0] == 'o' ? "an output" : "a tensor", " has 2 to ",
                  max_rank, ", with names: ", form, "<\"", f.name, "(M,K)\", ..>()");
  for (int d = 0; d < f.tile.rank; ++d) {
    if (f.mode_at(d) == mode_id::any)
      return refuse(rule::operand_is_used_in_another_way, "mode ", d, " of operand ", f.name, " has no name: ", form,
                    "<\"", f.name, "(M,K)\", ..>()");
    int letters = 0;
    while (f.mode_name[d][letters] && f.mode_name[d][letters] != '/') ++letters;
    if (letters > mode_letters)
      return refuse(rule::operand_is_used_in_another_way, "mode ", f.mode_name[d], " of operand ", f.name,
                    ": a mode's name has at most ", mode_letters, " letters");
    for (int e = 0; e < d; ++e)
      if (f.mode_at(d) == f.mode_at(e))
        return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, " has two modes ", f.mode_name[d],
                      "; where both are meant to be of one size, call one ", f.mode_name[d], "'");
  }
  return {};
}
/// Blocks are those of vectors that are read; a part of one goes along one mode.
constexpr violation check_blocks(const operand_facts& f, int cut) {
  for (int d = 0; d < f.tile.rank; ++d) {
    const int block = block_named(f.mode_name[d]);
    if (block < 0) continue;
    if (block < 2 || block > most_block)
      return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, ": in ", f.mode_name[d], " ", block,
                    " neighbours have one element between them; 2 to ", most_block, " may, as in N/128");
    if (f.kind != operand_kind::vector || f.cuts[0])
      return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, " has a mode in blocks, ", f.mode_name[d],
                    ", which vectors have that a kernel reads: vector_input<\"", f.name, "(KB,", f.mode_name[d],
                    ")\", ..>(); what is written or multiplied has elements of its own");
  }
  if (cut >= 0 && f.block[cut] > 1)
    return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, ": ", f.mode_name[cut],
                  " is in blocks, and ", text_of(f.mode_at(cut)).text,
                  " is cut into groups, which end anywhere in one; give each row an element");
  int line = -1;
  for (int d = 0; d < f.tile.rank && f.is_vector(); ++d) {
    if (f.tile.extent[d] < 1 || f.held(d) == 1 || (f.block[d] == 1 && d + 1 < f.tile.rank)) continue;
    if (line >= 0)
      return refuse(rule::batch_modes_must_have_tile_extent_1, "operand ", f.name, ": a tile of ", f.tile.extent[line],
                    " x ", f.tile.extent[d], " meets ", f.held(line), " x ", f.held(d), " elements along ",
                    f.mode_name[line], " and ", f.mode_name[d],
                    ", and a part of a vector goes along one mode: take {\"", text_of(f.mode_at(line)).text, "\", ",
                    f.block[line], "}, of which each has one element");
    line = d;
  }
  return {};
}
/// Whether a declaration is a name and, in round brackets, modes with commas between them: "A(M,K)".
constexpr bool is_well_spelt(const char* text) {
  const auto pass = [&](char also) {
    while ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') ||
           *text == '_' || *text == also)
      ++text;
  };
  pass('_');
  if (*text == '\0') return true;
  if (*text != '(') return false;
  do {
    while (*++text == ' ') {
    }
    pass('\'');
    if (*text == '/')
      while (*++text >= '0' && *text <= '9') {
      }
    while (*text == ' ') ++text;
  } while (*text == ',');
  return text[0] == ')' && text[1] == '\0';
}
/// What is longer than is kept would be cut in every message, and two names could become one. `declared`: "A(M,K)".
constexpr violation check_name(const operand_facts& f, const char* declared) {
  int letters = 0;
  while (declared[letters] && declared[letters] != '(') ++letters;
  if (letters == 0)
    return refuse(rule::operand_is_used_in_another_way, "operand \"", declared,
                  "\" has no name; A is that of \"A(M,K)\"");
  if (!is_well_spelt(declared))
    return refuse(rule::operand_is_used_in_another_way, "operand \"", declared,
                  "\": a name has letters and digits, and its modes stand in round brackets with commas between them, "
                  "as in \"A(M,K)\", or \"S(N/128,KB)\" in blocks");
  if (letters <= operand_letters) return {};
  return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, "..: its name has ", letters,
                " letters, an operand's has at most ", operand_letters, "; choose a shorter one");
}
template <class K>
constexpr violation check_names(const operand_table& all) {
  return first_violation<operand_count<K>>([&](auto i) { return check_name(all.at[i], operand_at<K, i>::name()); });
}
/// Whether some operand has mode m; or, of `batches`, one of which a tile has one element.
constexpr bool has_mode(const operand_table& all, mode_id m, bool batches = false) {
  for (const operand_facts& f : all)
    for (int d = 0; d < (batches ? f.batch_modes() : f.tile.rank); ++d)
      if (f.mode_at(d) == m) return true;
  return false;
}
/// A mode that counts batches of one matrix is no other one's rows or columns: a tile has one of them. Where batches
/// lie in memory strides say, so that such a mode may always be the first. (Said of the output: two matrices that
/// disagree do so about two modes.)
constexpr violation check_batch_modes(const operand_table& all) {
  const int work = find_work(all);
  for (int i = 0; work < all.count && i < all.count; ++i) {
    const operand_facts &f = all.at[work], &other = all.at[i];
    for (int d = f.batch_modes(); f.tile.rank > 2 && d < f.tile.rank; ++d) {
      const int there = other.position_of(f.mode_at(d));
      if (other.is_vector() || there < 0 || there >= other.batch_modes()) continue;
      violation v = refuse(rule::batch_modes_must_have_tile_extent_1, "operand ", f.name, ": ", f.mode_name[d],
                           " counts batches of ", other.name,
                           ", and a tile has one of these: it is no mode of rows or "
                           "columns; declare ",
                           f.name, "(", f.mode_name[d]);
      for (int e = 0; e < f.tile.rank; ++e)
        if (e != d) v << "," << f.mode_name[e];
      return v << "), which lies in memory as the strides of the launch's tensor say";
    }
  }
  return {};
}
inline constexpr int most_extent = 1 << 16;  // more is none, and products of it are no int
constexpr violation check_tile_of_configuration(const operand_table& all, const tile_extents& tile) {
  for (int i = 0; i < max_tiled_modes; ++i) {
    const mode_id m = tile[i].along.name;
    if (m == mode_id::any) continue;
    if (tile[i].along.is_a_number())
      return refuse(rule::an_extent_is_a_mode_and_a_number, "the configuration's tile has ", tile[i].along.number(),
                    " where a mode belongs; an extent is a mode and a number: .tile = {{\"", all.at[0].mode_name[0],
                    "\", ", tile[i].along.number(), "}, ..}");
    if (!has_mode(all, m))
      return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has an extent along ",
                    text_of(m).text, ", a mode that no operand has; take it out");
    if (tile[i].elements < 1)
      return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has ", tile[i].elements,
                    " elements along ", text_of(m).text, "; an extent is at least 1");
    if (tile[i].elements > most_extent)
      return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has ", tile[i].elements,
                    " elements along ", text_of(m).text, "; no tile of more than ", most_extent,
                    " along a mode fits into shared memory");
    for (int j = 0; j < i; ++j)
      if (tile[j].along.name == m)
        return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has two extents along ",
                      text_of(m).text, ": ", tile[j].elements, " and ", tile[i].elements, "; leave one");
    if (const int other = tile.of(without_prime(m)); other != 0 && other != tile[i].elements)
      return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has ", tile[i].elements,
                    " elements along ", text_of(m).text, " and ", other, " along ", text_of(without_prime(m)).text,
                    ", the same mode a second time; leave one");
  }
  for (const operand_facts& f : all)
    for (int d = 0; d < f.tile.rank; ++d)
      if (f.tile.extent[d] < 1)
        return refuse(rule::configuration_does_not_fit_the_program, "the configuration's tile has no extent along ",
                      f.mode_name[d], ", a mode of ", f.name, ": .tile = {{\"", f.mode_name[d],
                      has_mode(all, f.mode_at(d), true) ? "\", 1}, ..}: a tile has one of these, which are batches"
                      : f.kind == operand_kind::vector  ? "\", 64}, ..}, or 1 where each tile has one number of it"
                                                        : "\", 64}, ..}");
  return {};
}
/// A kernel that writes vectors and reads no matrix has no tiles to divide its work by. A number that is combined has
/// 32 bits: one of fewer is a matrix whose modes were forgotten.
constexpr violation check_has_work(const operand_table& all) {
  const int work = find_work(all);
  if (work < all.count && all.at[work].kind == operand_kind::output) return {};  // a matrix is stored
  for (const operand_facts& f : all)
    if (f.kind == operand_kind::vector_output && f.modes > 0 && work == all.count)
      return refuse(
          rule::operand_is_used_in_another_way, "operand ", f.name, " has ", f.modes, f.modes == 1 ? " mode" : " modes",
          ", and no operand is a matrix, whose tiles would be the work; a long vector is a matrix of one row: "
          "\"",
          f.name, "(M,N)\" and, at the launch, tensor(p, 1, n)");
    else if (f.kind == operand_kind::vector_output && (work == all.count || (f.tile.rank == 0 && f.type.bits < 32)))
      return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, " has ", f.modes,
                    f.modes == 1 ? " mode" : " modes", "; the matrix whose tiles are the work has 2 to ", max_rank,
                    ", with names: output<\"", f.name, "(M,N)\", ..>()");
  return {};
}
/// The matrices that are stored to are divided alike.
constexpr violation check_outputs(const operand_table& all) {
  for (const operand_facts& f : all)
    if (f.kind == operand_kind::output)
      if (const violation v = check_same_tiles(all.at[find_work(all)], f); !v.holds()) return v;
  return {};
}
/// Messages, the tool and Python know operands by their names.
constexpr violation check_names_differ(const operand_table& all) {
  for (int i = 0; i < all.count; ++i)
    for (int j = 0; j < i; ++j)
      if (same_name(all.at[j].name, all.at[i].name))
        return refuse(rule::operand_is_used_in_another_way, "operands ", j + 1, " and ", i + 1, " are both called ",
                      all.at[i].name, "; give each a name of its own");
  return {};
}
/// Names and extents of all tensors.
constexpr violation check_operands(const operand_table& all, const configuration& how) {
  if (const violation v = check_names_differ(all); !v.holds()) return v;
  for (const operand_facts& f : all)
    if (f.type.bits == 0)
      return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name,
                    ": its type stores no elements; there are bf16, f16, tf32, float, e4m3, e5m2, s8, u8, s32, s4x2, "
                    "u4x2 and b1x8, and shuffled<> of those of 8 and 4 bits");
  if (const violation v = check_has_work(all); !v.holds()) return v;
  for (const operand_facts& f : all)
    if (f.kind != operand_kind::scalar)
      if (const violation v = check_mode_names(f); !v.holds()) return v;
  if (const violation v = check_outputs(all); !v.holds()) return v;
  if (const violation v = check_batch_modes(all); !v.holds()) return v;
  const auto in_a_matrix = [&](mode_id m) {
    for (const operand_facts& f : all)
      if (f.is_tiled() && f.position_of(m) >= 0) return true;
    return false;
  };
  for (const operand_facts& f : all)
    for (int d = 0; d < f.tile.rank; ++d)
      if (f.block[d] > 1 && !in_a_matrix(f.mode_at(d)))
        return refuse(rule::operand_is_used_in_another_way, "operand ", f.name, ": ", f.mode_name[d],
                      " is in blocks of a mode that no matrix has, so that nothing says how many there are; name a "
                      "matrix's mode");
  if (const violation v = check_tile_of_configuration(all, how.tile); !v.holds()) return v;
  const cut_table cuts = find_cuts(all);
  for (int i = 0; i < all.count; ++i)
    if (const violation v = check_blocks(all.at[i], cuts.position[i]); !v.holds()) return v;
  return {};
}

}  // namespace sectile
