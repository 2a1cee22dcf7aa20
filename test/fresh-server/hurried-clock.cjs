// Loaded into a server before its own code: its long timers run twenty times as fast, so that what it does every half
// a minute can be seen in seconds.
const factor = 20;
for (const name of ['setInterval', 'setTimeout']) {
  const real = globalThis[name];
  globalThis[name] = (act, ms, ...rest) => real(act, ms >= 5000 ? ms / factor : ms, ...rest);
}
