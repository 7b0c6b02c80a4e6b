// The shared memory of one CTA: its bytes and, for the checker, who wrote and who read them last.
//
// Writes are tracked per 32-bit word (the smallest store there is), reads per 16 bytes (the unit in which TMA, wgmma
// and ldmatrix touch memory). An access is in order if whoever makes it knows of the events that went before
// (happens_before.hpp); whether it did harm in this run does not matter.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/tensor_elements.hpp>
#include <span>
#include <utility>
#include <vector>

namespace sectile::model {

struct cta;
struct cuda_thread;

struct shared_memory {
  /// Bytes at shared_window_base and up. Unwritten bytes are 0xFF, which is a NaN in every floating format.
  shared_memory(std::uint32_t size, bool tracked);

  bool contains(std::uint32_t address, std::uint32_t size) const;
  std::byte* at(std::uint32_t address) { return bytes_.data() + place(address); }
  const std::byte* at(std::uint32_t address) const { return bytes_.data() + place(address); }

  /// Index into cta::barriers of the mbarrier that lies in the 8 bytes at `address`, or -1.
  std::int32_t& barrier_index(std::uint32_t address) { return barrier_[place(address) / 8]; }
  std::int32_t barrier_index(std::uint32_t address) const { return barrier_[place(address) / 8]; }
  event& last_write(std::uint32_t address) { return writes_[place(address) / 4]; }
  event last_write(std::uint32_t address) const { return writes_[place(address) / 4]; }
  boost::container::small_vector<event, 2>& reads_since(std::uint32_t address) { return reads_[place(address) / 16]; }
  /// What the 16 bytes around `address` were copied from; known only if accesses are tracked.
  copy_source& source(std::uint32_t address) { return sources_[place(address) / 16]; }
  copy_source source(std::uint32_t address) const { return sources_[place(address) / 16]; }
  bool is_tracked() const { return !writes_.empty(); }

 private:
  static std::size_t place(std::uint32_t address) { return within_window(address) - shared_window_base; }

  std::vector<std::byte> bytes_;
  std::vector<std::int32_t> barrier_;                            // per 8 bytes
  std::vector<event> writes_;                                    // per 4 bytes
  std::vector<boost::container::small_vector<event, 2>> reads_;  // per 16 bytes: since the last write
  std::vector<copy_source> sources_;                             // per 16 bytes
};

/// A thread on whose behalf memory is accessed, with what it knew when it issued the access. `alike`: how many threads
/// of a collective instruction knew exactly the same.
struct observer {
  knowledge seen;
  const cuda_thread* thread;
  int trip = 0;  ///< that it was in
  int alike = 1;
};
observer observe(const cuda_thread& t);

/// The asynchronous reads of one instruction (wgmma, TMA store), checked and noted.
struct async_reader {
  /// `mark`: the event after which the reads are known to be over.
  async_reader(cta& c, std::span<const observer> readers, event mark, const char* verb)
      : memory_of_(c), readers_(readers), mark_(mark), verb_(verb) {}

  /// The 16 bytes at `address`, a multiple of 16. Throws a hazard.
  void read(std::uint32_t address);

 private:
  cta& memory_of_;
  std::span<const observer> readers_;
  event mark_;
  const char* verb_;
  event in_order_{};  // the write that was checked last
};

enum class proxy : std::uint8_t { generic, async };

/// The writes of one instruction, checked and noted.
struct shared_writer {
  /// `mark`: the event after which the bytes are known to be written.
  shared_writer(cta& c, observer writer, event mark, proxy through, const char* verb)
      : memory_of_(c), writer_(std::move(writer)), mark_(mark), through_(through), verb_(verb) {}

  /// `size` bytes at `address`, both multiples of 4, within one 16-byte piece. Throws a hazard.
  void write(std::uint32_t address, std::uint32_t size);

 private:
  void check_barriers(std::uint32_t address, std::uint32_t size) const;
  void check_reads(std::uint32_t address);
  void check_write(event before, std::uint32_t address);

  cta& memory_of_;
  observer writer_;
  event mark_;
  proxy through_;
  const char* verb_;
  event read_in_order_{}, write_in_order_{};  // what was checked last
};

/// "the tma_load of producer (thread 0, k = 3)": who brought the bytes at `address`, which a load has written.
std::string name_copy(const cta& c, std::uint32_t address);

/// An ordinary read within the 4 bytes at `address` (rounded down), noted. Throws a hazard unless the thread is ordered
/// after the last write of them. `mark`: the event after which the read is known to be over.
void read_ordinarily(cta& c, const observer& reader, event mark, std::uint32_t address, const char* verb);

/// Throws out_of_range or misaligned unless `size` bytes at `address` lie in the CTA's shared memory, aligned.
void require_shared(const cta& c, const cuda_thread& by, std::uint32_t address, std::uint32_t size,
                    std::uint32_t alignment, const char* verb);

}  // namespace sectile::model
