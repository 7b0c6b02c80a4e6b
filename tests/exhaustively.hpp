// How many kernels a test is compiled for. Each takes a second or two, most of it for its proofs and its code on the
// model, so tests that go through types and configurations take a sample of them. The executables test_FOLDER_exhaustive
// have all: they are made of the same files, by `./test.sh -C exhaustive`.
#pragma once

namespace sectile::test {

#ifdef SECTILE_EXHAUSTIVELY
constexpr bool exhaustively = true;
#else
constexpr bool exhaustively = false;
#endif

}  // namespace sectile::test
