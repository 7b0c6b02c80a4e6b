// Included before a file that is a whole program, whose kernels are wanted alone; `#undef main` follows that file. Its
// main() becomes a template that nobody asks for, or it would bring kernels of its own.
// clang-format off
#define main declared_instead_of_main(); template <class> int never
