#include <sectile/dsl/launch/workspace.hpp>

#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/scattered_rows.hpp>

namespace sectile {

namespace {

/// Throws if the workspace has a byte in common with `other`, which is `what` of operand `f`: it is written while tiles
/// are loaded and stored.
void check_apart_from(const byte_set& memory, const operand_facts& f, const char* what, const byte_set& other) {
  const sharing shared = shared_bytes(memory, other);
  if (shared == sharing::none) return;
  throw launch_error("workspace: its bytes (", range_text(memory), ") and ", what, f.name, " (", range_text(other),
                     shared == sharing::some ? ") share memory" : ") cannot be told apart",
                     "; it is written to while tiles are loaded, so it needs memory of its own");
}

/// What a kernel needs a workspace of so many bytes for.
std::string purpose(const plan& p, const std::string& bytes) {
  std::string parts, vectors;
  if (p.how.streamed)
    parts = "the parts of tiles that are cut (.streamed = true)";
  else if (p.how.uses_workspace())
    parts = "the " + std::to_string(p.how.split) + " parts of a tile";
  for (int o = 0; o < p.operands; ++o)
    if (adds_in_order(p, o)) vectors += (vectors.empty() ? "" : ", ") + std::string(p.operand[o].facts.name);
  if (!vectors.empty()) parts += (parts.empty() ? "" : " and ") + ("the tiles that are summed into " + vectors);
  if (parts.empty()) return "clusters that draw their tiles (.dynamic = true) need " + bytes + " bytes for the counter";
  return parts + " need " + bytes + " bytes to meet in" + (p.how.dynamic ? ", the counter of drawn tiles included" : "");
}

}  // namespace

long long count_work(const plan& p, const tensor_facts (&t)[max_operands]) {
  const operand_facts& f = p.operand[p.work].facts;
  const int rank = f.tile.rank;
  long long items = 1;
  for (int d = 0; d < rank; ++d) {
    if (p.whole_rows && d == rank - 1) continue;
    const int tiles = d == rank - 2 ? p.how.rows_of_item() : d == rank - 1 ? p.how.cluster.cols : 1;
    const std::int64_t size = std::int64_t{f.tile.extent[d]} * tiles;
    items *= (t[p.work].extent[d] + size - 1) / size;
  }
  return items;
}

std::size_t workspace_bytes(const plan& p, const tensor_facts (&t)[max_operands]) {
  if (!needs_workspace(p)) return 0;
  for (int o = 0; o < p.operands; ++o)
    if (const operand_facts& f = p.operand[o].facts; f.kind != operand_kind::scalar) check_extents(f, t[o], "");
  const operand_facts& work = p.operand[p.work].facts;
  check_count(p, t, p.how.cluster, p.how.split);
  check_scattered_rows(p, t);
  int tiles[max_rank]{};
  for (int d = 0; d < work.tile.rank; ++d)
    tiles[d] = static_cast<int>((t[p.work].extent[d] + work.tile.extent[d] - 1) / work.tile.extent[d]);
  const workspace_layout w =
      lay_out_workspace(p, count_work(p, t) * p.how.cluster.size(), tiles, scattered_sizes_of(p, t));
  if (w.tickets > std::numeric_limits<std::int32_t>::max())
    throw unfit_configuration("workspace: the tiles of operand ", work.name, " take tickets of ", w.tickets,
                              " counters; up to ", std::numeric_limits<std::int32_t>::max(), " are counted");
  return static_cast<std::size_t>(w.bytes);
}

void check_workspace(const plan& p, const given_operands& given) {
  if (!needs_workspace(p)) return;
  const std::size_t needed = workspace_bytes(p, given.tensor);
  const std::string who = "workspace: " + purpose(p, std::to_string(needed));
  if (given.workspace == nullptr && given.workspace_bytes == 0)
    throw unfit_configuration(
        who,
        ", and the launch was given none; pass workspace(pointer, bytes) behind the operands, of as "
        "many bytes as workspace_bytes<kernel>(operands ..) says");
  if (given.workspace == nullptr) throw launch_error("workspace: the pointer is null");
  if (given.workspace_bytes < needed)
    throw unfit_configuration(who, ", and it has ", given.workspace_bytes,
                              "; workspace_bytes<kernel>(operands ..) says how many it takes");
  const auto first = reinterpret_cast<std::uintptr_t>(given.workspace);
  if (first % workspace_alignment != 0)
    throw launch_error("workspace: the pointer is not aligned to ", workspace_alignment, " bytes (it is ",
                       first % workspace_alignment, " bytes off)");
  if (first > static_cast<std::uintptr_t>(std::numeric_limits<std::int64_t>::max()) - needed)
    throw launch_error("workspace: ", needed, " bytes from ", address_text(first),
                       " on reach beyond the end of the address space");
  byte_set memory{};
  memory.first = static_cast<std::int64_t>(first);
  memory.run = static_cast<std::int64_t>(needed);
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    check_apart_from(memory, f, "operand ", bytes_of(f, given.tensor[o]));
    if (f.sparse) check_apart_from(memory, f, "the metadata of operand ", metadata_bytes_of(f, given.tensor[o]));
  }
}

}  // namespace sectile
