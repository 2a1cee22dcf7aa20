import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Log } from '../audit/log.ts';
import { createWorld, type World } from '../support/world.ts';
import { onScreen } from './screen.ts';

/** A world in which half a second goes by with every look at the clock: little work is long work, on any machine. */
function hastyWorld(): { readonly world: World; readonly env: Readonly<Record<string, string>> } {
  const world = createWorld();
  const clock = world.write('clock.cjs', 'let now = Date.now(); Date.now = () => (now += 500);\n');
  return { world, env: { NODE_OPTIONS: `--require ${clock}` } };
}

function fill(world: World, skills = 300): void {
  for (let number = 0; number < skills; number++) {
    world.skill(`project/skills/s${number}`, { body: `\nAbout word${number}.\n` });
  }
}

const queries = Array.from({ length: 40 }, (_, number) => JSON.stringify({ query: `word${number}`, relevant: [] }));

interface Case {
  readonly args: readonly string[];
  /** What is told to be going on, in order. */
  readonly told: readonly string[];
  readonly prepare: (world: World) => void;
}

const cases: Readonly<Record<string, Case>> = {
  'looking for skills': { args: ['list'], told: ['Reading skills'], prepare: fill },
  'the first index': { args: ['search', 'word7'], told: ['Reading skills', 'Indexing skills'], prepare: fill },
  'an exact search': { args: ['search', '--exact', 'word7'], told: ['Searching skills'], prepare: fill },
  'an evaluation': {
    args: ['eval', 'queries.jsonl'],
    told: ['Indexing skills', 'Asking queries'],
    prepare(world) {
      fill(world);
      world.write('project/queries.jsonl', `${queries.join('\n')}\n`);
    },
  },
  'a big validation': { args: ['validate'], told: ['Reading skills', 'Checking skills'], prepare: fill },
  'a validation of paths': {
    args: ['validate', 'skills', '--fix'],
    told: ['Looking for skills', 'Checking skills'],
    prepare: fill,
  },
  'the tools of all skills': { args: ['tools'], told: ['Reading tools'], prepare: fill },
  'a diagnosis': { args: ['doctor'], told: ['Looking at skills'], prepare: fill },
  'a skill of many files': {
    args: ['run', 'demo', '--dry-run'],
    told: ['Reading the files of the skill'],
    prepare(world) {
      world.skill('project/skills/demo');
      world.write('project/skills/demo/scripts/one.sh', 'true\n');
      for (let number = 0; number < 500; number++) world.write(`project/skills/demo/data/${number}`, `${number}`);
    },
  },
  'a try of the sandbox': { args: ['doctor', '--sandbox'], told: ['Testing the sandbox'], prepare() {} },
  'a check of a long log': {
    args: ['audit', 'verify'],
    told: ['Checking records'],
    prepare: (world) => new Log(world).fill(1000),
  },
  'a search in a long log': {
    args: ['audit', '--id', 'none'],
    told: ['Reading records'],
    prepare: (world) => new Log(world).fill(1000),
  },
};

describe('long work', () => {
  it.each(Object.entries(cases))(
    '%s is told on a terminal until its result comes, and else is silent',
    async (_, one) => {
      const { world, env } = hastyWorld();
      one.prepare(world);
      const args = [...one.args, '--no-color'];
      const { sent, left, code } = await onScreen(world, args, { env });
      const told = [...sent.matchAll(/\r([A-Z][a-z ]+): [^\r]* …\u001b\[K/g)].map(([, what]) => what);
      expect([...new Set(told)]).toEqual(expect.arrayContaining([...one.told]));
      rmSync(world.path('cache'), { recursive: true, force: true });
      const piped = await world.run(args, { env: { ...env, COLUMNS: '80' } });
      expect(piped.stderr).toBe('');
      expect(piped.stdout).not.toContain('\u001b');
      // Nothing of it stays: what is on the screen is the result, as it goes into a pipe.
      expect([left, code]).toEqual([piped.stdout, piped.code]);
    },
  );

  it('what was granted is compared with what is there', async () => {
    const { world, env } = hastyWorld();
    for (const name of ['one', 'two', 'three']) {
      world.skill(`project/skills/${name}`);
      world.write(
        `project/skills/${name}/skill.toml`,
        '[capabilities]\nenv = ["LANG"]\n[tools.t]\ncommand = ["true"]\n',
      );
      for (let number = 0; number < 300; number++) world.write(`project/skills/${name}/data/${number}`, `${number}`);
    }
    for (const name of ['one', 'two', 'three']) {
      const { sent, left } = await onScreen(world, ['grant', name, '--yes', '--no-color'], { env });
      expect(sent).toContain('\rReading the files of the skill: ');
      expect(left).toContain(`granted to ${name}`);
    }
    const { sent, left } = await onScreen(world, ['grants', '--no-color'], { env });
    expect(sent).toMatch(/\rLooking for changes in skills: \d of 3, /);
    expect(left).toBe((await world.run(['grants'], { env })).stdout);
  });

  it('is told also where the result goes elsewhere, and not a byte of it gets there', async () => {
    const { world, env } = hastyWorld();
    fill(world);
    const { sent, left } = await onScreen(world, ['list', '--json'], { env, stdout: world.path('list.json') });
    expect(sent).toContain('\rReading skills: ');
    expect(left).toBe('');
    const piped = await world.run(['list', '--json', '--verbose'], { env });
    expect([piped.stderr, piped.code]).toEqual(['', 0]);
    expect(await world.run(['list', '--json'])).toMatchObject({ stdout: piped.stdout });
  });

  it('is not told to a terminal that cannot go back in a line', async () => {
    const { world, env } = hastyWorld();
    fill(world);
    const { sent } = await onScreen(world, ['list'], { env: { ...env, TERM: 'dumb' } });
    expect(sent).not.toContain('Reading skills');
  });
});
