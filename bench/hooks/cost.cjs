/**
 * Required into every process that is measured, subject and floor alike: the process itself knows best what it cost. It tells
 * user and system time of all its threads, the start of Node included, and the size of the program's own files that it has
 * loaded, which no load of the machine changes. It does so at its end or, where it is told to, when it answers `tools/list`, so that
 * neither the reader's pace nor what a server does afterwards is in it.
 */
const fs = require('node:fs');

const { statSync, writeFileSync, writeSync } = fs;
const { BENCH_COST_FILE: file = '', BENCH_COST_AT: moment } = process.env;

function tell() {
  const { user, system } = process.cpuUsage();
  const loaded = Object.keys(require.cache).filter((path) => /[\\/]dist[\\/]/.test(path));
  const codeBytes = loaded.reduce((sum, path) => sum + statSync(path).size, 0);
  writeFileSync(file, JSON.stringify({ cpuMs: (user + system) / 1000, codeBytes }));
}

if (moment === 'tools') {
  fs.writeSync = /** @this {unknown} */ function watching(descriptor, data, ...rest) {
    const written = writeSync.call(this, descriptor, data, ...rest);
    if (descriptor === 1 && Buffer.from(data).subarray(0, 200).includes('"tools":[')) {
      tell();
      fs.writeSync = writeSync;
    }
    return written;
  };
} else {
  process.on('exit', tell);
}
