import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { openAudit } from '../../src/run/audit/writer.ts';
import { Log } from './log.ts';
import { useWriters } from './processes.ts';
import { endOf, startOf } from './records.ts';

const start = useWriters();
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

function refusalIn(printed: string): { readonly runs: number; readonly refusal: Refusal } {
  const lines = printed.trim().split('\n');
  return { runs: lines.length - 1, refusal: JSON.parse(lines.at(-1) ?? '') as Refusal };
}

describe('a record that cannot be written whole', () => {
  it('is refused, with a remedy, and leaves the chain as it was', async () => {
    const log = new Log();
    log.fill(2);
    const size = statSync(log.file()).size;
    for (const room of [1, 100, 300, 1000, 2500]) {
      const writer = start(log, [`room${room}`, '1000'], ['prlimit', `--fsize=${statSync(log.file()).size + room}`]);
      const { code, printed } = await writer.ended;
      expect(code).toBe(1);
      expect(refusalIn(printed).refusal).toMatchObject({
        code: 'unwritable',
        message: expect.stringContaining('audit log cannot be written'),
        hint: expect.stringMatching(/Nothing is run or granted without a record\. .+/),
      });
      expect(readFileSync(log.file(), 'utf8').endsWith('\n'), 'nothing half is left').toBe(true);
      expect((await log.verify()).broken).toBeNull();
    }
    expect(statSync(log.file()).size).toBeGreaterThan(size);
    log.fill(1, {}, 'after');
    expect(await log.verify()).toMatchObject({ ok: true, tornBytes: 0 });
  });

  it.runIf(canMount)('is refused on a disk that is full, and written again when it is not', async () => {
    const log = new Log();
    const state = log.world.folder('home/.local/state');
    // The disk is mounted in a namespace of its own, and goes away with it.
    const script = [
      `mount -t tmpfs -o size=256k none ${state}`,
      `head -c 131072 /dev/zero > ${state}/ballast`,
      '"$@" first 100000; echo "ended $?"',
      `rm ${state}/ballast`,
      '"$@" again 3; echo "ended $?"',
      `cp -r ${state}/repertoire ${log.world.path('kept')}`,
    ].join('\n');
    const { printed } = await start(log, [], ['unshare', '-rm', 'sh', '-c', script, 'sh']).ended;
    const [before = '', after = ''] = printed.split('ended 1\n');
    const { runs, refusal } = refusalIn(before);
    expect(runs).toBeGreaterThan(10);
    expect(refusal).toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining('ENOSPC'),
      hint: expect.stringContaining('space'),
    });
    expect(after).toBe('again-1\nagain-2\nagain-3\nended 0\n');
    renameSync(log.world.path('kept'), `${state}/repertoire`);
    expect((await log.verify()).broken).toBeNull();
    expect((await log.rows({ id: 'again-3' })).length).toBe(1);
  });

  it('is refused where there can be no folder, and where a link stands in the place of the log', () => {
    for (const state of ['/dev/null/state', '/proc/state']) {
      const log = new Log();
      const environment = hostEnvironment({ home: log.world.home, env: { XDG_STATE_HOME: state } });
      expect(() => openAudit(environment).start(startOf('x')), state).toThrow(
        expect.objectContaining({ code: 'unwritable', hint: expect.stringContaining('Nothing is run') }),
      );
    }
    const log = new Log();
    log.fill(1);
    rmSync(log.file());
    symlinkSync('/dev/full', log.file());
    expect(() => log.fill(1)).toThrow(expect.objectContaining({ code: 'unwritable' }));
  });

  it('is refused where the key cannot be kept, or was left for others to read', () => {
    const log = new Log();
    const environment = hostEnvironment({ home: log.world.home, env: { XDG_CONFIG_HOME: '/proc/config' } });
    const refusal = { code: 'unwritable', hint: expect.stringContaining('XDG_CONFIG_HOME') };
    expect(() => openAudit(environment).start(startOf('x'))).toThrow(expect.objectContaining(refusal));
    log.fill(1);
    chmodSync(log.key, 0o644);
    expect(() => log.fill(1)).toThrow(expect.objectContaining({ hint: expect.stringContaining('chmod 600') }));
  });

  it('goes on where it left off when the cause is gone', async () => {
    const log = new Log();
    const audit = log.open();
    audit.start(startOf('a'));
    rmSync(log.file());
    symlinkSync('/dev/full', log.file());
    expect(() => audit.end(endOf('a'))).toThrow();
    rmSync(log.file());
    audit.end(endOf('a'));
    expect((await log.verify()).broken, 'the first record is gone, and that is seen').toMatchObject({ why: 'missing' });
  });
});

describe('the files of the log', () => {
  it('are for their owner alone', () => {
    const log = new Log();
    const mask = process.umask(0);
    try {
      log.fill(2, { checkpointEvery: 2 });
    } finally {
      process.umask(mask);
    }
    const modes = [log.folder, log.file(), log.head, log.key, log.file('audit-key.pub')].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600, 0o600]);
  });

  it('hold no record that is too long, however much is put into one', async () => {
    const log = new Log();
    const audit = log.open({ strict: true });
    audit.start(startOf('x', { parameters: { text: 'y'.repeat(500_000) } }));
    audit.end(endOf('x', { parameters: {}, message: 'z'.repeat(500_000) }));
    for (const line of log.lines()) expect(line.length).toBeLessThan(65_536);
    expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
    expect(() => audit.start(startOf('x', { skill: 'y'.repeat(500_000) }))).toThrow(/too long/);
    audit.start(startOf('next'));
    expect(await log.verify()).toMatchObject({ ok: true, records: 3 });
  });
});
