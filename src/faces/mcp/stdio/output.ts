import { writeSync } from 'node:fs';

/** Writes lines to stdout, each whole and in order, without ever waiting for a reader that is slow. */
export interface Output {
  write(line: string): void;
  /** Resolves when everything has been written, or the reader is gone. */
  flushed(): Promise<void>;
}

/** Bytes that fit into every pipe, read or not: writing them straight to the descriptor cannot block. */
const firstBytes = 48 * 1024;
/** Bytes waiting above which the client is taken to have stopped reading. */
const mostWaiting = 64 * 1024 * 1024;

/**
 * Creates the output. The process's stream costs a start more than all the rest of us, so that the opening of a
 * connection goes straight to the descriptor. That would block the whole process once the pipe is full, signals
 * included; so all else goes through the stream, which does not.
 */
export function createOutput(onGone: () => void): Output {
  let room = firstBytes;
  let stream: NodeJS.WriteStream | undefined;
  let isGone = false;

  function lose(): void {
    if (isGone) return;
    isGone = true;
    onGone();
  }

  function openStream(): NodeJS.WriteStream {
    const { stdout } = process;
    stdout.on('error', lose);
    return stdout;
  }

  /** Writes straight to the descriptor; returns the bytes that could not be written. */
  function writeNow(bytes: Buffer): Buffer {
    room -= bytes.length;
    try {
      return bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') lose();
      return bytes;
    }
  }

  return {
    write(line) {
      if (isGone) return;
      const bytes = Buffer.from(line);
      const rest = stream === undefined && bytes.length <= room ? writeNow(bytes) : bytes;
      if (isGone || rest.length === 0) return;
      stream ??= openStream();
      stream.write(rest);
      if (stream.writableLength > mostWaiting) lose();
    },
    async flushed() {
      while (!isGone && stream !== undefined && stream.writableLength > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}
