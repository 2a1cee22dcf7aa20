import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followRevisions } from '../../src/engine/browsing/revision.ts';
import type { BrowseOutput } from '../../src/engine/operations/skills/browse.ts';
import { toolboxFor } from '../../src/engine/toolbox.ts';
import { installKit } from '../find/plugin-world.ts';
import { createWorld, type World } from '../support/world.ts';
import { browsed, engineOn } from './engine.ts';

const claude = 'home/.claude/skills';
const codex = 'home/.codex/skills';

const names = ({ rows }: BrowseOutput): string[] => rows.map(({ name }) => name);

function countsIn({ facets }: BrowseOutput, facet: keyof BrowseOutput['facets']): Record<string, number> {
  return Object.fromEntries(facets[facet].map(({ value, count }) => [value, count]));
}

/** Skills of several agents and a plugin: with tools and without, plain, repaired, hidden, ambiguous; and a broken one. */
function variety(): World {
  const world = createWorld();
  world.skill(`${claude}/alpha`);
  world.write(`${claude}/alpha/scripts/one.py`, 'print(1)\n');
  world.write(`${claude}/alpha/scripts/two.sh`, 'echo 2\n');
  world.skill(`${claude}/pdf`);
  world.skill('home/.agents/skills/pdf');
  world.skill(`${claude}/twin`);
  world.skill(`${codex}/twin`);
  world.write(`${codex}/mended/SKILL.md`, '---\nname: mended\ndescription: Use when: asked\n---\n');
  world.write(`${codex}/broken/SKILL.md`, 'no front matter\n');
  installKit(world, ['charts']);
  return world;
}

describe('browsing', () => {
  it('shows every skill once, by name, with what is to be said of it', async () => {
    const output = await browsed(engineOn(variety()));
    expect(names(output)).toEqual(['alpha', 'kit:charts', 'mended', 'pdf', 'claude:pdf', 'claude:twin', 'codex:twin']);
    expect([output.total, output.all, output.offset]).toEqual([7, 7, 0]);
    expect(output.rows.map(({ states }) => states.join())).toEqual([
      'plain',
      'plain',
      'repaired',
      'plain',
      'shadowed',
      'ambiguous',
      'ambiguous',
    ]);
    const [alpha, charts, mended, pdf, hidden, twin] = output.rows;
    expect(alpha).toMatchObject({ runtime: 'native', tools: 2, provider: 'claude', location: 'global', notes: [] });
    expect(charts).toMatchObject({ plugin: 'kit@shop', location: 'plugin', runtime: 'none', tools: 0 });
    expect(mended?.notes).toEqual([
      { message: expect.stringContaining('strict YAML'), remedy: expect.stringContaining('--fix') },
    ]);
    expect(pdf?.notes).toEqual([]);
    expect(hidden?.notes).toEqual([
      { message: expect.stringContaining('hidden by'), remedy: expect.stringContaining('Rename') },
    ]);
    expect(twin?.notes).toEqual([
      { message: expect.stringContaining('another skill'), remedy: expect.stringContaining('Ask for claude:twin') },
    ]);
  });

  it('tells of the files that are no skill, and how to mend them, whatever the filters', async () => {
    const world = variety();
    const { skipped } = await browsed(engineOn(world), { provider: 'claude' });
    expect(skipped).toEqual([
      expect.objectContaining({
        code: 'frontmatter-missing',
        severity: 'error',
        file: world.path(`${codex}/broken/SKILL.md`),
        remedy: expect.stringContaining('Start the file with'),
      }),
    ]);
  });

  it.each([
    [{ provider: 'claude' }, ['alpha', 'kit:charts', 'claude:pdf', 'claude:twin']],
    [{ provider: 'Claude-Code' }, ['alpha', 'kit:charts', 'claude:pdf', 'claude:twin']],
    [{ provider: 'nobody' }, []],
    [{ location: 'plugin' }, ['kit:charts']],
    [{ plugin: 'kit' }, ['kit:charts']],
    [{ plugin: 'kit@shop' }, ['kit:charts']],
    [{ plugin: 'kit@elsewhere' }, []],
    [{ runtime: 'native' }, ['alpha']],
    [{ state: 'ambiguous' }, ['claude:twin', 'codex:twin']],
    [{ state: 'ambiguous', provider: 'codex' }, ['codex:twin']],
    [{ state: 'shadowed' }, ['claude:pdf']],
    [{ state: 'repaired' }, ['mended']],
  ] as const)('shows only what filters let through: %j', async (filters, expected) => {
    const output = await browsed(engineOn(variety()), filters);
    expect(names(output)).toEqual(expected);
    expect([output.total, output.all]).toEqual([expected.length, 7]);
  });

  it('counts each choice over what the other filters let through', async () => {
    const engine = engineOn(variety());
    const all = await browsed(engine);
    expect(countsIn(all, 'provider')).toEqual({ agents: 1, claude: 4, codex: 2 });
    expect(countsIn(all, 'location')).toEqual({ global: 6, plugin: 1 });
    expect(countsIn(all, 'plugin')).toEqual({ 'kit@shop': 1 });
    expect(countsIn(all, 'runtime')).toEqual({ native: 1, none: 6 });
    expect(countsIn(all, 'state')).toEqual({ plain: 3, repaired: 1, shadowed: 1, ambiguous: 2 });
    const some = await browsed(engine, { provider: 'codex', state: 'ambiguous' });
    expect(countsIn(some, 'provider')).toEqual({ agents: 0, claude: 1, codex: 1 });
    expect(countsIn(some, 'state')).toEqual({ plain: 0, repaired: 1, shadowed: 0, ambiguous: 1 });
    expect(countsIn(some, 'runtime')).toEqual({ native: 0, none: 1 });
  });

  it('has counts that come true when a choice is made', async () => {
    const engine = engineOn(variety());
    const choices = await browsed(engine);
    const pick = (facet: keyof BrowseOutput['facets']) =>
      fc.option(fc.constantFrom(...choices.facets[facet].map(({ value }) => value)), { nil: undefined });
    const filters = fc.record({
      provider: pick('provider'),
      location: pick('location'),
      plugin: pick('plugin'),
      runtime: pick('runtime'),
      state: pick('state'),
    });
    const facets = fc.constantFrom('provider', 'location', 'plugin', 'runtime', 'state');
    await fc.assert(
      fc.asyncProperty(filters, facets, async (chosen, facet) => {
        const given = chosen as Parameters<typeof browsed>[1];
        for (const { value, count } of (await browsed(engine, given)).facets[facet]) {
          expect((await browsed(engine, { ...given, [facet]: value })).total).toBe(count);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('goes page by page through all, and past the end', async () => {
    const world = createWorld();
    for (let number = 0; number < 25; number++) world.skill(`${claude}/s${number}`);
    const engine = engineOn(world);
    const pages = await Promise.all([0, 10, 20, 30].map((offset) => browsed(engine, { offset, limit: 10 })));
    expect(pages.map(({ rows }) => rows.length)).toEqual([10, 10, 5, 0]);
    expect(pages.map(({ total }) => total)).toEqual([25, 25, 25, 25]);
    const whole = await browsed(engine);
    expect(pages.flatMap(names)).toEqual(names(whole));
  });

  it('sorts without regard to letter case', async () => {
    const world = createWorld();
    for (const name of ['beta', 'Alpha', 'ALPHA2', 'Émile', 'zeta']) world.skill(`${claude}/${name}`);
    expect(names(await browsed(engineOn(world)))).toEqual(['Alpha', 'ALPHA2', 'beta', 'zeta', 'Émile']);
  });

  it('cuts long descriptions, and keeps them on one line', async () => {
    const world = createWorld();
    world.skill(`${claude}/long`, { description: `"${'ab '.repeat(500)}"` });
    const [row] = (await browsed(engineOn(world))).rows;
    // Within 300 characters, and not within a word.
    expect(row?.description).toMatch(/^(?:ab ){90,99}ab…$/);
    expect(row?.description.length).toBeLessThanOrEqual(300);
  });

  it('has a revision that changes with the list, and only then', async () => {
    const world = variety();
    const engine = engineOn(world);
    const revisions: string[] = [];
    const look = async (): Promise<void> => {
      await engine.registry.refresh();
      revisions.push((await browsed(engine)).revision);
    };
    await look();
    await look();
    expect(revisions[1]).toBe(revisions[0]);
    world.write(`${codex}/broken/SKILL.md`, 'still none, but longer\n---\n');
    world.skill(`${claude}/pdf`, { description: 'Of a hidden one.' });
    await look();
    world.write(`${claude}/pdf/scripts/run.py`, 'print(1)\n');
    await look();
    world.write(`${codex}/other/SKILL.md`, 'no front matter\n');
    await look();
    expect(new Set(revisions).size).toBe(4);
  });

  it('is followed by those who want to know when it is another', async () => {
    const world = variety();
    const engine = engineOn(world);
    const { revision } = await browsed(engine);
    const told: string[] = [];
    const end = followRevisions(engine.registry, (one) => told.push(one));
    await engine.registry.refresh();
    world.write(`${claude}/pdf/scripts/run.py`, 'print(1)\n'); // of a hidden one
    await engine.registry.refresh();
    await expect.poll(() => told).toHaveLength(1);
    expect(told).toEqual([(await browsed(engine)).revision]);
    expect(told).not.toContain(revision);
    end();
    world.skill(`${claude}/new`);
    await engine.registry.refresh();
    await browsed(engine);
    expect(told).toHaveLength(1);
  });

  it('is of no use but no error where there is nothing', async () => {
    const empty = await browsed(engineOn(createWorld()));
    expect(empty).toMatchObject({ rows: [], total: 0, all: 0, skipped: [] });
    expect(Object.values(empty.facets)).toEqual([[], [], [], [], []]);
  });
});

describe('the number of tools in a list', () => {
  /** Skills whose tools come from everywhere, or seem to. */
  function toolWorld(): World {
    const world = createWorld();
    world.skill(`${claude}/none`);
    world.skill(`${claude}/headed`, {
      body: '\n## Tools\n\n### get\n\nGets it.\n\n**Parameters:**\n\n- `id` (string)\n',
    });
    world.skill(`${claude}/described`, {
      body: '\n## Tools\n\n### get\n\nGets it.\n\n**Parameters:**\n\n- `id` (string)\n',
    });
    world.write(`${claude}/described/scripts/get.py`, 'print(1)\n');
    world.write(`${claude}/described/scripts/data.csv`, '1,2\n');
    world.write(`${claude}/described/scripts/__init__.py`, '');
    world.skill(`${claude}/empty`);
    world.folder(`${claude}/empty/scripts`);
    world.skill(`${claude}/declared`);
    world.write(`${claude}/declared/skill.toml`, '[tools.a]\ncommand = ["echo"]\n[tools.b]\ncommand = ["cat"]\n');
    world.skill(`${claude}/wrong`);
    world.write(`${claude}/wrong/skill.toml`, '[tools.a\n');
    world.write(`${claude}/wrong/scripts/run.py`, 'print(1)\n');
    world.skill(`${claude}/dangling`);
    world.write(`${claude}/dangling/scripts/run.py`, 'print(1)\n');
    world.link('nowhere.toml', `${claude}/dangling/skill.toml`);
    world.skill(`${claude}/image`);
    world.write(`${claude}/image/skill.toml`, 'runtime = "docker"\nimage = "alpine:3"\n');
    world.skill(`${claude}/outside`);
    world.write('elsewhere/run.py', 'print(1)\n');
    world.link('elsewhere', `${claude}/outside/scripts`);
    world.skill(`${claude}/module`);
    world.write(`${claude}/module/skill.wasm`, Buffer.from('0061736d01000000', 'hex'));
    world.skill('project/.claude/skills/lent');
    world.write('project/.skill-engine.toml', '[skills.lent.tools.hello]\ncommand = ["echo", "hello"]\n');
    return world;
  }

  it('is that of its toolbox, and so is what they run in', async () => {
    const engine = engineOn(toolWorld());
    const { rows } = await browsed(engine);
    const { skills } = await engine.registry.snapshot();
    const boxes = await Promise.all(
      skills.map(async (skill) => {
        const { runtime, tools } = await toolboxFor(engine.environment, skill);
        return `${skill.name} ${runtime} ${tools.length}`;
      }),
    );
    expect(rows).toHaveLength(11);
    expect(rows.map(({ name, runtime, tools }) => `${name} ${runtime} ${tools}`).sort()).toEqual(boxes.sort());
    expect(rows.map(({ name, tools }) => `${name} ${tools}`)).toEqual(
      expect.arrayContaining(['declared 2', 'described 1', 'lent 1', 'none 0', 'wrong 0']),
    );
  });

  it('is counted anew when something has changed', async () => {
    const world = createWorld();
    world.skill(`${claude}/pdf`);
    await sleep(50); // what was changed just now is never remembered
    const engine = engineOn(world);
    const count = async (): Promise<number | undefined> => {
      await engine.registry.refresh();
      return (await browsed(engine)).rows[0]?.tools;
    };
    expect(await count()).toBe(0);
    expect(await count()).toBe(0);
    world.write(`${claude}/pdf/scripts/a.py`, 'print(1)\n');
    expect(await count()).toBe(1);
    world.write(`${claude}/pdf/scripts/b.sh`, 'echo\n');
    expect(await count()).toBe(2);
    world.write(`${claude}/pdf/skill.toml`, '[tools.a]\ncommand = ["echo"]\n');
    expect(await count()).toBe(1);
  });
});
