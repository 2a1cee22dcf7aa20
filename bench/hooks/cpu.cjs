/** Required into every process that is measured, subject and floor alike: the process itself knows best what it cost. */
const { writeFileSync } = require('node:fs');
const { cost } = require('./cost.cjs');

const file = process.env['BENCH_CPU_FILE'] ?? '';

process.on('exit', () => writeFileSync(file, cost()));
