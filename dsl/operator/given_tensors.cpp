#include <sectile/dsl/operator/given_tensors.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/layouts/metadata.hpp>
#include <string>
#include <string_view>

namespace sectile {

namespace {

using std::string, std::string_view, std::to_string;

[[noreturn]] void refuse_operand(const operator_operand& o, const string& why) {
  throw launch_error("operand " + string(o.name) + ": " + why);
}

struct named_kind {
  string_view name;
  dlpack::element_kind kind;
};
constexpr named_kind kinds[] = {
    {"f32", {dlpack::floating_number, 32, 1}}, {"tf32", {dlpack::floating_number, 32, 1}},
    {"f16", {dlpack::floating_number, 16, 1}}, {"bf16", {dlpack::bfloat_number, 16, 1}},
    {"e4m3", {dlpack::e4m3_number, 8, 1}},     {"e5m2", {dlpack::e5m2_number, 8, 1}},
    {"s32", {dlpack::signed_number, 32, 1}},   {"s8", {dlpack::signed_number, 8, 1}},
    {"u8", {dlpack::unsigned_number, 8, 1}},   {"s64", {dlpack::signed_number, 64, 1}},
    {"f64", {dlpack::floating_number, 64, 1}}, {"s16", {dlpack::signed_number, 16, 1}},
    {"u16", {dlpack::unsigned_number, 16, 1}}, {"u32", {dlpack::unsigned_number, 32, 1}},
    {"bool", {dlpack::bool_number, 8, 1}},     {"complex64", {dlpack::complex_number, 64, 1}},
    {"complex128", {dlpack::complex_number, 128, 1}}};

bool is(const dlpack::element_kind& a, const dlpack::element_kind& b) {
  return a.kind == b.kind && a.bits == b.bits && a.lanes == b.lanes;
}

string name_of(const dlpack::element_kind& given) {
  for (const named_kind& k : kinds)
    if (is(k.kind, given) && k.name != "tf32") return string(k.name);
  return "DLPack's type " + to_string(given.kind) + " of " + to_string(given.bits) + " bits x " +
         to_string(given.lanes);
}

/// Elements of less than a byte come as bytes, and floats that a library has no type for as integers without sign.
bool is_accepted(const operator_operand& o, const dlpack::element_kind& given) {
  for (const named_kind& k : kinds)
    if (k.name == o.type && is(k.kind, given)) return true;
  const int held = std::max(8, o.bits);
  const bool has_a_type_everywhere = string_view(o.type) == "s8" || held > 16;
  return given.lanes == 1 && given.kind == dlpack::unsigned_number && given.bits == held && !has_a_type_everywhere;
}

string place_text(const dlpack::device& d) {
  switch (d.kind) {
    case dlpack::on_cpu:
      return "in host memory";
    case dlpack::on_cuda:
      return "on CUDA device " + to_string(d.index);
    case dlpack::on_cuda_host:
      return "in pinned host memory";
    case dlpack::on_cuda_managed:
      return "in managed memory";
    default:
      return "on a device of DLPack's kind " + to_string(d.kind);
  }
}

bool reaches(operator_place place, const dlpack::device& d) {
  if (d.kind == dlpack::on_cuda_host || d.kind == dlpack::on_cuda_managed) return true;
  return d.kind == (place == operator_place::gpu ? dlpack::on_cuda : dlpack::on_cpu);
}

/// Where the tensors of a call are, by the first that settles it.
class common_device {
 public:
  explicit common_device(operator_place place) : place_(place) {}
  void add(const operator_operand& o, const dlpack::device& d) {
    if (!reaches(place_, d)) {
      string other = place_ == operator_place::gpu ? "the GPU" : "the CPU, on the model";
      if (first_) other.append(", where operand ").append(first_->name).append(" is");
      refuse_operand(o, "the tensor is " + place_text(d) + ", the kernel runs on " + other +
                            "; move the tensors to one place");
    }
    if (d.kind != dlpack::on_cuda && first_) return;
    if (d.kind == dlpack::on_cuda && known_ && d.index != index_)
      refuse_operand(o, "the tensor is " + place_text(d) + ", operand " + first_->name + " on CUDA device " +
                            to_string(index_) + "; move the tensors to one device");
    if (d.kind == dlpack::on_cuda) known_ = true, index_ = d.index;
    first_ = &o;
  }
  int index() const { return index_; }

 private:
  operator_place place_;
  const operator_operand* first_ = nullptr;
  bool known_ = false;
  int index_ = 0;
};

void* begin_of(const dlpack::tensor& t) {
  return t.data == nullptr ? nullptr : static_cast<std::byte*>(t.data) + t.byte_offset;
}

/// Extents and strides, of as many modes as an operand may have: another rank is refused by the launch.
void take_shape(const dlpack::tensor& t, untyped_argument& a) {
  a.rank = t.rank;
  const int modes = std::min(t.rank, max_rank);
  std::int64_t packed = 1;
  for (int d = t.rank - 1; d >= 0; --d) {
    if (d < modes) a.extent[d] = t.extent[d], a.stride[d] = t.stride != nullptr ? t.stride[d] : packed;
    packed *= t.extent[d];
  }
}

/// A tensor counts bytes where an operand counts the elements in them.
void unpack(int each, int contiguous, untyped_argument& a) {
  for (int d = 0; d < std::min(a.rank, max_rank); ++d)
    if (d == contiguous)
      a.extent[d] *= each;
    else
      a.stride[d] *= each;
}

void take_metadata(const operator_operand& o, const dlpack::tensor* t, untyped_argument& a) {
  if (t == nullptr) refuse_operand(o, "it is sparse: a tensor of its metadata is needed beside the stored values");
  if (t->type.bits != 32 || t->type.lanes != 1 || t->type.kind == dlpack::floating_number)
    refuse_operand(o, "its metadata are words of 32 bits, not " + name_of(t->type));
  // A view of a sparse matrix has a stride of rows alone.
  if (a.rank == 2 && a.extent[1] > 1 && a.stride[1] != 1)
    refuse_operand(o, string(o.mode[1]) + " must be contiguous (stride 1), its stride is " + to_string(a.stride[1]));
  a.extent[1] *= 2;
  std::int64_t words = 1;
  for (int d = 0; d < t->rank; ++d) words *= t->extent[d];
  const std::int64_t wanted = metadata_rows(a.extent[0]) * metadata_cols(a.extent[1], o.bits);
  if (words != wanted)
    refuse_operand(o, "its metadata have " + to_string(words) + " words, a matrix of " + to_string(a.extent[0]) +
                          " x " + to_string(a.extent[1]) + " takes " + to_string(wanted));
  std::int64_t packed = 1;
  for (int d = t->rank - 1; d >= 0; packed *= t->extent[d--])
    if (t->stride != nullptr && t->extent[d] > 1 && t->stride[d] != packed)
      refuse_operand(o, "its metadata are not packed");
  a.metadata = begin_of(*t);
}

untyped_argument take_tensor(const operator_operand& o, const operator_argument& given) {
  if (given.tensor == nullptr) refuse_operand(o, "a tensor is needed");
  const dlpack::tensor& t = *given.tensor;
  if (!is_accepted(o, t.type))
    refuse_operand(o, "the tensor's elements are " + name_of(t.type) + ", the kernel expects " + o.type +
                          "; convert the tensor first");
  untyped_argument a{};
  a.data = begin_of(t);
  take_shape(t, a);
  const int modes = o.image ? 4 : o.modes, contiguous = modes - (o.by_columns ? 2 : 1);
  if (o.bits < 8) unpack(8 / o.bits, contiguous, a);
  // Of one element there is no next one: libraries give such a mode any stride.
  if (a.rank == modes && contiguous >= 0 && a.extent[contiguous] == 1) a.stride[contiguous] = 1;
  if (o.sparse) take_metadata(o, given.metadata, a);
  const auto& path = given.path;
  if (o.image) a.path = {{path[0], path[1]}, {path[2], path[3]}, {path[4], path[5]}, {path[6], path[7]}};
  return a;
}

}  // namespace

given_tensors take_tensors(const operator_facts& facts, const operator_call& call, operator_place place) {
  if (call.count != facts.count)
    throw launch_error(string(facts.name) + " takes " + to_string(facts.count) + " arguments, one for each operand, not " +
                       to_string(call.count));
  given_tensors all;
  all.count = call.count;
  common_device device(place);
  for (int i = 0; i < call.count; ++i) {
    const operator_operand& o = facts.operands[i];
    if (o.role == operator_role::scalar) {
      const double number = all.argument[i].number = call.arguments[i].number;
      if (o.type == string_view("s32") && (number != std::trunc(number) || std::abs(number) >= 0x1p31))
        refuse_operand(o, to_string(number) + " is no int");
      continue;
    }
    all.argument[i] = take_tensor(o, call.arguments[i]);
    device.add(o, call.arguments[i].tensor->where);
    if (o.sparse) device.add(o, call.arguments[i].metadata->where);
  }
  all.device = device.index();
  return all;
}

void tell_caller(const operator_call& call, const char* sentence) noexcept {
  if (call.sentence == nullptr || call.room == 0) return;
  const std::size_t length = std::min<std::size_t>(std::strlen(sentence), call.room - 1);
  std::memcpy(call.sentence, sentence, length);
  call.sentence[length] = '\0';
}

}  // namespace sectile
