#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/shared_memory.hpp>

namespace sectile::model {
namespace {

using owner_kind = component_owner::kind;

const component_owner& owner_of(const cta& c, event e) { return c.all->owners[e.by]; }

/// Whether an asynchronous access by `who` is ordered after the write `w`: ordinary stores also need the writer's proxy
/// fence. Only the writer itself knows of them without a barrier.
bool async_after_write(const cta& c, const observer& who, event w) {
  const component_owner& owner = owner_of(c, w);
  if (owner.what == owner_kind::copies) return knows(who.seen, event{w.by + 1, w.at});
  if (owner.what != owner_kind::thread_writes) return knows(who.seen, w);
  if (owner.thread == who.thread && who.alike == 1) return who.thread->clock.fenced >= w.at;
  return knows(who.seen, event{w.by + 1, w.at});
}

bool generic_after_write(const cta& c, const observer& who, event w) {
  return owner_of(c, w).thread == who.thread || knows(who.seen, w);
}

/// "the tma_load of producer (thread 0, k = 3)": the load of that phase that brings the byte at `address`.
std::string name_load(const mbarrier& b, std::uint32_t phase, std::uint32_t address) {
  const mbarrier::copy* load = find_load(b, phase, within_window(address));
  if (load == nullptr) return "a copy";
  return text(load->of_thread ? "the copy_async of " : "the tma_load of ", name(*load->by.thread, load->by.trip));
}

/// The thread that made an ordinary access, when it made it.
std::string name_accessor(const cta& c, event e) { return name_at(*owner_of(c, e).thread, e); }

/// Whether the access is ordered after the store `w`, as far as barriers go. A thread knows of its own stores; those
/// that otherwise know the same as it do not.
bool stored_before(const component_owner& owner, const observer& who, event w) {
  return (owner.thread == who.thread && who.alike == 1) || knows(who.seen, w);
}

/// Which write the access by `who` to `address` is not ordered after, and what would order it.
std::string missing_order(const cta& c, const observer& who, event w, std::uint32_t address, proxy through) {
  const component_owner& owner = owner_of(c, w);
  if (owner.what == owner_kind::mbarrier || owner.what == owner_kind::copies) {
    const mbarrier& b = *owner.barrier;
    const std::string load = name_load(b, w.at - 1, address), phase = text("phase ", w.at - 1, " of ", name(b));
    if (knows(who.seen, w))
      return text("which ", load, " wrote with ordinary stores; between the wait for ", phase,
                  " and what reads them, fence_proxy_async must come");
    if (b.phase >= w.at) return text("which ", load, " wrote, without having waited for ", phase, ", which says so");
    return text("which ", load, " is still writing: ", phase, " is not complete (", b.expected - b.pending, " of ",
                b.expected, " arrivals, ", b.transactions, " bytes outstanding); wait for it first");
  }
  const std::string wrote = text("which ", name_accessor(c, w), " wrote");
  if (through == proxy::generic) return text(wrote, "; a barrier must come between");
  if (!stored_before(owner, who, w))
    return text(wrote, " with ordinary stores; its fence_proxy_async and a barrier must come between");
  return text(wrote, " with ordinary stores and did not fence: it must call fence_proxy_async before the barrier that ",
              "orders the two");
}

hazard_kind kind_of_missing_order(const cta& c, const observer& who, event w, hazard_kind otherwise) {
  const component_owner& owner = owner_of(c, w);
  if (owner.what == owner_kind::copies && knows(who.seen, w)) return hazard_kind::missing_proxy_fence;
  const bool stored = owner.what == owner_kind::thread_writes;
  return stored && stored_before(owner, who, w) ? hazard_kind::missing_proxy_fence : otherwise;
}

[[noreturn]] void report_read(const cta& c, const observer& who, event w, std::uint32_t address, const char* verb) {
  const std::string what = text(verb, " of ", name(who), " reads ", name_bytes(c, address));
  if (w.by == 0) report(hazard_kind::read_before_full, text(what, ", which nothing has written"));
  report(kind_of_missing_order(c, who, w, hazard_kind::read_before_full),
         text(what, ", ", missing_order(c, who, w, address, proxy::async)));
}

[[noreturn]] void report_overwrite_of_read(const cta& c, const observer& who, event r, std::uint32_t address,
                                           const char* verb) {
  const component_owner& owner = owner_of(c, r);
  const std::string what = text(verb, " of ", name(who), " writes ", name_bytes(c, address), ", which ");
  if (owner.what == owner_kind::wgmma) {
    const bool complete = owner.group->completed >= r.at;
    report(hazard_kind::overwrite_while_read,
           text(what, complete ? "was read by " : "is still read by ", name_wgmma(*owner.group, r.at),
                ": its wgmma_wait and an arrival that the writer waits for must come before"));
  }
  if (owner.what == owner_kind::thread_reads) {
    report(
        hazard_kind::overwrite_while_read,
        text(what, name_accessor(c, r), " reads with ordinary loads: a barrier must come between, or the wgmma_wait ",
             "for a wgmma that takes what was loaded and an arrival that the writer waits for"));
  }
  const bulk_stores::group& stores = owner.thread->bulk->groups[r.at - 1];
  report(hazard_kind::store_source_overwritten,
         text(what, stores.to_read == 0 ? "was read by a tma_store of " : "is still read by a tma_store of ",
              name(*owner.thread, stores.trip), ": its bulk_wait_read and a barrier must come before"));
}

}  // namespace

observer observe(const cuda_thread& t) { return {t.clock.seen, &t, t.trips.now}; }

shared_memory::shared_memory(std::uint32_t size, bool tracked)
    : bytes_((size + 15) / 16 * 16, std::byte{0xFF}), barrier_(bytes_.size() / 8, -1) {
  if (tracked) {
    writes_.resize(bytes_.size() / 4);
    reads_.resize(bytes_.size() / 16);
    sources_.resize(bytes_.size() / 16);
  }
}

bool shared_memory::contains(std::uint32_t address, std::uint32_t size) const {
  const std::uint32_t at = within_window(address);
  return at >= shared_window_base && size <= bytes_.size() && at - shared_window_base <= bytes_.size() - size;
}

std::string name_copy(const cta& c, std::uint32_t address) {
  const event w = c.memory.last_write(address);
  const component_owner& owner = owner_of(c, w);
  const bool told = owner.what == owner_kind::mbarrier || owner.what == owner_kind::copies;
  return told ? name_load(*owner.barrier, w.at - 1, address) : "a copy";
}

void async_reader::read(std::uint32_t address) {
  if (!memory_of_.all->checked()) return;
  for (std::uint32_t at = address; at < address + 16; at += 4) {
    const event w = memory_of_.memory.last_write(at);
    if (w == in_order_ && w.by != 0) continue;
    for (const observer& who : readers_) {
      if (w.by == 0 || !async_after_write(memory_of_, who, w)) report_read(memory_of_, who, w, at, verb_);
    }
    in_order_ = w;
  }
  note_latest(memory_of_.memory.reads_since(address), mark_);
}

void shared_writer::write(std::uint32_t address, std::uint32_t size) {
  if (!memory_of_.all->checked()) return;
  check_barriers(address, size);
  check_reads(address);
  // Reads that are over stay noted where only a part of the 16 bytes is written: they harm nobody.
  if (size == 16) memory_of_.memory.reads_since(address).clear();
  if (through_ == proxy::generic) memory_of_.memory.source(address) = {};
  for (std::uint32_t at = address; at < address + size; at += 4) {
    event& w = memory_of_.memory.last_write(at);
    check_write(w, at);
    w = mark_;
  }
}

void shared_writer::check_barriers(std::uint32_t address, std::uint32_t size) const {
  for (std::uint32_t at = address & ~7u; at < address + size; at += 8) {
    const std::int32_t b = memory_of_.memory.barrier_index(at);
    if (b < 0) continue;
    report(hazard_kind::barrier_reused,
           text(verb_, " of ", name(writer_), " writes over ", name(memory_of_.barriers[static_cast<std::size_t>(b)])));
  }
}

void shared_writer::check_reads(std::uint32_t address) {
  for (const event r : memory_of_.memory.reads_since(address)) {
    if (r == read_in_order_) continue;
    const bool own =
        owner_of(memory_of_, r).what == owner_kind::thread_reads && owner_of(memory_of_, r).thread == writer_.thread;
    if (!own && !knows(writer_.seen, r)) report_overwrite_of_read(memory_of_, writer_, r, address, verb_);
    read_in_order_ = r;
  }
}

void shared_writer::check_write(event before, std::uint32_t address) {
  if (before.by == 0 || before == write_in_order_) return;
  const bool in_order = through_ == proxy::async ? async_after_write(memory_of_, writer_, before)
                                                 : generic_after_write(memory_of_, writer_, before);
  if (!in_order) {
    report(kind_of_missing_order(memory_of_, writer_, before, hazard_kind::overwrite_in_flight),
           text(verb_, " of ", name(writer_), " writes ", name_bytes(memory_of_, address), ", ",
                missing_order(memory_of_, writer_, before, address, through_)));
  }
  write_in_order_ = before;
}

void read_ordinarily(cta& c, const observer& reader, event mark, std::uint32_t address, const char* verb) {
  if (!c.all->checked()) return;
  const event w = c.memory.last_write(address & ~3u);
  if (w.by != 0 && generic_after_write(c, reader, w)) return note_latest(c.memory.reads_since(address), mark);
  const std::string what = text(verb, " of ", name(reader), " reads ", name_bytes(c, address), ", ");
  if (w.by == 0) report(hazard_kind::read_before_full, text(what, "which nobody has written"));
  report(kind_of_missing_order(c, reader, w, hazard_kind::read_before_full),
         text(what, missing_order(c, reader, w, address, proxy::generic)));
}

void require_shared(const cta& c, const cuda_thread& by, std::uint32_t address, std::uint32_t size,
                    std::uint32_t alignment, const char* verb) {
  if (address % alignment != 0) {
    report(hazard_kind::misaligned,
           text(verb, " of ", name(by), ": shared address ", address, " is not a multiple of ", alignment));
  }
  if (!c.memory.contains(address, size)) {
    const std::uint32_t end = shared_window_base + c.all->what.shape.shared_bytes;
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(by), ": bytes ", address, "..", std::uint64_t{address} + size - 1,
                " lie outside the shared memory of the CTA, ", shared_window_base, "..", end - 1));
  }
}

}  // namespace sectile::model
