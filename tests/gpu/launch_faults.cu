// Kernels that fail on the device, and whom the messages suspect, each in a process of its own.
//
//   gpu_launch_faults [NAME]
//
// With NAME only the scenarios whose name contains it. Exit code: 0 if all is right, 1 if not, 77 without a GPU.
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <functional>
#include <string>

#include "tests/gpu/in_child.hpp"
#include "tests/gpu/mapped_memory.hpp"
#include "tests/gpu/refusing.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using gemm = sectile::kernels::gemm_bf16;
using product = device_product<bf16>;

__global__ void write_to(int* p) { *p = 1; }
__global__ void stop_with_a_trap() { __trap(); }
/// A box of a vector that begins with this element.
__global__ void copy_from(const __grid_constant__ sectile::hopper::tensor_map map, int first, int bytes) {
  __shared__ alignas(128) std::uint64_t memory[32];
  sectile::hopper::machine hw{.base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory))};
  const std::uint32_t barrier = hw.base + 128;
  const int place[] = {first};
  hw.mbarrier_init(barrier, 1);
  hw.mbarrier_init_fence();
  hw.mbarrier_arrive_expect(barrier, bytes);
  hw.tma_load(hw.base, map, barrier, place);
  hw.mbarrier_wait(barrier, 0);
}

int* const nowhere = reinterpret_cast<int*>(16);
int* const odd = reinterpret_cast<int*>(17);

cudaStream_t make_stream() {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  return stream;
}

/// What `call` throws as a device_error; what else it does is said in brackets.
std::string failure_of(const std::function<void()>& call) {
  try {
    call();
    return "(it returned)";
  } catch (const sectile::device_error& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("(no device_error: ") + e.what() + ")";
  }
}

struct expectation {
  tally& count;
  std::string what, said;

  expectation& says(const std::string& part) {
    count.expect(contains(said, part), what, "expected '" + part + "', got '" + said + "'");
    return *this;
  }
  expectation& does_not_say(const std::string& part) {
    count.expect(!contains(said, part), what, "did not expect '" + part + "', got '" + said + "'");
    return *this;
  }
};

std::string number(std::uint64_t n) { return "launch " + std::to_string(n) + ", gemm<bf16, bf16, bf16"; }

/// A foreign kernel fails between ours: those since the last finish are suspected, and later launches say so.
void foreign_kernel(tally& count, const std::function<void(cudaStream_t)>& fail, const std::string& error) {
  product p(100);
  const cudaStream_t on = make_stream();
  p.queue(on);
  sectile::finish(on);
  const std::uint64_t good = sectile::history().latest();
  p.queue(on);
  fail(on);
  expectation{count, "finish", failure_of([&] { sectile::finish(on); })}
      .says("waiting for stream 0x")
      .says("earlier work on device 0 has failed: ")
      .says(error)
      .says("launches that are not known to have finished: " + number(good + 1))
      .says("(A " + std::to_string(p.problem.m) + " x " + std::to_string(p.problem.k))
      .does_not_say(number(good));
  expectation{count, "the next launch", failure_of([&] { p.queue(on); })}
      .says("earlier work on device 0 has failed: ")
      .says(error)
      .says(number(good + 1))
      .does_not_say(number(good + 2));
}

void illegal_address(tally& count) {
  foreign_kernel(
      count, [](cudaStream_t on) { write_to<<<1, 1, 0, on>>>(nowhere); }, "cudaErrorIllegalAddress");
}
void misaligned_address(tally& count) {
  foreign_kernel(
      count, [](cudaStream_t on) { write_to<<<1, 1, 0, on>>>(odd); }, "cudaErrorMisalignedAddress");
}
/// The model refuses such a box: boxes begin at 16 bytes of the contiguous mode.
void inside_of_16_bytes(tally& count) {
  float* vector = nullptr;
  check(cudaMalloc(&vector, 64 * sizeof(float)), "allocating");
  const auto copy = [vector](int first) {
    return [vector, first](cudaStream_t on) {
      sectile::map_request r{vector, {64}, {4}, {}, sectile::element_of<float>()};
      r.box = {.rank = 1, .element_bits = 32};
      r.box.extent[0] = 8;
      sectile::hopper::tensor_map map{};
      sectile::hopper::encode_map(r, map);
      copy_from<<<1, 1, 0, on>>>(map, first, 32);
    };
  };
  copy(4)(nullptr);
  check(cudaDeviceSynchronize(), "a box that begins with element 4");
  foreign_kernel(count, copy(5), "cudaErrorIllegalInstruction");
}
void trap(tally& count) {
  foreign_kernel(
      count, [](cudaStream_t on) { stop_with_a_trap<<<1, 1, 0, on>>>(); }, "a trap");
}

/// The launches of the stream that is waited for come first.
void two_streams(tally& count) {
  product p(100), q(101);
  const cudaStream_t one = make_stream(), two = make_stream();
  p.run();
  sectile::finish();
  const std::uint64_t good = sectile::history().latest();
  p.queue(one);
  q.queue(two);
  write_to<<<1, 1, 0, two>>>(nowhere);
  cudaStreamSynchronize(two);
  const std::string said = failure_of([&] { sectile::finish(one); });
  expectation{count, "finish of the other stream", said}.says(number(good + 1)).says(number(good + 2));
  count.expect(said.find(number(good + 1)) < said.find(number(good + 2)), "finish of the other stream",
               "the other stream's launches come first: " + said);
}

/// Where each launch waits, a failure before one is not its own.
void waiting_after_a_foreign_kernel(tally& count) {
  product p(100);
  const cudaStream_t on = make_stream();
  sectile::wait_for_each_launch(true);
  p.queue(on);
  const std::uint64_t good = sectile::history().latest();
  write_to<<<1, 1, 0, on>>>(nowhere);
  expectation{count, "a launch behind a kernel that fails", failure_of([&] { p.queue(on); })}
      .says("earlier work on device 0 has failed: ")
      .says("no launch of Sectile was under way")
      .does_not_say("launch " + std::to_string(good));
}

/// A launch whose A has a hole in the middle, where no check can look: it fails, and is named.
void own_kernel(tally& count, bool waits) {
  constexpr int m = 4096, n = 128, k = 512;  // A: 4 MiB
  mapped_memory memory(3);
  count.expect(memory.piece_bytes == 2 << 20, "a piece of mapped memory",
               std::to_string(memory.piece_bytes) + " bytes");
  memory.map(0);
  memory.map(2);
  void *b = nullptr, *c = nullptr;
  check(cudaMalloc(&b, sizeof(bf16) * n * k), "allocating device memory");
  check(cudaMalloc(&c, sizeof(bf16) * m * n), "allocating device memory");
  const auto a = reinterpret_cast<const bf16*>(memory.base + (1 << 20));
  const auto launch = [&] {
    sectile::launch<gemm>(sectile::matrix(a, m, k), sectile::matrix(static_cast<const bf16*>(b), n, k),
                          sectile::matrix(static_cast<bf16*>(c), m, n));
  };
  const std::string sizes = " (A 4096 x 512, B 128 x 512, C 4096 x 128)";
  sectile::wait_for_each_launch(waits);
  if (!waits) {
    launch();
    expectation{count, "finish", failure_of([] { sectile::finish(); })}
        .says("waiting for the default stream: earlier work on device 0 has failed: ")
        .says(number(1))
        .says(sizes);
    return;
  }
  expectation{count, "a launch that waits", failure_of(launch)}.says(number(1)).says(
      sizes + " on the default stream, has failed on device 0: ");
}

}  // namespace

int main(int count, char** words) {
  const scenario all[] = {
      {"illegal address", illegal_address},
      {"misaligned address", misaligned_address},
      {"a box that begins inside of 16 bytes", inside_of_16_bytes},
      {"trap", trap},
      {"two streams", two_streams},
      {"waiting after a foreign kernel", waiting_after_a_foreign_kernel},
      {"own kernel", [](tally& c) { own_kernel(c, false); }},
      {"own kernel, waited for", [](tally& c) { own_kernel(c, true); }},
  };
  return run_in_children(all, count > 1 ? words[1] : "");
}
