import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../src/run/policy/types.ts';
import type { Task } from '../../src/run/sandbox/types.ts';
import { finish, openFolder, roomy, specFor } from './contract.ts';
import { type Driver, identities, runtimeOf } from './identities.ts';

const megabyte = 1_048_576;

function perl(script: string): Task {
  return { kind: 'command', program: '/usr/bin/perl', args: ['-e', script] };
}

const calls = {
  x64: { memfd: 319, map: 9, advise: 28 },
  arm64: { memfd: 279, map: 222, advise: 233 },
};
const { memfd, map, advise } = calls[process.arch as keyof typeof calls] ?? calls.x64;

/** Maps memory that is shared, and fills it from a file of zeros. */
const sharing = `
  sub shared { my $at = syscall(${map}, 0, $_[0], 3, 0x21, -1, 0); die "refused" if $at < 0; $at }
  open(our $zeros, "<", "/dev/zero");
  sub fill { my ($at, $size) = @_; syscall(${process.arch === 'arm64' ? 63 : 0}, fileno($zeros), $at, $size) }
  $| = 1;`;

/** Each takes far more than 64 MB in a way of its own, says so, and stays for a while. */
const takers: Readonly<Record<string, string>> = {
  'by many processes': `
    use POSIX; $| = 1; for (1..12) { next if fork(); my $held = "x" x 41943040; sleep 9; exit }
    sleep 5; print "TOOK" if waitpid(-1, WNOHANG) == 0; sleep 2;`,
  'in shared memory': `${sharing} my $at = shared(419430400); fill($at, 419430400); sleep 2; print "TOOK"; sleep 2;`,
  'in shared memory that it lets go of': `${sharing}
    my $at = shared(419430400);
    for (0..19) { my $part = $at + $_ * 20971520; fill($part, 20971520); syscall(${advise}, $part, 20971520, 4); }
    sleep 2; print "TOOK"; sleep 2;`,
  'in files without a name': `
    my $name = "x"; my $fd = syscall(${memfd}, $name, 0); die "refused" if $fd < 0; open(my $file, ">&=", $fd);
    syswrite($file, "x" x 1048576) for 1..400; sleep 2; print "TOOK"; sleep 2;`,
  'in segments that nobody has attached': `
    my $name = shmget(0, 419430400, 0600); die "refused" if !defined $name;
    shmwrite($name, "x" x 20971520, $_ * 20971520, 20971520) for 0..19; sleep 2; print "TOOK"; sleep 2;`,
  'in the scratch folder': `
    my $held = "x" x 36700160;
    open(my $file, ">", "/tmp/f"); syswrite($file, "x" x 1048576) for 1..50; sleep 2; print "TOOK"; sleep 2;`,
};

for (const identity of identities) {
  describe(`limits of the whole tree, as ${identity}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await runtimeOf(identity);
    });
    afterAll(async () => {
      await driver.close();
    });
    const run = (task: Task, limits: Partial<Limits>) =>
      finish(driver.runtime, specFor(task, openFolder('skill'), { limits: { ...roomy, ...limits } }));

    it.each(Object.entries(takers))('ends what takes too much memory %s', async (_, script) => {
      const { outcome, stdout, stderr } = await run(perl(script), {
        memoryBytes: 64 * megabyte,
        scratchBytes: 64 * megabyte,
      });
      expect(stdout).not.toContain('TOOK');
      // Without a control group, what cannot be counted is refused.
      if (!stderr.includes('refused')) expect(outcome).toMatchObject({ reason: 'memory', limit: 'memoryBytes' });
    });

    it.each([
      ['memory', 'memoryBytes', 'my $held = "x" x 1258291200; print "TOOK"'],
      [
        'process_limit',
        'processes',
        'for (1..60) { my $pid = fork() // die "fork: $!"; if (!$pid) { sleep 3; exit } }',
      ],
    ])('names a limit that refuses a program something and ends it at once: %s', async (reason, limit, script) => {
      const { outcome, stdout } = await run(perl(script), { memoryBytes: 64 * megabyte, processes: 24 });
      expect(outcome).toMatchObject({ reason, limit, message: expect.stringContaining('the limit of') });
      expect(stdout).toBe('');
    });

    it('names none for what a program that succeeds has written', async () => {
      const { outcome } = await run(perl('print STDERR "fork: Cannot allocate memory\\n"'), {});
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 0, message: null });
    });

    it('counts once what processes have in common', async () => {
      const script = `
        my $size = 41943040; my $held = "x"; $held x= $size; for (1..8) { next if fork(); sleep 1; exit }
        1 while wait() > 0; print "DONE";`;
      const { outcome, stdout } = await run(perl(script), { memoryBytes: 80 * megabyte });
      expect([outcome.reason, stdout]).toEqual(['exited', 'DONE']);
    });

    it('lets programs map far more than they use', async () => {
      const task: Task = {
        kind: 'command',
        program: process.execPath,
        args: ['-e', 'setTimeout(console.log, 1000, 1)'],
      };
      const { outcome, stdout } = await run(task, { memoryBytes: 128 * megabyte });
      expect([outcome.reason, stdout]).toEqual(['exited', '1\n']);
    });

    const expectSpent = async (script: string): Promise<void> => {
      const { outcome } = await run(perl(script), { cpuSeconds: 1 });
      expect(outcome).toMatchObject({ reason: 'timeout', limit: 'cpuSeconds' });
    };

    it('ends what uses too much processor time in processes at the same time [C4-LIMIT-16]', () =>
      expectSpent('for (1..9) { next if fork(); 1 while 1 } sleep 100;'));

    it.each([
      [
        'one after the other',
        'my $end; while (1) { my $pid = fork(); if (!$pid) { $end = times + 0.03; 1 while times < $end; exit } wait }',
      ],
      [
        'left to the first process',
        'while (1) { my $pid = fork(); if (!$pid) { exit if fork(); my $end = times + 0.3; 1 while times < $end; exit } wait; select(undef, undef, undef, 0.1) }',
      ],
    ])('ends what uses too much processor time in processes %s', (_, script) => expectSpent(script));
  });
}
