#!/bin/bash -eu
# One program, with all that it imports, also by name; and its first inputs, which it cannot write itself.
pip3 install ".[html,pdf,zst]"
mkdir "$WORK/seeds"
python3 -m tests.fuzz.guided --seeds "$WORK/seeds"
find "$WORK/seeds" -maxdepth 1 -type f | zip -q -j -@ "$OUT/guided_seed_corpus.zip"
compile_python_fuzzer tests/fuzz/guided.py --paths . --hidden-import tests.fuzz.tables \
    --collect-all hlta --collect-all stop_words
