// TMA: boxes of tensors in host memory copied to and from shared memory (PTX ISA, `cp.async.bulk.tensor`).
#pragma once

#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <sectile/dsl/model/tensor_map.hpp>
#include <sectile/dsl/model/trips.hpp>
#include <vector>

namespace sectile::model {

struct cuda_thread;

/// The bulk stores of one thread, in groups. Group g (the first is 1) is groups[g - 1]; the last one is open.
struct bulk_stores {
  struct group {
    int stores = 0;
    int to_read = 0, to_write = 0;  ///< of these: source not yet read, destination not yet written
    int trip = unknown_trip;        ///< of the loop in which the last of them was issued
  };

  component id = 0;  ///< counts groups whose sources have been read
  std::vector<group> groups{1};
  std::uint32_t issued = 0;        ///< stores
  std::uint32_t reads_waited = 0;  ///< groups that bulk_wait or bulk_wait_read have covered

  std::uint32_t committed() const { return static_cast<std::uint32_t>(groups.size()) - 1; }
};

/// Copies the box at `coord` to `destination` of the CTAs in `mask`; each one's barrier is told. `offset`: of a map in
/// im2col mode, along W and H; else nullptr.
void load_box(cuda_thread& t, std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int* coord,
              int rank, std::uint32_t mask, const std::uint16_t* offset = nullptr);
void store_box(cuda_thread& t, const tensor_map& map, std::uint32_t source, const int* coord, int rank);
void commit_bulk_group(cuda_thread& t);
/// Until at most `newest` groups have sources that are still to be read.
void wait_for_bulk_reads(cuda_thread& t, int newest);
/// Until at most `newest` groups are incomplete.
void wait_for_bulk_writes(cuda_thread& t, int newest);
/// Throws if the thread exits without having waited for the sources of its stores.
void check_bulk_at_exit(const cuda_thread& t);

}  // namespace sectile::model
