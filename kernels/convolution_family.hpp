// The configurations of a convolution: a launch picks by the sizes.
//
// They are what is left of about a hundred that were raced over the shapes of ResNet-50 and of two UNets on an H200, by
// what each adds to the geometric mean. Every place of a filter brings the same pixels once more, from L2, so what
// counts more than in a plain product is how much of a tile's operands two CTAs share. Few filters: pixels lie along
// the instruction's columns, 256 at once. Few pixels and long sums: parts of the sums in CTAs of their own, or the
// tiles of the last wave in parts.
#pragma once
#include <sectile/kernels/convolution.hpp>

namespace sectile::kernels {

/// Tiles of so many pixels of the output and so many filters; 128 bytes of channels at a time.
struct convolution_tile {
  int m, k;
};
template <class T>
constexpr configuration convolution_member(convolution_tile t, int stages, cluster_shape cluster = {}) {
  return {.tile = {{"M", t.m}, {"K", t.k}, {"C", 1024 / element_of<T>().bits}},
          .stages = stages,
          .cluster = cluster,
          .consumers = t.m < 256 ? t.m / 64 : 2,
          .overlap = cluster.size() == 1 && t.m * t.k <= 128 * 160 ? launch_overlap::both : launch_overlap::prologue};
}
/// CTAs that walk over tiles.
template <class T>
constexpr configuration walking_convolution(convolution_tile t, int stages, cluster_shape cluster = {}) {
  configuration c = convolution_member<T>(t, stages, cluster);
  c.persistent = true;
  c.overlap = t.m * t.k <= 128 * 144 ? launch_overlap::both : launch_overlap::prologue;
  return c;
}
/// A tile for each of two consumers, by turns.
template <class T>
constexpr configuration own_convolution(convolution_tile t, int stages, cluster_shape cluster = {}) {
  configuration c = walking_convolution<T>(t, stages, cluster);
  c.consumers = 2;
  c.own_tiles = true;
  return c;
}
/// Sums in parts.
template <class T>
constexpr configuration parted_convolution(int parts, convolution_tile t, int stages, cluster_shape cluster = {}) {
  configuration c = convolution_member<T>(t, stages, cluster);
  c.split = parts;
  return c;
}
/// The same with filters along the instruction's rows.
constexpr configuration turned(configuration c, convolution_tile t) {
  c.swap = true;
  if (!c.own_tiles) c.consumers = t.k < 256 ? t.k / 64 : 2;
  return c;
}
template <class T>
constexpr configuration turned_convolution(convolution_tile t, int stages, cluster_shape cluster = {}) {
  return turned(walking_convolution<T>(t, stages, cluster), t);
}

/// For images of few channels: 32 bytes of them at a time.
template <class T>
constexpr configuration of_few_channels(convolution_tile t, int stages) {
  return walking_convolution<T>(t, stages).with_tile({{"M", t.m}, {"K", t.k}, {"C", 256 / element_of<T>().bits}});
}

/// How many parts a sum has hangs on the sizes, and so do its last bits. (A launch takes streamed tiles only where it
/// was given a workspace.)
template <class In, class Out>
struct convolution_family : convolution<In, Out> {
  static constexpr auto how = [] {
    constexpr auto walks = walking_convolution<In>, own = own_convolution<In>, one = convolution_member<In>;
    constexpr auto parts = parted_convolution<In>;
    constexpr auto turned_walks = turned_convolution<In>;
    return configurations(
        walks({128, 256}, 4, {2, 1}), walks({192, 128}, 5, {2, 1}), walks({192, 128}, 5, {}),
        walks({192, 160}, 4, {2, 1}), walks({256, 64}, 5, {}), of_few_channels<In>({256, 64}, 14),  //
        own({128, 64}, 8, {}), own({128, 128}, 6, {}), own({128, 128}, 6, {1, 2}), own({192, 128}, 4, {}),
        turned(own({256, 64}, 5, {}), {256, 64}),                                                     //
        one({64, 64}, 9, {}), one({64, 256}, 5, {}), one({128, 160}, 5, {}), one({192, 128}, 5, {}),  //
        turned_walks({64, 256}, 5, {}), turned_walks({144, 256}, 4, {}), turned_walks({144, 256}, 4, {2, 1}),
        turned_walks({192, 128}, 5, {2, 1}), turned_walks({224, 128}, 4, {2, 1}), turned_walks({256, 128}, 4, {}),  //
        parts(2, {64, 160}, 7, {}), parts(2, {128, 160}, 5, {}), parts(2, {128, 256}, 4, {}),
        parts(2, {192, 160}, 4, {}), parts(4, {128, 128}, 6, {}), parts(8, {64, 64}, 9, {}),
        parts(8, {128, 160}, 5, {}),  //
        walks({128, 160}, 5, {}).with_streamed_tiles(), walks({128, 160}, 5, {2, 1}).with_streamed_tiles(),
        walks({128, 256}, 4, {}).with_streamed_tiles(), turned_walks({256, 128}, 4, {2, 1}).with_streamed_tiles());
  }();
  static constexpr auto sums = any_order;
};

using convolution_bf16_family = convolution_family<bf16, bf16>;

}  // namespace sectile::kernels

#ifndef SECTILE_NO_TABLES
#include <sectile/kernels/tables/convolution_bf16_family.hpp>
#endif
