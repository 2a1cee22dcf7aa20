/** Cuts a stream of bytes into lines, however they arrive: several at once, or one in many pieces. */
export interface LineCutter {
  push(chunk: Buffer): void;
  /** Ends the stream; bytes after the last line end are a line as well. */
  end(): void;
}

export interface LineEvents {
  /** Called with each line without its end, except empty ones. */
  readonly onLine: (line: Buffer) => void;
  /** Called when a line was longer than the limit and has been discarded. */
  readonly onTooLong: () => void;
}

const lineFeed = 10;

export function createLineCutter(limit: number, { onLine, onTooLong }: LineEvents): LineCutter {
  let parts: Buffer[] = [];
  let length = 0;
  let isTooLong = false;

  function add(part: Buffer): void {
    length += part.length;
    isTooLong ||= length > limit;
    if (isTooLong) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function finish(): void {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const wasTooLong = isTooLong;
    [parts, length, isTooLong] = [[], 0, false];
    if (wasTooLong) onTooLong();
    else if (!isBlank(line)) onLine(line);
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        add(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    end: finish,
  };
}

/** Tells whether a line holds only spaces, tabs and carriage returns, which clients send that end lines with CRLF. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
