import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { type RuntimeName, runtimeNames } from '../../src/run/policy/types.ts';
import { scaffold } from '../../src/run/tools/scaffold/scaffold.ts';
import { moduleBytes, moduleSource } from '../../src/run/tools/scaffold/scaffold-kinds.ts';
import { createWorld, type World } from '../support/world.ts';
import { onlyTool, problemsOf, toolboxIn } from './toolbox.ts';

function make(world: World, name: string, runtime: RuntimeName): string {
  const folder = `project/skills/${name}`;
  for (const { path, content, executable } of scaffold(name, runtime)) {
    const file = world.write(`${folder}/${path}`, content);
    if (executable) chmodSync(file, 0o755);
  }
  return folder;
}

describe('a new skill', () => {
  it.each(runtimeNames)('%s: has one tool, and nothing wrong with it', async (runtime) => {
    const world = createWorld();
    const toolbox = await toolboxIn(world, make(world, 'word-count', runtime));
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox).toMatchObject({ runtime, source: 'skill.toml', version: '0.1.0' });
    expect(onlyTool(toolbox)).toMatchObject({ name: 'count', stdin: 'text', readOnly: true });
    const checked = await world.run(['validate', 'skills/word-count']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
  });

  it('is a text alone where it is to have no tool, with the description that was given', async () => {
    const world = createWorld();
    const [only, ...others] = scaffold('house-style', 'none', 'How: "we" write. Use for # any\ntext.');
    expect([only?.path, others]).toEqual(['SKILL.md', []]);
    world.write('project/skills/house-style/SKILL.md', only?.content ?? '');
    expect((await world.run(['validate', 'skills/house-style'])).code).toBe(0);
    const shown = await world.run(['list', '--json']);
    expect(shown.stdout).toContain(JSON.stringify('How: "we" write. Use for # any text.'));
  });

  it('its script does what its test expects', async () => {
    const world = createWorld();
    make(world, 'word-count', 'native');
    const script = world.path('project/skills/word-count/scripts/count.mjs');
    const run = (text: string, ...args: string[]): string =>
      execFileSync(process.execPath, [script, ...args], { input: text, encoding: 'utf8' });
    expect(run('one two')).toBe('{"lines":0,"words":2,"characters":7}\n');
    expect(run('to be or not to be', '--top=1')).toBe('{"lines":0,"words":6,"characters":18,"most":{"be":2}}\n');
  });

  it('its module is what its source says', async () => {
    const module = (await wabt()).parseWat('count.wat', moduleSource);
    expect(Buffer.from(module.toBinary({}).buffer).equals(moduleBytes)).toBe(true);
  });

  it.each(['', 'A', 'a b', '../x', 'a--b', '-a', 'x'.repeat(65)])('%j is no name', (name) => {
    expect(() => scaffold(name, 'native')).toThrow('cannot be the name');
  });
});
