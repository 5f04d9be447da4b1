"""The kernels by name: gemm_1536, conv_C1, topk_f32_4800, fa_jit_128x1024, fa_manual_1024, mxfp8_2048."""
from conv import CASES, conv
from fa import fa, fa_args
from gemm import gemm
from topk import topk


def build(name):
    """Text, arguments and blocks of a kernel by its name."""
    kind, *rest = name.split("_")
    if kind == "gemm":
        m = int(rest[0])
        return gemm(m, m, m, 4, 6), [f"a=f16[{m}x{m}]", f"b=f16[{m}x{m}]", f"c=f32[{m}x{m}]"], 24
    if kind == "mxfp8":
        m = int(rest[0])
        text = gemm(m, m, m, 4, 8, baseK=128, el="f8E5M2", out="bf16", arch="a5", scale_every=8)
        return text, [f"a=f8e5m2[{m}x{m}]", f"b=f8e5m2[{m}x{m}]", f"c=bf16[{m}x{m}]", f"s=f8e5m2[{2*m}x{m//32}]"], 32
    if kind == "conv":
        cin, hin, win, n = CASES[rest[0]]
        return conv(cin, hin, win, n), [f"a=f16[{4*cin*hin*win}x16]", f"b=f16[{cin*9}x{n*16}]", f"c=f16[{4*hin*win}x{n}]"], 24
    if kind == "topk":
        t, r, k = rest[0], int(rest[1]), 1000
        return topk(t, rows=r, k=k), [f"out={t}[{r}x{k}]", f"index=u32[{r}x{k}]", f"src={t}[{r}x1280]", "inidx=u32[1x1024]"], 48
    variant, size = rest
    s0, s1 = (int(x) for x in size.split("x")) if "x" in size else (int(size), int(size))
    return fa(s0, s1, variant), fa_args(s0, s1), s0 // 128
