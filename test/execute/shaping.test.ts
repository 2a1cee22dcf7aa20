import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { auditOf, lab, resultsIn, run } from './library.ts';

const lines = 'i=1; while [ $i -le 9 ]; do echo "line $i"; i=$((i+1)); done';
const pods = '{"items":[{"name":"a","up":true},{"name":"b","up":false},{"name":"c","up":true}]}';

function server(): Promise<StdioServer> {
  return connectStdio(lab({ lines, print: 'printf "%s" "$1"', data: `echo '${pods}'` }), ['serve', '--structured']);
}

/** Output shaped; the text and the data say the same. */
async function shaped(to: StdioServer, tool: string, shaping: object, value?: string): Promise<string> {
  const { result, told } = await run(to, tool, value, shaping);
  expect(result.isError).toBeUndefined();
  const first = result.content[0]?.text ?? '';
  if (told.value === undefined && told.stdout !== '') expect(first).toBe(told.stdout);
  // Where it is given as a value, it is not given as text beside that.
  return told.value === undefined ? told.stdout : first;
}

describe('the output of a tool', () => {
  it('is cut down by lines: those that match, the first, the last [C2-ENGINE-13 C2-ENGINE-14 C2-ENGINE-15 C2-ENGINE-18]', async () => {
    const to = await server();
    expect(await shaped(to, 'lines', { grep: '[135]$' })).toBe('line 1\nline 3\nline 5\n');
    expect(await shaped(to, 'lines', { head: 2 })).toBe('line 1\nline 2\n');
    expect(await shaped(to, 'lines', { tail: 2 })).toBe('line 8\nline 9\n');
    expect(await shaped(to, 'lines', { grep: '[1-7]', head: 5, tail: 2 })).toBe('line 4\nline 5\n');
    expect(await shaped(to, 'lines', { grep: 'nothing' })).toBe('');
    const { told } = await run(to, 'lines', undefined, { grep: '[1-7]', head: 5, tail: 2 });
    expect(told.notes).toEqual(['grep kept 7 of 9 lines.', 'head kept 5 of 7 lines.', 'tail kept 2 of 5 lines.']);
    // What was left out is left out of everything that was sent.
    expect(to.stdout).not.toMatch(/line 6(?!\d)/);
  });

  it('is selected from as JSON, and put into another form [C2-ENGINE-16 C2-ENGINE-17 C2-ENGINE-18]', async () => {
    const to = await server();
    const up = '.items[] | select(.up) | .name';
    expect(await shaped(to, 'data', { jq: '.items[1].name' })).toBe('Output:\n"b"');
    expect(await shaped(to, 'data', { jq: up, format: 'text' })).toBe('a\nc');
    expect(await shaped(to, 'data', { jq: `[${up}]`, format: 'compact' })).toBe('Output:\n["a","c"]');
    expect(await shaped(to, 'data', { jq: '.items', format: 'count' })).toBe('Output:\n3');
    expect(JSON.parse(await shaped(to, 'data', { format: 'json' }))).toEqual(JSON.parse(pods));
    expect(await shaped(to, 'data', { jq: '[.items[].name]', format: 'lines' })).toBe('a\nb\nc');
    expect(await shaped(to, 'lines', { format: 'count' })).toBe('Output:\n9');
    const { told } = await run(to, 'data', undefined, { jq: '.items[0]' });
    expect(told.value).toEqual({ name: 'a', up: true });
  });

  it('is capped in characters, and never by half of one [C2-ENGINE-12 C2-ENGINE-18]', async () => {
    const to = await server();
    const family = '👨‍👩‍👧‍👦';
    for (const [text, most] of [
      ['é'.repeat(300), 200],
      [family.repeat(60), 240],
      ['e\u0301'.repeat(200), 33],
      ['表'.repeat(1000), 1],
      [family, 3],
    ] as const) {
      const out = await shaped(to, 'print', { max_output: most }, text);
      expect(out.length, text.slice(0, 20)).toBeLessThanOrEqual(most);
      const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      const kept = out.replace(/\n?\[… \d+ characters left out …\]\n?/, '');
      const cut = [...new Intl.Segmenter().segment(kept)].map(({ segment }) => segment);
      expect(cut.every((one) => one === characters[0])).toBe(true);
    }
    const { told, text } = await run(to, 'print', 'x'.repeat(1000), { max_output: 100 });
    expect(told.notes).toEqual([expect.stringMatching(/of 1000 characters were left out in the middle: .*max_output/)]);
    expect(text).toContain(told.notes?.[0]);
    // All of them together, in their order: lines first, then the filter, the form, and the size.
    const rows = Array.from({ length: 50 }, (_, at) => JSON.stringify({ at, even: at % 2 === 0 })).join('\n');
    const shaping = { grep: '"even":true', head: 10, tail: 5, jq: '.at', format: 'text', max_output: 5 };
    expect(await shaped(to, 'print', shaping, rows)).toMatch(/^10\n.*18$/s);
  });
});

describe('a filter that cannot be used', () => {
  it('is refused before anything runs, with what is wrong with it [C2-ENGINE-13 C2-ENGINE-16]', async () => {
    const world = lab({ say: 'echo UNWANTED' });
    const to = await connectStdio(world, ['serve', '--structured']);
    for (const [shaping, words] of [
      [{ grep: '(' }, /grep is not a regular expression: .*Unterminated group/],
      [{ jq: '.items[' }, /jq/],
      [{ jq: 'no_such_function(1)' }, /no_such_function/],
    ] as const) {
      const { result, text, told } = await run(to, 'say', undefined, shaping);
      expect([result.isError, told.exit_reason, told.message]).toEqual([
        true,
        'invalid_parameters',
        expect.stringMatching(words),
      ]);
      expect(text).not.toContain('UNWANTED');
      expect(told.hint).toBeTruthy();
    }
    // Had it run, the log would tell how it ended.
    expect(await resultsIn(world)).toEqual(Array(3).fill('invalid_parameters'));
  });

  it('does not cost the caller what the tool has done, where it does not fit the output', async () => {
    const world = lab({ say: 'echo done' });
    const to = await connectStdio(world, ['serve', '--structured']);
    const { result, told } = await run(to, 'say', undefined, { jq: '.a' });
    expect([result.isError, told.stdout]).toEqual([undefined, 'done\n']);
    expect(told.notes).toEqual([expect.stringMatching(/^The output was not filtered: jq needs JSON/)]);
    expect((await auditOf(world)).map(({ exitCode }) => exitCode)).toEqual([0]);
  });

  it('holds nobody else up, however cruel it is', async () => {
    const world = lab({ evil: 'head -c 40000 /dev/zero | tr "\\0" a; echo b', say: 'echo hi', list: 'echo "[1]"' });
    const to = await connectStdio(world, ['serve', '--structured']);
    for (const [name, shaping] of [
      ['evil', { grep: '^(a+)+$' }],
      ['list', { jq: 'def f: f; f' }],
      ['list', { jq: '[range(1e12)] | length' }],
      ['list', { jq: 'last(repeat(1))' }],
    ] as const) {
      const slow = run(to, name, undefined, shaping);
      expect(await to.request('ping')).toEqual({});
      const { told } = await slow;
      expect(await to.request('ping')).toEqual({});
      expect(told.notes?.[0], JSON.stringify(shaping)).toMatch(/^The output was not filtered: /);
      expect((await run(to, 'say')).text).toBe('hi\n');
    }
  });
});
