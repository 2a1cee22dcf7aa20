// Loaded into a program before its own code: a thread dies of reading one file, as if its memory had run out.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread, parentPort } = require('node:worker_threads');

if (!isMainThread) {
  const open = fs.openSync;
  fs.openSync = (path, ...rest) => {
    if (String(path).endsWith('deadly.md')) {
      parentPort.postMessage = () => undefined; // the dead give no answers
      queueMicrotask(() => {
        throw new Error('no memory left');
      });
    }
    return open(path, ...rest);
  };
  syncBuiltinESMExports();
}
