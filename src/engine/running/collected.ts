import type { Stream } from '../../run/sandbox/types.ts';

/** The output of a run so far. */
export interface Collected {
  add(stream: Stream, bytes: Uint8Array): void;
  /** Returns all bytes of a stream from an offset on. */
  bytes(stream: Stream, from?: number): Uint8Array;
  readonly size: number;
  /** Forgets everything. */
  clear(): void;
}

interface Kept {
  /** Pieces joined so far, in order, followed by the latest. */
  joined: Uint8Array[];
  latest: Uint8Array[];
}

/**
 * Number of pieces after which they are joined: a piece of one byte takes two hundred to keep, and a run that writes
 * byte by byte must not fill our memory.
 */
const mostLatest = 1024;

/** Keeps pieces as they came, and joins them on demand: a reader that polls does not cause a copy each time. */
export function createCollected(): Collected {
  const streams: Record<Stream, Kept> = {
    stdout: { joined: [], latest: [] },
    stderr: { joined: [], latest: [] },
  };
  let size = 0;
  return {
    add(stream, bytes) {
      const kept = streams[stream];
      kept.latest.push(bytes);
      size += bytes.length;
      if (kept.latest.length < mostLatest) return;
      kept.joined.push(Buffer.concat(kept.latest));
      kept.latest = [];
    },
    bytes(stream, from = 0) {
      const kept = streams[stream];
      const pieces = [...kept.joined, ...kept.latest];
      const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      if (whole === undefined) return new Uint8Array();
      streams[stream] = { joined: [whole], latest: [] };
      return whole.subarray(from);
    },
    get size() {
      return size;
    },
    clear() {
      for (const kept of Object.values(streams)) [kept.joined, kept.latest] = [[], []];
      size = 0;
    },
  };
}
