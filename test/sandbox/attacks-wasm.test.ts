import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGuards } from '../../src/run/sandbox/guards.ts';
import { program } from './guests/programs.ts';
import type { Result, Stage } from './guests/stage.ts';
import { stageAs } from './guests/stage-as.ts';
import { descriptors, guestOf, read, write } from './guests/steps.ts';
import { identities } from './identities.ts';

const keeperOf = ({ enforcement }: Result) => enforcement.find(({ what }) => what === 'files')?.by ?? '';

describe.each(identities)('further attacks on modules, as %s', (identity) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await stageAs(identity);
  });
  afterAll(() => stage.end());

  it('sees nothing of a folder that was turned into a link after it was granted', async () => {
    const outside = stage.folder('outside');
    writeFileSync(join(outside, 'file.txt'), 'outside');
    const source = join(stage.folder('shared'), 'granted');
    const module = await guestOf([read('file', descriptors.firstMount, 'file.txt')]);
    const mounts = [{ source, target: '/data', access: 'read' }] as const;
    mkdirSync(source);
    writeFileSync(join(source, 'file.txt'), 'granted');
    expect((await stage.run(module, { mounts })).stdout).toContain('file:granted');
    rmSync(source, { recursive: true });
    symlinkSync(outside, source);
    const result = await stage.run(module, { mounts });
    expect(result).toMatchObject({ reason: 'engine_error', stdout: '' });
    expect(result.message).toContain(source);
  });

  it('writes nothing that is guarded in a folder that it may write to', async () => {
    const source = stage.folder('granted');
    for (const folder of ['.git/hooks', 'app/.claude']) mkdirSync(join(source, folder), { recursive: true });
    writeFileSync(join(source, '.mcp.json'), '{}');
    chmodSync(source, 0o777);
    const mounts = [{ source, target: '/data', access: 'write' }] as const;
    const from = descriptors.firstMount;
    const names = ['.git/hooks/pre-commit', '.mcp.json', 'app/.claude/settings.json', 'notes.txt'];
    const module = await guestOf(names.map((name) => write(name, from, name, 'evil')));
    const { stdout } = await stage.run(module, { mounts, guards: (await findGuards(mounts)).mounts });
    expect(stdout.match(/^.*:written$/gm)).toEqual(['notes.txt:written']);
    expect([readFileSync(join(source, '.mcp.json'), 'utf8'), readdirSync(join(source, '.git/hooks'))]).toEqual([
      '{}',
      [],
    ]);
  });

  it('does not bring others out of the sandbox by one that cannot be made', async () => {
    const keeper = keeperOf(await stage.run(await program('nothing')));
    expect(keeper).toContain('bubblewrap');
    for (const name of ['gone', 'link']) {
      const source = join(stage.folder('places'), name);
      if (name === 'link') symlinkSync('/', source);
      const mounts = [{ source, target: '/data', access: 'read' }] as const;
      expect(await stage.run(await program('nothing'), { mounts })).toMatchObject({ reason: 'engine_error' });
      expect(keeperOf(await stage.run(await program('nothing')))).toBe(keeper);
    }
  });
});
