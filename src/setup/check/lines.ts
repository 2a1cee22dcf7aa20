/** Text that comes in pieces, as lines. */
export interface Lines {
  /** The lines that are complete with this piece. */
  add(text: string): readonly string[];
  /** What is left behind the last line end. */
  rest(): string;
  /** How long that is. */
  readonly length: number;
}

/** What is left over is kept in pieces: to join it anew with each of them would take for ever where no line ends. */
export function createLines(): Lines {
  let parts: string[] = [];
  let length = 0;
  return {
    add(text) {
      const [first = '', ...others] = text.split('\n');
      parts.push(first);
      length += first.length;
      return others.map((next) => {
        const line = parts.join('');
        [parts, length] = [[next], next.length];
        return line;
      });
    },
    rest: () => parts.join(''),
    get length() {
      return length;
    },
  };
}
