// Loaded into a server before its own code: its clock goes forward by six minutes whenever it gets SIGUSR2, and it looks every
// moment for what it looks for once a minute.
let ahead = 0;
const { now } = Date;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => {
  ahead += 360_000;
  process.stderr.write('the clock was moved\n');
});
const real = globalThis.setInterval;
globalThis.setInterval = (act, ms, ...rest) => real(act, ms === 60_000 ? 50 : ms, ...rest);
