import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryPlace } from '../../../test/support/place.ts';
import { hostEnvironment } from '../../core/environment.ts';
import { digestFiles } from '../policy/digest.ts';
import { copyOfSkill } from './skill-copy.ts';

async function copied() {
  const [source, cache] = [temporaryPlace(), temporaryPlace()];
  writeFileSync(join(source, 'SKILL.md'), 'text');
  const environment = hostEnvironment({ env: { XDG_CACHE_HOME: cache } });
  const digest = await digestFiles(source);
  const copy = (): Promise<string> => copyOfSkill(environment, source, digest);
  return { copy, folder: await copy(), base: join(cache, 'repertoire/skills'), source };
}

/** Runs an action while this process may open no more files. */
async function withoutFiles<T>(action: () => Promise<T>): Promise<T> {
  const limit = `prlimit --pid ${process.pid} --nofile`;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
  const helper = spawn('sh', ['-c', `${limit}=3: && echo; read x; ${limit}=${soft}: && echo; read x`]);
  await once(helper.stdout, 'data');
  const done = action();
  await done.catch(() => undefined);
  helper.stdin.write('\n');
  await once(helper.stdout, 'data');
  helper.stdin.end('\n');
  await once(helper, 'exit');
  return done;
}

it.runIf(process.platform === 'linux')(
  'the copy of a skill is not removed because it could not be read for want of descriptors',
  async () => {
    const { copy, folder } = await copied();
    const { ino } = statSync(folder);
    utimesSync(folder, 1, 1); // read again then, as by another process
    await expect(withoutFiles(copy)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot be read (EMFILE)'),
    });
    expect([await copy(), statSync(folder).ino]).toEqual([folder, ino]);
  },
);

it('the copy of a skill is replaced where a file is missing or has other content', async () => {
  const { copy, folder, base } = await copied();
  const { ino } = statSync(folder);
  writeFileSync(join(folder, 'added'), '');
  expect(await copy()).toBe(folder);
  expect(statSync(folder).ino).not.toBe(ino);
  expect(readdirSync(folder)).toEqual(['SKILL.md']);
  await expect.poll(() => readdirSync(base)).toHaveLength(1);
});

it('the copy of a skill replaces nothing where it cannot be made', async () => {
  const { copy, folder, base, source } = await copied();
  const old = join(base, '0'.repeat(64));
  mkdirSync(old);
  utimesSync(old, 1, 1);
  writeFileSync(join(folder, 'added'), ''); // made again then
  writeFileSync(join(source, 'SKILL.md'), 'changed');
  await expect(copy()).rejects.toThrow('was changed while the run was starting');
  await expect.poll(() => readdirSync(base)).toEqual(['0'.repeat(64)]);
  writeFileSync(join(source, 'SKILL.md'), 'text');
  expect(await copy()).toBe(folder);
  await expect.poll(() => existsSync(old)).toBe(false);
});
