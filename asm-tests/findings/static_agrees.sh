# What pto-as says of flags without running, and what a run shows, do not contradict each other.
# RUN: ../../tools/static-agrees.py --bin "$(dirname "$(command -v pto-as)")" . ../kernels

#= exit 0
#| RACE: seen by the simulator alone in 2
#| 40 agree, 0 contradict
