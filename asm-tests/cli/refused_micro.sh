# Instructions whose results no public source states to the bit are listed as not executed, by name.
# covers: M-micro-refused M-tf32-refused
# RUN: pto-as --list-instructions --unsupported --format json > %t/list && for name in vselrv2 vslide vaddreluconv vmulconv vsld vsst vstu pld pst vsort32 vtranspose load_cbuf_to_cb_mx sethf32mode; do grep -c "\"name\": \"pto.$name\"" %t/list | sed "s/^/$name /"; done

#= exit 0
#| vselrv2 1
#| vslide 1
#| vaddreluconv 1
#| vmulconv 1
#| vsld 1
#| vsst 1
#| vstu 1
#| pld 1
#| pst 1
#| vsort32 1
#| vtranspose 1
#| load_cbuf_to_cb_mx 1
#| sethf32mode 1
