# Release programs read strangers' files, so a mistake of ours shall end the program rather than run what the file says:
# stack protector, checked library calls, relocations that are made at the start and read-only afterwards, code at a random
# place. Other configurations have sanitizers instead; _FORTIFY_SOURCE needs optimisation. tools/test looks at the result.
add_compile_options("$<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fPIE>")
add_link_options("$<$<CONFIG:Release>:-Wl,-z,relro,-z,now>")

# pto_release_program(TARGET): a program that is installed; without symbols.
function(pto_release_program target)
  target_link_options(${target} PRIVATE $<$<CONFIG:Release>:-s>)
endfunction()
