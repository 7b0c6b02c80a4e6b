#include <algorithm>
#include <array>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tma.hpp>

namespace sectile::model {
namespace {

constexpr std::uint32_t box_alignment = 128;  // of boxes in shared memory

/// A box of a tensor: where its rows (runs along mode 0) are in host memory.
struct placed_box {
  tensor_map map;
  std::int64_t origin[5] = {};
  std::int64_t offset[2] = {};  // of an image's pixels

  placed_box(const tensor_map& m, const int* coord, const std::uint16_t* off = nullptr) : map(m) {
    std::copy(coord, coord + m.rank, origin);
    if (off != nullptr) std::copy(off, off + 2, offset);
  }

  std::uint32_t bytes_per_row() const { return static_cast<std::uint32_t>(row_bytes(map.box)); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes(map.box)); }

  /// Calls f(row, host, begin, end) for each row of the box, in the order in which they lie in shared memory: bytes
  /// begin..end-1 of the row are inside the tensor, and `host` is where byte `begin` is.
  template <class F>
  void for_each_row(F f) const {
    const std::int64_t element = map.stride_bytes[0];
    const std::int64_t first = std::clamp<std::int64_t>(-origin[0], 0, map.box.extent[0]);
    const std::int64_t last = std::clamp<std::int64_t>(map.extent[0] - origin[0], first, map.box.extent[0]);
    const std::uint32_t rows = size() / bytes_per_row();
    im2col_walk walk{origin[1], origin[2], origin[3]};
    for (std::uint32_t row = 0; row < rows; ++row) {
      auto byte = static_cast<std::uint64_t>((origin[0] + first) * element);  // addresses have 64 bits, and no more
      bool inside = last > first;
      const std::array<std::int64_t, 5> at = map.im2col ? pixel_at(walk) : row_at(row);
      for (int d = 1; d < map.rank; ++d) {
        const std::int64_t i = at[static_cast<std::size_t>(d)];
        inside = inside && i >= 0 && i < map.extent[d];
        byte += static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(map.stride_bytes[d]);
      }
      if (map.im2col) walk.step(map.bounds, map.extent);
      if (inside) {
        f(row, map.base + static_cast<std::int64_t>(byte), static_cast<std::size_t>(first * element),
          static_cast<std::size_t>(last * element));
      } else {
        f(row, static_cast<const std::byte*>(nullptr), std::size_t{0}, std::size_t{0});
      }
    }
  }

  /// Coordinates of a row of the box, from dimension 1 on.
  std::array<std::int64_t, 5> row_at(std::uint32_t row) const {
    std::array<std::int64_t, 5> at{};
    for (int d = 1; d < map.rank; ++d) {
      const auto extent = static_cast<std::uint32_t>(map.box.extent[d]);
      at[static_cast<std::size_t>(d)] = origin[d] + row % extent;
      row /= extent;
    }
    return at;
  }
  /// The same of the pixel where the walk is.
  std::array<std::int64_t, 5> pixel_at(const im2col_walk& walk) const {
    return {0, walk.w + offset[0], walk.h + offset[1], walk.n};
  }

  /// Shared address of byte `linear` (a multiple of 16) of the box at `start`: swizzled by absolute address bits.
  std::uint32_t shared_address(std::uint32_t start, std::uint32_t linear) const {
    return static_cast<std::uint32_t>(byte_swizzle(map.box.swizzle)(start + linear));
  }
};

/// How many bytes of a box's row a store writes from `host` on, where the tensor has bytes begin .. end - 1 of the row.
/// The chip clips a row in pieces of 16 bytes, not of elements: a tensor whose rows end inside a piece is written up to
/// the end of that piece (seen on an H100; not in the documents).
std::size_t stored_bytes(const std::byte* host, std::size_t begin, std::size_t end, std::size_t row_size) {
  const auto at = reinterpret_cast<std::uintptr_t>(host);
  return std::min((at + (end - begin) + 15) / 16 * 16 - at, row_size - begin);
}

struct load final : async_operation {
  load(const placed_box& b, cta& c, std::uint32_t to, mbarrier& tell)
      : box(b), target(&c), start(to), barrier(&tell), phase(tell.phase), number(tell.loads.size() - 1) {}

  void complete() override {
    std::byte buffer[2048];  // the longest row: 256 elements of 8 bytes
    const std::uint32_t row_size = box.bytes_per_row();
    box.for_each_row([&](std::uint32_t row, const std::byte* host, std::size_t begin, std::size_t end) {
      std::memset(buffer, 0, row_size);
      if (end > begin) std::memcpy(buffer + begin, host, end - begin);
      for (std::uint32_t i = 0; i < row_size; i += 16) {
        const std::uint32_t to = box.shared_address(start, row * row_size + i);
        std::memcpy(target->memory.at(to), buffer + i, 16);
        if (!target->memory.is_tracked()) continue;
        const bool any = i + 16 > begin && i < end;
        target->memory.source(to) =
            any ? copy_source{host + i - begin, std::min(16u, static_cast<std::uint32_t>(end) - i)}
                : copy_source{nullptr, 0};
      }
    });
    end_load(*barrier, number);
  }
  batch belongs_to() const override { return {barrier, phase}; }

  placed_box box;
  cta* target;
  std::uint32_t start;
  mbarrier* barrier;
  std::uint32_t phase;
  std::size_t number;  // among the loads of the barrier
};

/// A store in two steps: its source is read, then its destination is written.
struct store final : async_operation {
  store(const placed_box& b, cuda_thread& t, std::uint32_t from, std::size_t group, std::uint32_t serial)
      : box(b), thread(&t), start(from), group_index(group), number(serial) {}
  /// Its two steps are two batches.
  batch belongs_to() const override { return {thread->bulk.get(), 2 * number + (data.empty() ? 0 : 1)}; }

  void complete() override {
    if (data.empty()) {
      read_source();
    } else {
      write_destination();
    }
  }

  void read_source() {
    data.resize(box.size());
    for (std::uint32_t i = 0; i < box.size(); i += 16) {
      std::memcpy(data.data() + i, thread->block->memory.at(box.shared_address(start, i)), 16);
    }
    --thread->bulk->groups[group_index].to_read;
    if (thread->waiting.what == waiting_for::bulk_reads) thread->all->wake(*thread);
    auto rest = std::make_unique<store>(box, *thread, start, group_index, number);
    rest->data = std::move(data);
    thread->all->start_async(std::move(rest));
  }

  void write_destination() {
    const std::size_t row_size = box.bytes_per_row();
    bool noted = false;
    box.for_each_row([&](std::uint32_t row, const std::byte* host, std::size_t begin, std::size_t end) {
      if (end <= begin) return;
      const std::size_t size = stored_bytes(host, begin, end, row_size);
      thread->all->note_global_write(*thread, thread->bulk->groups[group_index].trip, host, size, noted);
      noted = true;
      if (thread->all->computes) std::memcpy(const_cast<std::byte*>(host), data.data() + row * row_size + begin, size);
    });
    --thread->bulk->groups[group_index].to_write;
    if (thread->waiting.what == waiting_for::bulk_writes) thread->all->wake(*thread);
  }

  placed_box box;
  cuda_thread* thread;
  std::uint32_t start;
  std::size_t group_index;
  std::uint32_t number;  // among the thread's stores
  std::vector<std::byte> data;
};

/// As many coordinates as the map has modes; along the first a box begins at 16 bytes. (Hopper stops at an illegal
/// instruction else, which PTX ISA does not say: tests/gpu/launch_faults.cu.)
void require_place(const cuda_thread& t, const tensor_map& map, const int* coord, int rank, const char* verb) {
  if (map.rank != rank) {
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": ", rank, " coordinates for a tensor map of rank ", map.rank));
  }
  if (const int bytes = coord[0] * map.box.element_bits / 8; bytes % 16 != 0) {
    report(hazard_kind::misaligned, text(verb, " of ", name(t), ": coordinate ", coord[0], " of the contiguous mode is ",
                                         bytes, " bytes, not a multiple of 16"));
  }
}

/// In im2col mode a copy begins where the walk goes, at a pixel of the bounding box; only maps of that mode have one.
/// (What the chip does elsewhere no document says.)
void require_walk(const cuda_thread& t, const tensor_map& map, const int* coord, const std::uint16_t* offset) {
  if (map.im2col != (offset != nullptr))
    report(hazard_kind::out_of_range,
           text("tma_load of ", name(t),
                map.im2col ? ": a tensor map in im2col mode is given a box's coordinates alone"
                           : ": a tensor map of boxes is given the offsets of im2col mode"));
  if (!map.im2col) return;
  for (int d = 0; d < 2; ++d) {
    const std::int64_t at = coord[d + 1], first = map.bounds.lower[d],
                       last = map.extent[d + 1] - 1 + map.bounds.upper[d];
    if (at < first || at > last)
      report(hazard_kind::out_of_range,
             text("tma_load of ", name(t), ": coordinate ", at, " along ", d == 0 ? "W" : "H",
                  " is outside of the bounding box, ", first, " to ", last));
    if (offset[d] > im2col_most_offset)
      report(hazard_kind::out_of_range, text("tma_load of ", name(t), ": an offset of ", offset[d], " along ",
                                             d == 0 ? "W" : "H", ", up to ", im2col_most_offset, " are possible"));
  }
}

/// The 16-byte pieces of the box in shared memory.
template <class F>
void for_each_piece(const cta& c, const cuda_thread& t, const placed_box& box, std::uint32_t start, const char* verb,
                    F f) {
  require_shared(c, t, start, box.size(), box_alignment, verb);
  for (std::uint32_t i = 0; i < box.size(); i += 16) {
    const std::uint32_t address = box.shared_address(start, i);
    require_shared(c, t, address, 16, 16, verb);
    f(address);
  }
}

/// The rows that a store is about to write.
void check_rows(const cuda_thread& t, const placed_box& box, std::uint32_t source) {
  std::byte row_bytes[2048];
  const std::uint32_t row_size = box.bytes_per_row();
  box.for_each_row([&](std::uint32_t row, const std::byte* host, std::size_t begin, std::size_t end) {
    if (end <= begin) return;
    for (std::uint32_t i = 0; i < row_size; i += 16)
      std::memcpy(row_bytes + i, t.block->memory.at(box.shared_address(source, row * row_size + i)), 16);
    check_output(t, host, row_bytes + begin, stored_bytes(host, begin, end, row_size), "tma_store");
  });
}

bulk_stores& stores_of(cuda_thread& t) {
  if (!t.bulk) {
    t.bulk = std::make_unique<bulk_stores>();
    if (t.all->checked()) t.bulk->id = t.all->new_component({.what = component_owner::kind::bulk, .thread = &t});
  }
  return *t.bulk;
}

}  // namespace

void load_box(cuda_thread& t, std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int* coord,
              int rank, std::uint32_t mask, const std::uint16_t* offset) {
  require_place(t, map, coord, rank, "tma_load");
  require_walk(t, map, coord, offset);
  if (t.all->checked()) t.all->require_registers(t, "tma_load");
  cluster& all = *t.all;
  if (mask == 0 || mask >> all.ctas.size() != 0) {
    report(hazard_kind::out_of_range,
           text("tma_load of ", name(t), ": multicast mask ", mask, " names no CTA, or one that a ", "cluster of ",
                all.ctas.size(), " does not have"));
  }
  const placed_box box(map, coord, offset);
  if (all.what.in_place)
    box.for_each_row([&](std::uint32_t, const std::byte* host, std::size_t begin, std::size_t end) {
      if (end > begin) all.note_global_read(t, host, end - begin);
    });
  for (std::size_t rank_of_target = 0; rank_of_target < all.ctas.size(); ++rank_of_target) {
    if ((mask >> rank_of_target & 1) == 0) continue;
    cta& target = *all.ctas[rank_of_target];
    mbarrier& b = begin_load(t, target, barrier, destination, box.size());
    shared_writer writer{target, observe(t), {b.id, b.phase + 1}, proxy::async, "tma_load"};
    for_each_piece(target, t, box, destination, "tma_load", [&](std::uint32_t at) { writer.write(at, 16); });
    all.start_async(std::make_unique<load>(box, target, destination, b));
  }
}

void store_box(cuda_thread& t, const tensor_map& map, std::uint32_t source, const int* coord, int rank) {
  require_place(t, map, coord, rank, "tma_store");
  if (!map.writable) {
    report(hazard_kind::out_of_range, text("tma_store of ", name(t), ": the tensor map is of constant memory"));
  }
  if (const int* negative = std::find_if(coord, coord + rank, [](int c) { return c < 0; }); negative != coord + rank) {
    report(hazard_kind::out_of_range, text("tma_store of ", name(t), ": coordinate ", *negative, " of mode ",
                                           negative - coord, " is negative, which only loads accept"));
  }
  bulk_stores& stores = stores_of(t);
  const placed_box box(map, coord);
  const observer who[] = {observe(t)};
  async_reader reader{*t.block, who, {stores.id, stores.committed() + 1}, "tma_store"};
  for_each_piece(*t.block, t, box, source, "tma_store", [&](std::uint32_t at) { reader.read(at); });
  if (t.all->checked()) check_rows(t, box, source);
  bulk_stores::group& open = stores.groups.back();
  ++open.stores;
  ++open.to_read;
  ++open.to_write;
  open.trip = t.trips.now;
  t.all->start_async(std::make_unique<store>(box, t, source, stores.groups.size() - 1, stores.issued++));
}

void commit_bulk_group(cuda_thread& t) { stores_of(t).groups.emplace_back(); }

namespace {

/// Blocks until `left` of all groups but the `newest` committed ones is zero, and notes that they have been read.
void wait_for_groups(cuda_thread& t, int newest, waiting_for what, int bulk_stores::group::*left) {
  if (!t.bulk) return;
  bulk_stores& stores = *t.bulk;
  if (stores.committed() <= static_cast<std::uint32_t>(newest)) return;
  const std::uint32_t target = stores.committed() - static_cast<std::uint32_t>(newest);
  const auto pending = [&](const bulk_stores::group& g) { return g.*left > 0; };
  while (std::any_of(stores.groups.begin(), stores.groups.begin() + target, pending))
    t.all->block(t, {what, target, 0});
  if (target <= stores.reads_waited) return;
  stores.reads_waited = target;
  if (t.all->checked()) t.all->acquire(t, knowledge_of({stores.id, target}));
}

}  // namespace

void wait_for_bulk_reads(cuda_thread& t, int newest) {
  wait_for_groups(t, newest, waiting_for::bulk_reads, &bulk_stores::group::to_read);
}

void wait_for_bulk_writes(cuda_thread& t, int newest) {
  wait_for_groups(t, newest, waiting_for::bulk_writes, &bulk_stores::group::to_write);
}

void check_bulk_at_exit(const cuda_thread& t) {
  if (!t.bulk) return;
  const bulk_stores& stores = *t.bulk;
  for (std::size_t i = stores.reads_waited; i < stores.groups.size(); ++i) {
    if (stores.groups[i].stores == 0) continue;
    const bool committed = i < stores.committed();
    report(hazard_kind::exit_in_flight,
           text(name(t), " exits with ", stores.groups[i].stores, " tma_store", stores.groups[i].stores == 1 ? "" : "s",
                committed ? " it has not waited for: bulk_wait_read<0> is missing" : " it has not committed",
                "; shared memory may be gone before it is read"));
  }
}

}  // namespace sectile::model
