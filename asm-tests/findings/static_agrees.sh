# What pto-as says of flags without running, and what a run shows, do not contradict each other.
# RUN: ../../tools/scripts/conformance/static_agrees.py --bin "$(dirname "$(command -v pto-as)")" . ../kernels | sed 's|^[1-9][0-9]* agree|all agree|'

#= exit 0
#| RACE: seen by the simulator alone in 5
#| all agree, 0 contradict
