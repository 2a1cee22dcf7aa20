import { chmodSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Mount } from '../../src/run/policy/types.ts';
import type { RunSpec, Task } from '../../src/run/sandbox/types.ts';
import { finish, openFile, openFolder, roomy, specFor } from './contract.ts';
import { type Driver, identities, runtimeOf } from './identities.ts';

const secret = 'PLANTED_d41d8cd98f';

function perl(script: string, ...args: string[]): Task {
  return { kind: 'command', program: '/usr/bin/perl', args: ['-e', script, ...args] };
}

function shell(script: string, ...args: string[]): Task {
  return { kind: 'command', program: '/bin/sh', args: ['-c', script, 'sh', ...args] };
}

/** The processes of this machine that have the mark among their arguments. */
function markedProcesses(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    });
}

async function untilNone(mark: string): Promise<void> {
  await expect.poll(() => markedProcesses(mark)).toEqual([]);
}

async function listening(server: Server, where: number | { path: string }): Promise<void> {
  await new Promise<void>((settle) => {
    if (typeof where === 'number') server.listen(where, '127.0.0.1', settle);
    else server.listen(where, settle);
  });
  onTestFinished(() => void server.close());
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const keyCalls: Readonly<Record<string, readonly [keyctl: number, addKey: number, socket: number]>> = {
  x64: [250, 248, 41],
  arm64: [219, 217, 198],
};

for (const identity of identities) {
  describe(`attacks on native, as ${identity}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await runtimeOf(identity, { env: { DRIVER_SECRET: secret } });
    });
    afterAll(async () => {
      await driver.close();
    });

    it.runIf(process.arch in keyCalls)(
      'reaches no keys of who started it, and no host of a virtual machine',
      async () => {
        const [keyctl, addKey, socket] = keyCalls[process.arch] ?? [];
        const script = `
        my ($type, $name, $value) = ("user", "planted", "x");
        print join(",", map { $! = 0; my $r = $_->(); $r < 0 ? "refused" : "done" } (
          sub { syscall(${keyctl}, 0, -3, 1) },
          sub { syscall(${addKey}, $type, $name, $value, 1, -3) },
          sub { syscall(425, 1, $value) },
          sub { syscall(${socket}, 40, 1, 0) },
          sub { syscall(${socket}, 2, 1, 0) },
        ));`;
        const { stdout } = await finish(driver.runtime, specFor(perl(script), openFolder('skill')));
        expect(stdout).toBe('refused,refused,refused,refused,done');
      },
    );
    const run = (task: Task, more: Partial<RunSpec> = {}) => {
      return finish(driver.runtime, specFor(task, more.skillFolder ?? openFolder('skill'), more));
    };

    it('reads no secret of the environment of those that started it', async () => {
      const { stdout } = await run(shell('cat /proc/*/environ /proc/*/cmdline; env; ls /proc | grep -c "^[0-9]"'));
      expect(stdout).not.toContain(secret);
      expect(Number(stdout.trim().split('\n').at(-1))).toBeLessThan(12);
    });

    it('makes no setuid or setgid file where it may write, and other modes as it likes [C4-CAP-16]', async () => {
      const source = openFolder('granted');
      chmodSync(source, 0o777);
      const mount: Mount = { source, target: '/granted', access: 'write' };
      const script = `
        cd /granted
        try() { if "$@" 2>/dev/null; then echo "done: $*"; else echo "refused: $*"; fi; }
        cp /bin/true program; mkdir folder
        try chmod 755 program; try chmod 1777 folder; try chmod 4755 program; try chmod u+s program; try chmod g+s program
        try install -m 755 /bin/true installed; try install -m 6755 /bin/true privileged
        try perl -e 'use Fcntl; sysopen(my $f, "made", O_CREAT | O_WRONLY, 04755) or die'
        try perl -e 'use Fcntl; sysopen(my $f, "plain", O_CREAT | O_WRONLY, 0755) or die'
        try perl -e 'use Fcntl; sysopen(my $f, "plain", O_RDONLY, 04755) or die'
        try cp -p program copy; try tar cf a.tar program folder; mkdir out; try tar xpf a.tar -C out`;
      const { stdout } = await run(shell(script), { mounts: [mount] });
      const [refused, done] = ['refused: ', 'done: '].map((word) =>
        stdout.split('\n').flatMap((line) => (line.startsWith(word) ? [line.slice(word.length).slice(0, 24)] : [])),
      );
      expect(refused).toEqual([
        ...['chmod 4755 program', 'chmod u+s program', 'chmod g+s program', 'install -m 6755 /bin/tru'],
        `perl -e use Fcntl; sysop`,
      ]);
      expect(done).toHaveLength(8);
      for (const name of readdirSync(source))
        expect([name, statSync(join(source, name)).mode & 0o6000]).toEqual([name, 0]);
    });

    it('opens no switch of the kernel for writing', async () => {
      const switches = ['kernel/core_pattern', 'vm/drop_caches', 'net/ipv4/ip_forward', 'kernel/modprobe'];
      const paths = [...switches.map((name) => `/proc/sys/${name}`), '/proc/sysrq-trigger'];
      // Opens, and never writes.
      const { stdout } = await run(
        perl('use Fcntl; for (@ARGV) { print "OPEN $_\\n" if sysopen(my $h, $_, O_WRONLY) }', ...paths),
      );
      expect(stdout).toBe('');
      // Whoever the run would become: the kernel compares users for some, and capabilities for others.
      const { stdout: mounts } = await run(
        perl('open F, "<", "/proc/self/mountinfo"; print grep { m{ /proc/sys } } <F>'),
      );
      expect(mounts).toMatch(/ \/proc\/sys ro,/);
    });

    it('reaches nothing of the host by the network', async () => {
      const name = `\0repertoire-attack-${process.pid}-${identity}`;
      const [tcp, local] = [createServer((socket) => socket.end('HOST')), createServer((socket) => socket.end('HOST'))];
      await listening(tcp, 0);
      await listening(local, { path: name });
      const script = `
        use IO::Socket::INET; use Socket;
        for ("127.0.0.1:$ARGV[0]", "169.254.169.254:80", "1.1.1.1:53") {
          print "REACHED $_\\n" if IO::Socket::INET->new(PeerAddr => $_, Timeout => 3);
        }
        socket(my $s, PF_UNIX, SOCK_STREAM, 0);
        print "REACHED abstract\\n" if connect($s, pack("S a*", AF_UNIX, "\\0$ARGV[1]"));
        for ("/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock") { print "SEES $_\\n" if -e $_ }
        print "DONE\\n";`;
      const { stdout } = await run(perl(script, String(portOf(tcp)), name.slice(1)));
      expect(stdout).toBe('DONE\n');
    });

    it('starts no more processes than it may, and nobody else notices', async () => {
      const script = `
        my $made = 0;
        for (1..60) { my $pid = fork(); if (!defined $pid) { print "REFUSED $!\\n"; last } if (!$pid) { sleep 20; exit } $made++ }
        print "MADE $made\\n"; kill 9, 0;`;
      const { stdout } = await run(perl(`$| = 1; ${script}`), { limits: { ...roomy, processes: 24 } });
      expect(stdout).toContain('REFUSED Resource temporarily unavailable');
      const made = Number(/MADE (\d+)/.exec(stdout)?.[1]);
      expect(made).toBeGreaterThan(10);
      expect(made).toBeLessThanOrEqual(24);
    });

    it('leaves no process behind that hides from its parent or holds its output', async () => {
      const mark = `77${Date.now()}`;
      const script = 'trap "" TERM HUP; setsid sleep $1 & (setsid sh -c "sleep $1 & sleep $1" &) ; sleep $1';
      const { outcome } = await run(shell(script, mark), { limits: { ...roomy, timeoutMs: 800 } });
      expect(outcome.reason).toBe('timeout');
      expect(markedProcesses(mark)).toEqual([]);
    });

    it('leaves no process behind when the program itself ends', async () => {
      const mark = `78${Date.now()}`;
      const { outcome } = await run(shell('setsid sleep $1 & (setsid sleep $1 &); echo done', mark));
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 0 });
      expect(markedProcesses(mark)).toEqual([]);
    });

    it('writes no file larger than it may', async () => {
      const limits = { ...roomy, fileBytes: 65_536 };
      const { outcome, stdout } = await run(shell('head -c 100000 /dev/zero > /tmp/f; stat -c %s /tmp/f; exit 5'), {
        limits,
      });
      expect(outcome).toMatchObject({ reason: 'file_limit', exitCode: 5 });
      expect(stdout).toBe('65536\n');
    });

    it('writes nowhere but into its scratch folder', async () => {
      const places = ['/', '/dev', '/run', '/etc', '/usr', '/skill', '/proc', '/home', '/var', '/bin', '/lib'];
      const { stdout } = await run(
        shell('for d; do (: > $d/probe) 2>/dev/null && echo WROTE $d; done; : > /tmp/x && echo fine', ...places),
      );
      expect(stdout).toBe('fine\n');
    });

    it('links nothing into a grant from outside, and nothing out of it', async () => {
      const granted = openFolder('grant');
      chmodSync(granted, 0o777);
      openFile(join(granted, 'file'), 'x', 0o666);
      const mounts: Mount[] = [{ source: granted, target: granted, access: 'write' }];
      const script = 'ln $1/file /tmp/out; ln /usr/bin/env $1/in; ln /etc/passwd $1/in2; ls /tmp/out; ls $1';
      const { stdout } = await run(shell(script, granted), { mounts });
      expect(stdout).toBe('file\n');
    });

    it('mounts nothing, makes no namespace and no device, and changes no root', async () => {
      const script = `
        mount -t tmpfs x /tmp && echo DID mount
        mount --bind /usr /tmp && echo DID bind
        mount -o remount,rw /usr && echo DID remount
        umount /proc/sys && echo DID umount
        unshare -U true && echo DID userns
        unshare -m true && echo DID mountns
        unshare -n true && echo DID netns
        mknod /tmp/disk b 8 0 && echo DID mknod
        chroot / true && echo DID chroot
        cat /dev/mem /dev/kmsg /dev/sda /dev/vda && echo DID device
        kill -0 $1 && echo DID signal
        grep -E '^Cap(Prm|Eff|Bnd|Amb):' /proc/self/status | grep -v 0000000000000000 && echo DID keep capabilities
        grep -q 'NoNewPrivs:.1' /proc/self/status || echo DID allow privileges
        echo end`;
      const { stdout } = await run(shell(script, String(process.pid)));
      expect(stdout).toBe('end\n');
    });

    it('gets no open file that others left open', async () => {
      const file = openFile(join(openFolder('left'), 'left'), secret);
      const left = openSync(file, 'r');
      const other = await runtimeOf(identity, { left: { 20: left, 9: left } });
      onTestFinished(() => other.close());
      const task = shell('for f in 3 4 5 6 7 8 9; do eval "cat <&$f"; done; cat /proc/self/fd/20; ls -l /proc/$$/fd');
      const { stdout } = await finish(other.runtime, specFor(task, openFolder('skill')));
      expect(stdout).not.toContain(secret);
      expect(stdout).not.toContain(file);
      expect(stdout).toMatch(/ 1 -> /);
    });

    it('can open its own streams again by name', async () => {
      const stdin = Buffer.from('in');
      const { stdout, stderr } = await run(shell('cat /dev/stdin > /dev/stdout; echo err > /dev/stderr'), { stdin });
      expect([stdout, stderr]).toEqual(['in', 'err\n']);
    });

    it('wins no race for a shared folder', async () => {
      const outside = openFolder('outside');
      openFile(join(outside, 'f'), secret);
      const granted = openFolder('grant');
      chmodSync(granted, 0o777);
      symlinkSync(outside, join(granted, 'planted'));
      const mounts: Mount[] = [{ source: granted, target: granted, access: 'write' }];
      const swap = `
        my ($g, $o) = @ARGV; my $end = time + 11; mkdir "$g/real"; open(my $h, ">", "$g/real/f"); print $h "mine"; close $h;
        while (time < $end) { for (1..500) {
          rename("$g/real", "$g/x"); rename("$g/x", "$g/real");
          symlink($o, "$g/x"); rename("$g/planted", "$g/x") ; rename("$g/x", "$g/planted"); unlink "$g/x";
        } }`;
      const look = `
        my ($g, $o) = @ARGV; my $end = time + 10; my ($tries, $leaks) = (0, 0);
        while (time < $end) { for (1..500) { $tries++;
          if (open(my $h, "<", "$g/x/f")) { my $t = <$h>; $leaks++ if $t =~ /PLANTED/ } } }
        print "$tries $leaks\\n";`;
      const [, looked] = await Promise.all([
        run(perl(swap, granted, outside), { mounts }),
        run(perl(look, granted, outside), { mounts }),
      ]);
      const [tries, leaks] = looked.stdout.trim().split(' ').map(Number);
      expect(tries).toBeGreaterThan(1000);
      expect(leaks).toBe(0);
    });

    it('does not outlive the process that started it, killed at any moment', async () => {
      const mark = `79${Date.now()}`;
      const closed = openFolder('home');
      mkdirSync(join(closed, 'skill'));
      if (identity === 'yourself') chmodSync(closed, 0o700);
      const folders = [openFolder('skill'), join(closed, 'skill')];
      for (const wait of [0, 2, 5, 8, 12, 16, 25, 60, 120]) {
        const other = await runtimeOf(identity);
        await other.runtime.readiness();
        for (let index = 0; index < 3; index++) {
          void finish(other.runtime, specFor(shell('setsid sleep $1 & sleep $1', mark), folders[index % 2] ?? ''));
        }
        await pause(wait);
        other.child.kill('SIGKILL');
        await other.close();
        // Nothing of the run; a sandbox that was half made is taken away by whoever comes next. One that was only being
        // started when that one looked is known for what it is a moment later.
        const left = async () => {
          await driver.runtime.sweep();
          return markedProcesses(mark);
        };
        await expect.poll(left, { message: `killed after ${wait} ms` }).toEqual([]);
      }
    });

    it('is called lost when somebody else kills it', async () => {
      const mark = `76${Date.now()}`;
      const running = run(shell('sleep $1', mark));
      const called = (name: string) =>
        markedProcesses(mark).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === `${name}\n`);
      await expect.poll(() => called('sleep')).toHaveLength(1);
      process.kill(Number(called('bwrap')[0]), 'SIGKILL');
      const { outcome } = await running;
      expect(outcome).toMatchObject({ reason: 'lost' });
      await untilNone(mark);
    });
  });
}
