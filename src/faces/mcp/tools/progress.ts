import { cut, oneLine } from '../../../core/text.ts';
import { decodeOutput } from '../../../run/output/decode.ts';

/** No client needs to be told more often. */
const intervalMs = 200;
const longest = 200;

export interface Teller {
  /** A run has written something. */
  heard(bytes: Uint8Array): void;
  end(): void;
}

/** Tells a client the last line that a run has written, from time to time; and that it lives, when it writes nothing. */
export function createTeller(tell: (message: string) => void): Teller {
  let line = '';
  let isNew = false;
  const started = Date.now();
  let told = started;
  const timer = setInterval(() => {
    const now = Date.now();
    if (isNew) tell(line);
    else if (now - told >= 5_000) tell(`running for ${Math.round((now - started) / 1000)} s`);
    else return;
    told = now;
    isNew = false;
  }, intervalMs);
  return {
    heard(bytes) {
      const lines = decodeOutput(bytes.subarray(-4 * longest))
        .trimEnd()
        .split('\n');
      line = cut(oneLine(lines.at(-1) ?? ''), longest);
      isNew = line !== '';
    },
    end: () => clearInterval(timer),
  };
}
