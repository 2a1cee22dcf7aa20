import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mount } from '../../src/run/policy/types.ts';
import type { Task } from '../../src/run/sandbox/types.ts';
import { timeoutMs } from '../support/timeout.ts';
import { finish, openFile, openFolder, roomy, specFor } from './contract.ts';
import { type Driver, identities, runtimeOf } from './identities.ts';

const secret = 'the secret of the host';
const raceSeconds = 11;

/** How often who turns does so, and who looks gets in, before the race may end; and how many runs meet the link. */
const enough = { turns: 1000, looks: 1000, refusals: 20 };

/**
 * Turns a folder into a link that leads out, and back, as fast as it can, until the race is over. After some turns it rests a
 * moment in either state: on some machines a state that lasts for one system call is never met by who opens it.
 */
const turning = `
  my ($shared, $outside, $enough) = @ARGV; my $turns = 0;
  sub rest { select(undef, undef, undef, 0.001) if $turns % 200 == 0 }
  until (-e "$shared/over") {
    for (1..50) { $turns++;
      rename("$shared/inner", "$shared/kept"); symlink($outside, "$shared/inner"); rest();
      unlink "$shared/inner"; rename("$shared/kept", "$shared/inner"); rest();
    }
    mkdir "$shared/turned" if $turns >= $enough;
  }
  print $turns;`;

/** Goes through it all the while, and says how often it got in, and how often it got out. */
const looking = `
  my ($shared, undef, $enough) = @ARGV; my ($in, $out) = (0, 0);
  do { for (1..200) {
    if (open(my $file, "<", "$shared/inner/file")) { my $text = <$file>; if ($text =~ /secret/) { $out++ } else { $in++ } }
  } mkdir "$shared/looked" if $in >= $enough } until (-e "$shared/over");
  print "$in $out";`;

interface Ground {
  readonly shared: string;
  readonly inner: string;
  readonly outside: string;
}

/** A folder that is granted to all of them, and beside it one that is granted to nobody. */
function ground(): Ground {
  const root = openFolder('race');
  const [shared, outside] = [join(root, 'shared'), join(root, 'outside')];
  const inner = join(shared, 'inner');
  for (const folder of [shared, outside, inner]) mkdirSync(folder);
  chmodSync(shared, 0o777);
  openFile(join(inner, 'file'), 'harmless');
  openFile(join(outside, 'file'), secret);
  return { shared, inner, outside };
}

function wordsFor(script: string, { shared, outside }: Ground, least: number): readonly string[] {
  return ['-e', script, shared, outside, String(least)];
}

function counts(text: string): readonly number[] {
  return text.split(' ').map(Number);
}

describe.each(identities)('a race for a shared folder, as %s', (identity) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await runtimeOf(identity);
    await driver.runtime.readiness();
  });
  afterAll(() => driver.close());

  it('is one that leaks where there is no sandbox [C4-CAP-02]', async () => {
    const place = ground();
    mkdirSync(join(place.shared, 'over')); // who looks does so in either state, and not whenever it comes to it
    const look = async () => {
      const { stdout } = await promisify(execFile)('/usr/bin/perl', wordsFor(looking, place, enough.looks));
      return counts(stdout);
    };
    expect(await look()).toEqual([200, 0]);
    renameSync(place.inner, join(place.shared, 'kept'));
    symlinkSync(place.outside, place.inner);
    expect(await look()).toEqual([0, 200]);
  });

  it('is won by nobody: not by who opens, and not by who is started [C4-CAP-02 C4-LIMIT-12]', async () => {
    const place = ground();
    const { runtime } = driver;
    const skill = openFolder('skill');
    const limits = { ...roomy, timeoutMs: 2 * timeoutMs, cpuSeconds: 240 };
    const run = (args: readonly string[], mounts: readonly Mount[]) => {
      const task: Task = { kind: 'command', program: '/usr/bin/perl', args };
      return finish(runtime, specFor(task, skill, { mounts, limits }));
    };
    const shared: Mount = { source: place.shared, target: place.shared, access: 'write' };
    const inner: Mount = { source: place.inner, target: place.inner, access: 'read' };
    const start = () => run(['-e', 'open(F, "<", $ARGV[0]); print <F>', join(place.inner, 'file')], [inner]);
    const outputs: string[] = [];
    // It is over when the time is up and each of them has had its share, however long that takes.
    const end = Date.now() + raceSeconds * 1000;
    const isOver = () =>
      Date.now() > end &&
      ['turned', 'looked'].every((name) => existsSync(join(place.shared, name))) &&
      // These met the link where the folder was meant to be, which is found out before anything is started.
      outputs.filter((text) => text === '').length >= enough.refusals;
    /** One run after the other that is granted the folder which is turned, checked right before as any grant is. */
    const starting = async () => {
      for (; !isOver(); await nextTurn()) if (isItself(place.inner)) outputs.push((await start()).stdout);
    };
    const [turned, looked] = await Promise.all([
      run(wordsFor(turning, place, enough.turns), [shared]),
      run(wordsFor(looking, place, enough.looks), [shared]),
      Promise.all([starting(), starting()]).then(() => mkdirSync(join(place.shared, 'over'))),
    ]);
    expect(Number(turned.stdout)).toBeGreaterThanOrEqual(enough.turns);
    const [opened, leaks] = counts(looked.stdout);
    expect(opened).toBeGreaterThanOrEqual(enough.looks);
    expect(leaks).toBe(0);
    expect(outputs.filter((text) => text !== '' && text !== 'harmless')).toEqual([]);
    expect((await start()).stdout).toBe('harmless');
  });
});

function isItself(path: string): boolean {
  try {
    return realpathSync(path) === path;
  } catch {
    return false; // it is just being turned
  }
}
