// Loaded into a server before its own code: its timers of so many milliseconds and more take a hundred times as long, so that
// what is to happen before they end does so on every machine.
const shortest = Number(process.env.LONGER_FROM_MS);
const real = globalThis.setTimeout;
globalThis.setTimeout = (act, ms, ...rest) => real(act, ms >= shortest ? Math.min(ms * 100, 2 ** 31 - 1) : ms, ...rest);
