# pto_embed_file(VARIABLE SYMBOL FILE): declarations that put the bytes of FILE between SYMBOL and SYMBOL_end. The assembler reads the
# file (.incbin), so they are bytes as they are; the path does not get into the object.
function(pto_embed_file variable symbol file)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    set(begin ".section .rodata.${symbol},\\\"\\\",@\\n")
    set(of_data "\\n.type ${symbol},@object\\n")
    set(end "\\n.size ${symbol},.-${symbol}\\n.globl ${symbol}_end\\n.hidden ${symbol}_end\\n.type ${symbol}_end,@object\\n${symbol}_end:\\n.size ${symbol}_end,0\\n")
  else()
    set(begin ".pushsection .rodata\\n")
    set(of_data "\\n")
    set(end "\\n.globl ${symbol}_end\\n.hidden ${symbol}_end\\n${symbol}_end:\\n.popsection")
  endif()
  set(${variable} "asm(\"${begin}.globl ${symbol}\\n.hidden ${symbol}${of_data}${symbol}:\\n.incbin \\\"${file}\\\"${end}\");
extern \"C\" const char ${symbol}[], ${symbol}_end[];
" PARENT_SCOPE)
endfunction()
