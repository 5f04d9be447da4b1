// What programs that load no libraries need of Highway's compiled part, which Debian ships as a shared
// library only: which of the instruction sets that a kernel was compiled for this processor has. Values do
// not depend on the answer, time does.
#include <hwy/highway.h>

namespace hwy {

int64_t SupportedTargets() {
  static const int64_t targets = [] {
    int64_t found = HWY_BASELINE_TARGETS;
#if HWY_ARCH_X86
    __builtin_cpu_init();
    const auto has = [](auto... features) { return (features && ...); };
    if (__builtin_cpu_supports("ssse3")) found |= HWY_SSSE3;
    if (has(__builtin_cpu_supports("sse4.1"), __builtin_cpu_supports("sse4.2"),
            __builtin_cpu_supports("pclmul"), __builtin_cpu_supports("aes")))
      found |= HWY_SSE4;
    const bool avx2 =
        has(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"), __builtin_cpu_supports("bmi"),
            __builtin_cpu_supports("bmi2"), __builtin_cpu_supports("f16c"), __builtin_cpu_supports("lzcnt"));
    if (avx2) found |= HWY_AVX2;
    if (avx2 && has(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512vl"),
                    __builtin_cpu_supports("avx512dq"), __builtin_cpu_supports("avx512bw"),
                    __builtin_cpu_supports("avx512cd")))
      found |= HWY_AVX3;
#endif
    return found;
  }();
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
