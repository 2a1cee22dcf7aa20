import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createScanThreads } from './threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'scan-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread that does what the name of the folder says. */
const program = join(folder, 'thread.cjs');
writeFileSync(
  program,
  `const { parentPort } = require('node:worker_threads');
  let held = 0;
  const acts = {
    good: () => parentPort.postMessage({ report: { digest: 'd', verdict: 'clean', findings: [], scanner: '0' } }),
    refused: () => parentPort.postMessage({ problem: { code: 'unreadable', message: 'it has changed', hint: 'Again.' } }),
    throws: () => { throw new Error('out of order'); },
    exits: () => process.exit(3),
    lastWords: () => { acts.good(); process.exit(3); },
    endless: () => { for (;;); },
    holds: () => { held++; },
    dies: () => { if (held > 0) acts.good(); throw new Error('out of order'); },
    other: () => parentPort.postMessage({ report: { digest: 'e', verdict: 'clean', findings: [], scanner: '0' } }),
    paired: () => { if (held++ === 1) { acts.good(); acts.good(); } },
  };
  parentPort.on('message', ({ folder }) => acts[folder]());`,
);
/** Limits with which one thread has to do until somebody has waited. */
const limits = { threads: 2, skillsPerThread: 100, extraThreadAfterMs: 20, ms: 60_000 };
const known = { digest: 'd', files: {} };

describe('threads that scan', () => {
  it('say which of them died, and go on with the others', async () => {
    const threads = createScanThreads(program, {}, limits);
    const jobs = ['good', 'throws', 'good', 'exits', 'refused', 'good', 'good'];
    const ends = await Promise.allSettled(jobs.map((one) => threads.scan({ folder: one, known })));
    threads.end();
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value.verdict : String(end.reason)))).toEqual([
      'clean',
      'SkillError: it could not be scanned: the thread that scans it died (out of order)',
      'clean',
      'SkillError: it could not be scanned: the thread that scans it was ended',
      'SkillError: it has changed',
      'clean',
      'clean',
    ]);
  });

  it('blame nobody for the end that an earlier skill brought on them', async () => {
    const threads = createScanThreads(program, {}, { ...limits, threads: 1 });
    await threads.scan({ folder: 'good', known }); // it has started
    const both = ['lastWords', 'good'].map((one) => threads.scan({ folder: one, known }));
    expect((await Promise.all(both)).map(({ verdict }) => verdict)).toEqual(['clean', 'clean']);
    threads.end();
  });

  it('are believed what they said before they died of the next one', async () => {
    const threads = createScanThreads(program, {}, { ...limits, threads: 1, extraThreadAfterMs: 60_000 });
    const both = Promise.allSettled(['holds', 'dies'].map((one) => threads.scan({ folder: one, known })));
    const [first, second] = await both;
    expect(first).toMatchObject({ value: { verdict: 'clean' } });
    expect(second).toMatchObject({ reason: { message: expect.stringMatching(/died \(out of order\)/) } });
    threads.end();
  });

  it('are not believed what they say of other files', async () => {
    const threads = createScanThreads(program, {}, limits);
    await expect(threads.scan({ folder: 'other', known })).rejects.toThrow('the answer is about other files');
    threads.end();
  });

  it('have the next one at hand before they have answered', async () => {
    const threads = createScanThreads(program, {}, { ...limits, threads: 1, ms: 5000 });
    const both = ['paired', 'paired'].map((one) => threads.scan({ folder: one, known }));
    expect((await Promise.all(both)).map(({ verdict }) => verdict)).toEqual(['clean', 'clean']);
    threads.end();
  });

  it('hold nobody else up over one that takes for ever, and give up on it', async () => {
    const threads = createScanThreads(program, {}, { ...limits, ms: 5000 });
    await Promise.all(['good', 'good'].map((one) => threads.scan({ folder: one, known }))); // they have started
    const endless = threads.scan({ folder: 'endless', known });
    const others = Array.from({ length: 20 }, () => threads.scan({ folder: 'good', known }));
    expect(await Promise.race([endless.catch(() => 'given up'), Promise.all(others).then(() => 'others')])).toBe(
      'others',
    );
    await expect(endless).rejects.toThrow('it could not be scanned: it takes more than 5 seconds');
    threads.end();
  });

  it('become more for those that wait already once it is known how many come', async () => {
    const threads = createScanThreads(program, {}, { ...limits, extraThreadAfterMs: 60_000 });
    await threads.scan({ folder: 'good', known }); // it has started
    const endless = threads.scan({ folder: 'endless', known }).catch(() => 'ended');
    const good = threads.scan({ folder: 'good', known });
    threads.expect(101);
    expect((await good).verdict).toBe('clean');
    threads.end();
    expect(await endless).toBe('ended');
  });

  it('give no answer once they are ended', async () => {
    const threads = createScanThreads(program, {}, { ...limits, threads: 1 });
    const ends = Promise.allSettled(['endless', 'good'].map((one) => threads.scan({ folder: one, known })));
    threads.end();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(threads.scan({ folder: 'good', known })).rejects.toThrow('scanning was ended');
  });
});
