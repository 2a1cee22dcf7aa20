import { expect, it } from 'vitest';
import { parseTrace, traceparentOf } from './telemetry.ts';

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

it.each([`00-${trace}-${span}-01`, `00-${trace}-${span}-00`])('%s is written as it is read', (text) => {
  const context = parseTrace(text);
  expect(context && traceparentOf(context)).toBe(text);
});

it('a later version may have more at its end, and is handed on as the one that is known', () => {
  const context = parseTrace(`cc-${trace}-${span}-03-more`, 'a=1');
  expect(context).toEqual({ traceId: trace, spanId: span, isSampled: true, state: 'a=1' });
  expect(context && traceparentOf(context)).toBe(`00-${trace}-${span}-01`);
});

it.each([
  ...[undefined, null, 7, '', {}, [], 'x', `00-${trace}-${span}`, `00-${trace}-${span}-01-more`],
  ...[`ff-${trace}-${span}-01`, `00-${'0'.repeat(32)}-${span}-01`, `00-${trace}-${'0'.repeat(16)}-01`],
  ...[`00-${trace.toUpperCase()}-${span}-01`, `00-${trace}-${span}-01\n`, 'a'.repeat(100_000)],
])('%j is no place in a trace', (text) => {
  expect(parseTrace(text)).toBeUndefined();
});

it.each(['a\nb', 'ä', 'x'.repeat(513), 7, ''])('the state %j is not handed on', (state) => {
  expect(parseTrace(`00-${trace}-${span}-01`, state)?.state).toBeUndefined();
});
