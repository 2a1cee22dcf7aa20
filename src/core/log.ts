import { oneLine } from './text/text.ts';

/** Log levels, from nothing at all to the smallest detail. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * Facts that a line carries besides its message; `request` names the request, so that its lines can be found together.
 */
export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes lines for the people who run a server. They never hold a secret: callers leave secrets out. */
export interface Logger {
  error(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  debug(message: string, facts?: LogFacts): void;
}

/** Returns a logger that adds these facts to every line. */
export function withFacts(log: Logger, facts: LogFacts): Logger {
  const adding = (level: keyof Logger) => (message: string, more?: LogFacts) =>
    log[level](message, { ...facts, ...more });
  return { error: adding('error'), warn: adding('warn'), info: adding('info'), debug: adding('debug') };
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Called with whole lines, including their line end. */
  readonly write: (line: string) => void;
}

export function createLogger({ level, format, write }: LoggerOptions): Logger {
  const finest = logLevels.indexOf(level);
  const at = (own: LogLevel) => {
    if (logLevels.indexOf(own) > finest) return () => {};
    return (message: string, facts: LogFacts = {}): void => write(`${lines[format](own, message, facts)}\n`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

const lines: { readonly [F in LogFormat]: (level: LogLevel, message: string, facts: LogFacts) => string } = {
  json: (level, message, facts) => JSON.stringify({ time: new Date().toISOString(), level, message, ...facts }),
  text(level, message, facts) {
    const present = Object.entries(facts).filter(([, fact]) => fact !== undefined);
    const tail = present.map(([name, fact]) => ` ${name}=${typeof fact === 'string' ? quoted(fact) : fact}`).join('');
    return `${new Date().toISOString()} ${level.padEnd(5)} ${oneLine(message)}${tail}`;
  },
};

function quoted(text: string): string {
  const line = oneLine(text);
  return /^[^\s="]+$/.test(line) ? line : JSON.stringify(line);
}
