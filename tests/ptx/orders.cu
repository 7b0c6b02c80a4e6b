// What orders memory between threads, a kernel for each verb of the machine that does: which instructions it is, the
// lines with `ptx:` say, and orders.cmake looks. A weaker one would pass every other test, on a GPU as well, as what it
// leaves undone happens to be done nearly always.
#include <sectile/dsl/hopper/barriers.hpp>
#include <sectile/dsl/hopper/tma.hpp>
#include <sectile/dsl/hopper/wgmma.hpp>
#include <sectile/dsl/hopper/workspace.hpp>

using namespace sectile;
using counters = ticket_counters;

namespace {
struct verbs : hopper::barrier_verbs, hopper::copy_verbs, hopper::wgmma_verbs, hopper::workspace_verbs {};
}  // namespace

#define KERNEL(name, ...) extern "C" __global__ void name(__VA_ARGS__)

// ---- tickets: who takes a later one sees what was written before an earlier one
// ptx: take_ticket: atom.acq_rel.gpu.global.add.u64 atom.relaxed.gpu.global.cas.b64
// ptx: take_ticket: ld.relaxed.gpu.global.u64 st.relaxed.gpu.global.u64
KERNEL(take_ticket, counters of, int* to) { *to = verbs::take_ticket(of, 1, 3); }
// ptx: take_place: atom.acq_rel.gpu.global.add.u64 atom.relaxed.gpu.global.cas.b64
// ptx: take_place: ld.relaxed.gpu.global.u64 st.relaxed.gpu.global.u64
KERNEL(take_place, counters of, int* to) { *to = verbs::take_place(of, 1, 3); }
// ptx: await_tickets: ld.acquire.gpu.global.u64
KERNEL(await_tickets, counters of) { verbs::await_tickets(of, 1, 3); }
// ptx: open_tickets: atom.relaxed.gpu.global.cas.b64 ld.relaxed.gpu.global.u64
KERNEL(open_tickets, counters of) { verbs::open_tickets(of, 1); }
// A drawn number tells nothing of memory.
// ptx: draw_ticket: atom.relaxed.gpu.global.add.u64
KERNEL(draw_ticket, counters of, std::uint64_t* to) { *to = verbs::draw_ticket(of, 1); }
// ptx: number_drawn: atom.relaxed.gpu.global.add.u64 atom.relaxed.gpu.global.cas.b64
// ptx: number_drawn: ld.relaxed.gpu.global.u64 st.relaxed.gpu.global.u64
KERNEL(number_drawn, counters of, std::uint64_t found, int* to) { *to = verbs::number_drawn(of, 1, found, 3); }
// What other SMs have left is in L2.
// ptx: load_workspace: ld.global.cg.v4.b32
KERNEL(load_workspace, const std::byte* sums, std::uint32_t* to) {
  std::uint32_t word[4];
  verbs::load_workspace(word, sums, 16);
  *to = word[0] + word[1] + word[2] + word[3];
}
// ptx: load_number: ld.global.cg.f32
KERNEL(load_number, const float* numbers, float* to) { *to = verbs::load_number(numbers, 1, true); }
// ptx: load_numbers: ld.global.cg.v4.b32
KERNEL(load_numbers, const float* numbers, std::uint32_t* to) {
  std::uint32_t word[4];
  verbs::load_numbers(word, numbers, 4, true);
  *to = word[0] + word[1] + word[2] + word[3];
}
// ptx: warp_sync: bar.warp.sync
KERNEL(warp_sync) { verbs::warp_sync(); }

// ---- barriers
// ptx: mbarrier_init_fence: fence.mbarrier_init.release.cluster
KERNEL(mbarrier_init_fence) { verbs::mbarrier_init_fence(); }
// ptx: mbarrier_wait: mbarrier.try_wait.parity.shared::cta.b64
KERNEL(mbarrier_wait, std::uint32_t barrier) { verbs::mbarrier_wait(barrier, 0); }
// ptx: mbarrier_wait_acquire: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
KERNEL(mbarrier_wait_acquire, std::uint32_t barrier) { verbs::mbarrier_wait_acquire(barrier, 0); }
// ptx: mbarrier_arrive: mbarrier.arrive.shared::cta.b64
KERNEL(mbarrier_arrive, std::uint32_t barrier) { verbs::mbarrier_arrive(barrier); }
// ptx: mbarrier_arrive_at: mbarrier.arrive.shared::cluster.b64
KERNEL(mbarrier_arrive_at, std::uint32_t barrier) { verbs::mbarrier_arrive_at(barrier, 1); }
// ptx: mbarrier_arrive_release: mbarrier.arrive.release.cluster.shared::cluster.b64
KERNEL(mbarrier_arrive_release, std::uint32_t barrier) { verbs::mbarrier_arrive_release(barrier, 1); }
// ptx: mbarrier_arrive_expect: mbarrier.arrive.expect_tx.shared::cta.b64
KERNEL(mbarrier_arrive_expect, std::uint32_t barrier) { verbs::mbarrier_arrive_expect(barrier, 64); }
// ptx: cluster_sync: bar.sync barrier.cluster.arrive.aligned barrier.cluster.wait.aligned
KERNEL(cluster_sync) { verbs::cluster_sync(); }
// ptx: cluster_begin: barrier.cluster.arrive.relaxed.aligned barrier.cluster.wait.acquire.aligned
KERNEL(cluster_begin) { verbs::cluster_begin(); }
// ptx: cluster_arrive: barrier.cluster.arrive.release.aligned
KERNEL(cluster_arrive) { verbs::cluster_arrive(); }
// ptx: cluster_wait: barrier.cluster.wait.acquire.aligned
KERNEL(cluster_wait) { verbs::cluster_wait(); }
// ptx: griddepcontrol_wait: griddepcontrol.wait
KERNEL(griddepcontrol_wait) { verbs::griddepcontrol_wait(); }

// ---- between threads, TMA and tensor cores
// ptx: fence_proxy_async: fence.proxy.async.shared::cta
KERNEL(fence_proxy_async) { verbs::fence_proxy_async(); }
// ptx: bulk_commit: cp.async.bulk.commit_group
KERNEL(bulk_commit) { verbs::bulk_commit(); }
// ptx: bulk_wait_read: cp.async.bulk.wait_group.read
KERNEL(bulk_wait_read) { verbs::bulk_wait_read<1>(); }
// ptx: bulk_wait: cp.async.bulk.wait_group
KERNEL(bulk_wait) { verbs::bulk_wait<0>(); }
// ptx: mbarrier_arrive_copied: cp.async.mbarrier.arrive.noinc.shared::cta.b64
KERNEL(mbarrier_arrive_copied, std::uint32_t barrier) { verbs::mbarrier_arrive_copied(barrier); }
// ptx: wgmma_fence: wgmma.fence.sync.aligned
KERNEL(wgmma_fence) { verbs::wgmma_fence(); }
// ptx: wgmma_commit: wgmma.commit_group.sync.aligned
KERNEL(wgmma_commit) { verbs::wgmma_commit(); }
// ptx: wgmma_wait: wgmma.wait_group.sync.aligned
KERNEL(wgmma_wait) { verbs::wgmma_wait<1>(); }
