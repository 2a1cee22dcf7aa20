const { statSync } = require('node:fs');

/**
 * What this process has cost so far: user and system time of all its threads, the start of Node included, and the size of
 * the program's own files that it has loaded, which no load of the machine changes.
 */
exports.cost = () => {
  const { user, system } = process.cpuUsage();
  const loaded = Object.keys(require.cache).filter((path) => /[\\/]dist[\\/]/.test(path));
  const codeBytes = loaded.reduce((sum, path) => sum + statSync(path).size, 0);
  return JSON.stringify({ cpuMs: (user + system) / 1000, codeBytes });
};
