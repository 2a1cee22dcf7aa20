import { describe, expect, it } from 'vitest';
import { startEmbeddingsService } from '../support/embeddings-service.ts';
import { createWorld, type World } from '../support/world.ts';
import { evaluate, evaluation, file } from './evaluation.ts';

function small(): World {
  const world = createWorld();
  world.skill('project/skills/pdf', { description: 'Merges PDF files.' });
  return world;
}

const good = { query: 'merge', relevant: ['pdf'] };

describe('a file to evaluate by', () => {
  it('may have a byte order mark, blank lines and Windows line ends', async () => {
    const world = small();
    const line = JSON.stringify(good);
    world.write(`project/${file}`, `\ufeff${line}\r\n\r\n   \n${line}`);
    const { stdout, code } = await world.run(['eval', file, '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { results: { line: number }[] }).results.map(({ line }) => line)).toEqual([1, 4]);
  });

  it("may have further keys of a team's own", async () => {
    const lines = [
      { ...good, id: 1 },
      { ...good, id: 2, comment: 'from a ticket' },
    ];
    const { code, notes } = await evaluation(small(), lines);
    expect(code).toBe(0);
    expect(notes).toEqual([
      expect.stringContaining("'id' (evals.jsonl:1 and 1 more line) is ignored"),
      expect.stringContaining("'comment' (evals.jsonl:2) is ignored; known keys: query, relevant, kind"),
    ]);
  });

  it('is refused with all unusable lines at once, and nothing is measured', async () => {
    const lines = [
      good,
      'query: merge',
      '["merge"]',
      { relevant: ['pdf'] },
      { query: ' ', relevant: ['pdf'] },
      { query: 7, relevant: ['pdf'] },
      { query: 'merge' },
      { query: 'merge', should_match: [] },
      { query: 'merge', relevant: 'pdf', kind: 3 },
      { query: 'merge', relevant: ['pdf', 3] },
      { query: 'merge', should_match: { name: 'pdf' } },
      { query: 'merge', should_match: '*' },
      good,
    ];
    const { code, stdout, stderr } = await evaluate(small(), lines);
    expect([code, stdout]).toEqual([2, '']);
    const told = stderr.split('\n').filter((line) => line.startsWith(`${file}:`));
    expect(told.map((line) => Number(line.split(':')[1]))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(stderr).toContain('11 lines cannot be used');
    expect(told[0]).toMatch(/this is not JSON \(.+\)\. Write one JSON object on each line/);
    expect(told[1]).toContain('this is not a JSON object');
    for (const at of [2, 3, 4])
      expect(told[at]).toContain('the query is missing or is not a string. Write what is asked');
    for (const at of [5, 6]) expect(told[at]).toContain('it does not say what is expected. Add relevant');
    expect(told[7]).toContain('the kind is not a string');
    for (const at of [8, 9]) expect(told[at]).toContain('what is expected is not a list of names');
    expect(told[10]).toContain('"*" is not a name. Only should_not_match takes it');
    const json = await evaluate(small(), lines, ['--json']);
    expect(json.json<{ error: { code: string; message: string } }>().error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`${file}:12: `),
    });
  });

  it('that is a JSON list is refused, with the way to convert it', async () => {
    const { code, stderr } = await evaluate(small(), ['[', '  {"query": "merge", "relevant": ["pdf"]}', ']']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("jq -c '.[]'")]);
  });

  it('must exist, be a text file, and not be empty', async () => {
    const world = small();
    const refusal = async (path: string) => {
      const { code, stdout, stderr } = await world.run(['eval', path]);
      expect([code, stdout]).toEqual([2, '']);
      return stderr;
    };
    expect(await refusal('none.jsonl')).toContain("there is no file 'none.jsonl'");
    expect(await refusal('skills')).toContain('skills cannot be read (not a regular file)');
    world.write('project/empty.jsonl', '\n\n');
    expect(await refusal('empty.jsonl')).toContain('there is nothing to measure: empty.jsonl is empty');
    world.write('project/utf16.jsonl', Buffer.from(`\ufeff${JSON.stringify(good)}\n`, 'utf16le'));
    expect(await refusal('utf16.jsonl')).toContain('utf16.jsonl is not in UTF-8');
    world.write('project/many.jsonl', `${JSON.stringify(good)}\n`.repeat(100_001));
    expect(await refusal('many.jsonl')).toContain('many.jsonl has more than 100000 lines');
    world.write('project/large.jsonl', Buffer.alloc(64 * 1024 * 1024 + 1, ' '));
    expect(await refusal('large.jsonl')).toContain('large.jsonl cannot be read (larger than 67108864 bytes)');
    expect((await world.run(['eval'])).stderr).toContain('missing argument: FILE');
  });

  it('may be a link', async () => {
    const world = small();
    world.write('elsewhere.jsonl', `${JSON.stringify(good)}\n`);
    world.link('elsewhere.jsonl', 'project/linked.jsonl');
    expect((await world.run(['eval', 'linked.jsonl'])).code).toBe(0);
  });

  it('is not measured when the embedder that is set up does not answer', async () => {
    const world = small();
    const service = await startEmbeddingsService(() => ({ status: 401 }));
    const args = ['--embeddings-url', service.url, '--embeddings-model', 'some'];
    const { code, stderr } = await evaluate(world, [good], args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('meaning cannot be measured: ')]);
    expect((await evaluate(world, [good], [...args, '--half', 'words'])).code).toBe(0);
  });

  it('cannot write to a terminal what its texts hide', async () => {
    const { stdout, stderr } = await evaluate(small(), [
      { query: 'a \u001b[31m red\u202e herring', relevant: ['\u001b[2Jgone'], kind: '\u001b[5m', '\u001b]0;title': 1 },
    ]);
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/u);
  });
});
