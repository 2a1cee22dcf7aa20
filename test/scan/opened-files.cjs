// Loaded into a program before its own code: notes which files named notes.md are opened.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const open = fs.openSync;
fs.openSync = (path, ...rest) => {
  if (String(path).endsWith('notes.md')) fs.appendFileSync(process.env.OPENED_FILES ?? '', `${String(path)}\n`);
  return open(path, ...rest);
};
syncBuiltinESMExports();
