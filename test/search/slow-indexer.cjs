// Loaded into a program before its own code: the thread that makes an index reads every skill slowly, without working.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const pauseMs = Number(process.env.SLOW_INDEXER_MS ?? 4);
if (!isMainThread) {
  const open = fs.openSync;
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  fs.openSync = (path, ...rest) => {
    if (String(path).endsWith('SKILL.md')) Atomics.wait(nothing, 0, 0, pauseMs);
    return open(path, ...rest);
  };
  syncBuiltinESMExports();
}
