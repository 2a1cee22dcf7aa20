import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/run/audit/types.ts';
import { users, Workshop } from './workshop.ts';

type End = Extract<AuditRecord, { event: 'end' }>;

const ends = (shop: Workshop): End[] => shop.records().filter((record) => record.event === 'end');

function withTools(user: (typeof users)[number] = 'yourself'): Workshop {
  const shop = new Workshop(user);
  shop.skill(`[capabilities]
env = ["REGION"]
[tools.fine]
capabilities = {}
command = ["echo", "{text}"]
parameters = { text = { type = "string", default = "hello" } }
[tools.failing]
capabilities = {}
command = ["sh", "-c", "exit 9"]
[tools.slow]
capabilities = {}
command = ["sleep", "20"]
timeout = "1s"
[tools.asking]
command = ["true"]
`);
  return shop;
}

describe.each(users)('the audit log, as %s', (user) => {
  it('has one record of what came of each execution, whether it was allowed, denied or failed, and one of each beginning [C4-AUDIT-01 C4-AUDIT-02 C4-AUDIT-03 C4-AUDIT-04 C4-AUDIT-05 C4-AUDIT-06 C4-AUDIT-08 C4-AUDIT-09 S4-AUDIT-01 S4-AUDIT-02 S4-AUDIT-03 S4-AUDIT-05 S4-AUDIT-06]', async () => {
    const shop = withTools(user);
    const began = Date.now();
    const written = (): string => readFileSync(shop.state('audit/audit.jsonl'), 'utf8');
    await shop.run(['run', 'demo:fine', '--param', 'text=good day']);
    const first = written();
    for (const tool of ['failing', 'slow', 'asking']) await shop.run(['run', `demo:${tool}`]);
    await shop.run(['run', 'demo:fine', '--param', 'txt=wrong']);
    // Only ever appended to, one record on each line.
    expect(written().startsWith(first)).toBe(true);
    const records = shop.records();
    expect(records.map(({ event }) => event)).toEqual(['start', 'end', 'start', 'end', 'start', 'end', 'end', 'end']);
    const [start] = records;
    const [fine, failing, slow, asking, wrong] = ends(shop);
    expect(fine).toMatchObject({
      skill: 'demo',
      folder: shop.world.path('project/skills/demo'),
      digest: expect.stringMatching(/^sha256:[\da-f]{64}$/),
      tool: 'fine',
      runtime: 'native',
      parameters: { text: 'good day' },
      by: 'cli',
      unsafe: false,
      result: 'exited',
      exitCode: 0,
      outputBytes: 9,
      enforcement: { files: expect.stringContaining('bubblewrap') },
    });
    expect(start).toMatchObject({ event: 'start', id: fine?.id, tool: 'fine', parameters: { text: 'good day' } });
    expect(failing).toMatchObject({ tool: 'failing', result: 'exited', exitCode: 9 });
    expect(slow).toMatchObject({ tool: 'slow', result: 'timeout', message: expect.stringContaining('of 1 s') });
    expect(slow?.durationMs).toBeGreaterThanOrEqual(1000);
    expect(asking).toMatchObject({ result: 'denied', message: expect.stringContaining('is not allowed') });
    expect(wrong).toMatchObject({ result: 'invalid_parameters', parameters: { txt: 'wrong' } });
    expect(new Set(ends(shop).map(({ id }) => id)).size).toBe(5);
    for (const [index, { seq, prev, timestamp }] of records.entries()) {
      expect([seq, prev]).toEqual([index + 1, records[index - 1]?.hash ?? '0'.repeat(64)]);
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(began);
    }
    const shown = await shop.run(['audit', '--json']);
    const results = shown.json<{ executions: { result: string }[] }>().executions.map(({ result }) => result);
    expect(results).toEqual(['exited', 'exited', 'timeout', 'denied', 'invalid_parameters']);
    const verified = await shop.run(['audit', 'verify']);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('intact')]);
    writeFileSync(shop.state('audit/audit.jsonl'), written().replace('good day', 'bad night'));
    const tampered = await shop.run(['audit', 'verify']);
    expect([tampered.code, tampered.stdout]).toEqual([1, expect.stringContaining('audit.jsonl:1')]);
  });

  it('is asked first: what cannot be recorded is not run, and its result is not told', async () => {
    const shop = new Workshop(user);
    const place = shop.place();
    shop.skill(
      `[capabilities]\nfilesystem = ["write:${place}"]\n[tools.mark]\ncommand = ["sh", "-c", "echo ran; touch ${place}/ran"]\n`,
    );
    await shop.grant();
    const refused = async (): Promise<string> => {
      const { code, stdout, stderr } = await shop.run(['run', 'demo']);
      expect([code, stdout, existsSync(`${place}/ran`)]).toEqual([1, '', false]);
      expect(stderr).toContain('the audit log cannot be written');
      expect(stderr).toContain('Nothing is run or granted without a record');
      return stderr;
    };
    // A file in the place of the folder.
    renameSync(shop.state('audit'), shop.state('audit.kept'));
    writeFileSync(shop.state('audit'), '');
    expect(await refused()).toContain('Set XDG_STATE_HOME');
    rmSync(shop.state('audit'));
    renameSync(shop.state('audit.kept'), shop.state('audit'));
    // A link to a disk that is always full.
    await shop.run(['run', 'demo', '--param', 'x=y']);
    const log = shop.state('audit/audit.jsonl');
    renameSync(log, `${log}.kept`);
    symlinkSync('/dev/full', log);
    await refused();
    rmSync(log);
    renameSync(`${log}.kept`, log);
    expect(await shop.run(['run', 'demo'])).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect((await shop.run(['audit', 'verify'])).code).toBe(0);
  });
});

describe('the audit log', () => {
  it('has the record before anybody is told the result, however many run at once [C4-AUDIT-07]', async () => {
    const shop = withTools();
    const runs = [1, 2, 3, 4].map((number) => shop.start(['run', 'demo:fine', '--json', '--param', `text=${number}`]));
    const known = runs.map(async (run, index) => {
      // The result is one line at the end: when its first bytes are here, the record is there.
      await run.until('"reason"');
      return ends(shop).some(({ parameters }) => (parameters as { text: string }).text === String(index + 1));
    });
    expect(await Promise.all(known)).toEqual([true, true, true, true]);
    await Promise.all(runs.map(({ ended }) => ended));
    // Killed in the middle, a run has its beginning in the log, and the chain holds.
    const killed = shop.start(['run', 'demo:slow'], { env: { TMPDIR: shop.ownFolder('tmp') } });
    await expect.poll(() => shop.records().at(-1)?.event).toBe('start');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(shop.records().filter(({ event }) => event === 'start')).toHaveLength(5);
    expect(ends(shop)).toHaveLength(4);
    const verified = await shop.run(['audit', 'verify', '--json']);
    expect(verified.json<{ ok: boolean; records: number }>()).toMatchObject({ ok: true, records: 9 });
  });
});
