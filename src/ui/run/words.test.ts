import { describe, expect, it } from 'vitest';
import type { DryRun } from '../../engine/running/types.ts';
import { accessRows, isSettledByGrant, limitRows, outcomeOf } from './words.ts';

describe('how a run ended', () => {
  const ending = { exitCode: null, signal: null, durationMs: 1200 } as const;

  it.each([
    [{ ...ending, reason: 'exited', exitCode: 0 }, 'good', 'Finished with exit code 0, after 1.2 s'],
    [{ ...ending, reason: 'exited', exitCode: 3 }, 'bad', 'Failed with exit code 3, after 1.2 s'],
    [{ ...ending, reason: 'exited', signal: 'SIGSEGV' }, 'bad', 'Ended by SIGSEGV, after 1.2 s'],
    [{ ...ending, reason: 'timeout' }, 'bad', 'Took too long and was stopped, after 1.2 s'],
    [{ ...ending, reason: 'cancelled' }, 'warn', 'Cancelled, after 1.2 s'],
    [{ ...ending, reason: 'denied' }, 'bad', 'Denied'],
  ] as const)('%j', (result, tone, words) => {
    expect(outcomeOf(result)).toEqual({ tone, words });
  });
});

describe('what a run may touch', () => {
  const plan: DryRun = {
    skill: 's',
    tool: 't',
    runtime: 'native',
    digest: 'sha256:0',
    argv: ['node'],
    folder: '/skill',
    env: { PATH: '/bin', TOKEN: '(secret)' },
    stdinBytes: 2000,
    permissions: {
      network: [
        { host: 'api.example.com', below: false, port: 443 },
        { host: 'example.org', below: true, port: null },
      ],
      mounts: [{ source: '/data/real', target: '/data', access: 'write' }],
      missing: ['/gone'],
      env: [],
      secrets: ['TOKEN'],
      limits: {
        timeoutMs: 30_000,
        memoryBytes: 1024 ** 2,
        processes: 8,
        outputBytes: 1024,
        scratchBytes: 1024,
        fileBytes: 1024,
        cpuSeconds: 5,
      },
    },
    enforcement: [
      { what: 'network', by: 'a proxy' },
      { what: 'memory', by: 'cgroup' },
    ],
  };

  it('is told in words, each with what holds it', () => {
    const rows = new Map([...accessRows(plan), ...limitRows(plan)].map(({ what, ...row }) => [what, row]));
    expect(rows.get('Network')).toEqual({
      lines: ['api.example.com, port 443', 'everything below example.org'],
      by: ['a proxy'],
    });
    expect(rows.get('Files')?.lines).toContain('/data/real, seen at /data, to read and change');
    expect(rows.get('Files')?.lines).toContain('/gone, which does not exist');
    expect(rows.get('Environment')?.lines).toEqual(['PATH, TOKEN (secret)']);
    expect(rows.get('Memory')).toEqual({ lines: ['1 MB'], by: ['cgroup'] });
    expect(rows.get('Time')).toEqual({ lines: ['30 s'], by: [] });
  });

  it('is nothing of the network where none is granted', () => {
    const closed = { ...plan, permissions: { ...plan.permissions, network: [] } };
    expect(accessRows(closed)[0]?.lines).toEqual(['none']);
  });
});

describe('a denial', () => {
  it('is settled by a grant only where the server says so', () => {
    expect(isSettledByGrant('Run: repertoire grant mailer')).toBe(true);
    expect(isSettledByGrant('Set MAIL_TOKEN, and start the server again.')).toBe(false);
  });
});
