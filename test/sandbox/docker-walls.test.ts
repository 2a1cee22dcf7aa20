import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Mount } from '../../src/run/policy/types.ts';
import { runGuarded } from '../../src/run/sandbox/guards.ts';
import { folderWith, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { listenOn } from '../support/listen.ts';
import { isRoot } from '../support/root.ts';

/** Numbers of system calls, by processor. */
const calls: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  x64: { keyctl: 250, add_key: 248, socket: 41, unshare: 272, clone: 56, mount: 165, bpf: 321, fchmodat: 268 },
  arm64: { keyctl: 219, add_key: 217, socket: 198, unshare: 97, clone: 220, mount: 40, bpf: 280, fchmodat: 53 },
};

describe.runIf(isRoot)('the walls of a container', () => {
  const place = useContainers();

  it.runIf(process.arch in calls)('leave no calls that lead around them', async () => {
    const { keyctl, add_key, socket, unshare, clone, mount, bpf, fchmodat } = calls[process.arch] ?? {};
    const tries = {
      keyctl: `${keyctl}, 0, -3, 1`,
      add_key: `${add_key}, "user", "planted", "x", 1, -3`,
      vsock: `${socket}, 40, 1, 0`,
      'vsock, in other words': `${socket}, 0x100000028, 1, 0`,
      packet: `${socket}, 17, 3, 0`,
      alg: `${socket}, 38, 5, 0`,
      'user namespace by unshare': `${unshare}, 0x10000000`,
      'user namespace by clone': `${clone}, 0x10000011, 0, 0, 0, 0`,
      clone3: '435, 0, 0',
      mount: `${mount}, "none", "/tmp", "tmpfs", 0, 0`,
      'mount, the new way': '430, "tmpfs", 0',
      bpf: `${bpf}, 0, 0, 0`,
      io_uring: '425, 1, "x"',
      openat2: '437, -100, "/", 0, 24',
      setuid: `${fchmodat}, -100, "/tmp/mine", 04755`,
      setgid: `${fchmodat}, -100, "/tmp/mine", 02755`,
      'IPv4 socket': `${socket}, 2, 1, 0`,
      'unix socket': `${socket}, 1, 1, 0`,
      'plain mode': `${fchmodat}, -100, "/tmp/mine", 0755`,
    };
    const each = Object.entries(tries).map(([name, call]) => {
      // Text that a call is handed has to be a variable's.
      const texts = [...call.matchAll(/"([^"]*)"/g)].map(([, text], index) => `my $t${index} = "${text}";`);
      let index = 0;
      const words = call.replace(/"[^"]*"/g, () => `$t${index++}`);
      return `{ ${texts.join(' ')} my $r = syscall(${words}); my $e = $! + 0; exit if $r == 0 && "${name}" =~ /clone/;
        print "${name}: ", ($r < 0 ? "error $e" : "done"), "\\n"; }`;
    });
    const system = ['/usr', '/lib', '/lib64'].flatMap((target): Mount[] =>
      existsSync(target) ? [{ source: realpathSync(target), target, access: 'read' }] : [],
    );
    const script = `$| = 1; open(my $f, ">", "/tmp/mine"); ${each.join('\n')}`;
    const run = await runIn(place.runtime, specOf(['/usr/bin/perl', '-e', script], { mounts: system }));
    expect(run.stderr).toBe('');
    const answers = Object.fromEntries(
      run.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(': ')),
    );
    const [notPermitted, noSuchCall, noSuchFamily] = ['error 1', 'error 38', 'error 97'];
    const special: Readonly<Record<string, string>> = {
      ...{ vsock: noSuchFamily, 'vsock, in other words': noSuchFamily, packet: noSuchFamily, alg: noSuchFamily },
      ...{ clone3: noSuchCall, openat2: noSuchCall },
      ...{ 'IPv4 socket': 'done', 'unix socket': 'done', 'plain mode': 'done' },
    };
    expect(answers).toEqual(
      Object.fromEntries(Object.keys(tries).map((name) => [name, special[name] ?? notPermitted])),
    );
  });

  it('show the skill and nothing else of this machine [C4-RUNTIME-05]', async () => {
    const skillFolder = folderWith({ 'SKILL.md': 'the skill\n' });
    const run = await shell(place.runtime, 'ls /; cat /skill/SKILL.md; cat /proc/self/mountinfo', { skillFolder });
    expect(run.stdout).toContain('the skill\n');
    const names = new Set(run.stdout.split('the skill\n')[0]?.trim().split('\n'));
    const known = ['bin', 'dev', 'etc', 'proc', 'run', 'skill', 'sys', 'tmp', 'var'];
    expect([...names].filter((name) => !known.includes(name))).toEqual([]);
    expect(foldersOfTheHost(run.stdout)).toEqual(['/skill']);
  });

  it('show what was granted, as it was granted, and nothing beside it [C4-RUNTIME-05]', async () => {
    const readable = folderWith({ data: 'to read\n' });
    const writable = folderWith({ data: 'to write\n' });
    chmodSync(writable, 0o777);
    writeFileSync(join(dirname(readable), 'beside'), 'secret');
    const run = await shell(
      place.runtime,
      `cat /in/data; cat /out/data; echo new > /out/new; ls /out
       echo x > /in/new; echo x > /in/data; rm -f /in/data; ln /in/data /out/hard; cat /in/../beside; cat ${readable}/data
       cat /proc/self/mountinfo`,
      {
        mounts: [
          { source: readable, target: '/in', access: 'read' },
          { source: writable, target: '/out', access: 'write' },
        ],
      },
    );
    expect(run.stdout).toMatch(/^to read\nto write\ndata\nnew\n/);
    expect(run.stdout).not.toContain('secret');
    expect(run.stderr.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(3);
    expect(run.stderr).toContain('cross-device link');
    expect(foldersOfTheHost(run.stdout)).toEqual(['/in', '/out', '/skill']);
  });

  it('keep what is guarded unwritable where the rest may be written', async () => {
    const source = folderWith({ '.mcp.json': '{}', 'notes.txt': 'notes\n' });
    for (const folder of ['.git/hooks', 'app/.claude']) mkdirSync(join(source, folder), { recursive: true });
    execFileSync('chmod', ['-R', 'a+rwX', source]);
    const script = `cd /data; for f in .mcp.json .git/hooks/pre-commit app/.claude/x; do echo evil > $f; rm -f $f; done
      for d in .git app app/.claude; do mv $d moved; rm -rf moved; done; echo more >> notes.txt; echo x > app/code; echo {} > .envrc`;
    const run = await runIn(
      { ...place.runtime, run: (spec, watcher) => runGuarded(place.runtime, spec, watcher) },
      specOf(['/bin/sh', '-c', script], { mounts: [{ source, target: '/data', access: 'write' }] }),
    );
    expect([run.reason, run.message]).toEqual(['denied', expect.stringContaining(`${source}/.envrc`)]);
    expect(
      readdirSync(source)
        .filter((name) => !name.includes('refused'))
        .sort(),
    ).toEqual(['.git', '.mcp.json', 'app', 'notes.txt']);
    expect(readdirSync(join(source, '.git/hooks'))).toEqual([]);
    expect(readdirSync(join(source, 'app')).sort()).toEqual(['.claude', 'code']);
    expect([readFileSync(join(source, '.mcp.json'), 'utf8'), readFileSync(join(source, 'notes.txt'), 'utf8')]).toEqual([
      '{}',
      'notes\nmore\n',
    ]);
  });

  it.each(['a,b', 'a:b', 'a b', 'a"b', "a'b", 'a=b', 'a,readonly=false', 'a,target=\u{2215}etc', 'ü', 'a\nb', 'a\\b'])(
    'hold for a folder called %j',
    async (name) => {
      const skillFolder = join(folderWith(), name);
      mkdirSync(skillFolder);
      writeFileSync(join(skillFolder, 'file'), 'inside\n');
      const run = await shell(place.runtime, 'cat /skill/file; echo x > /skill/file; ls /', { skillFolder });
      expect(run.stdout).toMatch(/^inside\n/);
      expect(run.stderr).toContain('Read-only file system');
    },
  );

  it('leave the scratch folder to the run, whatever the image has at /tmp [C4-RUNTIME-05 C4-CAP-08]', async () => {
    const images = {
      closed: 'chown 0:0 tmp; chmod 755 tmp',
      secret: 'chmod 700 tmp; echo of the image > tmp/file',
      missing: 'rmdir tmp',
      link: 'rmdir tmp; mkdir own; ln -s own tmp',
    };
    for (const [name, script] of Object.entries(images)) {
      const image = `localhost/tmp-${name}:1`;
      place.engine.makeImage(image, [], script);
      for (const folder of ['scratch', 'skill'] as const) {
        const args = ['/bin/sh', '-c', 'echo mine > /tmp/new && cat /tmp/new; ls /tmp'];
        const run = await runIn(place.runtime, specOf(args, { folder, task: { kind: 'container', image, args } }));
        expect([name, run.message, run.stderr, run.stdout]).toEqual([name, null, '', 'mine\nnew\n']);
      }
    }
  });

  it('refuse a folder whose name cannot be told to an engine', async () => {
    const skillFolder = join(folderWith(), 'a,b:c');
    mkdirSync(skillFolder);
    const run = await shell(place.runtime, 'true', { skillFolder });
    expect(run.reason).toBe('engine_error');
    expect(run.message).toContain('comma and a colon');
  });

  it('are not climbed by links that are planted in a granted folder', async () => {
    const source = folderWith();
    const outside = folderWith({ secret: 'outside secret' });
    symlinkSync(join(outside, 'secret'), join(source, 'file'));
    symlinkSync(outside, join(source, 'folder'));
    symlinkSync(`../../../../../..${outside}`, join(source, 'up'));
    symlinkSync('/etc/hostname', join(source, 'host'));
    const run = await shell(
      place.runtime,
      'cat /in/file /in/folder/secret /in/up/secret /in/host; cd /in/folder/..; cat secret; true',
      { mounts: [{ source, target: '/in', access: 'read' }] },
    );
    expect(run.stdout).not.toContain('outside secret');
    expect(run.stderr).toContain("can't open '/in/file'");
  });

  it('leave nothing writable but the scratch folder [S4-SANDBOX-02]', async () => {
    const run = await shell(
      place.runtime,
      'for f in / /bin /etc /run /var /var/tmp /dev /proc /sys /skill /tmp; do touch $f/probe 2>/dev/null && echo $f; done; true',
    );
    expect(run.stdout).toBe('/tmp\n');
  });

  it('hold for the volumes of an image too', async () => {
    place.engine.makeImage('localhost/volumes:1', ['VOLUME /data']);
    const task = { kind: 'container', image: 'localhost/volumes:1', args: ['/bin/touch', '/data/probe'] } as const;
    const run = await shell(place.runtime, '', { task });
    expect(run.stderr).toContain('Read-only file system');
  });

  it('give it no privileges and no way to any', async () => {
    place.engine.makeImage('localhost/root:1', ['USER root']);
    const args = [
      '/bin/sh',
      '-c',
      'id -u; id -g; cat /proc/self/status; mount -t tmpfs x /tmp; mknod /tmp/x b 8 0; chroot /',
    ];
    const run = await shell(place.runtime, '', { task: { kind: 'container', image: 'localhost/root:1', args } });
    expect(run.stdout).toMatch(/^65534\n65534\n/);
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) expect(run.stdout).toMatch(new RegExp(`Cap${set}:\\s0+\\n`));
    expect(run.stdout).toMatch(/NoNewPrivs:\s1\n/);
    expect(run.stdout).toMatch(/Seccomp:\s2\n/);
    expect(run.stderr.toLowerCase().match(/permitted|denied/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('keep settings of the kernel from being opened for writing', async () => {
    const settings = ['kernel/core_pattern', 'vm/drop_caches', 'net/ipv4/ip_forward', 'kernel/hostname'];
    // Opened and closed again; nothing is ever written.
    const tries = settings.map((name) => `(: >> /proc/sys/${name}) 2>/dev/null && echo open ${name}`);
    const run = await shell(
      place.runtime,
      `${tries.join('; ')}; (: >> /proc/sysrq-trigger) 2>/dev/null && echo open; true`,
    );
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0, stdout: '' });
  });

  it('leave it no network: no host, no neighbour, no socket of ours', async () => {
    const server = createServer((connection) => connection.end('reached'));
    const port = await listenOn(server);
    const abstract = createServer((connection) => connection.end('reached'));
    await new Promise<void>((settle) => abstract.listen('\0repertoire-test-abstract', settle));
    onTestFinished(() => void abstract.close());
    const run = await shell(
      place.runtime,
      `for h in 127.0.0.1:${port} 169.254.169.254:80 10.0.0.1:80 1.1.1.1:80; do nc -w 1 \${h%:*} \${h#*:} < /dev/null; done
       cat /proc/net/dev | grep -v lo: ; cat /proc/net/unix; true`,
    );
    expect(run.stdout).not.toContain('reached');
    expect(run.stdout).not.toContain('repertoire-test-abstract');
    expect(run.stdout.split('\n').filter((line) => /^\s*\w+:/.test(line))).toEqual([]);
  });

  it('do not show the engine', async () => {
    const { socket } = place.engine;
    const run = await shell(
      place.runtime,
      `ls -d ${socket} ${realpathSync(dirname(socket))} /var/run/docker.sock /run/podman /run/docker.sock; find / -type s 2>/dev/null; true`,
    );
    expect(run.stdout).toBe('');
  });

  it('do not show other processes', async () => {
    const run = await shell(place.runtime, 'ls -d /proc/[0-9]*');
    expect(run.stdout.trim().split('\n').length).toBeLessThan(6);
    expect(run.stdout).toMatch(/^\/proc\/1\n/);
  });
});

/** What is mounted from file systems of the host, besides the few files that engines make for each container. */
function foldersOfTheHost(mountinfo: string): string[] {
  const virtual = ['overlay', 'tmpfs', 'proc', 'sysfs', 'devpts', 'mqueue', 'cgroup', 'cgroup2'];
  const files = [
    '/etc/hosts',
    '/etc/hostname',
    '/etc/passwd',
    '/etc/group',
    '/etc/resolv.conf',
    '/run/.containerenv',
    '/',
  ];
  return mountinfo
    .split('\n')
    .filter((line) => line.includes(' - '))
    .map((line) => ({ target: line.split(' ')[4] ?? '', type: line.split(' - ')[1]?.split(' ')[0] ?? '' }))
    .filter(({ target, type }) => !virtual.includes(type) && !files.includes(target))
    .map(({ target }) => target)
    .toSorted();
}
