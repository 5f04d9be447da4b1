// Functions that the tools call and WASI lacks: they do nothing, or fail as on a system without them.
#pragma once

#include <malloc.h>
#include <signal.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdlib>

constexpr int RENAME_EXCHANGE = 2, M_MMAP_THRESHOLD = -3, SA_RESETHAND = 1, SA_RESTART = 2;

struct sigaction {
  void (*sa_handler)(int);
  int sa_flags;
};
inline int sigaction(int, const struct sigaction*, struct sigaction*) { return 0; }  // nothing interrupts

inline int mallopt(int, int) { return 1; }
inline int fchown(int, uid_t, gid_t) { return 0; }  // one user

inline int lacking() {
  errno = ENOSYS;
  return -1;
}
inline int renameat2(int, const char*, int, const char*, unsigned) { return lacking(); }

/// The other program is this one, too.
int run_tool(char* const* arguments);
[[noreturn]] inline int execvp(const char*, char* const* arguments) { std::exit(run_tool(arguments)); }
