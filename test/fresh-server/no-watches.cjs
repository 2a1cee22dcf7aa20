// Loaded into a server before its own code: the system has no watches left to give.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
fs.watch = () => {
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
};
syncBuiltinESMExports();
