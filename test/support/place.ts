import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Environment, hostEnvironment } from '../../src/core/environment.ts';

/**
 * A folder that goes away with the test, and lies outside of `/tmp`: a run has a `/tmp` of its own, so that nothing in
 * the machine's can be granted.
 */
export function temporaryPlace(): string {
  const place = realpathSync(mkdtempSync('/var/tmp/repertoire-test-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

/** A machine of its own in such a folder: a home, and a folder for what holds for all users. */
export function environmentIn(place: string, env: Environment['env'] = {}): Environment {
  for (const name of ['home', 'etc', 'project']) mkdirSync(join(place, name), { recursive: true });
  const [home, systemDir, cwd] = [join(place, 'home'), join(place, 'etc'), join(place, 'project')];
  return hostEnvironment({ cwd, home, systemDir, env, platform: 'linux' });
}
