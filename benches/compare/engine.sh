#!/usr/bin/env bash
# The engine beside PyTorch and ONNX Runtime, in turns: A B C A B C …, so that a busy machine slows all.
#
#   benches/compare/engine.sh [ROUNDS] [OPTION…]
#
# PYTHON names an interpreter with the packages of benches/compare/engine/requirements.txt. MODE is a part (check,
# decode, lengths, train, memory, limits) instead of all. PROFILE is release, or dev to try the comparison: its numbers mean
# nothing, not even the limits. Options go to engine.py: --quick for a first impression, --json FILE for all numbers.
set -euo pipefail

export PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rounds=5
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    rounds=$1
    shift
fi
python=${PYTHON:-python3}
profile=${PROFILE:-release}

messages=$(cd "$root" && cargo build --profile "$profile" --bench compare_engine --message-format=json-render-diagnostics)
ours=$(grep -o '"executable":"[^"]*/compare_engine-[^"/]*"' <<<"$messages" | tail -1 | cut -d'"' -f4)
exec "$python" "$root/benches/compare/engine.py" "${MODE:-all}" --ours "$ours" --rounds "$rounds" "$@"
