/**
 * Counts how often a SKILL.md is opened, by whatever function. Required before the program is loaded, so that the
 * program finds these in place of Node's own. That it catches what it should is shown on a scan that must open all.
 */
const fs = require('node:fs');

const { writeFileSync } = fs;
const file = process.env['BENCH_OPENS_FILE'] ?? '';
let opened = 0;

function counting(original) {
  return /** @this {unknown} */ function counted(path, ...rest) {
    if (typeof path !== 'number' && /skill\.md$/i.test(String(path))) opened++;
    return original.call(this, path, ...rest);
  };
}

for (const name of ['openSync', 'open', 'readFileSync', 'readFile', 'createReadStream', 'openAsBlob']) {
  fs[name] = counting(fs[name]);
}
for (const name of ['open', 'readFile']) fs.promises[name] = counting(fs.promises[name]);

process.on('exit', () => writeFileSync(file, String(opened)));
