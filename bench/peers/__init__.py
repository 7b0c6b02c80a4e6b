"""C = A B^T by Sectile and by everybody else, raced on one GPU in one process: `python3 bench/peers`."""
