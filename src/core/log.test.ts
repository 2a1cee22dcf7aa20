import { describe, expect, it } from 'vitest';
import { createLogger, type LogFormat, type LogLevel } from './log.ts';

function logged(level: LogLevel, format: LogFormat): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, format, write: (line) => lines.push(line) }) };
}

describe('the logger', () => {
  it('writes what its level lets through, and nothing at all when silent', () => {
    const { lines, log } = logged('warn', 'text');
    log.error('one');
    log.warn('two');
    log.info('three');
    log.debug('four');
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual(['error one\n', 'warn  two\n']);
    const silent = logged('silent', 'text');
    silent.log.error('one');
    expect(silent.lines).toEqual([]);
  });

  it('keeps a line a line, whatever strangers put into it', () => {
    const { lines, log } = logged('info', 'text');
    log.info('a\nb\u001b[31m', { path: 'x y\n', count: 3, none: undefined });
    expect(lines).toEqual([expect.stringMatching(/^\S+Z info {2}a b\ufffd\[31m path="x y" count=3\n$/)]);
  });

  it('writes JSON that can be read back', () => {
    const { lines, log } = logged('debug', 'json');
    log.debug('done', { request: 'r1', ms: 4 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'debug', message: 'done', request: 'r1', ms: 4 });
  });
});
