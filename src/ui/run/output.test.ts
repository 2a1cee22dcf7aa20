import { describe, expect, it } from 'vitest';
import { type Look, plainLook } from '../../core/text/plain-output.ts';
import { formsOf, isWhole } from './calls.ts';
import { matchesIn } from './find.ts';
import { nothingWritten, pastRun, type Written, withCount, withOutput } from './state.ts';

const textOf = ({ pieces }: Written): string => pieces.map(({ text }) => text).join('');
const plain = (text: string, look: Look = plainLook) => [{ text, look }];
const red: Look = { ...plainLook, colour: 'red' };

describe('what is shown of output', () => {
  it('keeps the streams and the looks apart and in order', () => {
    let written = withOutput(nothingWritten, 'stdout', plain('a'));
    written = withOutput(written, 'stdout', plain('b'));
    written = withOutput(written, 'stderr', plain('c'));
    written = withOutput(written, 'stdout', [...plain('d'), ...plain('e', red)]);
    expect(written.pieces.map(({ stream, text, look }) => [stream, text, look.colour])).toEqual([
      ['stdout', 'ab', null],
      ['stderr', 'c', null],
      ['stdout', 'd', null],
      ['stdout', 'e', 'red'],
    ]);
  });

  it('is the end of it, however much there is, and what is gone is counted in bytes', () => {
    let written = nothingWritten;
    for (let round = 0; round < 200; round++) {
      written = withOutput(written, 'stdout', plain(`${round}:`.padEnd(10_000, 'ä')));
    }
    expect(textOf(written).length).toBeLessThanOrEqual(1_000_000);
    const all = new TextEncoder().encode(textOf(written)).length + written.dropped;
    expect(all).toBeGreaterThan(2 * 200 * 9_990);
    expect(textOf(written)).toContain('199:');
    const flood = Array.from({ length: 30_000 }, (_, at) => ({ text: 'x', look: at % 2 === 0 ? red : plainLook }));
    const many = withOutput(nothingWritten, 'stdout', flood);
    expect(many.pieces.length).toBeLessThanOrEqual(4000);
    expect(many.dropped + many.pieces.length).toBe(30_000);
    expect(new Set(many.pieces.map(({ number }) => number)).size).toBe(many.pieces.length);
  });

  it('counts bytes as the server does', () => {
    const written = withCount(withCount(nothingWritten, 'stdout', 2), 'stderr', 3);
    expect(written.bytes).toEqual({ stdout: 2, stderr: 3 });
  });

  it('of an earlier run is what is kept of it, as data where it is data', () => {
    const kept = { id: '', stdoutBytes: 9, stderrBytes: 2, leftOut: 0, picture: null, before: 0 };
    const pieces = [
      { stream: 'stdout' as const, text: '{"a":' },
      { stream: 'stderr' as const, text: 'hm' },
      { stream: 'stdout' as const, text: ' 1}' },
    ];
    const { value, written } = pastRun({} as never, { ...kept, pieces });
    expect([value, textOf(written), written.bytes]).toEqual([{ a: 1 }, '{"a":hm 1}', { stdout: 9, stderr: 2 }]);
    expect(pastRun({} as never, { ...kept, before: 5, pieces }).value).toBe(undefined);
    expect(pastRun({} as never, null).written).toEqual(nothingWritten);
  });
});

describe('finding in output', () => {
  const pieces = ['say Hel', 'lo and hello', ' (a.b) HELLO'].map((text, number) => ({
    ...{ number, text, look: plainLook },
    stream: 'stdout' as const,
  }));

  it('finds capitals or not, over the borders of pieces, and loses nothing', () => {
    const { count, segments } = matchesIn(pieces, 'hello');
    expect(count).toBe(3);
    for (const { number, text } of pieces) {
      expect(
        segments
          .get(number)
          ?.map((one) => one.text)
          .join(''),
      ).toBe(text);
    }
    const marked = [...segments.values()].flat().filter(({ match }) => match !== null);
    expect(marked.map(({ text, match }) => [text, match])).toEqual([
      ['Hel', 0],
      ['lo', 0],
      ['hello', 1],
      ['HELLO', 2],
    ]);
  });

  it('takes signs as they are, and nothing for nothing', () => {
    expect(matchesIn(pieces, '(a.b)').count).toBe(1);
    expect(matchesIn(pieces, 'a+b').count).toBe(0);
    expect(matchesIn(pieces, '').count).toBe(0);
  });
});

describe('a call elsewhere', () => {
  it('is quoted for a shell, whatever is in it', () => {
    const forms = formsOf(
      { skill: 'a b', tool: 'it', params: `{"x":"it's; rm -rf $HOME"}`, instance: '' },
      'http://127.0.0.1:1',
    );
    expect(forms[0]?.text).toBe(`repertoire run 'a b:it' --params '{"x":"it'\\''s; rm -rf $HOME"}'`);
    expect(JSON.parse(forms[1]?.text ?? '')).toMatchObject({
      params: { arguments: { skill_name: 'a b', tool_name: 'it', parameters: { x: "it's; rm -rf $HOME" } } },
    });
    expect(forms[2]?.text).toContain('$REPERTOIRE_TOKEN');
  });

  it('is repeated only where the log has all of it', () => {
    expect(isWhole({ a: 1, b: ['x'] })).toBe(true);
    expect(isWhole({ password: '[redacted]' })).toBe(false);
    expect(isWhole({ text: 'long… (900 characters, sha256 0)' })).toBe(false);
  });
});
