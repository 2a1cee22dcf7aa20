import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { modernMeta, type StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld, type RunOptions, type World } from '../support/world.ts';
import { askModern, openSession } from './http.ts';
import { longTimers, slowSkills } from './slow.ts';

const skills = 'home/.claude/skills';

/** What a server says in its first answer. */
interface Start {
  readonly instructions: string;
  /** Ends it when its first scan has ended, and gives what it has logged. */
  readonly log: () => Promise<string>;
}

type Begin = (world: World, args: readonly string[], options?: RunOptions) => Promise<Start>;

function logOf(server: StdioServer): Start['log'] {
  return async () => {
    await server.logged(/ready: /);
    server.child.kill('SIGTERM');
    await server.exited;
    return server.stderr;
  };
}

/** The ways to open a connection: two eras, over stdio and over HTTP. */
const ways: Readonly<Record<string, Begin>> = {
  async 'stdio, initialize'(world, args, options) {
    const server = startStdio(world, args, options);
    const { instructions } = await server.initialize();
    return { instructions: String(instructions), log: logOf(server) };
  },
  async 'stdio, server/discover'(world, args, options) {
    const server = startStdio(world, args, options);
    const { instructions } = await server.request('server/discover', modernMeta);
    return { instructions: String(instructions), log: logOf(server) };
  },
  async 'HTTP, initialize'(world, args, options) {
    const { url, process } = await startHttp(world, [...args, '--transport', 'http'], options);
    const { result } = await openSession(url);
    return { instructions: String(result['instructions']), log: logOf(process) };
  },
  async 'HTTP, server/discover'(world, args, options) {
    const { url, process } = await startHttp(world, [...args, '--transport', 'http'], options);
    const { messages } = await askModern(url, 'server/discover');
    return { instructions: String(messages[0]?.result?.['instructions']), log: logOf(process) };
  },
};
const overStdio = ways['stdio, initialize'] as Begin;

function namesIn(instructions: string): string[] {
  return [...instructions.matchAll(/^- ([a-z0-9-]+)(?::|$)/gm)].map(([, name]) => name ?? '');
}

const reading = /\n\nSkills: still being read, and may be used already\. .*`skill.*` tool/;

/** What a server with long timers says, which has scanned by then. */
async function expectScanned({ instructions, log }: Start, names: readonly string[]): Promise<void> {
  expect(instructions.length).toBeLessThanOrEqual(2000);
  expect(namesIn(instructions), await log()).toEqual(names);
  expect(/Skills: this server offers none at present\.$/.test(instructions)).toBe(names.length === 0);
}

async function settled(world: World): Promise<World> {
  await sleep(50); // what is younger is not remembered
  return world;
}

function few(): Promise<World> {
  const world = createWorld();
  for (const name of ['one', 'three', 'two']) world.skill(`${skills}/${name}`);
  return settled(world);
}

describe.each(Object.entries(ways))('the skills in the first answer: %s', (_, begin) => {
  it('are complete at a first start, after a skill was added, and in another project [C2-START-02 C2-START-01]', async () => {
    const world = await few();
    await expectScanned(await begin(world, ['serve'], longTimers), ['one', 'three', 'two']);
    world.skill(`${skills}/four`);
    await settled(world);
    await expectScanned(await begin(world, ['serve'], longTimers), ['four', 'one', 'three', 'two']);
    world.folder('elsewhere/.git');
    world.skill('elsewhere/.claude/skills/five');
    await settled(world);
    const elsewhere = await begin(world, ['mcp'], { ...longTimers, cwd: 'elsewhere' });
    await expectScanned(elsewhere, ['five', 'four', 'one', 'three', 'two']);
  });

  it('are announced as still being read, with how to ask, during a long scan [C2-START-02 C2-START-01]', async () => {
    for (const command of ['mcp', 'serve']) {
      const world = createWorld();
      slowSkills(world, 400);
      expect((await begin(world, [command])).instructions, command).toMatch(reading);
    }
  });
});

it('the instructions say that there are no skills only after a scan [C2-START-02]', async () => {
  await expectScanned(await overStdio(createWorld(), ['mcp'], longTimers), []);
});

async function remembered(world: World): Promise<World> {
  await (await overStdio(world, ['serve'])).log();
  return world;
}

/** Starts on the same roots, and the names that each must give. */
const others: readonly (readonly [args: readonly string[], names: readonly string[]])[] = [
  [['serve'], ['one', 'three', 'two']],
  [['mcp'], ['one', 'three', 'two']],
  [
    ['mcp-server', '--tool-names', 'portable'],
    ['one', 'three', 'two'],
  ],
  [
    ['mcp', '--tools', 'skill,skills.search', '--catalog-budget', '500'],
    ['one', 'three', 'two'],
  ],
  [['serve', '--exclude', 't*'], ['one']],
  [
    ['mcp', '--include', 'claude:two,three'],
    ['three', 'two'],
  ],
  [['mcp', '--exclude', 'native:claude-code'], []],
];

describe('the startup cache', () => {
  /** What is said before the scan has begun must have been remembered. */
  async function expectRemembered(world: World, args: readonly string[], names: readonly string[]): Promise<void> {
    const server = startStdio(world, [...args, '--log-level', 'debug'], longTimers);
    const text = String((await server.initialize())['instructions']);
    expect(server.stderr, args.join(' ')).not.toContain('looking for skills');
    expect(text.length).toBeLessThanOrEqual(2000);
    if (names.length === 0) expect(text).toMatch(/Skills: this server offers none at present\.$/);
    else expect(namesIn(text), args.join(' ')).toEqual(names);
    server.child.kill('SIGKILL');
  }

  it('serves every start command, option and filter, without a look at the skills [C2-START-03]', async () => {
    const world = await remembered(await few());
    for (const [args, names] of others) await expectRemembered(world, args, names);
  });

  it('holds after the text of a skill was edited, and a new description is announced [C2-START-03]', async () => {
    const world = await remembered(await few());
    appendFileSync(world.path(`${skills}/one/SKILL.md`), 'One more line.\n');
    for (const args of [['serve'], ['mcp', '--exclude', 'two']]) {
      const names = ['one', 'three', ...(args.length === 1 ? ['two'] : [])];
      expect(namesIn((await overStdio(world, args)).instructions)).toEqual(names);
    }
    // As editors do it that put a new file in the place of the old one.
    world.skill('draft', { name: 'one', description: 'Changed words.' });
    renameSync(world.path('draft/SKILL.md'), world.path(`${skills}/one/SKILL.md`));
    const { instructions, log } = await overStdio(world, ['serve'], longTimers);
    expect(namesIn(instructions)).toEqual(['one', 'three', 'two']);
    expect(instructions).toContain('- one: Changed words.');
    await log();
    expect((await overStdio(world, ['mcp'])).instructions).toContain('- one: Changed words.');
  });

  it('works for 3,000 skills, of which one was edited [C2-START-03 C2-CATALOG-16]', async () => {
    const world = createWorld();
    for (let at = 0; at < 3000; at++) {
      const name = `skill-${String(at).padStart(4, '0')}`;
      mkdirSync(world.path(`${skills}/${name}`), { recursive: true });
      const head = `name: ${name}\ndescription: Use this for tables, letters or pictures, in this order.`;
      writeFileSync(world.path(`${skills}/${name}/SKILL.md`), `---\n${head}\n---\n`);
    }
    await settled(world);
    const { instructions, log } = await overStdio(world, ['serve']);
    expect(instructions.length).toBeLessThanOrEqual(2000);
    expect(instructions).toMatch(/still being read|\d+ of 3000 names/);
    await log();
    appendFileSync(world.path(`${skills}/skill-0007/SKILL.md`), 'One more line.\n');
    const names = Array.from({ length: 3000 }, (_, at) => `skill-${String(at).padStart(4, '0')}`);
    for (const args of [['serve'], ['mcp'], ['mcp-server'], ['serve', '--exclude', 'skill-0000']]) {
      const shown = names.slice(args.includes('--exclude') ? 1 : 0);
      const server = startStdio(world, [...args, '--log-level', 'debug'], longTimers);
      const text = String((await server.initialize())['instructions']);
      expect(server.stderr).not.toContain('looking for skills');
      expect(text.length, args.join(' ')).toBeLessThanOrEqual(2000);
      const listed = namesIn(text);
      expect(listed.length, args.join(' ')).toBeGreaterThan(50);
      expect(listed).toEqual(shown.slice(0, listed.length));
      expect(text).toContain(`${listed.length} of ${shown.length} names`);
      expect(text).toContain(`… and ${shown.length - listed.length} more, not shown here`);
      server.child.kill('SIGKILL');
    }
  });

  it('is ignored where its file has other content', async () => {
    const world = await remembered(await few());
    const folder = world.path('cache/repertoire/said');
    for (const name of readdirSync(folder)) {
      const kept = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as { value: unknown };
      writeFileSync(`${folder}/${name}`, JSON.stringify({ ...kept, value: { skills: 7, aliases: [] } }));
    }
    for (const command of ['serve', 'mcp'])
      await expectScanned(await overStdio(world, [command], longTimers), ['one', 'three', 'two']);
  });
});
