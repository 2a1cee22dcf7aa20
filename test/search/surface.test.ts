import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { asked, hitsFor, library, librarySize, namesFor, searchTool, type ToolAnswer } from './library.ts';

describe('the tool that searches by meaning', () => {
  it('is listed with the schema that was promised [S4-SEARCH-02 S4-SEARCH-03 S4-SEARCH-04 C2-ENGINE-05]', async () => {
    const server = await connectStdio(createWorld(), ['serve']);
    const tool = (await server.tools()).find(({ name }) => name === searchTool);
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Natural language search query' },
        top_k: { type: 'number', description: 'Number of results', default: 10 },
      },
      required: ['query'],
    });
  });

  it('refuses a query that is not text, and a call without one [S4-SEARCH-04 C2-ENGINE-05]', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const query of [undefined, '', ' \t\n', '\u3000', 5, null, ['pdf'], { text: 'pdf' }]) {
      const { error } = await server.ask('tools/call', { name: searchTool, arguments: { query } });
      expect([error?.code, error?.message], JSON.stringify(query)).toEqual([-32602, expect.stringContaining('query')]);
    }
  });

  it('gives ten results by default [S4-SEARCH-03 C2-ENGINE-05]', async () => {
    const world = createWorld();
    for (let index = 0; index < 30; index++) {
      world.skill(`project/skills/task-${index}`, { description: `Number ${index} of the tasks about migrations.` });
    }
    const server = await connectStdio(world, ['serve']);
    expect((await asked(server, 'migrations')).structuredContent).toMatchObject({ query: 'migrations', top_k: 10 });
    expect(await namesFor(server, 'migrations')).toHaveLength(10);
    for (const top_k of [1, 3, 30, 100, 5.0]) {
      const names = await namesFor(server, 'migrations', { top_k });
      expect(new Set(names).size, `${top_k}`).toBe(Math.min(30, top_k));
    }
  });

  it('refuses a number of results that it cannot give', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const top_k of [0, -1, 101, 1e9, 1.5, '3', null, true, []]) {
      const { error } = await server.ask('tools/call', { name: searchTool, arguments: { query: 'pdf', top_k } });
      expect(error?.code, JSON.stringify(top_k)).toBe(-32602);
      expect(error?.message, JSON.stringify(top_k)).toMatch(/from 1 to 100|must be a number/);
    }
  });

  it('scores each hit from 0 to 1, the best first [C2-ENGINE-08 S4-SEARCH-01]', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const query of ['merge pdf files', 'pdf', '压缩图片', 'merge pdf '.repeat(200), 'lasagne', 'the', 'é']) {
      const hits = await hitsFor(server, query, { top_k: 100 });
      const scores = hits.map(({ score }) => score);
      expect(scores.length, query.slice(0, 40)).toBeGreaterThan(0);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) expect(score >= 0 && score <= 1, `${score}`).toBe(true);
    }
  });

  it('marks what is no better than chance as weak', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const query of ['merge pdf files', 'pdf', '压缩图片', 'merge pdf '.repeat(200)]) {
      expect((await hitsFor(server, query))[0]?.weak, query.slice(0, 40)).toBe(false);
    }
    for (const query of ['how long does lasagne have to stay in the oven', '红烧肉怎么做才不腻', 'the', 'é']) {
      const hits = await hitsFor(server, query, { top_k: 100 });
      expect(
        hits.filter(({ weak }) => !weak).map(({ name }) => name),
        query,
      ).toEqual([]);
    }
  });

  it('gives with each hit a call that loads it [C2-ENGINE-09]', async () => {
    const world = library();
    const server = await connectStdio(world, ['serve']);
    const hits = await hitsFor(server, 'write something', { top_k: 100 });
    expect(hits.length).toBeGreaterThan(librarySize / 2);
    for (const { name, call, path } of hits) {
      expect(call).toEqual({ server: 'repertoire', name: 'skill', arguments: { name } });
      const { content, isError } = await server.request<Awaited<ReturnType<typeof server.call>>>('tools/call', call);
      expect(isError).not.toBe(true);
      expect(content[0]?.text).toContain(`Path: ${path}\n`);
    }
  });

  it('marks what has nothing to do with a question as weak, and says so', async () => {
    const server = await connectStdio(library(), ['serve']);
    for (const query of ['a recipe for lasagne', 'who won the football game', 'my dog is sick']) {
      const { structuredContent, content } = await asked(server, query);
      expect(
        (structuredContent as unknown as ToolAnswer).results.every(({ weak }) => weak),
        query,
      ).toBe(true);
      expect(content[0]?.text).toContain('No skill clearly fits');
    }
    const [best] = await hitsFor(server, 'merge pdf files');
    expect(best).toMatchObject({ name: 'pdf-merge', weak: false });
  });

  it('shows the passage that matched, and which signal found it', async () => {
    const server = await connectStdio(library(), ['serve']);
    const [byWords] = await hitsFor(server, 'qpdf');
    expect(byWords).toMatchObject({ name: 'pdf-merge', matchedBy: expect.arrayContaining(['words']) });
    expect(byWords?.passage).toContain('Use qpdf to join documents.');
    const [byMeaning] = await hitsFor(server, '画像を圧縮する');
    expect(byMeaning).toMatchObject({ name: 'image-resize', matchedBy: ['meaning'] });
    expect(byMeaning).toMatchObject({ description: 'Resize, crop and compress images for the web.' });
    expect(byMeaning?.passage).toBeUndefined(); // the description has it
    const [both] = await hitsFor(server, 'translate documentation');
    expect(both).toMatchObject({ name: 'docs-translator', matchedBy: ['words', 'meaning'] });
  });

  it('says nothing three times in text and data together', async () => {
    const server = await connectStdio(library(), ['serve']);
    const { content, structuredContent } = await server.call(searchTool, { query: 'compress images', top_k: 1 });
    const said = JSON.stringify([content, structuredContent]).split('Resize, crop and compress images for the web.');
    expect(said.length - 1).toBe(2);
  });

  it('shows text, not Markdown, and says nothing twice', async () => {
    const world = library();
    const rest = 'It does much else that is of no interest to anybody who asks about this. ';
    world.skill('project/skills/walrus', { description: 'Keeps **walruses** with `care`.' });
    world.skill('project/skills/otter', {
      description: `Keeps otters. ${rest.repeat(3)}And **counts** their \`clams\`.`,
    });
    world.skill('project/skills/seal', {
      description: `Keeps seals. ${rest.repeat(8)}And **weighs** their \`herrings\`.`,
    });
    const server = await connectStdio(world, ['serve']);
    const textFor = async (query: string) => (await asked(server, query, { top_k: 1 })).content[0]?.text ?? '';
    expect(await textFor('walruses care')).toMatch(/- walrus \([\d.]+\): Keeps \*\*walruses\*\* with `care`\.$/m);
    expect(await textFor('counts clams')).toMatch(
      /- otter \([\d.]+\): Keeps otters\. .*And \*\*counts\*\* their `clams`\.$/m,
    );
    expect(await textFor('weighs herrings')).toMatch(
      /- seal \([\d.]+\): Keeps seals\. .*… \[… .*And weighs their herrings\.\]$/m,
    );
  });

  it('finds a passage far down in a long text', async () => {
    const world = library();
    const filler = 'Nothing of interest is said in this line of text.\n';
    const body = `\n${filler.repeat(20)}The flux capacitor needs a gigawatt.\n${filler.repeat(20)}`;
    world.skill('project/skills/long', { body });
    const server = await connectStdio(world, ['serve']);
    const [best] = await hitsFor(server, 'flux capacitors');
    expect(best?.name).toBe('long');
    expect(best?.passage).toContain('The flux capacitor needs a gigawatt.');
    expect(Array.from(best?.passage ?? '').length).toBeLessThanOrEqual(166);
  });

  it('writes a line for each hit, and nothing twice', async () => {
    const server = await connectStdio(library(), ['serve']);
    const { content } = await asked(server, 'join documents', { top_k: 2 });
    const [head, ...lines] = content[0]?.text.split('\n') ?? [];
    expect(head).toMatch(/^2 skills for "join documents", best first\./);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^- pdf-merge \(0\.\d\d\): Merge, split .* \[.*join documents.*\]$/);
  });

  it('answers by its portable name as well [C2-ENGINE-05]', async () => {
    const world = library();
    const server = await connectStdio(world, ['serve', '--tool-names', 'portable']);
    const portable = 'skill_engine_search_skills';
    expect((await server.tools()).map(({ name }) => name)).toContain(portable);
    for (const name of [portable, searchTool]) {
      const { structuredContent } = await server.call(name, { query: 'merge pdf', top_k: 1 });
      expect((structuredContent as unknown as ToolAnswer).results[0]?.name).toBe('pdf-merge');
    }
    const { call } = (await hitsFor(server, 'merge pdf'))[0] ?? {};
    expect((await server.request<{ isError?: boolean }>('tools/call', call)).isError).not.toBe(true);
  });

  it('says that nothing fits where there is nothing', async () => {
    const server = await connectStdio(createWorld(), ['serve']);
    const { content, structuredContent, isError } = await asked(server, 'merge pdf');
    expect([content[0]?.text, structuredContent, isError]).toEqual([
      'No skill fits "merge pdf".',
      { query: 'merge pdf', top_k: 10, results: [] },
      undefined,
    ]);
  });
});
