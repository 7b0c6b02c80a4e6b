// .npy files: bytes as NumPy writes them, every refusal, malformed input of all kinds, and writing that loses nothing.
#include "tool/npy.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sectile::tool;
namespace fs = std::filesystem;

/// A folder of its own that is gone after the test.
struct scratch {
  fs::path folder = fs::temp_directory_path() / ("sectile_npy_test_" + std::to_string(getpid()));
  scratch() { fs::create_directories(folder); }
  ~scratch() { fs::remove_all(folder); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  fs::path operator/(const std::string& name) const { return folder / name; }
  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
  }
};

/// A version 1.0 file whose header is exactly `dictionary`, blanks to the next multiple of 64 and a line end.
std::string file_of(std::string dictionary, const std::string& data) {
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  const std::string size{static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  return std::string("\x93NUMPY\x01\x00", 8) + size + dictionary + data;
}

std::string file_of(const std::string& descr, const std::string& shape, const std::string& data) {
  return file_of("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

npy_array parse(const std::string& content) {
  return parse_npy("x.npy", std::as_bytes(std::span<const char>(content)));
}

std::string refusal(const std::string& content) {
  try {
    parse(content);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string read_refusal(const fs::path& path) {
  try {
    read_npy(path);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string bytes_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string six_floats = [] {
  const float values[] = {1, 2, 3, 4, 5, 6};
  return std::string(reinterpret_cast<const char*>(values), sizeof values);
}();

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a file as numpy.save writes it is read, and written back byte by byte") {
  // numpy.save of numpy.arange(1, 7, dtype='float32').reshape(2, 3)
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string saved = std::string("\x93NUMPY\x01\x00v\x00", 10) + dictionary +
                            std::string(118 - dictionary.size() - 1, ' ') + "\n" + six_floats;
  const npy_array array = parse(saved);
  CHECK(array.type == npy_type::f4);
  CHECK(array.order == npy_order::c);
  CHECK(array.shape == std::vector<std::int64_t>{2, 3});
  CHECK(elements(array) == 6);
  CHECK(to_floats(array) == std::vector<float>{1, 2, 3, 4, 5, 6});

  const scratch temporary;
  write_npy(temporary / "a.npy", array);
  CHECK(bytes_of_file(temporary / "a.npy") == saved);
  CHECK(read_npy(temporary / "a.npy").data == array.data);
}

TEST_CASE("versions 2.0 and 3.0 have four bytes of header size") {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
  for (char version : {'\2', '\3'}) {
    const std::string file = std::string("\x93NUMPY") + version + std::string("\0", 1) +
                             static_cast<char>(header.size()) + std::string("\0\0\0", 3) + header + six_floats;
    CHECK(parse(file).shape == std::vector<std::int64_t>{2, 3});
  }
}

TEST_CASE("headers are read as Python would, in any order and spacing") {
  CHECK(parse(file_of("{\"shape\":(6,),'fortran_order':False,'descr':\"<f4\"}", six_floats)).shape ==
        std::vector<std::int64_t>{6});
  CHECK(parse(file_of("{ 'shape' : ( 2 , 3 , ) , 'fortran_order' : True , 'descr' : '<f4' , }", six_floats)).order ==
        npy_order::fortran);
  CHECK(parse(file_of("<f4", "()", six_floats.substr(0, 4))).shape.empty());
  CHECK(parse(file_of("<f4", "(0, 5)", "")).shape == std::vector<std::int64_t>{0, 5});
  CHECK(elements(parse(file_of("<f4", "(9223372036854775807, 0, 9)", ""))) == 0);
}

TEST_CASE("every supported type becomes float") {
  const auto floats = [](const std::string& descr, const std::string& shape, const std::string& data) {
    return to_floats(parse(file_of(descr, shape, data)));
  };
  CHECK(floats("|u1", "(2,)", "\x01\xff") == std::vector<float>{1, 255});
  CHECK(floats("|i1", "(2,)", "\x01\xff") == std::vector<float>{1, -1});
  CHECK(floats("<u2", "(2,)", "\x80\x3f\x40\xc0") == std::vector<float>{1, -3});
  CHECK(floats("<V2", "(2,)", "\x80\x3f\x40\xc0") == std::vector<float>{1, -3});
  CHECK(floats("|V2", "(1,)", "\x80\x3f") == std::vector<float>{1});
  CHECK(floats("<f2", "(3,)", std::string("\x00\x3c\x00\xc2\x01\x00", 6)) == std::vector<float>{1, -3, 0x1p-24F});
  CHECK(floats("<f8", "(1,)", std::string("\0\0\0\0\0\0\xf8\x3f", 8)) == std::vector<float>{1.5F});
  CHECK(floats("<i4", "(2,)", std::string("\xff\xff\xff\xff\x00\x01\x00\x00", 8)) == std::vector<float>{-1, 256});
  for (const char* descr : {"<V1", "|V1"})
    CHECK(floats(descr, "(3,)", "\x38\xc4\x7e") == std::vector<float>{1, -3, 448});
  for (const char* descr : {"<f1", "|f1"})
    CHECK(floats(descr, "(3,)", "\x3c\xc2\x7b") == std::vector<float>{1, -3, 57344});
}

TEST_CASE("Fortran order is turned into C order") {
  const std::string file = file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", six_floats);
  CHECK(to_floats(parse(file)) == std::vector<float>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("f2 rounds to nearest even, and back is the identity for all 65536 patterns") {
  const auto half = [](float value) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from_floats("x", npy_type::f2, {1}, std::span(&value, 1)).data.data(), 2);
    return bits;
  };
  CHECK(half(1.0F + 0x1p-11F) == 0x3c00);      // a tie, down to even
  CHECK(half(1.0F + 3 * 0x1p-11F) == 0x3c02);  // a tie, up to even
  CHECK(half(65519.996F) == 0x7bff);           // the largest
  CHECK(half(65520.0F) == 0x7c00);             // infinity
  CHECK(half(0x1p-25F) == 0x0000);             // half of the smallest, to even
  CHECK(half(0x1.000002p-25F) == 0x0001);      // and just above
  CHECK(half(-0.0F) == 0x8000);
  std::size_t wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    npy_array array{.file = "x", .type = npy_type::f2, .shape = {1}, .data = std::vector<std::byte>(2)};
    std::memcpy(array.data.data(), &bits, 2);
    const bool is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
    wrong += !is_nan && half(to_floats(array)[0]) != bits ? 1 : 0;
    wrong += is_nan && (half(to_floats(array)[0]) & 0x7fff) <= 0x7c00 ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("bf16 rounds to nearest even, and integers have to fit") {
  const auto back = [](npy_type type, float value) {
    return to_floats(from_floats("x", type, {1}, std::span(&value, 1)))[0];
  };
  for (npy_type type : {npy_type::bf16, npy_type::u2}) {
    CHECK(back(type, 1.0F + 0x1p-8F) == 1.0F);
    CHECK(back(type, 1.0F + 3 * 0x1p-8F) == 1.0F + 0x1p-6F);
    CHECK(back(type, 3.4e38F) == std::numeric_limits<float>::infinity());
    CHECK(back(type, std::nanf("1")) != back(type, std::nanf("1")));
  }
  CHECK(back(npy_type::f8, 0.1F) == 0.1F);
  CHECK(back(npy_type::i1, -128) == -128);
  CHECK(back(npy_type::u1, 255) == 255);
  CHECK(back(npy_type::i4, -0x1p31F) == -0x1p31F);
  CHECK(back(npy_type::e4m3, 1.0625F) == 1.0F);
  CHECK(back(npy_type::e5m2, 1.125F) == 1.0F);
  CHECK_THROWS_WITH_AS(back(npy_type::u1, -1), "x: -1 has no place in '|u1': whole numbers from 0 to 255", input_error);
  CHECK_THROWS_AS(back(npy_type::i1, 0.5F), input_error);
  CHECK_THROWS_AS(back(npy_type::i1, std::nanf("")), input_error);
}

TEST_CASE("a file that is not there, or is no file, is refused") {
  const scratch temporary;
  const auto name = [&](const std::string& file) { return (temporary / file).string(); };
  CHECK(read_refusal(temporary / "none.npy") == name("none.npy") + ": there is no such file");
  CHECK(read_refusal(temporary.folder) == temporary.folder.string() + ": it is a folder; expected a .npy file");
  CHECK(read_refusal("/dev/null") == "/dev/null: it is not a regular file");
  CHECK(read_refusal(temporary.write("empty.npy", "")) ==
        name("empty.npy") + ": it is no .npy file: it does not begin with the bytes 93 'NUMPY'");
}

TEST_CASE("a file that is cut short or too long is refused with both numbers") {
  const scratch temporary;
  const std::string whole = file_of("<f4", "(2, 3)", six_floats);
  const std::string cut = whole.substr(0, whole.size() - 5);
  CHECK(refusal(cut) == "x.npy: it holds 19 bytes of data, its header promises 24 ((2, 3) of '<f4')");
  CHECK(refusal(whole + "ab") == "x.npy: it holds 26 bytes of data, its header promises 24 ((2, 3) of '<f4')");
  const fs::path path = temporary.write("cut.npy", cut);
  CHECK(read_refusal(path) == path.string() + refusal(cut).substr(5));
  CHECK(refusal(whole.substr(0, 9)) == "x.npy: it ends after 9 bytes, within its header");
  CHECK(refusal(whole.substr(0, 40)) == "x.npy: its header claims 118 bytes, but only 30 bytes follow");
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(refusal(whole.substr(0, size)) != "accepted");
}

TEST_CASE("magic, version and header size are checked") {
  std::string file = file_of("<f4", "(2, 3)", six_floats);
  file[1] = 'M';
  CHECK(refusal(file) == "x.npy: it is no .npy file: it does not begin with the bytes 93 'NUMPY'");
  file[1] = 'N';
  file[6] = 4;
  CHECK(refusal(file) == "x.npy: its format version is 4.0; expected 1.0, 2.0 or 3.0");
  file[6] = 2;  // now the four bytes of the size are 'v', 0, '{' and a quote
  CHECK(contains(refusal(file), "bytes; at most 65535 make sense"));
}

TEST_CASE("types that are not supported are refused with what would be right") {
  CHECK(refusal(file_of(">f4", "(2, 3)", six_floats)) ==
        "x.npy: its type '>f4' is big-endian; save it with .astype('<f4')");
  CHECK(refusal(file_of("<i8", "(3,)", six_floats)) ==
        "x.npy: its type '<i8' is not supported; expected '<f2', '<f4', '<f8', '|u1', '|i1', '<u2', '<i4', '<V2' "
        "(bfloat16), "
        "'<V1' (float8_e4m3fn) or '<f1' (float8_e5m2)");
  CHECK(contains(refusal(file_of("|O", "(3,)", six_floats)), "its type '|O' is not supported"));
  CHECK(refusal(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", six_floats)) ==
        "x.npy: it holds records; expected an array of numbers");
  CHECK(contains(refusal(file_of("<f4\x1b[31m", "(3,)", "")), "'<f4?[31m'"));
}

TEST_CASE("shapes that cannot be are refused") {
  CHECK(refusal(file_of("<f4", "(-2, 3)", six_floats)) == "x.npy: size 0 of its shape is -2; a size is at least 0");
  CHECK(refusal(file_of("<f4", "(1, 99999999999999999999)", "")) == "x.npy: size 1 of its shape is over 2^63 - 1");
  CHECK(refusal(file_of("<f4", "(4294967296, 4294967296)", "")) ==
        "x.npy: its shape (4294967296, 4294967296) is over 2^63 bytes");
  CHECK(refusal(file_of("<f4", "(2305843009213693952,)", "")) ==
        "x.npy: its shape (2305843009213693952,) is over 2^63 bytes");
  CHECK(contains(refusal(file_of("<f4", "(2305843009213693951,)", "")), "its header promises 9223372036854775804"));
  CHECK(contains(refusal(file_of("<f4", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", "abcd")),
                 "over 32 dimensions"));
  CHECK(contains(refusal(file_of("<f4", "(6)", six_floats)), "one size is written (N,)"));
}

TEST_CASE("malformed headers are refused at their position") {
  const auto malformed = [](const std::string& dictionary) { return refusal(file_of(dictionary, six_floats)); };
  CHECK(malformed("") == "x.npy: its header is malformed at position 53: expected '{'");
  CHECK(malformed("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}") ==
        "x.npy: its header is malformed at position 34: expected True or False");
  CHECK(contains(malformed("{'descr': '<f4', 'fortran_order': False}"), "lacks one of"));
  CHECK(contains(malformed("{'descr': '<f4', 'descr': '<f4'}"), "position 17: expected each of"));
  CHECK(contains(malformed("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}"), "expected each of"));
  CHECK(contains(malformed("{'descr': '<f4' 'fortran_order': False}"), "expected ',' or '}'"));
  CHECK(contains(malformed("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}"), "expected ',' or ')'"));
  CHECK(contains(malformed("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x"), "nothing but blanks"));
  CHECK(contains(malformed("{'descr': '<f4"), "whose quote is closed"));
}

TEST_CASE("rank and shape are required with what they mean") {
  const npy_array array = parse(file_of("<f4", "(2, 3)", six_floats));
  const std::vector<std::int64_t> right{2, 3};
  const std::vector<std::int64_t> wrong{3, 2};
  CHECK_NOTHROW(require_rank(array, 2, "A, M x K"));
  CHECK_NOTHROW(require_shape(array, right, "A, M x K"));
  CHECK_THROWS_WITH_AS(require_rank(array, 4, "Q, B x H x S x D"),
                       "x.npy: it has 2 dimensions, (2, 3); expected 4 (Q, B x H x S x D)", input_error);
  CHECK_THROWS_WITH_AS(require_shape(array, wrong, "A, M x K"),
                       "x.npy: its shape is (2, 3); expected (3, 2) (A, M x K)", input_error);
  CHECK_THROWS_WITH_AS(require_rank(parse(file_of("<f4", "(0, 3)", "")), 2, "A, M x K"),
                       "x.npy: its shape is (0, 3): every size must be at least 1", input_error);
}

TEST_CASE("random mutations of a valid file are refused or read, and nothing else") {
  const std::string valid = file_of("<f4", "(2, 3)", six_floats);
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  const std::string telling = "(){}[]',:0123456789-<>|fViuTrue\n \x93\xff";
  std::size_t accepted = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string file = valid;
    for (std::size_t edits = 1 + below(4); edits > 0 && !file.empty(); --edits) {
      const std::size_t where = below(below(2) == 0 ? std::min<std::size_t>(file.size(), 80) : file.size());
      switch (below(5)) {
        case 0:
          file[where] = static_cast<char>(random());
          break;
        case 1:
          file[where] = telling[below(telling.size())];
          break;
        case 2:
          file.erase(where, 1 + below(8));
          break;
        case 3:
          file.insert(where, 1 + below(3), telling[below(telling.size())]);
          break;
        default:
          file.resize(where);
          break;
      }
    }
    try {
      const npy_array array = parse(file);
      REQUIRE(array.data.size() == static_cast<std::size_t>(elements(array)) * bytes_of(array.type));
      REQUIRE(to_floats(array).size() == static_cast<std::size_t>(elements(array)));
      ++accepted;
    } catch (const input_error& error) {
      REQUIRE(contains(error.what(), "x.npy: "));
    }
  }
  CHECK(accepted > 100);  // data bytes may change freely
  CHECK(accepted < 150000);
}

TEST_CASE("a file is replaced whole or not at all") {
  const scratch temporary;
  const std::vector<float> one{1};
  const fs::path path = temporary / "c.npy";
  write_npy(path, from_floats("c", npy_type::f4, {1}, one));
  const std::string before = bytes_of_file(path);

  npy_array wrong = from_floats("c", npy_type::f4, {2}, one);
  CHECK_THROWS_WITH_AS(write_npy(path, wrong), (path.string() + ": 4 bytes of data do not make (2,) of '<f4'").c_str(),
                       input_error);
  CHECK(bytes_of_file(path) == before);

  fs::create_directories(temporary / "folder.npy" / "inside");
  CHECK_THROWS_AS(write_npy(temporary / "folder.npy", from_floats("c", npy_type::f4, {1}, one)), input_error);
  CHECK_THROWS_WITH_AS(write_npy(temporary / "none" / "c.npy", from_floats("c", npy_type::f4, {1}, one)),
                       ((temporary / "none" / "c.npy").string() + ": it cannot be written (no folder " +
                        (temporary / "none").string() + ")")
                           .c_str(),
                       input_error);
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(temporary.folder))
    files += entry.path() != path ? 1 : 0;
  CHECK(files == 1);  // the folder, and no remains of a failed write
}
