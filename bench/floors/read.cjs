/**
 * The least that having texts in memory can cost: every file that is given, and every SKILL.md below a folder that is
 * given, is read whole and forgotten.
 */
const { readFileSync, statSync } = require('node:fs');
const { walk } = require('./walk.cjs');

const start = performance.now();
let bytes = 0;

function read(file) {
  bytes += readFileSync(file).length;
}

for (const path of process.argv.slice(2)) {
  if (statSync(path).isFile()) read(path);
  else walk(path, (file, name) => name === 'SKILL.md' && read(file));
}

process.stdout.write(JSON.stringify({ bytes, wallMs: performance.now() - start }));
