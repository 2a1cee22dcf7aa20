import { cut, oneLine } from '../../../core/text/text.ts';
import { decodeOutput } from '../../../run/output/decode.ts';

/** Interval between progress notifications. */
const intervalMs = 200;
const longest = 200;

export interface ProgressReporter {
  /** Takes output that a run has written. */
  onOutput(bytes: Uint8Array): void;
  end(): void;
}

/** Reports a run's last line of output to a client from time to time; and that it lives, when it writes nothing. */
export function createProgressReporter(report: (message: string) => void): ProgressReporter {
  let line = '';
  let isNew = false;
  const started = Date.now();
  let reportedAt = started;
  const timer = setInterval(() => {
    const now = Date.now();
    if (isNew) report(line);
    else if (now - reportedAt >= 5_000) report(`running for ${Math.round((now - started) / 1000)} s`);
    else return;
    reportedAt = now;
    isNew = false;
  }, intervalMs);
  return {
    onOutput(bytes) {
      const lines = decodeOutput(bytes.subarray(-4 * longest))
        .trimEnd()
        .split('\n');
      line = cut(oneLine(lines.at(-1) ?? ''), longest);
      isNew = line !== '';
    },
    end: () => clearInterval(timer),
  };
}
