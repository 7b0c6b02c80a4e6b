#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sectile/dsl/tell/draw/figures.hpp>
#include <sectile/dsl/tell/draw/fragment_figures.hpp>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/timeline/timeline_figure.hpp>
#include <sectile/layouts/expression.hpp>
#include <sectile/layouts/picture.hpp>
#include <utility>
#include <vector>

#include "tool/commands/commands.hpp"
#include "tool/expression_argument.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/machine_code.hpp"
#include "tool/nearest.hpp"
#include "tool/timelines.hpp"

namespace sectile::tool {
namespace {

using tell::figure;

/// The element types that have operands, and those that accumulators have besides.
constexpr element element_types[] = {element_of<bf16>(), element_of<f16>(), element_of<tf32>(), element_of<e4m3>(),
                                     element_of<e5m2>(), element_of<s8>(),  element_of<u8>(),   element_of<b1x8>(),
                                     element_of<f32>(),  element_of<s32>()};

element type_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const element& e : element_types) {
    if (name == e.name) return e;
    names.push_back(e.name);
  }
  throw input_error(
      fmt::format("--type {}: there is no such element type; there are {}", name, fmt::join(names, ", ")));
}

/// A type that wgmma multiplies.
element operand_type_named(const std::string& name) {
  const element type = type_named(name);
  if (type == element_of<f32>() || type == element_of<s32>())
    throw input_error(
        fmt::format("--type {}: wgmma sums in {} but does not multiply it; {}", name, name,
                    type == element_of<f32>() ? "tf32 is the nearest that it does" : "s8 and u8 it does"));
  return type;
}

swizzle_mode mode_named(const std::string& name) {
  constexpr std::pair<const char*, swizzle_mode> modes[] = {
      {"none", swizzle_mode::none}, {"32", swizzle_mode::b32}, {"64", swizzle_mode::b64}, {"128", swizzle_mode::b128}};
  for (const auto& [text, mode] : modes)
    if (name == text) return mode;
  throw input_error(fmt::format("swizzle {}: it is none, 32, 64 or 128 (bytes)", name));
}

/// One of `words`; the message has the nearest.
std::string one_of(const char* option, const std::string& word, const std::vector<std::string_view>& words) {
  if (std::ranges::find(words, word) != words.end()) return word;
  const std::string all = fmt::format("there are {}", fmt::join(words, ", "));
  throw input_error(fmt::format("{} {}: there is no such picture; {}", option, word, suggestion(word, words, all)));
}

/// The options that a subject takes; any other is refused.
void require_only(const figure_options& o, const std::vector<std::string_view>& allowed) {
  const std::pair<std::string_view, bool> given[] = {{"ID", o.id.has_value()},
                                                     {"--what", o.what.has_value()},
                                                     {"--type", o.type.has_value()},
                                                     {"--rows", o.rows.has_value()},
                                                     {"--k", o.k.has_value()},
                                                     {"--major", o.major.has_value()},
                                                     {"--swizzle", o.swizzle.has_value()},
                                                     {"--operand", o.operand.has_value()},
                                                     {"--n", o.n.has_value()},
                                                     {"--slices", o.slices.has_value()},
                                                     {"--shape", o.shape.has_value()},
                                                     {"--cycles", o.cycles.has_value()},
                                                     {"--ctas", o.ctas.has_value()}};
  for (const auto& [name, is_given] : given)
    if (is_given && std::ranges::find(allowed, name) == allowed.end())
      throw input_error(fmt::format("figure {}: {} does not belong to it; it takes {}", o.subject, name,
                                    allowed.empty() ? "nothing else" : fmt::format("{}", fmt::join(allowed, ", "))));
}

/// The subject's second word. Throws input_error if there is none.
const std::string& second_word(const figure_options& o, const char* what) {
  require_only(o, {"ID"});
  if (o.id) return *o.id;
  throw input_error(fmt::format("figure {}: which {}?", o.subject, what));
}

/// Pictures of a run on the model, which need no plan.
const std::vector<std::string> timeline_ids{"timeline", "timeline.start"};

/// Whether so many CTAs of the kernel run on one SM, as far as its plan and its machine code say.
void require_room_on_sm(const kernel_facts& kernel, const tell::timeline& run, int ctas) {
  if (run.from.cluster_size > 1)
    throw input_error(
        fmt::format("--ctas {}: CTAs of a cluster, as those of {} are, have an SM each", ctas, kernel.name));
  const nlohmann::json room = tell::occupancy_part(*kernel.declared, compiled_registers(kernel.name));
  if (ctas > room["ctas"])
    throw input_error(fmt::format("--ctas {}: an SM has room for {} of {}, because of {}", ctas,
                                  room["ctas"].get<int>(), kernel.name, room["limits"].get<std::string>()));
}

figure timeline_of_run(const kernel_facts& kernel, const figure_options& o) {
  const bool whole = *o.id == "timeline";
  require_only(o, whole ? std::vector<std::string_view>{"ID", "--shape", "--cycles", "--ctas"}
                        : std::vector<std::string_view>{"ID", "--shape"});
  const tell::kernel_timeline run = timeline_of(kernel, o.shape);
  if (!run.refused.empty())
    throw input_error(fmt::format("figure {}: there is no timeline: {}", o.subject, run.refused));
  if (!whole) return tell::draw_timeline_start(run.shown);
  const int ctas = o.ctas.value_or(1);
  if (ctas == 1) return tell::draw_timeline(run.shown, o.cycles.value_or(0));
  require_room_on_sm(kernel, run.shown, ctas);
  return tell::draw_timeline(tell::timeline_of(tell::side_by_side(run.shown.from, ctas)), o.cycles.value_or(0));
}

figure of_kernel(const figure_options& o) {
  const kernel_facts& kernel = find_kernel(o.subject);
  std::vector<std::string> ids = timeline_ids;
  if (kernel.planned != nullptr) {
    const std::vector<std::string> of_plan = tell::figure_ids(*kernel.planned);
    ids.insert(ids.begin(), of_plan.begin(), of_plan.end());
  }
  if (!o.id) throw input_error(fmt::format("figure {}: which of {}?", o.subject, fmt::join(ids, ", ")));
  if (std::ranges::find(timeline_ids, *o.id) != timeline_ids.end()) return timeline_of_run(kernel, o);
  require_only(o, {"ID"});
  if (kernel.planned == nullptr)
    throw input_error(
        fmt::format("figure {}: the kernel is written without a plan to draw from; draw its tiles by "
                    "values, as in `sectile figure tile --type bf16 --rows 64 --k 64 --what memory`",
                    o.subject));
  if (std::ranges::find(ids, *o.id) == ids.end()) {
    const std::vector<std::string_view> names(ids.begin(), ids.end());
    throw input_error(fmt::format("figure {}: there is no picture '{}'; {}", o.subject, *o.id,
                                  suggestion(*o.id, names, fmt::format("there are {}", fmt::join(ids, ", ")))));
  }
  return tell::draw_figure(*kernel.planned, *o.id);
}

/// The tile that the options describe; as in a kernel, the widest swizzle that fits unless one is asked for.
tell::tile_subject tile_of(const figure_options& o) {
  const element type = operand_type_named(o.type.value_or("bf16"));
  operand_tile t{.mn = o.rows.value_or(64), .k = o.k.value_or(1024 / type.bits), .element_bits = type.bits};
  const std::string direction = o.major.value_or("k");
  if (direction != "k" && direction != "mn")
    throw input_error(fmt::format("--major {}: it is k (rows of K are contiguous) or mn", direction));
  t.major = direction == "k" ? major::k : major::mn;
  const std::int64_t bits = std::int64_t{t.major == major::k ? t.k : t.mn} * type.bits;
  t.swizzle = o.swizzle ? mode_named(*o.swizzle) : largest_swizzle(t.major, static_cast<int>(bits / 8));
  const std::string operand = o.operand.value_or("a");
  if (operand != "a" && operand != "b") throw input_error(fmt::format("--operand {}: it is a or b", operand));
  return tell::subject_of(t, type.name, operand == "a" ? 'm' : 'n');
}

figure of_tile(const figure_options& o) {
  require_only(o, {"--what", "--type", "--rows", "--k", "--major", "--swizzle", "--operand", "--slices"});
  const std::string what =
      one_of("--what", o.what.value_or("memory"), {"memory", "canonical", "descriptor", "box", "banks"});
  const tell::tile_subject s = tile_of(o);
  if (o.slices && what != "box") throw input_error("--slices: only the picture of the boxes (--what box) has slices");
  if (what == "canonical") return tell::draw_canonical(s);
  if (what == "descriptor") return tell::draw_descriptor(s);
  if (what == "box") return tell::draw_box(s, tell::boxes_of(s, o.slices.value_or(1)));
  return what == "banks" ? tell::draw_banks(s) : tell::draw_memory(s);
}

figure of_fragment(const figure_options& o) {
  require_only(o, {"--what", "--type", "--n"});
  if (o.what == "b")
    throw input_error("--what b: wgmma reads B from shared memory only; `sectile figure tile --operand b` draws that");
  const std::string what = one_of("--what", o.what.value_or("accumulator"), {"accumulator", "a", "metadata"});
  if (what == "accumulator") {
    const element type = type_named(o.type.value_or("f32"));
    if (type != element_of<f32>() && type != element_of<s32>() && type != element_of<f16>())
      throw input_error(fmt::format("--type {}: an accumulator is f32, s32 or f16", type.name));
    return tell::draw_accumulator(o.n.value_or(16), type.bits);
  }
  if (o.n) throw input_error(fmt::format("--n: the width of --what {} follows from its type", what));
  const int bits = operand_type_named(o.type.value_or("bf16")).bits;
  return what == "a" ? tell::draw_register_operand(bits) : tell::draw_metadata(bits);
}

figure of_epilogue(const figure_options& o) {
  require_only(o, {"--type", "--swizzle"});
  const element type = type_named(o.type.value_or("bf16"));
  return tell::draw_store_banks(mode_named(o.swizzle.value_or("128")), type.bits);
}

/// A layout's grid, and of a swizzled one memory as well; folded to some 400 cells, so that it can be read in a page.
figure of_layout(const swizzled_layout& l) {
  const bool swizzled = l.pattern.bits > 0;
  picture_options options{.view = swizzled ? picture_view::both : picture_view::logical};
  const picture_source grid(l);
  options.max_columns = swizzled ? 16 : 24;
  options.max_rows =
      (swizzled ? 224 : 400) / static_cast<int>(std::min<std::int64_t>(grid.columns, options.max_columns));
  options.max_rows = std::min(options.max_rows, 64);
  const std::string title = picture_title(l, options);
  return {to_svg(l, options), title, title};
}

/// What an expression is decides how it is drawn: layouts as grids, tiles in memory, words as descriptors.
figure of_expression(const figure_options& o) {
  const std::string& text = second_word(o, "expression");
  const expressions::value value = expression_argument("figure", text);
  if (const auto* t = std::get_if<expressions::typed_tile>(&value))
    return tell::draw_memory(tell::subject_of(*t, fmt::format("{}-bit", t->element_bits), 'm'));
  if (const auto* w = std::get_if<expressions::word>(&value)) return tell::draw_descriptor(w->bits);
  if (const auto* d = std::get_if<matrix_descriptor>(&value)) return tell::draw_descriptor(encode(*d));
  if (const auto* s = std::get_if<swizzle>(&value)) return tell::draw_swizzle(*s);
  swizzled_layout l;
  if (expressions::as_swizzled(value, l)) return of_layout(l);
  throw input_error(fmt::format("figure: {} is {}, of which there is no picture", text, expressions::kind_name(value)));
}

figure of_descriptor(const figure_options& o) {
  const std::string& text = second_word(o, "64 bits, as in 0x4000004000010000");
  const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
  std::uint64_t bits = 0;
  const char* const begin = text.data() + (prefixed ? 2 : 0);
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(begin, end, bits, 16);
  if (error != std::errc{} || stopped != end)
    throw input_error(
        fmt::format("figure descriptor {}: a descriptor is 64 bits, 0x and up to 16 hexadecimal digits", text));
  return tell::draw_descriptor(bits);
}

figure of_swizzle(const figure_options& o) {
  const std::string& text = second_word(o, "swizzle: none, 32, 64, 128, or bits,base,shift as in 3,4,3");
  if (text.find(',') == std::string::npos) return tell::draw_swizzle(byte_swizzle(mode_named(text)));
  const evaluated e = evaluate("Sw<" + text + ">");
  if (const auto* s = std::get_if<swizzle>(&e.result); e && s != nullptr) return tell::draw_swizzle(*s);
  throw input_error(fmt::format("figure swizzle {}: {}", text, e ? "expected bits,base,shift as in 3,4,3" : e.problem));
}

/// What can be drawn besides kernels.
struct subject {
  std::string_view name;
  figure (*draw)(const figure_options& o);
};
constexpr subject subjects[] = {{"tile", of_tile},         {"fragment", of_fragment},     {"epilogue", of_epilogue},
                                {"layout", of_expression}, {"descriptor", of_descriptor}, {"swizzle", of_swizzle}};

figure figure_of(const figure_options& o) {
  for (const subject& s : subjects)
    if (o.subject == s.name) return s.draw(o);
  std::vector<std::string_view> names;
  for (const subject& s : subjects) names.push_back(s.name);
  const std::string near = suggestion(o.subject, names, "");
  const auto is_it = [&](const kernel_facts& kernel) { return kernel.name == o.subject; };
  if (near.empty() || std::ranges::any_of(kernel_list(), is_it)) return of_kernel(o);
  throw input_error(fmt::format("figure {}: there is no such subject and no such kernel; {}", o.subject, near));
}

}  // namespace

exit_status draw_figure(const figure_options& options) {
  if (options.page_style) {
    fmt::print("{}", picture_page_style());
    return success;
  }
  if (options.subject.empty())
    throw input_error(
        "figure: of what? A kernel, tile, fragment, epilogue, layout, descriptor or swizzle (see `sectile figure "
        "--help`)");
  if (options.out) require_writable(*options.out);
  const figure drawn = figure_of(options);
  if (options.out)
    write_text(*options.out, drawn.svg);
  else
    fmt::print("{}", drawn.svg);
  return success;
}

}  // namespace sectile::tool
