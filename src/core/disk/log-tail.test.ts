import { expect, it } from 'vitest';
import { createLogger, logFormats } from '../log.ts';
import { rememberLines } from './log-tail.ts';

it.each(logFormats)('the last lines are remembered, and written on as they were, as %s', (format) => {
  const written: string[] = [];
  const tail = rememberLines((line) => void written.push(line));
  const log = createLogger({ level: 'info', format, write: tail.write });
  expect(tail.lines()).toEqual([]);
  log.warn('something odd', { file: '/a b', ms: 3 });
  log.debug('a detail');
  expect(written).toHaveLength(1);
  const [line] = tail.lines();
  expect(line).toMatchObject({ level: 'warn', message: 'something odd file="/a b" ms=3' });
  expect(Date.parse(line?.time ?? '')).not.toBeNaN();
});

it('the log tail drops its oldest lines first, and keeps their order', () => {
  const tail = rememberLines(() => {});
  const log = createLogger({ level: 'info', format: 'text', write: tail.write });
  for (let number = 1; number <= 450; number++) log.info(`line ${number}`);
  const messages = tail.lines().map(({ message }) => message);
  expect(messages).toHaveLength(200);
  expect([messages[0], messages.at(-1)]).toEqual(['line 251', 'line 450']);
});

it('a sign-in link is written to the log, and not kept in the log tail', () => {
  const written: string[] = [];
  const tail = rememberLines((line) => void written.push(line));
  createLogger({ level: 'info', format: 'json', write: tail.write }).info('open http://localhost:1/#token=abc123 now');
  expect(written.join()).toContain('#token=abc123');
  expect(tail.lines()[0]?.message).toBe('open http://localhost:1/#token=… now');
});
