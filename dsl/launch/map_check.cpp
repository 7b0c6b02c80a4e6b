#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/map_check.hpp>
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <string>

namespace sectile {

namespace {

struct map_check {
  std::string who;
  const told_map& m;

  void require(bool holds, const char* what, std::int64_t told, std::int64_t right, int dimension = -1) const {
    if (holds) return;
    const std::string where = dimension < 0 ? "" : " of dimension " + std::to_string(dimension);
    throw launch_error("the tensor map of ", who, " is not what the plan says: its ", what, where, " is ", told,
                       ", not ", right, "; this is a mistake of Sectile");
  }
  void require_equal(const char* what, std::int64_t told, std::int64_t right, int dimension = -1) const {
    require(told == right, what, told, right, dimension);
  }
  /// What holds of every map.
  void common(const void* base, int rank, int element_bits, swizzle_mode swizzle) const {
    const auto number = [](const void* p) { return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p)); };
    require_equal("base", number(m.base), number(base));
    require_equal("rank", m.rank, rank);
    require_equal("bits of an element", m.element_bits, element_bits);
    require_equal("rounding", m.rounds, false);
    require_equal("filling with zeros", m.zeros, true);
    require_equal("swizzle span", span_bytes(m.swizzle), span_bytes(swizzle));
  }
  /// Neighbours along a dimension of `size` are so many bytes apart; where there is one there are none.
  void neighbours(int dimension, std::int64_t size, std::int64_t bytes) const {
    if (size > 1) require_equal("stride in bytes", m.stride_bytes[dimension], bytes, dimension);
  }
};

/// Of a vector: from the last multiple of 16 bytes in front of it to its last element, as one line.
void check_line(const operand_plan& op, const tensor_facts& t, const map_check& c) {
  const int bytes = op.facts.type.bits / 8;
  const auto first = reinterpret_cast<std::uintptr_t>(t.data);
  c.common(reinterpret_cast<const void*>(first / 16 * 16), 1, op.facts.type.bits, swizzle_mode::none);
  std::int64_t last = static_cast<std::int64_t>(first % 16) / bytes;
  for (int d = 0; d < t.rank; ++d)
    if (t.extent[d] > 1) last += (t.extent[d] - 1) * t.stride[d];
  c.require_equal("extent", c.m.extent[0], last + 1, 0);
  c.require_equal("boxes in bytes", vector_box_offset(op.facts, op.panels - 1) + std::int64_t{c.m.box[0]} * bytes,
                  op.tile_bytes);
}

/// Of an image: where the walk of a filter of so many places begins and ends, and its steps.
void check_walk(const image_facts& i, const map_check& c) {
  const filter_path& f = i.path;
  const of_image filter = f.filter, made{static_cast<int>(i.output.rows), static_cast<int>(i.output.cols)};
  for (const bool rows : {false, true}) {
    const auto one = [rows](const of_image& x) { return rows ? x.rows : x.cols; };
    const int d = rows ? 1 : 0;
    c.require_equal("step", c.m.bounds.stride[d], one(f.stride), d + 1);
    c.require_equal("lower corner", c.m.bounds.lower[d], -one(f.padding), d + 1);
    c.require_equal("upper corner", c.m.bounds.upper[d], one(f.padding) - one(f.dilation) * (one(filter) - 1), d + 1);
    const std::int64_t places = (c.m.extent[d + 1] - 1 + c.m.bounds.upper[d] - c.m.bounds.lower[d]) / one(f.stride) + 1;
    c.require_equal("places", places, one(made), d + 1);
  }
}

}  // namespace

void check_map(const plan& p, int o, const tensor_facts& given, const told_map& m) {
  const operand_plan& op = p.operand[o];
  const map_check c{"operand " + std::string(op.facts.name), m};
  if (op.facts.is_vector()) return check_line(op, given, c);
  const operand_in_memory stored = in_memory(op.facts, given);
  const operand_facts& f = stored.facts;
  const tensor_facts& t = stored.tensor;
  c.require_equal("im2col mode", m.im2col, op.facts.im2col);
  if (m.im2col) check_walk(t.image, c);
  const bool output = f.kind == operand_kind::output;
  const epilogue_plan e = output ? p.epilogue[find_epilogue(p, o)] : epilogue_plan{};
  const swizzle_mode swizzle = output ? e.swizzle : op.swizzle;
  const bool groups = position_of_cut(p, o) >= 0;
  c.common(t.data, f.tile.rank + groups, f.type.bits < 8 ? 8 : f.type.bits, swizzle);

  // The matrix's two modes come first, then the batches from the inside out.
  const int rank = f.tile.rank, by_rows = f.order == row_major;
  for (int d = 0; d < rank; ++d) {
    const int dimension = d < rank - 2 ? rank - 1 - d : d == rank - 1 ? !by_rows : by_rows;
    const std::int64_t held = f.sparse && d == rank - 1 ? t.extent[d] / 2 : t.extent[d];
    std::int64_t extent = held * (dimension == 0 ? f.type.bits : m.element_bits) / m.element_bits;
    if (const std::int64_t piece = 128 / m.element_bits; output && dimension == 0 && extent >= piece)
      extent -= extent % piece;  // the rest of a row is copied by threads
    if (groups && dimension == 1) extent = 1 << 30;
    if (groups && dimension == rank - 1) extent = t.extent[rank - 2] + 1;
    c.require_equal("extent", m.extent[dimension], extent, dimension);
    if (dimension > 0) c.neighbours(dimension, held, t.stride[d] * f.type.bits / 8);
    if (dimension > 1) c.require_equal("box extent", m.box[dimension], 1, dimension);
  }

  if (groups) {  // 2^30 steps of the last two dimensions lead to where they began
    c.require_equal("extent", m.extent[rank], (1 << 30) + 1, rank);
    c.require_equal("stride in bytes", m.stride_bytes[rank - 1], m.stride_bytes[1], rank - 1);
    c.require_equal("stride in bytes", m.stride_bytes[rank], (std::int64_t{1} << 34) - m.stride_bytes[1], rank);
    c.require_equal("box extent", m.box[rank], 1, rank);
  }

  // All boxes together are the tile, each as wide as a panel: of an input, as the swizzle's span.
  const int wide = output ? e.row_bytes : span_bytes(swizzle);
  c.require_equal("box's width in bytes", std::int64_t{m.box[0]} * m.element_bits / 8, wide);
  const std::int64_t bytes = std::int64_t{wide} * m.box[1];
  if (output)
    c.require_equal("box in bytes", bytes, e.panel_bytes);
  else
    c.require_equal("boxes in bytes", bytes * op.panels * op.boxes_per_panel * op.slices, op.tile_bytes);
}

void check_metadata_map(const plan& p, int o, const tensor_facts& t, const told_map& m) {
  const operand_plan& op = p.operand[o];
  const map_check c{"the metadata of operand " + std::string(op.facts.name), m};
  c.common(t.metadata, 2, 32, swizzle_mode::none);
  const std::int64_t blocks = metadata_rows(t.extent[0]);
  c.require_equal("extent", m.extent[0], metadata_cols(t.extent[1], op.facts.type.bits), 0);
  c.require_equal("extent", m.extent[1], blocks, 1);
  c.neighbours(1, blocks, 4 * t.metadata_stride);
  c.require_equal("boxes in bytes", std::int64_t{4} * m.box[0] * m.box[1] * op.metadata.k_blocks * op.slices,
                  op.metadata.bytes);
  c.require_equal("box's width in bytes", 4 * m.box[0], metadata_block_bytes);
}

}  // namespace sectile
