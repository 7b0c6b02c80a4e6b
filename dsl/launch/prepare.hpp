// From the arguments of a launch to the parameters of a kernel: the same for every machine but for the tensor maps.
// What a file with a kernel compiles of it only takes the arguments' types away; the rest is in prepare.cpp.
#pragma once
#include <sectile/dsl/launch/argument_rules.hpp>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/launchable.hpp>
#include <sectile/dsl/launch/map_check.hpp>
#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/launch/workspace.hpp>
#include <sectile/dsl/roles/parameters.hpp>

namespace sectile {

/// A tensor map's contents, in the order of TMA's dimensions (innermost first).
struct map_request {
  const void* base = nullptr;
  std::int64_t extent[max_rank]{};
  std::int64_t stride_bytes[max_rank]{};  // [0] is the element
  tma_box box{};
  element type{};
  bool in_pieces = false;  // a tile has a part of each row, and what is behind it is loaded at another time
  bool im2col = false;     // the tensor is an image, and the box channels x pixels x 1 x 1
  im2col_bounds bounds{};  // then
  bool once = false;       // L2 need not keep what is loaded: it is for one tile of the work, or cluster of them
};

/// What the tensor map of operand `o` says. An output's box is one panel of the epilogue.
map_request request_map(const plan& p, int o, const tensor_facts& t);
/// Whether each tile of operand `o` is loaded for one tile of the work, or for a cluster of them, and shares no 32 bytes
/// with another: what L2 gives up in between would be read twice. `made`: the work's tensor.
bool is_read_once(const plan& p, int o, const map_request& r, const tensor_facts& made);
/// What the tensor map of a sparse operand's metadata says: a matrix of words.
map_request request_metadata_map(const operand_plan& op, const tensor_facts& t);

/// Makes a machine's tensor map at `to`. Returns what the machine was told.
using map_encoder = told_map (*)(const map_request& r, operand_kind kind, void* to);

/// Where the parameters of a kernel lie.
struct parameter_places {
  unsigned char* map = nullptr;           // one for each operand
  unsigned char* metadata_map = nullptr;  // the same, where an operand is sparse
  std::size_t map_bytes = 0;
  vector_place* vector = nullptr;         // one for each operand, where one is a vector
  im2col_place* im2col = nullptr;         // the same, where one is an image for a filter
  picked_rows* gathered = nullptr;        // the same, where an index says where rows of one are
  output_place* output = nullptr;         // one for each matrix that is stored to, in the order of the stores
  work_grid* work = nullptr;
  counter_place* counters = nullptr;           // nullptr: there is no workspace
  workspace_place* workspace = nullptr;        // nullptr: no parts of tiles meet in one
  work_stream* stream = nullptr;               // nullptr: no tiles are cut for the end
  int trips = 0;                               // of the loop along which they are
  ordered_sum* in_order = nullptr;             // one for each vector that is summed in order
  workspace_layout in_workspace{};             // if there is one
  const void* arguments = nullptr;  // of the body
  int* extent[max_operands]{};      // the numbers of its handles; nullptr: a scalar, which is filled in already
  int* tile_count[max_operands]{};
};

/// The arguments that a thread has last launched a kernel with.
struct known_path {
  bool tried = false;
  std::int32_t extent[max_operands][max_rank]{};
  std::uint64_t scalar[max_operands]{};
  int trips = 0;  // of the first loop, for every tile
};
template <class K>
inline thread_local known_path known_path_of{};

/// Checks the arguments and fills in the parameters. Throws launch_error. Arguments that are the same as those in
/// `known` are not tried on the body again.
void prepare(const launchable& k, const given_operands& given, map_encoder encode, parameter_places& to,
             known_path& known);

/// Clusters that the launch has where `at_once` find room: where tiles are cut for the end it says here, too, which
/// cluster makes what. Precondition: the parameters are prepared.
int share_out_work(const plan& p, const parameter_places& to, int at_once);

/// The sizes of the body's handles, from the tensors.
void fill_in_sizes(const plan& p, const given_operands& given, const parameter_places& to);

/// Throws launch_error for a whole number that is no int.
template <class Argument>
void check_int([[maybe_unused]] const char* name, [[maybe_unused]] const Argument& a) {
  if constexpr (std::is_integral_v<Argument> && sizeof(Argument) >= sizeof(int))
    if (const int its = static_cast<int>(a);
        static_cast<std::int64_t>(a) != its || (std::is_unsigned_v<Argument> && its < 0))
      throw launch_error("operand ", name, ": ", a, " is no int; these go from -2147483648 to 2147483647");
}

/// Takes the type away from operand I's argument, and says where the body's own lies.
template <class K, int I, class Argument>
void take_argument(const Argument& a, given_operands& given, body_arguments<K>& arguments, parameter_places& to) {
  auto& mine = arguments.template at<I>();
  if constexpr (operand_at<K, I>::kind == operand_kind::scalar) {
    static_assert(sizeof mine <= sizeof given.scalar[I]);
    if constexpr (std::is_same_v<typename operand_at<K, I>::element_type, int>)
      check_int(operand_facts_of<K, I>().name, a);
    mine = std::remove_reference_t<decltype(mine)>(static_cast<typename operand_at<K, I>::element_type>(a));
    __builtin_memcpy(&given.scalar[I], &mine, sizeof mine);
  } else {
    given.tensor[I] = facts_of(a);
    to.extent[I] = handle_access::extent(mine);
    to.tile_count[I] = handle_access::tile_count(mine);
  }
}

/// Whoever launches gives a matrix of all groups' rows as what it is, of one mode less than the body has: of those with
/// rows along mode `cut`, none counts groups, as mode `groups` does. Throws launch_error.
void count_groups_of(const operand_facts& f, int cut, int groups, tensor_facts& t);

/// The same of rows that an index picks or names, and says how many there are: of one matrix, whatever the body has.
void pick_rows(const plan& p, tensor_facts (&t)[max_operands]);

/// Both, of all operands of K.
template <class K>
void as_the_body_has_them([[maybe_unused]] tensor_facts (&t)[max_operands]) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto count = [&](auto i) {
      if constexpr (cut_of<K, i>() >= 0 && index_of<K, i> < 0)
        count_groups_of(operand_facts_of<K, i>(), cut_of<K, i>(), cuts_of<K>.groups[i], t[i]);
    };
    (count(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, operand_count<K>>{});
  if constexpr (has_rows_by_index<K>) pick_rows(plan_of<K>, t);
}

/// The arguments of a launch of K on a machine with such tensor maps, without their types. They fit: see
/// check_arguments.
template <class K, class TensorMap>
struct launch_arguments {
  given_operands given{};
  kernel_parameters<K, TensorMap> parameters{};
  parameter_places places{};

  template <class... Arguments>
  explicit launch_arguments(const Arguments&... arguments) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (take_argument<K, I>(detail::argument_at<I>(arguments...), given, parameters.arguments, places), ...);
    }
    (std::make_integer_sequence<int, operand_count<K>>{});
    as_the_body_has_them<K>(given.tensor);
    if constexpr (has_rows_by_index<K>) places.gathered = parameters.gathered;
    if constexpr (ends_with_workspace<Arguments...>) {
      const workspace& memory = detail::argument_at<operand_count<K>>(arguments...);
      given.workspace = memory.data;
      given.workspace_bytes = memory.bytes;
    }
    if constexpr (needs_workspace(plan_of<K>)) places.counters = &parameters;
    if constexpr (uses_workspace<K>) places.workspace = &parameters;
    if constexpr (streams<K>) places.stream = &parameters.stream;
    if constexpr (ordered_sums_of<K> > 0) places.in_order = parameters.in_order;
    if constexpr (has_im2col_operand<K>()) places.im2col = parameters.im2col;
    places.map = reinterpret_cast<unsigned char*>(parameters.map);
    places.metadata_map = reinterpret_cast<unsigned char*>(parameters.metadata_map);
    places.map_bytes = sizeof parameters.map[0];
    places.vector = parameters.vector;
    places.output = parameters.output;
    places.work = &parameters.work;
    places.arguments = &parameters.arguments;
  }
  launch_arguments(const launch_arguments&) = delete;
  launch_arguments& operator=(const launch_arguments&) = delete;
};

}  // namespace sectile
