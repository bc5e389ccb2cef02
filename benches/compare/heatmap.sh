#!/usr/bin/env bash
# Heatmaps beside matplotlib and seaborn, in turns: A B A B …, so that a busy machine slows both.
#
#   benches/compare/heatmap.sh [ROUNDS] [REPETITIONS]
#
# PYTHON names an interpreter with numpy, matplotlib and seaborn; PROFILE is release or dev. For each size the last
# column is the median of the rounds' ratios. The last block is whole processes, from start to a PNG.
set -euo pipefail

export PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rounds=${1:-5}
repetitions=${2:-5}
python=${PYTHON:-python3}
profile=${PROFILE:-release}
here="$root/benches/compare"
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT

cd "$root"
messages=$(cargo build --profile "$profile" --bench heatmap --bin regard --message-format=json 2>/dev/null)
executable() {
    grep -o "\"executable\":\"[^\"]*/$1[^\"/]*\"" <<<"$messages" | tail -1 | cut -d'"' -f4
}
ours=$(executable heatmap-)
regard=$(executable regard)

field() { grep -o "\"$1\": *[0-9.]*" | grep -o '[0-9.]*$'; }
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

compare() { # theirs ours n
    local line theirs own ratios=()
    for ((round = 0; round < rounds; round++)); do
        line=$("$python" "$here/heatmap.py" "$1" "$3" "$repetitions" "$into/theirs.png")
        theirs=$(field total_ms <<<"$line")
        line=$("$ours" "$2" "$3" "$repetitions" "$into/ours.png")
        own=$(field total_ms <<<"$line")
        ratios+=("$(awk "BEGIN { print $theirs / $own }")")
    done
    printf '%-9s %5d  %9.1f ms %8d kB   %9.2f ms %8d kB %5d MB   %6.1f x\n' "$1" "$3" \
        "$theirs" "$(($(stat -c %s "$into/theirs.png") / 1024))" \
        "$own" "$(($(stat -c %s "$into/ours.png") / 1024))" "$(field rss_mb <<<"$line")" \
        "$(printf '%s\n' "${ratios[@]}" | median)"
}

echo "other         n      its time     its file     our time     our file   memory    ratio"
for n in 20 50 200 1000; do
    compare mpl plain "$n"
done
compare snsannot values 50
"$ours" plain 4096 1 | awk '{ print "4096 x 4096: " $0 }'

now() { date +%s%N; }
ratios=()
for ((round = 0; round < rounds; round++)); do
    begin=$(now)
    "$python" "$here/heatmap.py" mpl 20 1 "$into/theirs.png" >/dev/null
    middle=$(now)
    "$regard" figure "le chat noir dort" -o "$into/ours.png"
    end=$(now)
    ratios+=("$(awk "BEGIN { print ($middle - $begin) / ($end - $middle) }")")
done
awk "BEGIN { printf \"whole process: %.0f ms and %.0f ms\", ($middle - $begin) / 1e6, ($end - $middle) / 1e6 }"
printf ', ratio %.1f x\n' "$(printf '%s\n' "${ratios[@]}" | median)"
