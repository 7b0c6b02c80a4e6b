#include <algorithm>
#include <cstring>
#include <iterator>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/warp.hpp>

namespace sectile::model {
namespace {

std::string spelling(warp_instruction what, int operand) {
  switch (what) {
    case warp_instruction::stmatrix:
      return text("stmatrix_x", operand);
    case warp_instruction::stmatrix_trans:
      return text("stmatrix_x", operand, "_trans");
    case warp_instruction::shuffle_xor:
      return text(name(what), "(", operand, ")");
    case warp_instruction::decrease_registers:
    case warp_instruction::increase_registers:
      return text(name(what), "<", operand, ">");
    default:
      return name(what);
  }
}

/// Whether a lane stays until it has the result.
bool has_result(warp_instruction what) {
  return what == warp_instruction::ldmatrix || what == warp_instruction::ldmatrix_trans ||
         what == warp_instruction::shuffle_xor || what == warp_instruction::shuffle || what == warp_instruction::sync;
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
  const auto finished = [](const warp_step& s) { return s.arrived == 32 && (!has_result(s.what) || s.taken == 32); };
  while (!w.steps.empty() && finished(w.steps.front())) {
    w.steps.pop_front();
    ++w.first_step;
  }
}

/// Holds the lane up until all have come.
void wait_for_lanes(cuda_thread& t, const warp_step& step) {
  warp& w = t.own_warp();
  if (step.arrived == 32) t.all->wake_all(w.waiters);
  while (step.arrived < 32) {
    w.waiters.push_back(&t);
    t.all->block(t, {waiting_for::lanes, static_cast<std::uint32_t>(step.what), 0});
  }
}

/// The lane has its result.
void take_result(warp& w, warp_step& step) {
  ++step.taken;
  drop_finished_steps(w);
}

/// Word `word` of row `row` of matrix q, as it is stored: lane l holds word l % 4 of row l / 4 of each matrix, or of
/// the transposed one: elements 2 (l % 4) and the next of column l / 4.
std::uint32_t stored_word(const warp_step& step, std::size_t q, std::size_t row, std::size_t word) {
  if (step.what == warp_instruction::stmatrix) return step.matrix[4 * row + word].r[q];
  const auto element = [&](std::size_t i) { return step.matrix[4 * i + row / 2].r[q] >> 16 * (row % 2) & 0xFFFF; };
  return element(2 * word) | element(2 * word + 1) << 16;
}

/// Row i of matrix q goes to the address that lane 8q + i gave.
void carry_out_stmatrix(cta& c, const warp_step& step) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::size_t row = lane / 4, word = lane % 4;
    const warp_step::matrix_part& part = step.matrix[lane];
    shared_writer writer{c, part.who, part.mark, proxy::generic, "stmatrix"};
    for (std::size_t q = 0; q < static_cast<std::size_t>(step.operand); ++q) {
      const std::uint32_t address = step.matrix[8 * q + row].address + 4 * static_cast<std::uint32_t>(word);
      const std::uint32_t value = stored_word(step, q, row, word);
      writer.write(address, 4);
      std::memcpy(c.memory.at(address), &value, 4);
    }
  }
}

/// Row i of matrix q comes from the address that lane 8q + i gave. Lane l gets word l % 4 of row l / 4 of each matrix,
/// or of the transposed one: elements l / 4 of rows 2 (l % 4) and the next.
void carry_out_ldmatrix(cta& c, warp_step& step) {
  const bool transposed = step.what == warp_instruction::ldmatrix_trans;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    warp_step::matrix_part& part = step.matrix[lane];
    const auto read = [&](std::size_t row, std::size_t offset, void* to, std::size_t size) {
      const std::uint32_t address = step.matrix[row].address + static_cast<std::uint32_t>(offset);
      read_ordinarily(c, part.who, part.mark, address, "ldmatrix");
      std::memcpy(to, c.memory.at(address), size);
    };
    for (std::size_t q = 0; q < 4; ++q) {
      if (!transposed) {
        read(8 * q + lane / 4, 4 * (lane % 4), &part.r[q], 4);
        continue;
      }
      std::uint16_t pair[2];
      for (std::size_t j = 0; j < 2; ++j) read(8 * q + 2 * (lane % 4) + j, 2 * (lane / 4), &pair[j], 2);
      part.r[q] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
    }
  }
  if (c.all->checked()) require_read(c, step, *step.matrix[0].who.thread);
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

const char* name(warp_instruction what) {
  constexpr const char* names[] = {"stmatrix", "stmatrix",  "ldmatrix_x4",   "ldmatrix_x4_trans", "shuffle_xor",
                                   "shuffle",  "warp_sync", "registers_dec", "registers_inc"};
  static_assert(std::size(names) == static_cast<std::size_t>(warp_instruction::increase_registers) + 1);
  return names[static_cast<int>(what)];
}

void store_matrices(cuda_thread& t, std::uint32_t address, const std::uint32_t (&r)[4], int matrices, bool transposed) {
  if (t.lane() < 8 * matrices) require_shared(*t.block, t, address, 16, 16, "stmatrix");
  warp_step& step = join_step(t, transposed ? warp_instruction::stmatrix_trans : warp_instruction::stmatrix, matrices);
  step.matrix.resize(32);
  warp_step::matrix_part& part = step.matrix[static_cast<std::size_t>(t.lane())];
  part.address = address;
  std::copy(r, r + 4, part.r);
  part.mark = t.all->write_mark(t);
  part.who = observe(t);
  if (step.arrived < 32) return;
  carry_out_stmatrix(*t.block, step);
  drop_finished_steps(t.own_warp());
}

void load_matrices(cuda_thread& t, std::uint32_t (&r)[4], std::uint32_t address, bool transposed) {
  require_shared(*t.block, t, address, 16, 16, "ldmatrix");
  warp_step& step = join_step(t, transposed ? warp_instruction::ldmatrix_trans : warp_instruction::ldmatrix, 4);
  step.matrix.resize(32);
  warp_step::matrix_part& part = step.matrix[static_cast<std::size_t>(t.lane())];
  part.address = address;
  part.mark = t.all->read_mark(t);
  part.who = observe(t);
  if (t.lane() == 0) step.part = take_part(t, t.reading);
  if (step.arrived == 32) carry_out_ldmatrix(*t.block, step);
  wait_for_lanes(t, step);
  std::copy(part.r, part.r + 4, r);
  take_result(t.own_warp(), step);
}

void store_words(cuda_thread& t, std::uint32_t address, const std::uint32_t* words, int count) {
  const auto bytes = static_cast<std::uint32_t>(4 * count);
  require_shared(*t.block, t, address, bytes, bytes, "store_shared");
  shared_writer{*t.block, observe(t), t.all->write_mark(t), proxy::generic, "store_shared"}.write(address, bytes);
  std::memcpy(t.block->memory.at(address), words, bytes);
}

void store_word_at(cuda_thread& t, cta& at, std::uint32_t address, std::uint32_t word) {
  require_running(t, at, "store_shared_async");
  require_shared(at, t, address, sizeof word, sizeof word, "store_shared_async");
  shared_writer{at, observe(t), t.all->write_mark(t), proxy::generic, "store_shared_async"}.write(address, sizeof word);
  std::memcpy(at.memory.at(address), &word, sizeof word);
}

namespace {

void read_words(cuda_thread& t, std::uint32_t* words, int count, std::uint32_t address) {
  const auto bytes = static_cast<std::uint32_t>(4 * count);
  require_shared(*t.block, t, address, bytes, bytes, "load_shared");
  read_ordinarily(*t.block, observe(t), t.all->read_mark(t), address, "load_shared");
  std::memcpy(words, t.block->memory.at(address), bytes);
}

}  // namespace

std::uint32_t load_word(cuda_thread& t, std::uint32_t address) {
  std::uint32_t word;
  read_words(t, &word, 1, address);
  return word;
}

void load_words(cuda_thread& t, std::uint32_t* words, int count, std::uint32_t address) {
  read_words(t, words, count, address);
  if (t.all->checked()) require_words(*t.block, take_part(t, t.reading), count, address, t);
}

void load_quad(cuda_thread& t, std::uint32_t (&words)[4], std::uint32_t address) {
  require_shared(*t.block, t, address, 16, 16, "load_shared");
  const observer reader = observe(t);
  const event mark = t.all->read_mark(t);
  for (std::uint32_t word = 0; word < 16; word += 4)
    read_ordinarily(*t.block, reader, mark, address + word, "load_shared");
  std::memcpy(words, t.block->memory.at(address), 16);
}

void load_words_at(cuda_thread& t, cta& at, std::uint32_t* words, int count, std::uint32_t address) {
  const auto bytes = static_cast<std::uint32_t>(4 * count);
  require_running(t, at, "load_shared_at");
  require_shared(at, t, address, bytes, bytes, "load_shared_at");
  const observer reader = observe(t);
  const event mark = t.all->read_mark(t);
  for (std::uint32_t word = 0; word < bytes; word += 4)
    read_ordinarily(at, reader, mark, address + word, "load_shared_at");
  std::memcpy(words, at.memory.at(address), bytes);
}

void copy_out(cuda_thread& t, void* to, std::uint32_t from, std::uint32_t bytes) {
  require_shared(*t.block, t, from, bytes, bytes, "copy_to_global");
  read_ordinarily(*t.block, observe(t), t.all->read_mark(t), from, "copy_to_global");
  check_output(t, static_cast<const std::byte*>(to), t.block->memory.at(from), bytes, "copy_to_global");
  t.all->note_global_write(t, t.trips.now, to, bytes);
  if (t.all->computes) std::memcpy(to, t.block->memory.at(from), bytes);
}

namespace {

/// The x of lane `from` of this instruction.
std::uint32_t exchange(cuda_thread& t, warp_step& step, std::uint32_t x, int from) {
  step.value[t.lane()] = x;
  wait_for_lanes(t, step);
  const std::uint32_t result = step.value[from];
  take_result(t.own_warp(), step);
  return result;
}

void require_lane(const cuda_thread& t, warp_instruction what, const char* operand, int lane) {
  if (lane >= 0 && lane <= 31) return;
  report(hazard_kind::divergent, text(name(what), " of ", name(t), ": ", operand, " ", lane, " is not in 0..31"));
}

}  // namespace

std::uint32_t shuffle_xor(cuda_thread& t, std::uint32_t x, int lane_mask) {
  require_lane(t, warp_instruction::shuffle_xor, "lane mask", lane_mask);
  return exchange(t, join_step(t, warp_instruction::shuffle_xor, lane_mask), x, t.lane() ^ lane_mask);
}

std::uint32_t shuffle(cuda_thread& t, std::uint32_t x, int from) {
  require_lane(t, warp_instruction::shuffle, "lane", from);
  return exchange(t, join_step(t, warp_instruction::shuffle, 0), x, from);
}

void sync_warp(cuda_thread& t) {
  warp_step& step = join_step(t, warp_instruction::sync, 0);
  const bool checked = t.all->checked();
  if (checked) t.clock.release_to(step.met);
  if (checked && step.arrived == 32) step.known = step.met.freeze();
  wait_for_lanes(t, step);
  if (checked) t.clock.seen = step.known;
  take_result(t.own_warp(), step);
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
