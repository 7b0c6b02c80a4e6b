// Attention of few rows to the keys of a cache, which CTAs share, on a GPU: twice, against float64, against the model
// (whose exponentials are others in the last bit), and from a pool bit by bit as from rows behind each other. Exits
// with 77 where there is no GPU.
#include <sectile/dsl/launch/launch.hpp>

#include <algorithm>
#include <exception>
#include <string>

#include "tests/gpu/output_pairs.hpp"
#include "tests/gpu/tensors_on_device.hpp"
#include "tests/programs/latent_attention.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

shared_memory<s32>& copy(shared_memory<s32>& to, const std::vector<s32>& from) {
  std::copy(from.begin(), from.end(), to.get());
  return to;
}

/// Both kernels, which with_operands(paged, whole, of_a_pool, view) calls one of: on rows behind each other, or on a
/// pool.
template <class Kernel, class Paged>
void check_both(const char* name, auto& p, const auto& with_operands) {
  tensors_on_device device;
  const auto run = [&](bool paged) {
    p.O.poison(), p.lse.poison();
    device.upload();
    with_operands(
        paged, [](const auto&... given) { launch<Kernel>(given...); },
        [](const auto&... given) { launch<Paged>(given...); }, [&](auto& x) { return device.view(x); });
    device.download();
  };
  run(false);
  const std::vector<unsigned char> first = p.O.bytes, first_sums = p.lse.bytes;
  bool again = true;
  for (const bool paged : {false, true}) {
    run(paged);
    again = again && p.O.bytes == first && p.lse.bytes == first_sums;
  }
  const bool inside = p.O.touched() + p.lse.touched() == 0;
  const double rows = p.error_of(p.O), sums = p.error_of(p.lse);
  const std::vector<bf16> found = p.O.elements();
  p.O.poison();
  with_operands(
      false, [](const auto&... given) { run_on_model<Kernel>(given...); }, [](const auto&...) {},
      [](auto& x) { return x.view(); });
  const long long differ = elements_that_differ(found, p.O.elements()), of = std::ssize(found);
  const bool right = again && inside && rows <= 0x1p-6 && sums <= 1e-5 && differ <= 64 + of / 200;
  failures += !right;
  std::printf("%s %s: errors %.2g and %.2g; %lld of %lld elements are not the model's%s%s\n", right ? "ok  " : "FAIL",
              name, rows, sums, differ, of, again ? "" : "; runs differ",
              inside ? "" : "; bytes beside the outputs were written");
}

template <int D, int P>
void check_decode(const char* name, const decode_sizes& n) {
  decode_problem<D> p(n);
  typename decode_problem<D>::pages pool(p);
  shared_memory<s32> counts(p.batch()), slots(static_cast<int>(pool.slot.size()));
  const auto lengths = tensor(copy(counts, n.lengths).in(), counts.count);
  const auto slot = tensor(copy(slots, pool.slot).in(), slots.count);
  shared_workspace room(1 << 22);
  check_both<kernels::decode_attention<D, P>, kernels::paged_decode_attention<D, P>>(
      name, p, [&](bool paged, const auto& whole, const auto& of_a_pool, const auto& view) {
        if (paged)
          of_a_pool(view(p.Q), p.heads_of_pool(view(pool.K)), p.heads_of_pool(view(pool.V)), view(p.O), p.scale,
                    lengths, slot, view(p.lse), room.view());
        else
          whole(view(p.Q), p.heads_of_cache(view(p.K)), p.heads_of_cache(view(p.V)), view(p.O), p.scale, lengths,
                view(p.lse), room.view());
      });
}

template <kernels::latent_form Form>
void check_latent(const char* name, const latent_sizes& n) {
  constexpr kernels::latent_form of_a_pool = [] {
    kernels::latent_form form = Form;
    form.paged = true;
    return form;
  }();
  latent_problem p(n, Form.slices);
  latent_problem::pages pool(p);
  shared_memory<s32> counts(p.batch()), slots(static_cast<int>(pool.slot.size()));
  const auto lengths = tensor(copy(counts, n.lengths).in(), counts.count);
  const auto slot = tensor(copy(slots, pool.slot).in(), slots.count);
  shared_workspace room(1 << 22);
  check_both<kernels::latent_attention<Form>, kernels::latent_attention<of_a_pool>>(
      name, p, [&](bool paged, const auto& whole, const auto& picked, const auto& view) {
        const auto q = view(p.Q);
        if (paged)
          picked(p.latents(q), p.rest(q), p.latents(view(pool.L)), p.rest(view(pool.L)), view(p.O), p.scale, lengths,
                 slot, p.logarithms(view(p.lse)), room.view());
        else
          whole(p.latents(q), p.rest(q), p.latents(view(p.L)), p.rest(view(p.L)), view(p.O), p.scale, lengths,
                p.logarithms(view(p.lse)), room.view());
      });
}

void check_all() {
  check_decode<128, 4>("sequences of any length", {.lengths = {300, 0, 1, 64, 65}, .h = 2, .s = 8, .room = 320});
  check_decode<64, 8>("parts without keys", {.lengths = {129, 7}, .h = 1, .s = 4, .room = 150});
  check_decode<128, 1>("one part, more rows than a tile has", {.lengths = {200}, .h = 1, .s = 70, .room = 200});
  check_decode<64, 3>("parts of more rows than a tile has", {.lengths = {800}, .h = 2, .s = 70, .room = 800});
  check_decode<128, 16>("a long one, in a workspace", {.lengths = {5000}, .h = 4, .s = 16, .room = 5000});
  using kernels::latent_form;
  check_latent<latent_form{.parts = 3}>("latents, sequences of any length",
                                        {.lengths = {300, 0, 1, 64, 65}, .s = 16, .room = 320});
  check_latent<latent_form{}>("latents, fewer rows than a tile has", {.lengths = {1000}, .s = 5, .room = 1000});
  check_latent<latent_form{.rows = 32, .parts = 2}>("latents, four tiles of heads",
                                                    {.lengths = {500, 7}, .s = 128, .room = 512});
  check_latent<latent_form{.parts = 4, .slices = 4}>("latents, four tiles of columns",
                                                     {.lengths = {700, 65}, .s = 16, .room = 704});
  check_latent<latent_form{.parts = 16, .slices = 2}>("latents, in a workspace",
                                                      {.lengths = {3000}, .s = 20, .room = 3000});
  check_latent<latent_form{.rows = 64}>("latents, consumers abreast",
                                        {.lengths = {700, 0, 64, 1, 1000}, .s = 100, .room = 1000});
  check_latent<latent_form{.rows = 32, .parts = 4, .apart = true}>("latents, of few parts apart, in pieces",
                                                                   {.lengths = {900, 0}, .s = 64, .room = 900});
}

}  // namespace

int main() { return run_checks(check_all); }
