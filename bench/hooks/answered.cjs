/**
 * Tells what a server had cost when it answered `tools/list`, taken inside, so that neither the reader's pace nor what
 * the server does afterwards is in it.
 */
const fs = require('node:fs');
const { cost } = require('./cost.cjs');

const { writeSync, writeFileSync } = fs;
const file = process.env['BENCH_CPU_FILE'] ?? '';

fs.writeSync = /** @this {unknown} */ function watching(descriptor, data, ...rest) {
  const written = writeSync.call(this, descriptor, data, ...rest);
  if (descriptor === 1 && Buffer.from(data).subarray(0, 200).includes('"tools":[')) {
    writeFileSync(file, cost());
    fs.writeSync = writeSync;
  }
  return written;
};
