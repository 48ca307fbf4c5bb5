#!/bin/bash
# Make the weights of the chess network from nothing: games by the terms alone, a first network,
# games with it, a second network, longer searches with it of some of the positions, the network
# that is kept. Takes some hours and 4 GB of disk under FOLDER.
#
#     scripts/chess_learn.sh FOLDER [GAMES]
#
# GAMES is the number of games of each processor in each round. Needs the extra `train`.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-} games=${2:-20000} python=.venv/bin/python
weights=engine/games/chess/weights.npz

fail() {
    echo "chess_learn: $1" >&2
    exit 2
}

# Wait for all that runs in the background; one that failed ends everything.
finish() {
    for job in $(jobs -p); do wait "$job"; done
}

[ -n "$folder" ] || fail "expected a folder to keep the games in"
[[ $games =~ ^[1-9][0-9]{0,7}$ ]] || fail "expected a number of games, got $games"
$python -c 'import torch' 2> /dev/null || fail "needs PyTorch: .venv/bin/pip install -e '.[train]'"
mkdir -p "$folder"

for round in 1 2; do
    for core in $(seq "$(nproc)"); do
        $python scripts/chess_selfplay.py "$folder" --games "$games" --seed $((100 * round + core)) \
            $([ $round = 1 ] && echo --terms) &
    done
    finish
    $python scripts/chess_train.py "$folder/weights.npz" "$folder"/[0-9]*.npy
    cp "$folder/weights.npz" $weights
done

for core in $(seq "$(nproc)"); do
    $python scripts/chess_label.py "$folder/labels" "$folder"/[0-9]*.npy --seed "$core" \
        --positions $((50 * games)) &
done
finish
$python scripts/chess_train.py $weights "$folder"/labels/*.npy --start "$folder/weights.npz" \
    --epochs 8 --rate 1e-3
