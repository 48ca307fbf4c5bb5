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
folder=${1:?where to keep the games} games=${2:-20000} python=.venv/bin/python
weights=engine/games/chess/weights.npz
mkdir -p "$folder"

for round in 1 2; do
    for core in $(seq "$(nproc)"); do
        $python scripts/chess_selfplay.py "$folder" --games "$games" --seed $((100 * round + core)) \
            $([ $round = 1 ] && echo --terms) &
    done
    wait
    $python scripts/chess_train.py "$folder/weights.npz" "$folder"/[0-9]*.npy
    cp "$folder/weights.npz" $weights
done

for core in $(seq "$(nproc)"); do
    $python scripts/chess_label.py "$folder/labels" "$folder"/[0-9]*.npy --seed "$core" \
        --positions $((50 * games)) &
done
wait
$python scripts/chess_train.py $weights "$folder"/labels/*.npy --start "$folder/weights.npz" \
    --epochs 5 --rate 1.5e-3
