// Nothing: what remains is the start of Node.
