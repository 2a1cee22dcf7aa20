/** Makes every opening of a SKILL.md take a millisecond longer, as on a slow or distant disk: ten seconds for 10,000. */
const fs = require('node:fs');

const { openSync } = fs;
const bell = new Int32Array(new SharedArrayBuffer(4));

fs.openSync = /** @this {unknown} */ function slow(path, ...rest) {
  if (/skill\.md$/i.test(String(path))) Atomics.wait(bell, 0, 0, 1);
  return openSync.call(this, path, ...rest);
};
