import type { AuditEnd, AuditStart } from '../../src/run/audit/types.ts';

export function startOf(id: string, more: Partial<AuditStart> = {}): AuditStart {
  return {
    id,
    skill: 'pods',
    folder: '/skills/pods',
    digest: 'd'.repeat(64),
    tool: 'get',
    runtime: 'native',
    parameters: { resource: 'pods' },
    by: 'cli',
    unsafe: false,
    ...more,
  };
}

export function endOf(id: string, more: Partial<AuditEnd> = {}): AuditEnd {
  const what = { result: 'exited', exitCode: 0, message: null, durationMs: 12.5, outputBytes: 3, enforcement: {} };
  return { ...startOf(id), ...what, ...more };
}
