// What must hold of the tensors that a kernel is launched with. What depends on no device is checked here, alike for
// the GPU and for the model.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/history.hpp>
#include <sectile/dsl/launch/memory_range.hpp>
#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/layouts/shuffled_columns.hpp>

namespace sectile {

inline std::string name_of_mode(const operand_facts& f, int position) { return f.mode_name[position]; }
template <class... Parts>
[[noreturn]] void refuse_operand(const operand_facts& f, const Parts&... why) {
  throw launch_error("operand ", f.name, ": ", why...);
}
/// An operand as it lies in memory: of an image that a filter goes over the image, N x H x W x C; of rows that are
/// picked, or named, the matrix that has them.
struct operand_in_memory {
  operand_facts facts;
  tensor_facts tensor;
};
inline operand_in_memory in_memory(const operand_facts& f, const tensor_facts& t) {
  operand_in_memory m{f, t};
  if (f.has_index()) {
    m.facts = {.kind = f.kind, .type = f.type, .tile = {t.matrix_modes, {}}};
    std::copy(std::begin(f.name), std::end(f.name), m.facts.name);
    m.tensor.rank = t.matrix_modes;
    for (int i = 0; i < t.matrix_modes; ++i) {
      const int d = t.matrix_mode[i];
      const bool rows = d == f.tile.rank - 2;
      m.facts.tile.extent[i] = f.tile.extent[d];
      std::copy_n(rows ? "rows" : f.mode_name[d], rows ? 5 : sizeof f.mode_name[d], m.facts.mode_name[i]);
      m.tensor.extent[i] = rows ? t.picked_from : t.extent[d];
      m.tensor.stride[i] = t.stride[d];
    }
  }
  if (!f.im2col) return m;
  m.facts.im2col = false;
  m.facts.tile.rank = 4;
  m.tensor.rank = t.image.rank;
  for (int d = 0; d < 4; ++d) {
    m.facts.mode_name[d][0] = "NHWC"[d];
    m.facts.mode_name[d][1] = '\0';
    m.tensor.extent[d] = t.image.extent[d];
    m.tensor.stride[d] = t.image.stride[d];
  }
  return m;
}

/// The mode of the smallest stride among those that are not yet `counted`, which it is then.
inline int next_by_stride(const tensor_facts& t, bool (&counted)[max_rank]) {
  int next = -1;
  for (int d = 0; d < t.rank; ++d)
    if (!counted[d] && (next < 0 || t.stride[d] < t.stride[next])) next = d;
  counted[next] = true;
  return next;
}

/// The bytes that a tensor's elements take; of a sparse matrix those of its values. Throws if they reach beyond the end
/// of the address space. Precondition: sizes of 1 or more; strides of 0 or more where the size is more than 1.
inline byte_set bytes_of(const operand_facts& f, const tensor_facts& t) {
  if (f.im2col || f.has_index()) {
    const operand_in_memory m = in_memory(f, t);
    return bytes_of(m.facts, m.tensor);
  }
  byte_set s{};
  s.first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.data));
  s.run = f.type.bits / 8;
  if (t.rank == 0) return s;  // a number
  const int contiguous = f.mode_from_inside(0);
  s.run = (f.sparse ? t.extent[contiguous] / 2 : t.extent[contiguous]) * f.type.bits / 8;
  const auto refuse_mode = [&](int mode) {
    refuse_operand(f, name_of_mode(f, mode), " = ", t.extent[mode], " at a stride of ", t.stride[mode],
                   " elements reaches beyond the end of the address space");
  };
  bool counted[max_rank]{};
  counted[contiguous] = true;
  for (int n = 1; n < t.rank; ++n) {  // from the smallest stride up
    const int next = next_by_stride(t, counted);
    if (t.extent[next] == 1) continue;
    if (t.stride[next] > longest_reach / f.type.bits || !repeat(s, t.extent[next], t.stride[next] * f.type.bits / 8))
      refuse_mode(next);
  }
  if (s.first < 0 || s.first > std::numeric_limits<std::int64_t>::max() - s.reach()) refuse_mode(contiguous);
  return s;
}

/// The bytes of a sparse matrix's metadata.
inline byte_set metadata_bytes_of(const operand_facts& f, const tensor_facts& t) {
  byte_set s{};
  s.first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.metadata));
  s.run = 4 * metadata_cols(t.extent[1], f.type.bits);
  if (s.first < 0 || !repeat(s, metadata_rows(t.extent[0]), 4 * t.metadata_stride) ||
      s.first > std::numeric_limits<std::int64_t>::max() - s.reach())
    refuse_operand(f, "the metadata reach beyond the end of the address space");
  return s;
}

/// Throws if two elements of an output share memory: the modes, from the smallest stride up, must step past all before
/// them.
inline void check_overlap(const operand_facts& f, const tensor_facts& t) {
  bool counted[max_rank]{};
  std::int64_t reach = 1;  // elements from the first to behind the last of the modes counted so far
  for (int n = 0; n < t.rank; ++n) {
    const int next = next_by_stride(t, counted);
    if (t.extent[next] == 1) continue;
    if (t.stride[next] < reach)
      refuse_operand(f, "the stride of ", name_of_mode(f, next), " is ", t.stride[next],
                     " elements, the modes inside it reach over ", reach, ": an output's elements must not overlap");
    reach += (t.extent[next] - 1) * t.stride[next];
  }
}

/// Throws if the tensor is larger than the tiles that the program's text names along a mode, where nothing steps along
/// it: the rest would be ignored.
inline void check_steps(const operand_plan& op, const tensor_facts& t) {
  for (int d = 0; d < t.rank; ++d) {
    const int tile = op.facts.tile.extent[d];
    const std::int64_t tiles = 1 + std::int64_t{op.last[d]};
    if (op.stepped[d] || (t.extent[d] - 1) * op.facts.block[d] < tiles * tile) continue;
    const std::string who = "operand " + std::string(op.facts.name) + ": " + name_of_mode(op.facts, d) + " = " +
                            std::to_string(t.extent[d]) + " is larger than the ";
    throw unfit_configuration(
        tiles == 1 ? who + "tile's " + std::to_string(tile) + ", and the kernel takes one tile along it"
                   : who + std::to_string(tiles) + " tiles of " + std::to_string(tile) +
                         " that the body's text names along it; loop over all of them: sm.pipelined(tiles<\"" +
                         op.facts.mode_name[d] + "\">(" + op.facts.name + "))");
  }
}

/// What a sparse matrix needs besides: whole groups, and metadata that TMA can walk over.
inline void check_sparse_tensor(const operand_facts& f, const tensor_facts& t) {
  const std::int64_t columns = t.extent[1], words = metadata_cols(columns, f.type.bits);
  const int group = sparse_group(f.type.bits);
  if (columns % group)
    refuse_operand(f, name_of_mode(f, 1), " = ", columns, " is not a multiple of ", group,
                   ", the neighbours of which sparse ", f.type.name, " keeps half");
  if (!t.metadata) refuse_operand(f, "the pointer to the metadata is null");
  if (reinterpret_cast<std::uintptr_t>(t.metadata) % 16)
    refuse_operand(f, "the pointer to the metadata is not aligned to 16 bytes, as TMA needs");
  if (t.metadata_stride < words || t.metadata_stride % 4)
    refuse_operand(f, "rows of metadata are ", t.metadata_stride, " words apart; ", name_of_mode(f, 1), " = ", columns,
                   " needs ", words, " or more, in multiples of 4");
  if (t.metadata_stride >= std::int64_t{1} << 38)
    refuse_operand(f, "rows of metadata are ", t.metadata_stride, " words apart; TMA takes up to 2^38 - 1");
}

/// Of as many modes as the operand, and sizes that can be counted: what is known of a tensor whose memory is to come.
/// `what` counts coordinates.
inline void check_extents(const operand_facts& f, const tensor_facts& t, const char* what) {
  if (t.rank != f.tile.rank)
    refuse_operand(f, "the tensor has ", t.rank, t.rank == 1 ? " mode" : " modes", ", the kernel expects ",
                   f.tile.rank);
  for (int d = 0; d < t.rank; ++d) {
    if (t.extent[d] < 1) refuse_operand(f, name_of_mode(f, d), " = ", t.extent[d], ": every size must be at least 1");
    if (t.extent[d] > std::numeric_limits<std::int32_t>::max() - 4096)
      refuse_operand(f, name_of_mode(f, d), " = ", t.extent[d], ": ", what, "sizes go up to 2147479551");
  }
}
/// What every tensor must be: that, and somewhere in memory.
inline void check_sizes(const operand_facts& f, const tensor_facts& t, const char* what) {
  check_extents(f, t, what);
  if (!t.data) refuse_operand(f, "the pointer is null");
}

/// Throws unless threads can read or write the vector element by element. Any length will do, and any alignment that an
/// element has.
inline void check_vector_tensor(const operand_facts& f, const tensor_facts& t) {
  check_sizes(f, t, "");
  const int bytes = f.type.bits / 8;
  if (reinterpret_cast<std::uintptr_t>(t.data) % static_cast<unsigned>(bytes))
    refuse_operand(f, "the pointer is not aligned to the ", bytes, " bytes of an element");
  for (int d = 0; d < t.rank; ++d) {
    if (t.extent[d] == 1) continue;
    const bool last = d + 1 == t.rank;
    if (last ? t.stride[d] != 1 : t.stride[d] < 0)
      refuse_operand(f, "the stride of ", name_of_mode(f, d), " is ", t.stride[d], " elements; ",
                     last ? "the last mode of a vector is contiguous (stride 1)" : "it must not be negative");
  }
  const std::int64_t line = bytes_of(f, t).reach() / bytes;
  if (f.path == with_tiles && line > most_on_a_line)
    refuse_operand(f, "from its first element to its last are ", line, "; of a vector that comes with tiles at most ",
                   most_on_a_line, " may be: leave out with_tiles, or launch parts of it");
  if (f.is_written()) check_overlap(f, t);
}

/// A filter's way along one side of an image, `side` pixels: what TMA's im2col mode takes (layouts/im2col.hpp).
inline void check_path(const operand_facts& f, const char* mode, std::int64_t side, int filter, int stride, int padding,
                       int dilation) {
  const auto refuse = [&](const auto&... why) { refuse_operand(f, "along ", mode, " ", why...); };
  if (filter < 1 || dilation < 1 || padding < 0)
    refuse("a filter of ", filter, " with a dilation of ", dilation, " and a padding of ", padding,
           "; the first two are at least 1, the padding at least 0");
  if (stride < 1 || stride > im2col_most_stride)
    refuse("the stride is ", stride, "; TMA takes 1 to ", im2col_most_stride);
  const std::int64_t reach = std::int64_t{dilation} * (filter - 1);
  if (padding > -im2col_least_corner) refuse("the padding is ", padding, "; TMA takes up to ", -im2col_least_corner);
  if (padding - reach > im2col_most_corner || padding - reach < im2col_least_corner || reach > im2col_most_offset)
    refuse("a filter of ", filter, " with a dilation of ", dilation, " reaches ", reach,
           " pixels behind its first, with a "
           "padding of ",
           padding, "; TMA takes a reach of ", padding - im2col_most_corner > 0 ? padding - im2col_most_corner : 0,
           " to ", std::min<std::int64_t>(im2col_most_offset, padding - im2col_least_corner), " then");
  if (places_along(side, filter, stride, padding, dilation) < 1)
    refuse("a filter of ", filter, " reaches over ", reach + 1, " pixels, the image and its padding have ",
           side + 2 * std::int64_t{padding});
}
/// Throws unless TMA's im2col mode can find what the filter meets.
inline void check_image(const operand_facts& f, const tensor_facts& t) {
  const image_facts& i = t.image;
  const filter_path& p = i.path;
  check_path(f, "H", i.extent[1], p.filter.rows, p.stride.rows, p.padding.rows, p.dilation.rows);
  check_path(f, "W", i.extent[2], p.filter.cols, p.stride.cols, p.padding.cols, p.dilation.cols);
  check_sizes(f, t, "TMA coordinates are 32-bit, ");
  if (t.extent[0] > std::numeric_limits<std::int32_t>::max() / t.extent[2])
    refuse_operand(f, "a sum has ", t.extent[0], " x ", t.extent[2], " terms, of ", name_of_mode(f, 0), " and ",
                   name_of_mode(f, 2), "; up to 2^31 - 1 are counted");
}

/// Throws unless threads can copy rows of the matrix that an index says: what TMA asks of one, and rows that an int
/// counts.
inline void check_tensor(const operand_facts& f, const tensor_facts& t);
inline void check_gathered(const operand_facts& f, const tensor_facts& t) {
  const operand_in_memory m = in_memory(f, t);
  check_tensor(m.facts, m.tensor);
  check_extents(f, t, "");
  const int last = m.tensor.rank - 1;
  const std::int64_t columns = m.tensor.extent[last], piece = gathered_piece * 8 / f.type.bits;
  const char* const by = f.is_scattered() ? "named" : "picked";
  if (columns % piece != 0)
    refuse_operand(f, name_of_mode(m.facts, last), " = ", columns, " elements of ", f.type.name,
                   " are no whole pieces of 16 bytes, in which rows that are ", by, f.is_scattered() ? " go" : " come",
                   "; pad it to ", (columns / piece + 1) * piece, f.is_scattered() ? "" : " with zeros");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (const std::int64_t bytes = columns / piece * gathered_piece; bytes > most)
    refuse_operand(f, "a row has ", bytes, " bytes; rows that are ", by, " have up to ", most);
  const bool follow = m.tensor.extent[last - 1] > 1;  // else a stride may be anything
  if (const std::int64_t bytes = follow ? m.tensor.stride[last - 1] * f.type.bits / 8 : 0; bytes > most)
    refuse_operand(f, "rows are ", bytes, " bytes apart; those that are ", by, " up to ", most);
}

/// Throws unless TMA can walk over the tensor as operand `f` of a kernel.
inline void check_tensor(const operand_facts& f, const tensor_facts& t) {
  if (f.has_index()) return check_gathered(f, t);
  if (f.im2col) {
    const operand_in_memory m = in_memory(f, t);
    check_tensor(m.facts, m.tensor);
    return check_image(f, t);
  }
  check_sizes(f, t, "TMA coordinates are 32-bit, ");
  if (reinterpret_cast<std::uintptr_t>(t.data) % 16)
    refuse_operand(f, "the pointer is not aligned to 16 bytes, as TMA needs (it is ",
                   static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.data) % 16), " bytes off)");
  const int contiguous = f.mode_from_inside(0);
  if (t.extent[contiguous] % f.packing() != 0)
    refuse_operand(f, name_of_mode(f, contiguous), " = ", t.extent[contiguous], " elements of ", f.type.name,
                   " do not fill whole bytes; pad it to ", (t.extent[contiguous] / f.packing() + 1) * f.packing(),
                   " with zeros");
  if (const int block = shuffled_columns(f.type.bits); f.type.shuffled && t.extent[contiguous] % block != 0)
    refuse_operand(f, name_of_mode(f, contiguous), " = ", t.extent[contiguous], " elements of ", f.type.name,
                   ", of which ", block, " neighbours are shuffled among each other; pad it to ",
                   (t.extent[contiguous] / block + 1) * block, " with zeros");
  if (t.stride[contiguous] != 1) {
    const int other = f.mode_from_inside(t.rank > 1);  // in its place if a matrix is stored the other way round
    const bool turned = t.stride[other] == 1 && t.extent[other] > 1;
    refuse_operand(f, name_of_mode(f, contiguous), " must be contiguous (stride 1), its stride is ",
                   t.stride[contiguous], turned ? "; that of " : "", turned ? name_of_mode(f, other) : "",
                   turned ? " is 1: give it a copy that is stored the other way round" : "");
  }
  for (int i = 1; i < t.rank; ++i) {
    const int d = f.mode_from_inside(i);
    if (t.extent[d] == 1) continue;  // never stepped over
    if (t.stride[d] < 0 || t.stride[d] >= (std::int64_t{1} << 43) / f.type.bits)
      refuse_operand(f, "the stride of ", name_of_mode(f, d), " is ", t.stride[d],
                     " elements; TMA takes 0 to 2^40 - 1 bytes");
    if (t.stride[d] * f.type.bits % 128)
      refuse_operand(f, "the stride of ", name_of_mode(f, d), " is ", t.stride[d], " elements, ",
                     t.stride[d] * f.type.bits / 8, " bytes: not a multiple of 16 bytes, as TMA needs; pad it to ",
                     (t.stride[d] * f.type.bits + 127) / 128 * 128 / f.type.bits, " elements");
  }
  if (f.sparse) {
    check_sparse_tensor(f, t);
    metadata_bytes_of(f, t);
  }
  bytes_of(f, t);
  if (f.kind == operand_kind::output) check_overlap(f, t);
}

/// Whether mode d is one of the index that picks an operand's rows.
inline bool is_of_index(const operand_facts& f, const tensor_facts& t, int d) {
  bool own = d + 1 == t.rank;
  for (int i = 0; i < t.matrix_modes - 2; ++i) own = own || t.matrix_mode[i] == d;
  return f.has_index() && !own;
}
/// Throws unless a vector has an element for each block of what another operand has along the mode.
inline void check_blocks(const operand_facts& f, int d, std::int64_t has, const operand_facts& other, int mode,
                         std::int64_t size) {
  const std::int64_t blocks = f.elements_for(size, d);
  if (has == blocks) return;
  refuse_operand(f, name_of_mode(f, d), " = ", has, ", but operand ", other.name, " has ", name_of_mode(other, mode),
                 " = ", size, ", which ", blocks == 1 ? "is " : "are ", blocks, blocks == 1 ? " block" : " blocks",
                 " of ", f.block[d]);
}
/// Throws unless modes of the same name, but for primes, have the same size in all operands.
inline void check_mode_names(const plan& p, const tensor_facts (&t)[max_operands]) {
  for (int a = 0; a < p.operands; ++a)
    for (int b = 0; b <= a; ++b)
      for (int i = 0; i < t[a].rank; ++i)
        for (int j = 0; j < t[b].rank; ++j) {
          const operand_facts &fa = p.operand[a].facts, &fb = p.operand[b].facts;
          if (counts_groups(p, a, i) || counts_groups(p, b, j)) continue;
          if (is_of_index(fa, t[a], i) || is_of_index(fb, t[b], j)) continue;
          if (without_prime(fa.mode_at(i)) != without_prime(fb.mode_at(j))) continue;
          if (fa.block[i] != fb.block[j]) {  // a matrix has blocks of 1, and of one mode there is a matrix
            if (fb.block[j] == 1) check_blocks(fa, i, t[a].extent[i], fb, j, t[b].extent[j]);
            if (fa.block[i] == 1) check_blocks(fb, j, t[b].extent[j], fa, i, t[a].extent[i]);
            continue;
          }
          if (t[a].extent[i] == t[b].extent[j]) continue;
          refuse_operand(fa, name_of_mode(fa, i), " = ", t[a].extent[i], ", but operand ", fb.name, " has ",
                         name_of_mode(fb, j), " = ", t[b].extent[j]);
        }
}

inline std::string range_text(const byte_set& s) {
  return address_text(static_cast<std::uintptr_t>(s.first)) + " to " +
         address_text(static_cast<std::uintptr_t>(s.last()));
}

/// Throws if the output has a byte in common with `input`, which is `what` of operand `in`: nothing orders a tile's
/// store and other tiles' loads, or other stores.
inline void check_apart(const operand_facts& out, const byte_set& output, const operand_facts& in, const char* what,
                        const byte_set& input) {
  const sharing shared = shared_bytes(output, input);
  if (shared == sharing::none) return;
  std::string ranges = range_text(output);
  ranges = ranges.append(") and ").append(what).append(in.name).append(" (").append(range_text(input)).append(")");
  if (shared == sharing::undecided)
    refuse_operand(out, "its elements (", ranges,
                   " interleave in a way that cannot be told apart; give the output memory of its own");
  refuse_operand(out, "its elements (", ranges, " share memory; ",
                 in.is_written() ? "each output needs memory of its own"
                                 : "tiles are stored while others are still loaded, so the output needs memory "
                                   "of its own");
}

/// Whether two tensors are one and the same, element by element.
inline bool same_elements(const operand_facts& fa, const tensor_facts& a, const operand_facts& fb,
                          const tensor_facts& b) {
  bool same = a.data == b.data && a.rank == b.rank && fa.type.bits == fb.type.bits;
  for (int d = 0; d < a.rank && same; ++d)
    same = a.extent[d] == b.extent[d] && (a.stride[d] == b.stride[d] || a.extent[d] == 1);
  return same;
}

/// Throws if output `o` shares memory with another operand: unless that is an input that may be the output itself.
inline void check_output_apart(const plan& p, int o, const tensor_facts (&t)[max_operands]) {
  const operand_facts& out = p.operand[o].facts;
  const byte_set output = bytes_of(out, t[o]);
  for (int i = 0; i < p.operands; ++i) {
    const operand_facts& in = p.operand[i].facts;
    if (!in.is_read() && (!in.is_written() || i >= o)) continue;
    const bool one = is_laid_out_like(in, out) && same_elements(out, t[o], in, t[i]);
    if (one && p.operand[i].in_place) continue;
    if (one && p.splits())
      throw unfit_configuration("operand ", out.name, ": it is operand ", in.name,
                                " as well, which each part of a tile ", "loads where ",
                                p.how.streamed ? ".streamed" : ".split", " is set, and one part may ",
                                "have stored it; give the output memory of its own, or take a configuration without");
    check_apart(out, output, in, "operand ", bytes_of(in, t[i]));
    if (in.sparse) check_apart(out, output, in, "the metadata of operand ", metadata_bytes_of(in, t[i]));
  }
}
inline void check_outputs_apart(const plan& p, const tensor_facts (&t)[max_operands]) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_written()) check_output_apart(p, o, t);
}

/// "M = 300 takes 3 tiles of 128".
inline std::string tiles_text(const std::string& mode, std::int64_t size, const counted_tiles& tiles) {
  const std::int64_t count = tiles.count(size);
  return mode + " = " + std::to_string(size) + " takes " + std::to_string(count) +
         (count == 1 ? " tile of " : " tiles of ") + std::to_string(tiles.extent);
}
/// Throws an `Error` unless the modes of vector `o` that count tiles have as many elements as there are of these.
template <class Error>
void check_counted_tiles(const plan& p, const tensor_facts (&t)[max_operands], int o) {
  const operand_facts& f = p.operand[o].facts;
  for (int d = 0; d < f.tile.rank; ++d) {
    const counted_tiles tiles = tiles_counted(p, o, d);
    if (tiles.extent == 0) continue;
    const std::int64_t size = t[tiles.of.operand].extent[tiles.of.mode];
    if (t[o].extent[d] == tiles.count(size)) continue;
    const std::string along = name_of_mode(p.operand[tiles.of.operand].facts, tiles.of.mode);
    throw Error("operand ", f.name, ": ", name_of_mode(f, d), " = ", t[o].extent[d], " counts tiles along ", along,
                ", but ", tiles_text(along, size, tiles));
  }
}

/// Throws unless the vectors that are written, and what trips store, have an element for whatever the tiles of the
/// output write there, and one alone: a mode that counts tiles has as many elements, and what is stored comes from one
/// tile.
inline void check_vector_outputs(const plan& p, const tensor_facts (&t)[max_operands]) {
  const operand_facts& f = p.operand[p.work].facts;
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    if (op.facts.kind != operand_kind::vector_output && !op.facts.of_trips) continue;
    check_counted_tiles<unfit_configuration>(p, t, o);
    for (int w = 0; w < f.tile.rank - p.whole_rows && op.combined == reduction::none; ++w) {
      const counted_tiles tiles{f.mode_at(w), f.tile.extent[w], {p.work, w}};
      const std::int64_t size = t[p.work].extent[w];
      if (tells_apart(f, op, w) || tiles.count(size) <= (w == f.tile.rank - 1 ? p.row_sharers() : 1)) continue;
      if (f.kind == operand_kind::input && w == f.tile.rank - 1 && !p.wide_tiles)
        throw unfit_configuration("operand ", op.facts.name, ": ", tiles_text(name_of_mode(f, w), size, tiles),
                                  ", each of which would store the same elements; no matrix is stored: take "
                                  "rows_of(",
                                  f.name, ") for the work, which is then all of these tiles, or combine() them");
      if (op.facts.of_trips)
        throw unfit_configuration("operand ", op.facts.name, ": ", tiles_text(name_of_mode(f, w), size, tiles),
                                  ", whose trips would store the same tiles; take a configuration whose tile spans ",
                                  name_of_mode(f, w));
      throw unfit_configuration("operand ", op.facts.name, ": ", tiles_text(name_of_mode(f, w), size, tiles),
                                ", each of which would store the same elements; combine() them, give ", op.facts.name,
                                " a mode that counts these tiles, or take a configuration whose tile spans ",
                                name_of_mode(f, w));
    }
  }
}

/// Throws if the output has more clusters of tiles than a launch can count, or their parts.
inline void check_count(const plan& p, const tensor_facts (&t)[max_operands], cluster_shape cluster, int parts = 1) {
  const int o = p.work;
  const operand_facts& f = p.operand[o].facts;
  // A CTA counts its work in ints and steps past the last item by as many as there are CTAs on the device.
  const std::int64_t most = (std::numeric_limits<std::int32_t>::max() - 65536) / (cluster.size() * parts);
  const auto along = [&](int d) {
    if (p.whole_rows && d == t[o].rank - 1) return std::int64_t{1};
    const int tiles = d == t[o].rank - 2 ? cluster.rows * p.how.rows_of_cta() : d == t[o].rank - 1 ? cluster.cols : 1;
    const std::int64_t size = std::int64_t{f.tile.extent[d]} * tiles;
    return ((counts_groups(p, o, d) ? t[ends_of(p, o)].extent[0] : t[o].extent[d]) + size - 1) / size;
  };
  if (const int d = t[o].rank - 1; p.wide_tiles && along(d) > 1)
    throw unfit_configuration("operand ", f.name, ": ", name_of_mode(f, d), " = ", t[o].extent[d], " is more than the ",
                              f.tile.extent[d] * cluster.cols,
                              cluster.cols > 1 ? " of the cluster's tiles" : " of a tile",
                              ", which this kernel takes for whole rows; use a wider tile");
  std::int64_t left = most;
  for (int d = 0; d < t[o].rank; ++d) left /= along(d);
  if (left > 0) return;
  std::string text;
  for (int d = 0; d < t[o].rank; ++d) text += (d ? " x " : "") + std::to_string(along(d));
  throw unfit_configuration("operand ", f.name, ": ", text, cluster.size() > 1 ? " clusters of tiles" : " tiles",
                            "; a launch takes up to ", most);
}

/// Throws unless groups with rooms have as many rows each.
inline void check_rooms(const plan& p, const tensor_facts (&t)[max_operands]) {
  for (int o = 0; o < p.operands; ++o) {
    const int cut = position_of_cut(p, o);
    if (cut < 0 || !p.operand[ends_of(p, o)].facts.counts_rows) continue;
    if (const std::int64_t groups = t[ends_of(p, o)].extent[0]; groups > 0 && t[o].extent[cut] % groups)
      refuse_operand(p.operand[o].facts, name_of_mode(p.operand[o].facts, cut), " = ", t[o].extent[cut],
                     " rows are no rooms of as many rows each for the ", groups, " groups of operand ",
                     p.operand[ends_of(p, o)].facts.name);
  }
}

/// Throws unless the tensors can be operands of a kernel whose matrices `check` takes, in clusters of this shape.
inline void check_operands(const plan& p, const tensor_facts (&t)[max_operands],
                           void (*check)(const operand_facts&, const tensor_facts&), cluster_shape cluster, int parts) {
  for (int o = 0; o < p.operands; ++o)
    if (const operand_facts& f = p.operand[o].facts; f.kind != operand_kind::scalar)
      (f.is_vector() ? check_vector_tensor : check)(f, t[o]);
  // What fits no kernel is refused by now: other members of a family are asked about sizes that are some.
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind != operand_kind::scalar) check_steps(p.operand[o], t[o]);
  check_mode_names(p, t);
  check_rooms(p, t);
  check_vector_outputs(p, t);
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind == operand_kind::vector) check_counted_tiles<launch_error>(p, t, o);
  check_count(p, t, cluster, parts);
  check_outputs_apart(p, t);
}
inline void check_launch(const plan& p, const tensor_facts (&t)[max_operands]) {
  check_operands(p, t, check_tensor, p.how.cluster, p.how.split);
}

}  // namespace sectile
