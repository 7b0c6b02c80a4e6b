// What the gallery's cases are made of: programs that are right, each of which a case spoils in one place, and two ways
// to spoil what a program cannot say: its plan, and the machine that its roles run on.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>

using namespace sectile;

/// C = A * B^T.
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// It beside P, to which each trip stores what the sums are then.
struct product_of_trips : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(T,M,N)", bf16>(), output<"C(M,N)", bf16>());
  template <class Store>
  static constexpr void store_in_trips(auto& sm, auto A, auto B, auto C, Store store) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      store(k, m, n, acc);
    }
    sm.store(C, {m, n}, acc);
  }
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    store_in_trips(sm, A, B, C, [&](auto k, auto m, auto n, auto& acc) { sm.store(P, {as<"T">(k), m, n}, acc); });
  }
};

/// C = relu(A) B^T, and relu(A), which the trips of every tile along N would store.
struct product_of_a_kept_factor : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(M,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<bf16>(relu(cast<float>(in_registers(sm.load(A, {m, k})))));
      sm.store(P, {m, k}, a);
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// The product in two parts, whose sums a body merges.
struct product_in_parts : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void add_own_trips(auto& acc, auto& sm, auto A, auto B, auto m, auto n) {
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
  }
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};

/// The same of rows of A that `row` picks.
struct gathered_product {
  static constexpr auto operands = sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), input<"row(M)", s32>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) { product::body(sm, A, B, C); }
};

/// The same, whose tiles are drawn.
struct drawn_gathered_product : gathered_product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .dynamic = true};
};

/// The product, of which row `place[m]` / J of C is the sum of J rows.
struct scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "place">());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) { product::body(sm, A, B, C); }
};

/// The same on two CTAs above each other, which share B.
struct shared_product : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {2, 1}, .consumers = 2};
};

/// The same, whose clusters draw the tiles that they make.
struct drawn_product : shared_product {
  static constexpr sectile::configuration how{.tile = product::how.tile,
                                              .stages = 2,
                                              .cluster = {2, 1},
                                              .consumers = 2,
                                              .persistent = true,
                                              .dynamic = true};
};

/// C = A * B^T beside numbers of its rows, which come with tiles.
struct product_with_scales : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(KB,M)", float>(with_tiles),
                        output<"C(M,N)", bf16>());
};

/// C = A * B^T, each 64 of K scaled by blocks of 48 columns.
struct product_with_squares : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"SB(N/48,KB)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 64}, {"KB", 1}});

  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      sum += sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))) * sm.load(SB, {n, as<"KB">(k)});
    sm.store(C, {m, n}, sum);
  }
};

/// Y = X * W^T for each group of rows, which end where `ends` says.
struct grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"T", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};

/// The same, whose clusters draw the tiles that they make.
struct drawn_groups : grouped_product {
  static constexpr sectile::configuration how = grouped_product::how.with_drawn_tiles();
};

/// O = Q * K^T * V for each group of rows of Q, and of K and V, which end where two vectors say.
struct grouped_scores {
  static constexpr auto operands = sectile::operands(input<"Q(E,S,D)", bf16>(), input<"K(E,T,D)", bf16>(),
                                                     input<"V(E,T,D)", bf16>(), group_ends<"query_ends(E)", "S">(),
                                                     group_ends<"key_ends(E)", "T">(), output<"O(E,S,D)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"S", 128}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto, auto, auto O) {
    auto [e, s, d] = sm.tile_of(O);
    auto q = sm.load(Q, {e, s, 0});
    auto sum = sm.accumulator(O);
    for (auto t : sm.pipelined(at_least_one(tiles<"T">(K)))) {
      auto scores = sm.accumulator(q * transpose(sm.load(K, {e, t, 0})));
      sum += cast<bf16>(scores) * sm.load(V, {e, t, d});
    }
    sm.store(O, {e, s, d}, sum);
  }
};

/// Y = X * W^T of groups that have rooms.
struct product_in_rooms : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_counts<"counts(E)", "T">(), output<"Y(E,T,N)", bf16>());
};

/// C = max(Z, 0) for Z = A * B^T, and Z itself.
struct kept_product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"Z(M,N)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto Z, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(Z, {m, n}, acc);
    sm.store(C, {m, n}, max(acc, 0.0f));
  }
};

/// Y = X * W: the pixels that a filter meets, and the filters.
struct convolved {
  static constexpr auto operands =
      sectile::operands(im2col_input<"X(T,M,C)", bf16>(), input<"W(T,K,C)", bf16>(), output<"Y(M,K)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"C", 64}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto W, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    auto places = tiles<"T">(X);
    for (auto i : sm.pipelined(places * tiles<"C">(X))) {
      auto t = as<"T">(i % places);
      auto c = as<"C">(i / places);
      acc += sm.load(X, {t, m, c}) * transpose(sm.load(W, {t, k, c}));
    }
    sm.store(Y, {m, k}, acc);
  }
};

/// Two products, one behind the other, of a configuration that swaps: the left factor of the second one goes through
/// shared memory, where two consumers write it.
struct turned_chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(T,K)", bf16>(),
                                                     input<"D(T,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}, {"T", 128}}, .stages = 3, .consumers = 2, .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto acc = sm.accumulator(C);
    for (auto t : sm.pipelined(tiles<"T">(B))) {
      auto s = sm.accumulator(a * transpose(sm.load(B, {t, 0})));
      acc += cast<bf16>(s) * sm.load(D, {t, n});
    }
    sm.store(C, {m, n}, acc);
  }
};

/// What weights of 8 bits and activations of 16 are declared as, for bodies that multiply them.
struct weights_of_8_bits {
  static constexpr auto operands =
      sectile::operands(input<"W(M,K)", s8>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;
};

/// Kernel with the plan Tamper(plan of Kernel).
template <class Kernel, auto Tamper>
struct with_plan : Kernel {};
template <class Kernel, auto Tamper>
inline constexpr sectile::plan sectile::plan_of<with_plan<Kernel, Tamper>> = Tamper(sectile::plan_of<Kernel>);

/// Kernel on a machine that gets a verb wrong. Fault<Machine> derives from wrong<Machine> and hides the verb.
template <class Kernel, template <class> class Fault>
struct on_machine : Kernel {};
template <class Kernel, template <class> class Fault, class Machine>
struct sectile::machine_under_test<on_machine<Kernel, Fault>, Machine> {
  using type = Fault<Machine>;
};
template <class Machine>
struct wrong : Machine {
  constexpr wrong() = default;
  constexpr wrong(const Machine& right) : Machine(right) {}
};

/// The operands of `product` in its plan.
enum operand_number { a, b, c };
