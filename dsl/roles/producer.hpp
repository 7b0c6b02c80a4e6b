// The producer's reading of a body: one thread that runs ahead and fills the rings, or, where rows are gathered, as
// many as copy them, of which the first one does all that one thread does. All it sees are the loads.
#pragma once
#include <sectile/dsl/roles/loads_only.hpp>

namespace sectile {

template <class K, class Machine>
struct producer : loads_only<producer<K, Machine>, K, Machine> {
  const parameters_for<K, Machine>& parameters;

  constexpr producer(Machine& machine, const parameters_for<K, Machine>& p, const place_in_cluster& at)
      : loads_only<producer, K, Machine>(machine, at), parameters(p) {}

  /// A tile for all consumers, or for each that has a lane of the ring its own: those are one below the other.
  template <int I>
  constexpr void on_load(int here, tile_at<K, I> at) {
    constexpr int lanes = ring_of<K, operand_plan_of<K, I>.ring>.lanes;
    constexpr int row = operand_facts_of<K, I>().position_of(operand_facts_of<K, work_operand<K>>().row_mode());
    fill_stage<I>(here, at);
    if constexpr (lanes > 1) {
      while (++this->lane < lanes) {
        ++at.at[row];
        fill_stage<I>(here, at);
      }
      this->lane = 0;
    }
  }

 private:
  /// Waits for a free stage, announces the bytes that the stage will receive, and sends this CTA's boxes on their way.
  template <int I>
  constexpr void fill_stage(int here, const tile_at<K, I>& at) {
    constexpr int r = operand_plan_of<K, I>.ring;
    const int stage = this->ring[r].stage;
    // A ring whose barriers do not wait for the others' copies may go on without them, so they have no part in it.
    if constexpr (ring_of<K, r>.copied_bytes == 0)
      if (!leads<K>(this->hw)) return;
    if constexpr (ring_of<K, r>.resident)
      if (this->ring[r].part > 0) return;  // it is there, for whatever work comes
    if (this->template first_of_stage<r>(here)) {
      constexpr int bytes = ring_of<K, r>.transaction_bytes;
      this->hw.mbarrier_wait(this->template empty_barrier<r>(stage), this->ring[r].parity ^ 1);
      if (leads<K>(this->hw)) this->hw.mbarrier_arrive_expect(this->template full_barrier<r>(stage), bytes);
    }
    if constexpr (operand_facts_of<K, I>().is_gathered())
      copy_rows<I>(*this, parameters, find_rows<I>(*this, parameters, at), at, this->template tile_address<I>(stage),
                   this->template full_barrier<r>(stage));
    else if (leads<K>(this->hw))
      send_boxes<I>(stage, at);
  }
  template <int I>
  constexpr void send_boxes(int stage, const tile_at<K, I>& at) {
    constexpr int r = operand_plan_of<K, I>.ring;
    if constexpr (operand_plan_of<K, I>.slices > 1) this->hw.observe_load(I, at.at, peers_of<I>());
    if constexpr (is_vector<K, I>)
      copy_vector<I>(at, this->template tile_address<I>(stage), this->template full_barrier<r>(stage));
    else
      copy_tile<I>(at, this->template tile_address<I>(stage), this->template full_barrier<r>(stage));
    if constexpr (operand_facts_of<K, I>().sparse)
      copy_metadata<I>(at, this->template metadata_address<I>(stage), this->template full_barrier<r>(stage));
  }
  /// The boxes of operand I's tile that this CTA fetches: all of it, or its slice of the rows, sent to every CTA of the
  /// cluster that loads the same tile.
  template <int I>
  constexpr void copy_tile(const tile_at<K, I>& at, std::uint32_t address, std::uint32_t barrier) {
    constexpr operand_plan op = operand_plan_of<K, I>;
    constexpr int panels = op.panels, boxes = op.boxes_per_panel, box_rows = op.box.extent[1];
    constexpr int width = op.box.extent[0] * op.facts.packing();  // elements
    constexpr int slices = op.slices, tile_rows = op.facts.strided(), slice_rows = tile_rows / slices;
    const int first_row = slices == 1 ? 0 : slice_of<I>() * slice_rows;
    for (int panel = 0; panel < panels; ++panel)
      for (int box = 0; box < boxes; ++box) {
        const int row = first_row + box * box_rows;
        const std::uint32_t to = address + static_cast<std::uint32_t>(box_offset(tile_rows, op.swizzle, panel, row));
        const auto c = tensor_coordinates<I>(at, panel * width, row);
        if constexpr (op.facts.im2col) {
          send_pixels<I>(to, barrier, parameters.im2col[I].at(c.at[2], c.at[1], c.at[0]));
        } else if constexpr (cut_of<K, I>() >= 0) {
          constexpr int rank = operand_handle<K, I>::rank;
          int in_map[rank + 1]{};
          for (int d = 0; d < rank; ++d) in_map[d] = c.at[d];
          group_for<K, I>(this->group).put(in_map);
          send<I>(to, parameters.map[I], barrier, in_map);
        } else {
          send<I>(to, parameters.map[I], barrier, c.at);
        }
      }
  }

  /// The boxes of a vector's part. (Of one that the vector does not have, whatever is there.)
  template <int I>
  constexpr void copy_vector(const tile_at<K, I>& at, std::uint32_t address, std::uint32_t barrier) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    const vector_place& place = parameters.vector[I];
    constexpr int boxes = boxes_of_vector(f), bytes = vector_box_offset(f, 1);
    constexpr line_shape shape(f);
    int lead = place.lead;
    if constexpr (cut_of<K, I>() >= 0 && Machine::computes) lead += group_for<K, I>(this->group).begin();
    for (int box = 0; box < boxes; ++box) {
      const int c[] = {place_on_line(shape, at.at, box, lead, place.stride)};
      this->hw.tma_load(address + static_cast<std::uint32_t>(box * bytes), parameters.map[I], barrier, c);
    }
  }

  /// The same for the metadata of a sparse operand, which is a matrix: all blocks along K, of this CTA's slice of the
  /// rows.
  template <int I>
  constexpr void copy_metadata(const tile_coordinates<2>& at, std::uint32_t address, std::uint32_t barrier) {
    constexpr metadata_plan m = operand_plan_of<K, I>.metadata;
    const int first = slice_of<I>() * m.box.extent[1];
    for (int k = 0; k < m.k_blocks; ++k) {
      const int word = (at.at[1] * m.k_blocks + k) * m.box.extent[0], c[]{word, at.at[0] * m.row_blocks + first};
      send<I>(address + static_cast<std::uint32_t>(metadata_offset(m, first, k)), parameters.metadata_map[I], barrier,
              c);
    }
  }

  template <int I, int Rank>
  constexpr void send(std::uint32_t to, const typename Machine::tensor_map& map, std::uint32_t barrier,
                      const int (&c)[Rank]) {
    if constexpr (operand_plan_of<K, I>.slices == 1)
      this->hw.tma_load(to, map, barrier, c);
    else
      this->hw.tma_load_multicast(to, map, barrier, c, peers_of<I>());
  }

  template <int I>
  constexpr void send_pixels(std::uint32_t to, std::uint32_t barrier, const im2col_coordinates& c) {
    if constexpr (operand_plan_of<K, I>.slices == 1)
      this->hw.tma_load_im2col(to, parameters.map[I], barrier, c.at, c.offset);
    else
      this->hw.tma_load_im2col_multicast(to, parameters.map[I], barrier, c.at, c.offset, peers_of<I>());
  }

  /// Coordinates as TMA counts them, innermost mode first, of the box that begins `column`, `row` behind the tile's
  /// first element (along and across the contiguous mode).
  template <int I>
  static constexpr auto tensor_coordinates(const tile_at<K, I>& tile, int column, int row) {
    constexpr int rank = operand_handle<K, I>::rank;
    return [&]<int... D>(std::integer_sequence<int, D...>) {
      return tile_coordinates<rank>{
          ((tile.at[mode<I, D>] * tile_extent<I, D> + (D == 0 ? column : D == 1 ? row : 0)) /
           (D == 0 ? packing<I> : 1))...};
    }(std::make_integer_sequence<int, rank>{});
  }
  /// The mode that is D-th from the innermost, and the tile's extent along it.
  template <int I, int D>
  static constexpr int mode = operand_facts_of<K, I>().mode_from_inside(D);
  template <int I, int D>
  static constexpr int tile_extent = operand_facts_of<K, I>().stored_extent(mode<I, D>);
  template <int I>
  static constexpr int packing = operand_facts_of<K, I>().packing();

  /// Which of the slices this CTA fetches. CTA (row, col) of a cluster has rank row + rows * col.
  template <int I>
  constexpr int slice_of() const {
    constexpr operand_plan op = operand_plan_of<K, I>;
    constexpr int rows = op.varies_with_row ? 1 : how_of<K>.cluster.rows;
    return (op.varies_with_row ? 0 : this->row_in_cluster) + (op.varies_with_col ? 0 : rows * this->col_in_cluster);
  }
  /// The CTAs that load the same tile of operand I as this one, a bit per rank.
  template <int I>
  constexpr std::uint16_t peers_of() const {
    constexpr operand_plan op = operand_plan_of<K, I>;
    constexpr int rows = how_of<K>.cluster.rows, cols = how_of<K>.cluster.cols;
    unsigned mask = 0;
    for (int c = 0; c < cols; ++c)
      for (int r = 0; r < rows; ++r)
        if ((!op.varies_with_row || r == this->row_in_cluster) && (!op.varies_with_col || c == this->col_in_cluster))
          mask |= 1u << (r + rows * c);
    if constexpr (!uses_workspace<K> && parts_of<K> > 1) mask <<= rows * cols * this->part;
    return static_cast<std::uint16_t>(mask);
  }
};

}  // namespace sectile
