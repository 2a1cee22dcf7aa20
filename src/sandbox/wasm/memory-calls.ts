type Calls = Readonly<Record<string, (...values: number[]) => number>>;

const success = 0;
const notSupported = 58;

/**
 * Calls that the library gets wrong or does badly: it counts letters where arguments are bytes, and waits by counting
 * time away at full speed.
 */
export function properCalls(args: readonly string[], memory: () => ArrayBuffer): Calls {
  const encoded = args.map((arg) => Buffer.from(`${arg}\0`, 'utf8'));
  return {
    args_sizes_get(count = 0, size = 0) {
      const view = new DataView(memory());
      view.setUint32(count, encoded.length, true);
      const total = encoded.reduce((sum, { length }) => sum + length, 0);
      view.setUint32(size, total, true);
      return success;
    },

    args_get(pointers = 0, start = 0) {
      const view = new DataView(memory());
      let at = start;
      for (const [index, bytes] of encoded.entries()) {
        view.setUint32(pointers + index * 4, at, true);
        new Uint8Array(memory()).set(bytes, at);
        at += bytes.length;
      }
      return success;
    },

    poll_oneoff(subscription = 0, event = 0, count = 0, written = 0) {
      const view = new DataView(memory());
      const isClock = view.getUint8(subscription + 8) === 0;
      if (count !== 1 || !isClock) return notSupported;
      const isAbsolute = (view.getUint16(subscription + 40, true) & 1) === 1;
      const nanoseconds = Number(view.getBigUint64(subscription + 24, true));
      const isMonotonic = view.getUint32(subscription + 16, true) === 1;
      const now = isMonotonic ? performance.now() : Date.now();
      const wait = nanoseconds / 1e6 - (isAbsolute ? now : 0);
      if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
      view.setBigUint64(event, view.getBigUint64(subscription, true), true);
      view.setUint32(event + 8, 0, true); // no error; a clock
      view.setUint32(written, 1, true);
      return success;
    },
  };
}
