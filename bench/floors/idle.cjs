/** Node that waits for input, and does nothing else. */
const { writeSync } = require('node:fs');

process.stdin.resume();
writeSync(2, 'waiting\n');
