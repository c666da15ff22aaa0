#include <stddef.h>
#include <stdint.h>

// The way into libFuzzer for a program with a `main` of its own, as LLVM's documents have it.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));
