#include <algorithm>
#include <bit>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/warp.hpp>

namespace sectile::model {
namespace {

std::string spelling(warp_instruction what, int operand) {
  switch (what) {
    case warp_instruction::stmatrix:
      return text("stmatrix_x", operand);
    case warp_instruction::shuffle:
      return text("shuffle_xor(", operand, ")");
    case warp_instruction::decrease_registers:
      return text("registers_dec<", operand, ">");
    case warp_instruction::increase_registers:
      return text("registers_inc<", operand, ">");
  }
  return "";
}

/// The step that this lane has come to, entered.
warp_step& join_step(cuda_thread& t, warp_instruction what, int operand) {
  warp& w = t.own_warp();
  const std::uint64_t number = t.warp_steps++;
  const std::size_t i = number - w.first_step;
  if (i == w.steps.size()) {
    if (number >= w.shortest_run) {
      report(hazard_kind::divergent,
             text(spelling(what, operand), " of ", name(t), " needs all lanes of the warp, and some have exited"));
    }
    w.steps.push_back({what, operand});
  }
  warp_step& step = w.steps[i];
  if (step.what != what || step.operand != operand) {
    report(hazard_kind::divergent, text(name(t), " is at ", spelling(what, operand),
                                        " where other lanes of its warp are at ", spelling(step.what, step.operand)));
  }
  ++step.arrived;
  return step;
}

void drop_finished_steps(warp& w) {
  const auto finished = [](const warp_step& s) {
    return s.arrived == 32 && (s.what != warp_instruction::shuffle || s.taken == 32);
  };
  while (!w.steps.empty() && finished(w.steps.front())) {
    w.steps.pop_front();
    ++w.first_step;
  }
}

/// Row i of matrix q goes to the address that lane 8q + i gave; lane l holds word l % 4 of row l / 4 of each matrix.
void carry_out_stmatrix(cta& c, const warp_step& step) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const warp_step::matrix_part& part = step.matrix[lane];
    shared_writer writer{c, part.writer, part.mark, proxy::generic, "stmatrix"};
    for (std::size_t q = 0; q < static_cast<std::size_t>(step.operand); ++q) {
      const std::uint32_t address = step.matrix[8 * q + lane / 4].address + 4 * static_cast<std::uint32_t>(lane % 4);
      writer.write(address, 4);
      std::memcpy(c.memory.at(address), &part.r[q], 4);
    }
  }
}

/// Serves the warps that wait for registers, in order.
void grant_registers(cta& c) {
  for (warp& w : c.warps) {
    if (w.wanted_registers == 0) continue;
    const std::int64_t more = std::int64_t{32} * (w.wanted_registers - w.registers);
    if (more > c.free_registers) continue;
    c.free_registers -= more;
    w.registers = w.wanted_registers;
    w.wanted_registers = 0;
    c.all->wake_all(w.waiters);
  }
}

}  // namespace

void store_matrices(cuda_thread& t, std::uint32_t address, const std::uint32_t (&r)[4], int matrices) {
  if (t.lane() < 8 * matrices) require_shared(*t.block, t, address, 16, 16, "stmatrix");
  warp_step& step = join_step(t, warp_instruction::stmatrix, matrices);
  step.matrix.resize(32);
  warp_step::matrix_part& part = step.matrix[static_cast<std::size_t>(t.lane())];
  part.address = address;
  std::copy(r, r + 4, part.r);
  if (t.all->checked()) {
    t.all->number_writes(t);
    part.writer = {t.clock.seen, &t};
    part.mark = {t.clock.writes, t.clock.now};
  }
  if (step.arrived < 32) return;
  carry_out_stmatrix(*t.block, step);
  drop_finished_steps(t.own_warp());
}

void store_words(cuda_thread& t, std::uint32_t address, float x, float y) {
  require_shared(*t.block, t, address, 8, 8, "store_shared");
  if (t.all->checked()) {
    t.all->number_writes(t);
    shared_writer{*t.block, {t.clock.seen, &t}, {t.clock.writes, t.clock.now}, proxy::generic, "store_shared"}.write(
        address, 8);
  }
  std::memcpy(t.block->memory.at(address), &x, 4);
  std::memcpy(t.block->memory.at(address + 4), &y, 4);
}

void copy_out(cuda_thread& t, void* to, std::uint32_t from, std::uint32_t bytes) {
  require_shared(*t.block, t, from, bytes, bytes, "copy_to_global");
  require_written(*t.block, {t.clock.seen, &t}, from, "copy_to_global");
  std::memcpy(to, t.block->memory.at(from), bytes);
}

float shuffle(cuda_thread& t, float x, int lane_mask) {
  if (lane_mask < 0 || lane_mask > 31) {
    report(hazard_kind::divergent, text("shuffle_xor of ", name(t), ": lane mask ", lane_mask, " is not in 0..31"));
  }
  warp& w = t.own_warp();
  warp_step& step = join_step(t, warp_instruction::shuffle, lane_mask);
  step.value[t.lane()] = x;
  if (step.arrived == 32) t.all->wake_all(w.waiters);
  while (step.arrived < 32) {
    w.waiters.push_back(&t);
    t.all->block(t, {waiting_for::shuffle, 0, 0});
  }
  const float result = step.value[t.lane() ^ lane_mask];
  ++step.taken;
  drop_finished_steps(w);
  return result;
}

void change_registers(cuda_thread& t, int count, bool increase) {
  warp& w = t.own_warp();
  cta& c = *t.block;
  const warp_step& step =
      join_step(t, increase ? warp_instruction::increase_registers : warp_instruction::decrease_registers, count);
  const bool last = step.arrived == 32;
  if (step.arrived == 1 && (increase ? count < w.registers : count > w.registers)) {
    report(hazard_kind::register_budget, text(spelling(step.what, count), " of ", name(t), ": the warp has ",
                                              w.registers, " registers per thread already"));
  }
  if (last) drop_finished_steps(w);
  if (!increase) {
    if (!last) return;
    c.free_registers += std::int64_t{32} * (w.registers - count);
    w.registers = count;
    grant_registers(c);
    return;
  }
  if (last && w.registers != count) {
    w.wanted_registers = count;
    grant_registers(c);
  }
  while (w.registers != count) {
    w.waiters.push_back(&t);
    t.all->block(t, {waiting_for::registers, static_cast<std::uint32_t>(count), 0});
  }
}

void leave_warp(cuda_thread& t) {
  warp& w = t.own_warp();
  w.shortest_run = std::min(w.shortest_run, t.warp_steps);
  const std::size_t i = t.warp_steps - w.first_step;
  if (i < w.steps.size()) {
    report(hazard_kind::divergent, text(name(t), " exits where other lanes of its warp are at ",
                                        spelling(w.steps[i].what, w.steps[i].operand)));
  }
}

}  // namespace sectile::model
