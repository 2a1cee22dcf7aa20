import { randomUUID } from 'node:crypto';
import { sanitise } from '../../run/audit/sanitise.ts';
import type { Engine, Request } from '../engine.ts';
import type { Changed } from '../operation.ts';
import { runnerOf } from '../running/runner.ts';
import { whoAsks } from '../running/who.ts';

/** Makes a change that stands in the audit log: who, when and what, and afterwards if it came to nothing. */
export async function recorded<T>(
  engine: Engine,
  operation: string,
  { skills, parameters }: Changed,
  request: Request,
  work: () => Promise<T>,
): Promise<T> {
  const { audit } = await runnerOf(engine);
  const record = {
    ...{ id: randomUUID(), operation, skill: skills.join(', '), parameters: sanitise(parameters, []) },
    ...whoAsks(engine, request),
  };
  // The record comes first: what is changed is in the log, whatever happens in between.
  audit.change({ ...record, result: 'changed' });
  try {
    return await work();
  } catch (error) {
    audit.change({ ...record, result: 'not_changed' });
    throw error;
  }
}
