import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { processorSecondsOf } from '../support/processor-time.ts';
import { createWorld, type World } from '../support/world.ts';
import { foundBy } from './found.ts';

async function serverWith(body: string): Promise<StdioServer> {
  const world = createWorld();
  world.skill('project/skills/only', { description: 'Nothing to see.', body: `\n${body}\n` });
  return connectStdio(world, ['mcp-server']);
}

const wordsUpTo = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
const filler = 'The quick brown fox jumps over the lazy dog and thinks nothing of it. ';

describe('an exact search for many words', () => {
  it('takes a thousand different words, and says so where there are more', async () => {
    const world = createWorld();
    world.skill('project/skills/all', { body: `\n${wordsUpTo(1_000)}\n` });
    world.skill('project/skills/most', { body: `\n${wordsUpTo(999)}\n` });
    const server = await connectStdio(world, ['mcp-server']);
    const { total, results } = await foundBy(server, wordsUpTo(1_000));
    expect([total, results[0]?.installName, results[0]?.score]).toEqual([1, 'all', 1_000]);
    expect((await foundBy(server, `${wordsUpTo(3)} `.repeat(5_000))).results[0]?.score).toBe(3);
    for (const [query, message] of [
      [wordsUpTo(1_001), /1001 different words; at most 1000/],
      [wordsUpTo(10_000), /10000 different words; at most 1000/],
      ['x'.repeat(100_001), /100001 characters; at most 100000/],
    ] as const) {
      const { error } = await server.ask('tools/call', { name: 'skills.search', arguments: { query } });
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    }
    const run = await world.run(['search', '--exact', wordsUpTo(10_000)]);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/at most 1000 are allowed/);
  });

  it('finds words that overlap, and none that are not there [S2-DATA-08 C2-CATTOOLS-09]', async () => {
    const server = await serverWith('abracadabra aaaa');
    for (const query of ['abra bra ra a', 'cad acada abracadabra', 'a aa aaa aaaa']) {
      expect((await foundBy(server, query)).total, query).toBe(1);
    }
    for (const query of ['aaaaa', 'abra abrac abracad abracadabrac', 'raa']) {
      expect((await foundBy(server, query)).total, query).toBe(0);
    }
  });
});

describe('an exact search in hostile text', () => {
  it('finds what changes its length when folded, and shows it [S2-DATA-06 C2-CATTOOLS-07]', async () => {
    const far = 'Größe İzmir ﬁx ΣΊΣΥΦΟΣ '.repeat(400);
    const server = await serverWith(`${far}Hier: Maßstab, İstanbul, ﬂuﬀ, ΟΔΥΣΣΕΎΣ, ŉgabe. ${far}`);
    const shown = 'Hier: Maßstab, İstanbul, ﬂuﬀ, ΟΔΥΣΣΕΎΣ, ŉgabe.';
    for (const query of [
      'MASSSTAB',
      'i\u0307stanbul',
      'İSTANBUL',
      'FLUFF',
      'fluﬀ',
      'οδυσσεύς',
      'ʼNgabe',
      'maßstab fluff',
    ]) {
      const { results } = await foundBy(server, query);
      expect(results[0]?.excerpt, query).toContain(shown);
    }
  });

  it('finds and shows text that runs to the left, and letters under many marks', async () => {
    const zalgo = `Q${'\u0351\u0310\u0321\u0345\u0328'.repeat(4)}z`;
    const server = await serverWith(
      `${filler.repeat(9)}${'טקסט בעברית '.repeat(60)}הסכם חדש ${'نص عربي '.repeat(60)}عقد جديد ${zalgo} ${filler.repeat(9)}`,
    );
    for (const [query, shown] of [
      ['הסכם חדש', 'הסכם חדש'],
      ['جديد عقد', 'عقد جديد'],
      [zalgo, zalgo],
    ] as const) {
      const { results } = await foundBy(server, query);
      expect(results[0]?.excerpt, query).toContain(shown);
    }
    expect((await foundBy(server, 'Q')).total).toBe(1);
    expect((await foundBy(server, 'qz')).total).toBe(0);
  });

  it('takes every sign literally, alone or with others, and ignores a lone surrogate', async () => {
    const signs = [
      '.',
      '*',
      '+',
      '?',
      '^',
      '$',
      '|',
      '\\',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '/',
      '-',
      '"',
      "'",
      '`',
      '%',
      '😀',
    ];
    const server = await serverWith(`a${signs.join('b')}c`);
    for (const sign of signs) expect((await foundBy(server, sign)).total, sign).toBe(1);
    expect((await foundBy(server, signs.join(' '))).results[0]?.score).toBe(signs.length);
    for (const query of ['.*', '[a-z]', '(a|b)', '\\w', '\ud83d', '\ude00', '\ud800', '\u0000', '😁']) {
      expect((await foundBy(server, query)).total, JSON.stringify(query)).toBe(0);
    }
    for (const query of ['', ' ', '\n\t\u3000\u00a0', '\ufeff']) {
      const { error } = await server.ask('tools/call', { name: 'skills.search', arguments: { query } });
      expect(error, JSON.stringify(query)).toMatchObject({ code: -32602, message: expect.stringMatching(/empty/) });
    }
  });

  it('shows well-formed text only, whatever the metadata contain', async () => {
    const world = createWorld();
    world.skill('project/skills/odd', { extra: 'metadata:\n  note: "a \\ud83d needle \\udc00 \\u202e \\u0007 b"' });
    const run = await world.run(['search', '--exact', '--json', 'needle']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('needle');
    expect(run.stdout).not.toMatch(/\\ud|\p{Surrogate}|[\u0007\u202e]/u);
  });
});

describe('an exact search in much text', () => {
  const line = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));
  const mega = 1_000_000;

  /** A search that takes its time must let others be answered before it. */
  async function searchAndPing(server: StdioServer, query: string) {
    const order: string[] = [];
    const search = foundBy(server, query).finally(() => order.push('search'));
    const ping = server.request('ping').finally(() => order.push('ping'));
    const found = await search;
    await ping;
    return { found, order };
  }

  it('finds the last words of one line of 5 MB', async () => {
    const server = await serverWith(`${line('lorem ipsum ', 5 * mega)}needle at the end`);
    const { total, results } = await foundBy(server, 'END needle lorem');
    expect(total).toBe(1);
    expect(results[0]?.excerpt).toMatch(/^… .*lorem ipsum needle at the end$/);
  });

  it('finds them among other scripts, combining marks and flags', async () => {
    for (const unit of ['数据', 'é'.normalize('NFD'), '🇩🇪', '\u0301\u0316', '𝒳']) {
      const server = await serverWith(`${line(unit, 2 * mega)} needle`);
      const { found, order } = await searchAndPing(server, 'needle');
      expect(found.results[0]?.excerpt, unit).toMatch(/needle$/);
      expect(order).toEqual(['ping', 'search']);
    }
  });

  it('is not held up by words and texts that repeat themselves', async () => {
    const server = await serverWith(`${line('ab', 3 * mega)} ${line('-', mega)}`);
    const nested = Array.from({ length: 400 }, (_, index) => '-'.repeat(index + 1)).join(' ');
    for (const query of [`abcb${line('ab', 90_000)}`, `ac${line('a', 90_000)}`, nested, 'a b ab ba aba bab']) {
      const before = processorSecondsOf(server.child.pid);
      expect((await foundBy(server, query)).total).toBe(query.includes('c') ? 0 : 1);
      // It took half a minute where each word was looked for by itself.
      expect(processorSecondsOf(server.child.pid) - before).toBeLessThan(10);
    }
  });

  /** A thousand skills that all hold the words. */
  function large(): World {
    const world = createWorld();
    for (let index = 0; index < 1_000; index++) {
      world.skill(`project/skills/s${index}`, { body: `\n${filler.repeat(40)}Migrate the schema ${index}.\n` });
    }
    world.skill('project/skills/largest', { body: `\n${filler.repeat(4_300)}Migrate the schema of all.\n` });
    return world;
  }

  it('answers others while it goes through a thousand skills', async () => {
    const server = await connectStdio(large(), ['mcp-server']);
    await foundBy(server, 'fox');
    const { found, order } = await searchAndPing(server, 'schema migrate');
    expect(order).toEqual(['ping', 'search']);
    expect(found).toMatchObject({ total: 1_001, results: { length: 10 } });
    for (const { excerpt } of found.results) expect(excerpt).toMatch(/Migrate the schema (\d+|of all)\.$/);
  });
});
