// Whether the process has one thread only, which libstdc++ asks to do without atomic counters. The answer of
// the C library is data of another object, and the library's objects, compiled for programs, reach data of
// their own object only (cmake/python.cmake). Here the answer is no.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;
