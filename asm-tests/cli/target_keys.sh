# A misspelt key or table of a configuration is named with what it was meant to be, not with what lacks because of it.
# RUN: for change in s/^queue_depth/queue_dpeth/ s/^target/taget/ 's/^clock_ghz/clok_ghz/' 's/^l0a_mx /l0a_mix /' 's/^.machine./[machin]/' 's/^.sources./[source]/' 's/^.machine.bytes./[machine.byte]/' 's/^.vf./[vff]/'; do sed "0,/$(echo "$change" | cut -d/ -f2)/$change" ../../sim-configs/a5.toml > %t/my.toml; (cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml); done
# RUN: sed '0,/basis = "measured"/s//basiss = "measured"/' ../../sim-configs/a5.toml > %t/my.toml; cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml
# RUN: sed '0,/nested = /s//nestd = /' ../../sim-configs/a5.toml > %t/my.toml; cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml
# RUN: sed '0,/busy = /s//bsy = /' ../../sim-configs/a5.toml > %t/my.toml; cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml
# RUN: sed '/^queue_depth/d' ../../sim-configs/a5.toml > %t/my.toml; cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml
# RUN: sed 's/^queue_depth.*/&\nqueue_color = 1/' ../../sim-configs/a5.toml > %t/my.toml; cd %t; pto-sim k.pto --arg c=f32[4] --target my.toml
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 2
#! pto-sim: error: my.toml:7: 'machine.queue_dpeth' is not a known key, did you mean 'queue_depth'?
#! pto-sim: error: my.toml:3: 'machine.taget' is not a known key, did you mean 'target'?
#! pto-sim: error: my.toml:5: 'machine.clok_ghz' is not a known key, did you mean 'clock_ghz'?
#! pto-sim: error: my.toml:24: 'machine.bytes.l0a_mix' is not a known key, did you mean 'l0a_mx'?
#! pto-sim: error: my.toml:2: 'machin' is not a known key, did you mean 'machine'?
#! pto-sim: error: my.toml:27: 'source' is not a known key, did you mean 'sources'?
#! pto-sim: error: my.toml:23: 'machine.byte' is not a known key, did you mean 'bytes'?
#! pto-sim: error: my.toml:81: 'vff' is not a known key, did you mean 'vf'?
#= exit 2
#! pto-sim: error: my.toml:43: 'chip.read.basiss' is not a known key, did you mean 'basis'?
#= exit 2
#! pto-sim: error: my.toml:535: 'curve."tile.tadd".nestd' is not a known key, did you mean 'nested'?
#= exit 2
#! pto-sim: error: my.toml:943: 'formula.launch.bsy' is not a known key, did you mean 'busy'?
#= exit 2
#! pto-sim: error: my.toml:2: 'machine.queue_depth' is missing
#= exit 2
#! pto-sim: error: my.toml:8: 'machine.queue_color' is not a known key
