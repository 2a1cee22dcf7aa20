/**
 * Required into every process that is measured, subject and floor alike. The process itself knows best what it cost:
 * user and system time since it started, the start of Node and all its threads included.
 */
const { writeFileSync } = require('node:fs');

const file = process.env['BENCH_CPU_FILE'] ?? '';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(file, String((user + system) / 1000));
});
