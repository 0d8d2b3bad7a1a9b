"""Speed and durability, measured on this machine: `python -m evaluation.bench --out DIR [--quick] [--parts a,b]`."""
