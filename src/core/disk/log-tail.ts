import { type Infer, object, text } from '../schema/schema.ts';

/** A line of a log, parsed again. */
export const logLineSchema = object({
  time: text(),
  level: text(),
  // The message with its facts appended.
  message: text(),
});
export type LogLine = Infer<typeof logLineSchema>;

export interface LogTail {
  /** Passes a line on and remembers it. */
  readonly write: (line: string) => void;
  /** The last lines, oldest first. */
  readonly lines: () => readonly LogLine[];
}

const most = 200;

/** Wraps a line writer and remembers its last lines. They are parsed only when requested. */
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

/** The token in a link, which is for the terminal alone: anyone with the link is let in. */
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
