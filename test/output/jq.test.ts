import { once } from 'node:events';

import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageFile } from '../../src/core/disk/package-file.ts';
import { SkillError } from '../../src/core/errors.ts';
import { checkShaping, shape } from '../../src/run/output/shape.ts';
import type { ShapeCall } from '../../src/run/output/shape-text.ts';
import type { ThreadLimits } from '../../src/run/output/threads.ts';

/** The results of a filter, each as compact JSON. */
async function runJq(filter: string, input: string): Promise<string[]> {
  const { text } = await shape(input, { jq: filter, format: 'compact' });
  return text === '' ? [] : text.split('\n');
}

async function refusal(filter: string, input = 'null'): Promise<SkillError> {
  const error = await runJq(filter, input).catch((caught: unknown) => caught);
  if (error instanceof SkillError) return error;
  throw new Error(`not refused: ${filter}`);
}

describe('a filter that jq cannot read', () => {
  it.each([
    ['.a[', 'syntax error, unexpected end of file at line 1, column 3'],
    ['.a | \n  ]', 'at line 2, column 3'],
    ['lenght', 'lenght/0 is not defined at line 1, column 1'],
    ['$x', '$x is not defined'],
    ['import "x" as x; 1', 'module not found: x'],
    ['('.repeat(20_001), 'has more than 20000 characters'],
  ])('is refused before there is any input: %.20s', async (filter, message) => {
    const error = await checkShaping({ jq: filter }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(message), hint: expect.anything() });
  });
});

describe('a filter that fails', () => {
  it.each([
    ['.a', '[1]', 'The jq filter failed: Cannot index array with string ("a")'],
    ['error("mine")', 'null', 'The jq filter failed: mine'],
    ['error({a: 1})', 'null', 'The jq filter failed: {"a":1}'],
    ['1, error("late")', 'null', 'The jq filter failed: late'],
    ['halt_error', '"bye"', 'The jq filter failed: bye'],
    ['.', '{"a":1}\n{"b":', 'jq needs JSON, and the output is not: Unfinished JSON term at EOF at line 2, column 5'],
    ['.', '['.repeat(100_000), 'Exceeds depth limit'],
    ['"x" * 5e6', 'null', 'The jq filter failed: the results are too long'],
    ['.a\0 | garbage', '{}', 'The jq filter has a NUL character'],
    // Whatever it prints, and however it ends, it is known by what it is.
    ['"jq: parse error: fake\n" | stderr | error("mine")', 'null', 'The jq filter failed: mine'],
    ['"jq: parse error: fake" | halt_error', 'null', 'The jq filter failed: jq: parse error: fake'],
    ['"jq: error: fake" | halt_error(3)', 'null', 'The jq filter failed: jq: error: fake'],
    ['debug("said") | error("mine")', 'null', 'The jq filter failed: mine'],
    ['"x" | halt_error(2)', '1 [', 'jq needs JSON, and the output is not: Unfinished JSON term'],
  ])('%s for %.20s', async (filter, input, message) => {
    const error = await refusal(filter, input);
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(400);
    expect(error.hint).toBeTruthy();
  });
});

describe('a filter without an end', () => {
  it.each([
    'def f: f; f',
    'last(repeat(1))',
    '[repeat("x" * 1000)]',
    'def f: 1 + f; f',
    'reduce range(100) as $i ("x"; . + .)',
    'reduce range(1000000) as $i (1; [.]) | tojson',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | test("^(a+)+$")',
  ])('is ended, and the next one works: %s', async (filter) => {
    expect((await refusal(filter)).message).toMatch(/did not finish within|too much memory|Regex failure/);
    expect(await runJq('. + 1', '1')).toEqual(['2']);
  });

  it('stops where no more is wanted', async () => {
    expect(await runJq('[limit(3; repeat(1))]', 'null')).toEqual(['[1,1,1]']);
  });
});

describe('jq', () => {
  it('takes filters that look like options as filters', async () => {
    expect(await runJq('-1', 'null')).toEqual(['-1']);
    expect((await refusal('--arg')).message).toContain('arg/0 is not defined');
    expect((await refusal('--version')).message).toContain('version/0 is not defined');
  });

  it('keeps the digits of large numbers, the order of keys, and keys with a meaning in JavaScript', async () => {
    const json = '{"b":12345678901234567890,"10":1,"2":2,"__proto__":{"x":1},"constructor":null}';
    expect(await runJq('.', json)).toEqual([json]);
  });

  it('prints as null what is no number, and numbers that are too large as they are', async () => {
    expect(await runJq('., nan, [nan], ([nan] | tojson), infinite', '[NaN, nan, 1e1000]')).toEqual([
      '[null,null,1E+1000]',
      'null',
      '[null]',
      '"[null]"',
      '1.7976931348623157e+308',
    ]);
  });

  it('reads halves of characters, which no text can hold, as what stands for such', async () => {
    const input = String.raw`["\ud800", "\uDC00\ud83d\ude00\ud83d", "\\ud800", {"\udfff": 1}]`;
    expect(await runJq('.', input)).toEqual([String.raw`["�","�😀�","\\ud800",{"�":1}]`]);
    expect(await shape(String.raw`{"a":"\ud800"}`, { format: 'json' })).toEqual({
      text: '{\n  "a": "�"\n}',
      value: { a: '�' },
      notes: [String.raw`Halves of characters, such as \ud800, are read as �.`],
    });
  });

  it('reads documents one after another, and as many as there are', async () => {
    expect(await runJq('.a', '{"a":1}\n{"a":2}\r\n{"a":3}')).toEqual(['1', '2', '3']);
    expect(await runJq('.', ' \n')).toEqual([]);
  });

  it('sees neither the environment nor files of this machine', async () => {
    const [environment = ''] = await runJq('env', 'null');
    expect(JSON.parse(environment)).not.toHaveProperty('NODE_ENV');
    expect(environment).not.toContain(process.cwd());
    expect((await refusal('import "x" as $x {search: "/etc"}; 1')).message).toContain('module not found');
  });

  it('runs several filters at a time, and one that hangs delays no other', async () => {
    const hanging = refusal('def f: f; f');
    const others = await Promise.all([1, 2, 3].map((number) => runJq('. * 2', String(number))));
    expect(others).toEqual([['2'], ['4'], ['6']]);
    expect((await hanging).message).toContain('did not finish');
  });

  it('makes many filters wait for a few threads, and counts no time but their own', async () => {
    const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = threads();
    const all = Array.from({ length: 40 }, (_, at) => runJq(`[range(1e4)] | length + ${at}`, 'null'));
    let most = 0;
    const looking = setInterval(() => {
      most = Math.max(most, threads() - before);
    }, 5);
    expect((await Promise.all(all)).map(Number)).toEqual(Array.from({ length: 40 }, (_, at) => 10_000 + at));
    clearInterval(looking);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('is quick with megabytes', async () => {
    const rows = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ at, text: `row ${at}` })));
    expect((await runJq('.[].at', rows)).length).toBe(50_000);
  });
});

describe('a thread', () => {
  async function answerTo(jq: string): Promise<unknown> {
    const workerData: ThreadLimits = { memory: 64 * 1024 * 1024, output: 1000 };
    const worker = new Worker(packageFile('dist/cli/jq.mjs') ?? '', { workerData, stderr: true });
    onTestFinished(async () => void (await worker.terminate()));
    await once(worker, 'message');
    worker.postMessage({ output: 'null', shaping: { jq }, form: 'text' } satisfies ShapeCall);
    const [answer] = await once(worker, 'message');
    return answer;
  }

  it('is kept for the next call, unless it has taken much memory', async () => {
    expect(await answerTo('"x" * 1e5 | length')).toMatchObject({ value: { text: '100000' }, isLast: false });
    expect(await answerTo('"x" * 2e7 | length')).toMatchObject({ value: { text: '20000000' }, isLast: true });
  });

  it('ends where jq takes more memory than it may', async () => {
    await expect(answerTo('"x" * 8e7 | length')).rejects.toThrow();
  });

  it.each(['"x" * 2000', '"x" * 1e5', '"x" * 1e5 | stderr | length'])(
    'keeps no more than jq may print: %s',
    async (jq) => {
      const message = 'The jq filter failed: the results are too long';
      expect(await answerTo(jq)).toMatchObject({ problem: { message }, isLast: false });
    },
  );
});
