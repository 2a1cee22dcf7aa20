import { type Infer, object, text } from './schema.ts';

/** A line of a log, read again. */
export const logLineSchema = object({
  time: text(),
  level: text(),
  // With the facts behind it.
  message: text(),
});
export type LogLine = Infer<typeof logLineSchema>;

export interface LogTail {
  /** Writes a line on, and remembers it. */
  readonly write: (line: string) => void;
  /** The last lines, the oldest first. */
  readonly lines: () => readonly LogLine[];
}

const most = 200;

/** Stands before what writes lines, and remembers the last of them. They are read only when somebody asks. */
export function rememberLines(write: (line: string) => void): LogTail {
  const kept: string[] = [];
  let next = 0;
  return {
    write(line) {
      kept[next % most] = line;
      next++;
      write(line);
    },
    lines: () => [...kept.slice(next % most), ...kept.slice(0, next % most)].map(lineOf),
  };
}

/** A link that lets whoever has it in is for the terminal alone. */
const key = /([#?&]token=)[^\s"&]+/g;

function lineOf(line: string): LogLine {
  const text = line.replace(key, '$1…');
  if (text.startsWith('{')) {
    const { time, level, message, ...facts } = JSON.parse(text) as Record<string, unknown>;
    const more = Object.entries(facts).map(([name, fact]) => ` ${name}=${JSON.stringify(fact)}`);
    return { time: String(time), level: String(level), message: `${String(message)}${more.join('')}` };
  }
  const [, time = '', level = '', message = ''] = /^(\S+) (\S+) +(.*)$/s.exec(text.trimEnd()) ?? [];
  return { time, level, message };
}
