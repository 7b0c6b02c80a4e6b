#include "tool/sparse_data.hpp"

#include <fmt/format.h>

#include <sectile/dsl/launch/sparse.hpp>
#include <span>

#include "tool/storage_types.hpp"

namespace sectile::tool {
namespace {

/// Calls use(numbers as T): T stores elements of `type`.
template <class Use>
void with_stored(const element& type, const operand_data& data, Use use) {
  with_storage_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (sparse_element<T>) {
      std::vector<T> stored;
      stored.reserve(data.values.size());
      for (const float x : data.values) stored.push_back(static_cast<T>(x));
      use(stored);
    }
  });
}

}  // namespace

void prune(const element& type, operand_data& data) {
  with_stored(type, data, [&](auto& stored) {
    sectile::prune(stored.data(), data.shape[0], data.shape[1]);
    for (std::size_t i = 0; i < stored.size(); ++i) data.values[i] = static_cast<float>(stored[i]);
  });
}

void require_sparse(const element& type, const operand_data& data, const std::string& what) {
  with_stored(type, data, [&](const auto& stored) {
    try {
      check_sparse(stored.data(), data.shape[0], data.shape[1]);
    } catch (const launch_error& refusal) {
      std::string why = refusal.what();
      if (const std::size_t advice = why.find("; prune()"); advice != std::string::npos)
        why = why.substr(0, advice) + "; --prune keeps the largest of each group";
      throw input_error(fmt::format("{}: {}", what, why));
    }
  });
}

sparse_buffer::sparse_buffer(const element& type, const operand_data& data) : shape(data.shape) {
  with_stored(type, data, [&](const auto& stored) {
    auto compressed = compress(stored.data(), shape[0], shape[1]);
    row_elements = compressed.value_stride;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(compressed.values));
    values.assign(bytes.begin(), bytes.end());
    metadata = std::move(compressed.metadata);
  });
}

argument sparse_buffer::as_argument() {
  return {.data = values.data(),
          .bytes = std::ssize(values),
          .metadata = metadata.data(),
          .metadata_bytes = std::ssize(metadata) * 4,
          .rank = 2,
          .extent = {shape[0], shape[1]},
          .stride = {row_elements, 1}};
}

}  // namespace sectile::tool
