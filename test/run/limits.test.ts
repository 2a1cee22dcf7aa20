import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { processesWith, users, Workshop } from './workshop.ts';

/** Takes more than it may of one thing, and says how far it came. */
const greedy: Readonly<Record<string, string>> = {
  'scripts/memory.mjs': `const all = [];
for (let count = 0; count < 300; count++) all.push(Buffer.alloc(1_000_000, count + 1));
setTimeout(() => console.log('had all of it'), 5000);
`,
  'scripts/processes.sh': 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo "had all of them"; wait\n',
  'scripts/stubborn.mjs': `import { spawn } from 'node:child_process';
for (let count = 0; count < 60; count++) spawn('sleep', ['5']).on('error', () => {}).unref();
setTimeout(() => {
  console.log('went on');
  process.exit();
}, 1500);
`,
  'scripts/file.sh': 'head -c 3000000 /dev/zero > "$1/big" || echo "stopped"\n',
  'scripts/scratch.sh': 'head -c 3000000 /dev/zero > /tmp/big || echo "stopped"; wc -c < /tmp/big\n',
  'scripts/output.sh': 'if [ "$1" = stderr ]; then exec >&2; fi; head -c 5000000 /dev/zero | tr "\\\\0" a\n',
  'scripts/processor.sh': 'echo began; while :; do :; done\n',
};

describe.each(users)('limits of a skill, as %s', (user) => {
  it('hold for memory, processes, files and output, and results name the one reached, and how much it was [C4-LIMIT-04 C4-LIMIT-06 C4-LIMIT-07 C4-LIMIT-08 C4-LIMIT-10 S4-RES-01]', async () => {
    const shop = new Workshop(user);
    const place = shop.place();
    shop.skill(
      `[skill]
memory = "96MB"
limits = { processes = 24, file_size = "1MB", scratch = "2MB", max_output = "64KB" }
[tools.memory]
script = "scripts/memory.mjs"
[tools.processes]
script = "scripts/processes.sh"
[tools.stubborn]
script = "scripts/stubborn.mjs"
[tools.scratch]
script = "scripts/scratch.sh"
file_size = "100MB"
[tools.output]
script = "scripts/output.sh"
`,
      greedy,
    );
    shop.skill(
      `[skill]
limits = { file_size = "1MB" }
[capabilities]
filesystem = ["write:${place}"]
[tools.file]
command = ["sh", "scripts/file.sh", "${place}"]
`,
      greedy,
      'writer',
    );
    await shop.grant('writer');
    const [memory, processes, stubborn, file, scratch, stdout, stderr] = await Promise.all([
      shop.result(['demo:memory']),
      shop.result(['demo:processes']),
      shop.result(['demo:stubborn']),
      shop.result(['writer:file']),
      shop.result(['demo:scratch']),
      shop.result(['demo:output']),
      shop.result(['demo:output', '--', 'stderr']),
    ]);
    expect(memory.stdout).toBe('');
    expect(memory.limits?.memoryBytes).toBe(96 * 1024 * 1024);
    expect(memory.reason).toBe('memory');
    // Without a control group it may be refused memory, and abort by itself, before it is ended.
    expect(user === 'nobody' ? [null, 134] : [null]).toContain(memory.exitCode);
    const refused = user === 'nobody' && memory.exitCode === 134;
    const words = refused ? /refused memory at|more memory than/ : /more memory than/;
    expect(memory.message).toMatch(new RegExp(`(?:${words.source}) the limit of 96 MB`));
    expect([processes.exitCode === 0, processes.stdout]).toEqual([false, '']);
    expect(processes.stderr).toMatch(/fork/i);
    const told = 'it tried to start more processes than the limit of 24';
    const byGroup = processes.enforcement.some(({ what, by }) => what === 'processes' && by.startsWith('cgroup'));
    // Without a control group it is seen only while it lasts; what ends at once says so itself.
    if (byGroup) expect(processes).toMatchObject({ reason: 'process_limit', message: told });
    expect(stubborn).toMatchObject({ reason: 'process_limit', message: told, exitCode: 0, stdout: 'went on\n' });
    expect(stubborn.hint).toContain('raise `processes`');
    expect([file.stdout, statSync(`${place}/big`).size]).toEqual(['stopped\n', 1024 * 1024]);
    expect(file.stderr).toMatch(/file (size limit exceeded|too large)/i);
    expect(file).toMatchObject({ reason: 'file_limit', message: 'a file was cut short at the limit of 1 MB' });
    expect(file.hint).toContain('raise `file_size`');
    expect(scratch.stdout).toBe(`stopped\n${2 * 1024 * 1024}\n`);
    expect(scratch.stderr).toContain('No space left');
    expect(scratch).toMatchObject({ reason: 'scratch_limit', exitCode: 0 });
    expect(scratch.message).toBe('its scratch folder was full at the limit of 2 MB');
    expect(scratch.hint).toContain('raise `scratch`');
    for (const [run, stream] of [
      [stdout, 'stdout'],
      [stderr, 'stderr'],
    ] as const) {
      expect(run).toMatchObject({ reason: 'output_limit', exitCode: null });
      expect(run.message).toBe(`it wrote more to ${stream} than the limit of 64 kB`);
      expect(run.hint).toContain('max_output');
      expect(run[stream]).toBe('a'.repeat(64 * 1024));
    }
  });

  it('that a tool survives make its result an error, however it hides them; and what stays below them does not [C4-LIMIT-15]', async () => {
    const shop = new Workshop(user);
    const place = shop.place();
    shop.skill(`[skill]
limits = { processes = 24, file_size = "1MB", scratch = "4MB" }
[capabilities]
filesystem = ["write:${place}"]
[tools.cut]
command = ["sh", "-c", "head -c 5000000 /dev/zero > /tmp/deep; ls -l /tmp/deep"]
[tools.below]
command = ["sh", "-c", "mkdir -p /tmp/a/b && trap '' XFSZ; head -c 5000000 /dev/zero > /tmp/a/b/c; exit 0"]
[tools.killed]
command = ["dd", "if=/dev/zero", "of=/tmp/big", "bs=64k", "count=99"]
[tools.removed]
command = ["sh", "-c", "for i in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > /tmp/$i; done; sleep 1; rm /tmp/*"]
[tools.less]
command = ["sh", "-c", "head -c 1000000 /dev/zero > /tmp/x; head -c 1000000 /dev/zero > ${place}/x; wc -c < /tmp/x"]
[tools.old]
command = ["ls", "${place}"]
`);
    await shop.grant();
    const names = ['cut', 'below', 'killed', 'removed', 'less'];
    const [cut, below, killed, removed, less] = await Promise.all(names.map((name) => shop.result([`demo:${name}`])));
    for (const run of [cut, below, killed]) expect(run).toMatchObject({ reason: 'file_limit' });
    expect([cut?.exitCode, below?.exitCode]).toEqual([0, 0]);
    expect(cut?.stdout).toContain('1048576');
    expect(removed).toMatchObject({ reason: 'scratch_limit', exitCode: 0 });
    expect(less).toMatchObject({ reason: 'exited', exitCode: 0, message: null, stdout: '1000000\n' });
    // What was there before is not the run's.
    writeFileSync(`${place}/old`, Buffer.alloc(1024 * 1024));
    utimesSync(`${place}/old`, 1, 1);
    expect(await shop.result(['demo:old'])).toMatchObject({ reason: 'exited', exitCode: 0 });
  });

  it('hold for time, of the skill and of a tool, and end everything that was started [C4-LIMIT-02 C4-LIMIT-03 C4-LIMIT-09 C4-LIMIT-10 S4-TIME-02]', async () => {
    const shop = new Workshop(user);
    const word = `3000.${process.pid}${user.length}`;
    shop.skill(
      `[skill]
timeout = "2s"
[tools.tree]
script = "scripts/tree.sh"
[tools.hasty]
script = "scripts/tree.sh"
timeout = "500ms"
[tools.patient]
command = ["sleep", "2.5"]
timeout = "20s"
`,
      { 'scripts/tree.sh': `trap "" TERM HUP INT; (setsid sleep ${word} &) ; sleep ${word} & sleep ${word}\n` },
    );
    const [tree, hasty, patient] = await Promise.all([
      shop.run(['run', 'demo:tree']),
      shop.result(['demo:hasty']),
      shop.result(['demo:patient']),
    ]);
    expect(tree.code).toBe(124);
    expect(tree.stderr).toContain('timeout: it took longer than the limit of 2 s\n');
    expect(tree.stderr).toContain('raise `timeout` in skill.toml');
    expect(hasty).toMatchObject({ reason: 'timeout', message: 'it took longer than the limit of 500 ms' });
    expect(hasty.durationMs).toBeGreaterThanOrEqual(500);
    expect(patient).toMatchObject({ reason: 'exited', exitCode: 0 });
    await expect.poll(() => processesWith(word)).toBe(0);
  });

  it('hold for processor time, which sleeping does not use up [C4-LIMIT-05 S4-RES-02]', async () => {
    const shop = new Workshop(user);
    shop.skill(
      `[skill]
cpu_time = "1s"
[tools.busy]
script = "scripts/processor.sh"
[tools.idle]
command = ["sleep", "1.5"]
`,
      greedy,
    );
    const [busy, idle] = await Promise.all([shop.result(['demo:busy']), shop.result(['demo:idle'])]);
    expect(busy).toMatchObject({ reason: 'timeout', stdout: 'began\n' });
    expect(busy.message).toBe('it used more processor time than the limit of 1 s');
    expect(busy.hint).toContain('cpu_time');
    expect(idle).toMatchObject({ reason: 'exited', exitCode: 0, limits: { cpuSeconds: 1 } });
  });
});

describe('limits', () => {
  it('are those of the contract where nobody says anything, and never above the ceilings of the operator', async () => {
    const shop = new Workshop();
    shop.skill('[tools.plain]\ncommand = ["true"]\n', {}, 'plain');
    const mb = 1024 * 1024;
    expect((await shop.dryRun(['plain'])).permissions.limits).toEqual({
      timeoutMs: 30_000,
      memoryBytes: 256 * mb,
      processes: 64,
      outputBytes: mb,
      scratchBytes: 16 * mb,
      fileBytes: 100 * mb,
      cpuSeconds: 60,
    });
    shop.policy(`[limits]
timeout = "3s"
[ceilings]
timeout = "4s"
memory = "300MB"
processes = 20
max_output = "1KB"
scratch = "1MB"
file_size = "2MB"
cpu_time = "2s"
`);
    shop.skill(
      `[skill]
timeout = "1h"
memory = "2GB"
[tools.much]
command = ["sh", "-c", "yes | head -c 5000"]
limits = { processes = 1000, max_output = "1GB", scratch = "1GB", file_size = "1GB", cpu_time = "1h" }
[tools.long]
command = ["sleep", "30"]
timeout = "30m"
`,
      {},
      'greedy',
    );
    await shop.grant('greedy');
    const [plain, much, long] = await Promise.all([
      shop.dryRun(['plain']),
      shop.result(['greedy:much']),
      shop.result(['greedy:long']),
    ]);
    expect(plain.permissions.limits).toMatchObject({ timeoutMs: 3000, memoryBytes: 256 * mb, outputBytes: 1024 });
    expect(much).toMatchObject({
      reason: 'output_limit',
      message: 'it wrote more to stdout than the limit of 1 kB',
    });
    expect(much.limits).toEqual({
      timeoutMs: 4000,
      memoryBytes: 300 * mb,
      processes: 20,
      outputBytes: 1024,
      scratchBytes: mb,
      fileBytes: 2 * mb,
      cpuSeconds: 2,
    });
    expect(long).toMatchObject({ reason: 'timeout', message: 'it took longer than the limit of 4 s' });
  });

  it('that a tool survives are an error for a model too, with what to do about it [C4-LIMIT-15]', async () => {
    const shop = new Workshop();
    shop.skill(`[tools.cut]
command = ["sh", "-c", "head -c 5000000 /dev/zero > /tmp/big; ls -l /tmp/big"]
file_size = "1MB"
`);
    const server = await connectStdio(shop.world, ['serve']);
    const call = { skill_name: 'demo', tool_name: 'cut', parameters: {} };
    const { result } = await server.ask('tools/call', { name: 'skill-engine/execute', arguments: call });
    await server.end();
    const { isError, content } = result as { isError?: boolean; content: { text: string }[] };
    expect(isError).toBe(true);
    const text = content.map((one) => one.text).join('\n');
    expect(text).toContain('file_limit: a file was cut short at the limit of 1 MB');
    expect(text).toContain('raise `file_size` in skill.toml');
  });

  it('of scratch leave nothing behind when they are reached', async () => {
    const shop = new Workshop();
    const tmp = shop.ownFolder('cache/tmp');
    shop.skill('[tools.fill]\nscript = "scripts/scratch.sh"\nscratch = "1MB"\n', greedy);
    expect((await shop.result(['demo:fill'], { TMPDIR: tmp })).stdout).toBe(`stopped\n${1024 * 1024}\n`);
    expect(readdirSync(tmp)).toEqual([]);
  });
});
