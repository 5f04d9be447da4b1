# Sourced by the scripts of tools/: the project's root, the Debian packages it needs, and their installation.
# shellcheck shell=bash
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

build_packages=(g++ cmake ninja-build libboost-dev libfmt-dev libspdlog-dev libcli11-dev catch2 libtomlplusplus-dev
                nlohmann-json3-dev libhwy-dev libbenchmark-dev python3 python3-numpy)

# For the Python package; for its tests.
python_packages=(pybind11-dev python3-dev)
python_test_packages=(python3-pytest mypy jupyter-nbconvert python3-ipykernel)
# For tests of the packages.
package_test_packages=(lintian debootstrap)

# For sanitizers and fuzzers; llvm holds what turns addresses into lines.
clang_packages=(clang libclang-rt-dev llvm)

# For pto-sim-mpi, which is built where they are.
mpi_packages=(libopenmpi-dev openmpi-bin)

# For pages in a browser, and other editors.
web_packages=(chromium fonts-dejavu-core neovim emacs-nox elpa-eglot)

# For the playground: a compiler that knows WebAssembly well enough.
playground_packages=(clang-19 lld-19 "${build_packages[@]}")

# install_packages NAME...: installs what is missing (as root); says what to do otherwise.
install_packages() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" != 0 ]; then
    echo "error: missing packages: ${missing[*]} (run as root, or: sudo apt-get install ${missing[*]})" >&2
    exit 2
  fi
  echo "installing ${missing[*]}" >&2
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# install_web: Chromium, Node and the modules of tools/web, as its lock file says.
install_web() {
  install_packages "${web_packages[@]}"
  command -v npm >/dev/null || install_packages nodejs npm
  [ tools/web/node_modules/.package-lock.json -nt tools/web/package-lock.json ] ||
    (cd tools/web && PUPPETEER_SKIP_DOWNLOAD=1 npm ci --silent --no-audit --no-fund)
}

# install_playground: what makes the playground, and the headers and libraries of WebAssembly from npm.
install_playground() {
  install_packages "${playground_packages[@]}"
  install_web
  [ tools/playground/node_modules/.package-lock.json -nt tools/playground/package-lock.json ] ||
    (cd tools/playground && npm ci --silent --no-audit --no-fund --ignore-scripts)
}

# progress LOG: adds the lines it reads to LOG, and shows how far Ninja is ("[120/541] pto_exec: ub.cpp, 42 s"): on a terminal in
# one line, elsewhere ten times.
progress() {
  local line done total what shown=0 begin=$SECONDS step='^\[([0-9]+)/([0-9]+)\] (.*)$' object='([^/ ]+)\.dir/.*/([^/]+)\.o$|([^/ ]+)\.dir/([^/]+)\.o$'
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ $step ]] || continue
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} what=${BASH_REMATCH[3]##* }
    if [[ $line =~ $object ]]; then what="${BASH_REMATCH[1]}${BASH_REMATCH[3]}: ${BASH_REMATCH[2]}${BASH_REMATCH[4]}"; fi
    if [ -t 2 ]; then
      printf '\r\033[K[%s/%s] %s, %d s' "$done" "$total" "$what" $((SECONDS - begin)) >&2
    elif [ $((done * 10 / total)) -gt "$shown" ]; then
      shown=$((done * 10 / total))
      printf '[%s/%s] %s, %d s\n' "$done" "$total" "$what" $((SECONDS - begin)) >&2
    fi
  done
  if [ -t 2 ] && [ -n "${done:-}" ]; then printf '\r\033[K[%s/%s] built in %d s\n' "$done" "$total" $((SECONDS - begin)) >&2; fi
}

# build_preset PRESET [CMAKE-OPTION...] [-- TARGET...]: configures and builds into build/PRESET; shows how far it is, and the whole log when something
# fails. 124 when it takes longer than $build_seconds.
build_preset() {
  local preset=$1 log options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  if [ $# -gt 0 ]; then set -- --target "${@:2}"; fi
  log=build/$preset.log
  mkdir -p build
  local status=0
  echo "building into build/$preset (log: $log)" >&2
  cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 && timeout "${build_seconds:-0}" cmake --build --preset "$preset" "$@" 2>&1 | progress "$log" || status=$?
  if [ $status -eq 124 ]; then return $status; fi
  if [ $status -ne 0 ]; then
    cat "$log" >&2
    exit 2
  fi
}
