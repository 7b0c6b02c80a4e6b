// Groups of rows, on a GPU and on the model. Operands are small whole numbers, so sums have the same bits. Exits with 77
// where there is no GPU.
#include <sectile/dsl/launch/checked.hpp>

#include <algorithm>
#include <sectile/kernels/grouped_block_scaled.hpp>
#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/groups.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
namespace groups = sectile::test::groups;

constexpr int row_padding = 8;  // elements between rows of X and Y

/// Ends of groups of these sizes, in memory that both reach.
struct group_sizes {
  shared_memory<s32> ends;
  int count, rows = 0;
  explicit group_sizes(const std::vector<int>& sizes) : ends(static_cast<int>(sizes.size())), count(ends.count) {
    for (int e = 0; e < count; ++e) ends.get()[e] = rows += sizes[static_cast<std::size_t>(e)];
  }
  auto view() const { return tensor(ends.in(), count); }
};
/// So many groups of 0 to 2 * mean rows.
std::vector<int> some_sizes(int count, int mean) {
  std::vector<int> sizes;
  for (int e = 0; e < count; ++e)
    sizes.push_back(static_cast<int>(random_bits(99, static_cast<unsigned>(e)) % (2U * static_cast<unsigned>(mean) + 1)));
  return sizes;
}

template <class Out, configuration How>
void check_rows(const char* name, const std::vector<int>& sizes, int n, int k) {
  const group_sizes all(sizes);
  const int in_pitch = k + row_padding, pitch = (n + 7) / 8 * 8 + row_padding;
  shared_memory<bf16> x(all.rows * in_pitch), w(all.count * n * k);
  x.fill(1), w.fill(2);
  output_pair<Out> y("Y", all.rows * pitch);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<groups::rows<Out, How>>(d, s, matrix(x.in(), all.rows, k, in_pitch), tensor(w.in(), all.count, n, k),
                                       all.view(), matrix(y.on(d), all.rows, n, pitch));
      },
      y);
}

/// Rooms of as many rows for each group: Y is compared as a whole, and what is behind a group stays as it was.
template <class Out, configuration How>
void check_rooms(const char* name, const std::vector<int>& sizes, int room, int n, int k) {
  const int groups = static_cast<int>(sizes.size()), rows = groups * room;
  shared_memory<s32> counts(groups);
  std::copy(sizes.begin(), sizes.end(), counts.get());
  shared_memory<bf16> x(rows * k), w(groups * n * k);
  x.fill(1), w.fill(2);
  output_pair<Out> y("Y", rows * n);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<groups::rows_in_rooms<Out, How>>(d, s, matrix(x.in(), rows, k), tensor(w.in(), groups, n, k),
                                                tensor(counts.in(), groups), matrix(y.on(d), rows, n));
      },
      y);
}

/// Products of 8-bit floats with scales for blocks of K.
template <class K>
void check_scaled(const char* name, const std::vector<s32>& given, int rows) {
  constexpr int n = 200, k = 304, squares = 2, blocks = 3;
  const int groups = static_cast<int>(given.size());
  shared_memory<s32> numbers(groups);
  std::copy(given.begin(), given.end(), numbers.get());
  shared_memory<e4m3> x(rows * k), w(groups * n * k);
  shared_memory<float> sx(blocks * (rows + 3) + 1), sw(groups * squares * blocks);
  x.fill(1), w.fill(2), sx.fill(3), sw.fill(4);
  output_pair<bf16> y("Y", rows * n);
  shared_workspace memory(128);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        const auto run = [&](const auto&... more) {
          run_on<K>(d, s, matrix(x.in(), rows, k), tensor(w.in(), groups, n, k),
                    matrix(sx.in() + 1, blocks, rows, rows + 3), tensor(sw.in(), groups, squares, blocks),
                    tensor(numbers.in(), groups), matrix(y.on(d), rows, n), more...);
        };
        if constexpr (needs_workspace(plan_of<K>))
          run(memory.view());
        else
          run();
      },
      y);
}

void check_gated(const std::vector<int>& sizes) {
  const group_sizes all(sizes);
  constexpr int n = 40, k = 96;
  shared_memory<bf16> x(all.rows * k), g(all.count * n * k), u(all.count * n * k);
  shared_memory<float> w(all.rows + 1), b(all.count * n);
  x.fill(1), g.fill(2), u.fill(3), w.fill(4), b.fill(5);
  output_pair<bf16> y("Y", all.rows * n);
  compare(
      "gated",
      [&](bool d, cudaStream_t s) {
        run_on<groups::gated<groups::plain>>(d, s, matrix(x.in(), all.rows, k), tensor(g.in(), all.count, n, k),
                                             tensor(u.in(), all.count, n, k), tensor(w.in() + 1, all.rows),
                                             tensor(b.in(), all.count, n), all.view(), matrix(y.on(d), all.rows, n));
      },
      y);
}

template <configuration How>
void check_sums(const char* name, const std::vector<int>& sizes) {
  const group_sizes all(sizes);
  constexpr int n = 72, k = 80;
  shared_memory<bf16> dy(all.rows * n), x(all.rows * k);
  dy.fill(1), x.fill(2);
  output_pair<float> dw("dW", all.count * n * k);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<groups::sums_of_rows<How>>(d, s, matrix(dy.in(), all.rows, n), matrix(x.in(), all.rows, k), all.view(),
                                          tensor(dw.on(d), all.count, n, k));
      },
      dw);
}

/// Rows in heads that meet others, each cut by a vector of its own.
void check_meeting(const std::vector<int>& sizes, const std::vector<s32>& given) {
  const group_sizes all(sizes);
  constexpr int heads = 3, room = 130, k = 64, d = 64;
  const int others = room * all.count;
  shared_memory<s32> counts(all.count);
  std::copy(given.begin(), given.end(), counts.get());
  shared_memory<bf16> q(heads * all.rows * k), z(heads * others * k), v(heads * others * d);
  q.fill(1), z.fill(2), v.fill(3);
  output_pair<float> o("O", heads * all.rows * d), most("most", heads * all.rows);
  compare(
      "rows that meet others",
      [&](bool on, cudaStream_t s) {
        run_on<groups::rows_meet_others<groups::scoring>>(
            on, s, tensor(q.in(), heads, all.rows, k), tensor(z.in(), heads, others, k),
            tensor(v.in(), heads, others, d), all.view(), tensor(counts.in(), all.count),
            tensor(o.on(on), heads, all.rows, d), tensor(most.on(on), heads, all.rows));
      },
      o, most);
}

/// Ends that nobody should have written: nothing beside Y changes, and the GPU comes to an end.
void check_wrong_ends() {
  constexpr int rows = 300, n = 72, k = 64, count = 5, beside = 4096;
  const s32 wrong[][count] = {{-5, 10, 20, 30, 300}, {100, 50, 300, 300, 300}, {10, 20, 1000000, 300, 300},
                              {-2147483647, 2147483647, 0, 2147483647, -1}, {400, 300, 200, 100, 0}};
  shared_memory<bf16> x(rows * k), w(count * n * k), y(rows * n + 2 * beside);
  shared_memory<s32> ends(count);
  x.fill(1), w.fill(2);
  int touched = 0;
  for (const auto& these : wrong) {
    std::memset(y.get(), 0xFF, static_cast<std::size_t>(y.count) * sizeof(bf16));
    std::copy(these, these + count, ends.get());
    launch<groups::rows<bf16, groups::pairs>>(matrix(x.in(), rows, k), tensor(w.in(), count, n, k),
                                              tensor(ends.in(), count), matrix(y.get() + beside, rows, n));
    check(cudaDeviceSynchronize());
    for (int i = 0; i < beside; ++i)
      for (const int at : {i, beside + rows * n + i}) touched += __builtin_bit_cast(std::uint16_t, y.get()[at]) != 0xFFFF;
  }
  failures += touched > 0;
  std::printf("%s ends that are none: %d elements beside Y are touched\n", touched ? "FAIL" : "ok  ", touched);
}

/// The debug machine finds nothing to report but a group that is none.
void check_watched() {
  group_sizes all({70, 0, 1, 200, 0, 64});
  constexpr int n = 72, k = 96;
  shared_memory<bf16> x(all.rows * k), w(all.count * n * k), y(all.rows * n);
  x.fill(1), w.fill(2);
  const auto run = [&] {
    launch<checked<groups::rows<bf16, groups::pairs>>>(matrix(x.in(), all.rows, k), tensor(w.in(), all.count, n, k),
                                                       all.view(), matrix(y.get(), all.rows, n));
  };
  check_watched_run(run);
  all.ends.get()[2] = 69;
  check_wrong_run(run, "a group that ends before it begins", "group 2 of ends ends before it begins");
}

void check_all() {
  check_rows<bf16, groups::plain>("tiles of groups", {70, 0, 1, 200, 0, 64}, 72, 96);
  check_rows<bf16, groups::plain>("a few rows", {0, 0, 3}, 8, 8);
  check_rows<float, groups::pairs>("in clusters", {300, 1, 0, 129, 256, 7}, 70, 104);
  check_rows<bf16, groups::own>("consumers with own tiles", {300, 1, 0, 129, 256, 7}, 70, 104);
  check_rows<bf16, groups::swapped>("swapped", {30, 1, 0, 16, 0, 7}, 70, 104);
  check_rows<bf16, groups::pairs>("many groups", some_sizes(200, 40), 136, 72);
  check_rows<bf16, groups::plain>("many groups, no clusters", some_sizes(300, 20), 136, 72);
  check_rooms<bf16, groups::plain>("rooms", {70, 0, 100, 1}, 100, 72, 96);
  check_rooms<float, groups::pairs>("rooms, in clusters", {300, 0, 1, 129, 256}, 300, 72, 104);
  check_scaled<kernels::grouped_block_scaled_gemm<e4m3, bf16>>("scaled", {70, 70, 71, 203}, 210);
  check_scaled<kernels::grouped_block_scaled_gemm<e4m3, bf16, 128>>("scaled, 128 columns", {70, 70, 71, 203}, 210);
  check_scaled<kernels::tall_grouped_block_scaled_gemm<e4m3, bf16>>("scaled, 256 rows, drawn", {300, 300, 301, 700},
                                                                    707);
  check_scaled<kernels::masked_block_scaled_gemm<e4m3, bf16>>("scaled, rooms", {70, 0, 99}, 297);
  check_gated({100, 0, 30, 65});
  check_sums<groups::summing>("sums over rows", {70, 0, 1, 200, 0, 64});
  check_sums<groups::summing_in_pairs>("sums over rows, in clusters", {0, 5, 300});
  check_meeting({70, 0, 1, 130}, {130, 7, 0, 65});
  check_wrong_ends();
  check_watched();
}

}  // namespace

int main() { return run_checks(check_all); }
