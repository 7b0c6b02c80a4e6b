#include <sectile/dsl/tell/facts/facts.hpp>

#include <filesystem>
#include <sectile/dsl/tell/draw/figures.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>

namespace sectile::tell {
namespace {

/// The last part of a type's name, without its template arguments: as its struct is called. Of member<P, 1> that of P.
std::string struct_name_of(const std::string& type) {
  const std::size_t end = type.find_first_of("<,");
  const std::string plain = type.substr(0, end);
  const std::size_t scope = plain.rfind("::");
  const std::string name = scope == std::string::npos ? plain : plain.substr(scope + 2);
  return name == "member" && end != std::string::npos ? struct_name_of(type.substr(end + 1)) : name;
}

/// A file's name as a page tells it: relative to `root` if it lies there, else its last part.
std::string told_name(const std::string& file, const std::string& root) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, error);
  if (!root.empty()) {
    const std::filesystem::path relative = whole.lexically_relative(std::filesystem::weakly_canonical(root, error));
    if (!relative.empty() && *relative.begin() != "..") return relative.generic_string();
  }
  return whole.filename().string();
}

/// The other structs that a kernel is made of: the one that its type names, where the body is inherited; and a base
/// with the operands, where neither declares them.
std::vector<other_struct> other_structs(const kernel_record& kernel, const source_text& body,
                                        const fact_options& options) {
  std::vector<other_struct> others;
  const std::string name = struct_name_of(kernel.type);
  if (body.name != name) {
    source_text own = options.source.empty() ? source_text{} : struct_named(options.source, name);
    if (own.lines.empty()) own = struct_beside(body.file, name);
    if (!own.lines.empty()) others.push_back({own, say(name, " has the body of ", body.name, ", and its own:")});
  }
  if (declares_operands_in(body) || (!others.empty() && declares_operands_in(others.front().text))) return others;
  for (const std::string& word : body.behind)
    if (const source_text base = struct_beside(body.file, word); declares_operands_in(base)) {
      others.push_back({base, say("the operands are those of ", word, ":")});
      break;
    }
  return others;
}

json source_of(const kernel_record& kernel, const located_trace& run, const fact_options& options) {
  source_text text = run.text;
  const bool read = !text.lines.empty();
  if (!read && !options.source.empty()) text = struct_named(options.source, struct_name_of(kernel.type));
  json source = source_part(*kernel.planned, run, text,
                            read ? other_structs(kernel, text, options) : std::vector<other_struct>{});
  source["file"] = text.file.empty() ? std::string() : told_name(text.file, options.root);
  for (json& other : source["others"]) other["file"] = told_name(other["file"], options.root);
  if (text.lines.empty() && run.why_not.empty())
    source["says"] = "the kernel's file could not be read, so its text is not shown";
  return source;
}

json run_part(const checked_run& r) {
  return {{"machine", r.machine},
          {"shape", r.shape},
          {"what", r.what},
          {"data", r.data},
          {"error", r.error},
          {"bar", r.bar},
          {"relative_error", r.relative_error},
          {"ok", r.ok},
          {"watched", r.watched},
          {"hazards", r.hazard.empty() ? json::array() : json{r.hazard}},
          {"schedules", r.schedules},
          {"command", r.command}};
}

json figures_part(const plan& p) {
  json all = json::object();
  for (const named_figure& f : figures_of(p))
    all[f.id] = {{"svg", f.picture.svg}, {"title", f.picture.title}, {"alt", f.picture.alt}};
  return all;
}

/// What only a plan that holds has.
void add_planned(const plan& p, const located_trace& run, const proof_results& proven, int registers, json& to) {
  to["grid"] = grid_part(p);
  to["hierarchy"] = hierarchy_part(p);
  to["products"] = products_part(p, run);
  to["fragments"] = fragments_part(p, run.log);
  to["memory"] = memory_part(p);
  to["shared"] = shared_part(p);
  to["barriers"] = barriers_part(p);
  to["registers"] = registers_part(p);
  to["occupancy"] = occupancy_part(p, registers);
  to["epilogue"] = epilogue_part(p);
  to["banks"] = banks_part(p);
  to["positions"] = positions_part(p, run);
  to["instructions"] = instructions_part(p);
  to["ptx"] = ptx_text(p);
  to["proofs"] = proofs_part(p, proven);
}

/// Empty parts, so that a page may ask for any of them.
json empty_facts() {
  json j;
  for (const char* list : {"hierarchy", "operands", "products", "fragments", "memory", "barriers", "banks", "positions",
                           "proofs", "instructions", "variations"})
    j[list] = json::array();
  for (const char* part :
       {"source", "configuration", "grid", "shared", "registers", "occupancy", "epilogue", "timeline", "run", "bound"})
    j[part] = nullptr;
  j["figures"] = json::object();
  j["ptx"] = "";
  return j;
}

/// What a document says of any program.
json named_facts(const std::string& type, const fact_options& options) {
  json j = empty_facts();
  j["name"] = options.name.empty() ? type : options.name;
  j["type"] = type;
  j["title"] = options.title.empty() ? j["name"] : json(options.title);
  j["summary"] = options.summary;
  j["refused"] = nullptr;
  j["planned"] = false;
  j["timeline"] = options.timeline;
  if (options.run) j["run"] = run_part(*options.run);
  return j;
}

}  // namespace

json facts_of(const kernel_record& kernel, const fact_options& options) {
  const plan& p = *kernel.planned;
  json j = named_facts(kernel.type, options);
  const proof_results proven = kernel.prove ? kernel.prove() : proof_results{.verdict = p.refusal};
  if (!proven.verdict.holds()) j["refused"] = proven.verdict.says.text;
  const located_trace run = kernel.read ? locate(kernel.read()) : located_trace{};
  j["planned"] = p.refusal.holds();
  j["configuration"] = configuration_part(p);
  j["operands"] = operands_part(p);
  j["source"] = source_of(kernel, run, options);
  if (p.refusal.holds()) {
    add_planned(p, run, proven, options.registers, j);
    if (options.figures) j["figures"] = figures_part(p);
  }
  j["variations"] = variations_part(kernel, run.log);
  return j;
}

json facts_of_listing(const plan& declared, const std::string& program, const fact_options& options) {
  json j = named_facts(program, options);
  j["occupancy"] = occupancy_part(declared, options.registers);
  plan declarations = declared;
  declarations.refusal.what = rule::program_is_not_traceable;  // nothing but the operands was planned
  j["operands"] = operands_part(declarations);
  j["source"] = source_part(declarations, {}, struct_named(options.source, program));
  j["source"]["file"] = told_name(options.source, options.root);
  return j;
}

}  // namespace sectile::tell
