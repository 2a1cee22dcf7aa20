import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';

/**
 * Writes files over and over until it is ended, as editors and installers do: every other time as a whole, by a rename
 * of a finished draft, and else in place, where the file is first empty, then half there. Each time the text differs.
 * A line tells what has been done so far.
 */
const files = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const texts = files.map((file) => readFileSync(file, 'utf8'));

const ways = [
  async (/** @type {string} */ file, /** @type {string} */ text) => {
    writeFileSync(`${file}.draft`, text);
    renameSync(`${file}.draft`, file);
  },
  async (/** @type {string} */ file, /** @type {string} */ text) => {
    const half = Math.floor(text.length / 2);
    const descriptor = openSync(file, 'w');
    for (const part of [text.slice(0, half), text.slice(half)]) {
      await breathe();
      writeSync(descriptor, part);
    }
    closeSync(descriptor);
  },
];

process.on('SIGTERM', () => {
  // Only between two files, so that none is left half written.
  isOver = true;
});

let isOver = false;
for (let round = 0; !isOver; round++) {
  for (const [index, file] of files.entries()) {
    await ways[(round + index) % ways.length]?.(file, `${texts[index]}\nWritten ${round} times.\n`);
    await sleep(1);
    if (isOver) break;
  }
  process.stderr.write(`written: ${round + 1} times\n`);
}
for (const [index, file] of files.entries()) writeFileSync(file, texts[index]);
