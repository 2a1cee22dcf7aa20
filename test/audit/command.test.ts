import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditRow } from '../../src/run/audit/read.ts';
import { unsafe } from '../cli/program.ts';
import { program } from '../support/world.ts';
import { Log } from './log.ts';
import { endOf, startOf } from './records.ts';

function filled(): Log {
  const log = new Log();
  const audit = log.open();
  for (const end of [
    endOf('one', { parameters: { resource: 'nodes' } }),
    endOf('two', { result: 'denied', exitCode: null, message: 'the network was not granted' }),
    endOf('three', { skill: 'claude:pdf', tool: 'read', exitCode: 3, durationMs: 65_000, unsafe: true }),
  ]) {
    audit.start(end);
    audit.end(end);
  }
  audit.start(startOf('four'));
  return log;
}

describe('repertoire audit', () => {
  it('shows the records [C4-AUDIT-08]', async () => {
    const log = filled();
    const { code, stdout } = await log.world.run(['audit'], { env: { COLUMNS: '120' } });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ exited +13 ms pods:get cli \{"resource":"nodes"\}$/);
    expect(lines[1]).toMatch(/denied +13 ms pods:get/);
    expect(lines[2]?.trim()).toBe('the network was not granted');
    expect(lines[3]).toMatch(/exited 3 +65\.0 s claude:pdf:read cli \[no sandbox\]/);
    expect(lines[4]).toMatch(/running +pods:get/);
    const { executions } = (await log.world.run(['audit', '--json'])).json<{ executions: AuditRow[] }>();
    expect(executions.map(({ id, result }) => [id, result])).toEqual([
      ['one', 'exited'],
      ['two', 'denied'],
      ['three', 'exited'],
      ['four', 'running'],
    ]);
    expect(executions[0]).toMatchObject({ skill: 'pods', digest: 'd'.repeat(64), parameters: { resource: 'nodes' } });
  });

  it('shows those that were asked for', async () => {
    const log = filled();
    const ids = async (args: readonly string[]): Promise<string[]> =>
      (await log.world.run(['audit', '--json', ...args]))
        .json<{ executions: AuditRow[] }>()
        .executions.map(({ id }) => id);
    expect(await ids(['--skill', 'pdf'])).toEqual(['three']);
    expect(await ids(['--tool', 'get', '--limit', '2'])).toEqual(['two', 'four']);
    expect(await ids(['--result', 'denied'])).toEqual(['two']);
    expect(await ids(['--id', 'one'])).toEqual(['one']);
    expect(await ids(['--since', '1h'])).toHaveLength(4);
    expect(await ids(['--until', '2020-01-01'])).toEqual([]);
    const wrong = await log.world.run(['audit', '--since', 'yesterday']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("'yesterday'");
    expect((await log.world.run(['audit', 'burn'])).code).toBe(2);
    expect((await new Log().world.run(['audit'])).stdout).toBe('Nothing was executed.\n');
  });

  it('follows, one line each', async () => {
    const log = new Log();
    log.fill(1);
    const child = spawn(process.execPath, [program, 'audit', '--follow', '--json'], {
      cwd: log.world.project,
      env: log.world.environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    const came = new Promise<void>((resolve) => {
      child.stdout.on('data', (bytes: Buffer) => {
        lines.push(...bytes.toString().trim().split('\n'));
        if (lines.length === 1) log.fill(2, {}, 'next');
        if (lines.length >= 3) resolve();
      });
    });
    await came;
    child.kill('SIGINT');
    expect(lines.map((line) => (JSON.parse(line) as AuditRow).id)).toEqual(['run-1', 'next-1', 'next-2']);
  });

  it('prints nothing that a terminal would obey', async () => {
    const log = new Log();
    const audit = log.open();
    const evil = '\u001b]0;x\u0007\u202e\n\u009b31m';
    audit.start(startOf('x', { skill: evil, tool: evil, parameters: { [evil]: evil } }));
    audit.end(endOf('x', { skill: evil, tool: evil, parameters: { a: evil }, message: evil, result: evil }));
    const { stdout } = await log.world.run(['audit']);
    expect(stdout).not.toMatch(unsafe);
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('verifies the chain, and names the first record that was tampered with [C4-AUDIT-09]', async () => {
    const log = filled();
    const sound = await log.world.run(['audit', 'verify']);
    expect(sound.code).toBe(0);
    expect(sound.stdout).toMatch(
      /^intact {2}every record is as it was written\n {2}records +7 in 1 file, 0 checkpoints\n/,
    );
    expect((await log.world.run(['audit', 'verify', '--json'])).json()).toMatchObject({
      ok: true,
      records: 7,
      broken: null,
    });
    log.rewrite((lines) => lines.with(3, (lines[3] as string).replace('denied', 'exited')));
    const broken = await log.world.run(['audit', 'verify']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^broken {2}audit\.jsonl:4, record 4: its text does not match its hash \(edited\)\n/);
    const json = await log.world.run(['audit', 'verify', '--json']);
    expect(json.code).toBe(1);
    expect(json.json()).toMatchObject({ ok: false, broken: { file: 'audit.jsonl', line: 4, seq: 4, why: 'edited' } });
    expect((await new Log().world.run(['audit', 'verify'])).code, 'nothing is as it should be').toBe(0);
  });
});
