// Readings of a body that see nothing but its loads: whatever else it does only counts positions.
#pragma once
#include <sectile/dsl/roles/parameters.hpp>
#include <sectile/dsl/roles/role.hpp>

namespace sectile {

/// Base of them. Derived says what it does when it comes to a tile that is loaded, in on_load<I>(position, at).
template <class Derived, class K, class Machine>
struct loads_only : role_base<Derived, K, Machine> {
  static constexpr bool computes = false, clears_accumulators = false;
  struct slot {};
  struct nothing {};
  template <class T, int N>
  using registers = nothing;  // fragments are empty here

  constexpr loads_only(Machine& machine, const place_in_cluster& at)
      : role_base<Derived, K, Machine>(machine, at) {}

  template <int I>
  constexpr loaded_tile<Derived, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    pass_load<I>(at);
    return {&this->self(), {}};
  }
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<Derived, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    if constexpr (is_vector_with_tiles<K, I>) {
      pass_load<I>(at);
      return {&this->self(), {}, {}};
    } else {
      return {&this->self()};
    }
  }
  template <int I>
  constexpr void end_reading(const loaded_vector<Derived, I>&) {
    this->template pass_own<event_kind::read, I>();
  }
  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<Derived, I>&) {
    this->template pass_own<event_kind::read, I>();
    return tile_fragment<Transposed, loaded_tile<Derived, I>>(this->self());
  }
  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc&, const A&, const B&) {
    this->pass();
  }
  constexpr void touch(auto&) { this->pass(); }
  constexpr void give_up(auto& x) { touch(x); }
  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>&, const Fragment&) {
    this->pass();
  }
  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>&, const Rows&) {}
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>&, const tile_at<K, I>&, const X& x, reduction) {
    touch_value(x);
  }
  constexpr void finish() { this->template follow<event_kind::finish>(this->here()); }

 private:
  template <int I>
  constexpr void pass_load(const tile_at<K, I>& at) {
    const int here = this->template pass_own<event_kind::load, I>();
    this->template follow_load<I>(here);
    this->self().template on_load<I>(here, at);
    this->template count_member<operand_plan_of<K, I>.ring>(here);
  }
};

/// A consumer that looks on while another one makes a tile: it learns how far the rings go.
template <class K, class Machine>
struct onlooker : loads_only<onlooker<K, Machine>, K, Machine> {
  int loaded[max_rings]{};  // stages

  constexpr onlooker(Machine& machine, const place_in_cluster& at)
      : loads_only<onlooker, K, Machine>(machine, at) {}

  template <int I>
  constexpr void on_load(int here, const tile_at<K, I>&) {
    constexpr int r = operand_plan_of<K, I>.ring;
    if (!ring_of<K, r>.resident && this->template first_of_stage<r>(here)) ++loaded[r];
  }
};

}  // namespace sectile
