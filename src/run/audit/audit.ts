import { thisProcess, userName } from '../../core/disk/owner.ts';
import type { Environment } from '../../core/environment.ts';
import { unwritable } from './head.ts';
import { placesIn } from './log-files.ts';
import type { AuditBody, AuditChange, AuditEnd, AuditGrant, AuditStart } from './types.ts';
import { createWriter, type WriterOptions } from './writer.ts';

/** The log in which executions are written down. All calls are synchronous: when they return, the record stands. */
export interface Audit {
  /** Records a start. Throws a `SkillError` when the record cannot be written whole; then nothing must be run. */
  start(record: AuditStart): void;
  /** Records the end of an execution. Throws as `start` does; then no result must be returned. */
  end(record: AuditEnd): void;
  /** Records a grant. Throws as `start` does; then nothing must be granted. */
  grant(record: AuditGrant): void;
  /** Records a change. Throws as `start` does; then nothing must be changed. */
  change(record: AuditChange): void;
  /** Signs the records that were written. Nothing is lost where that fails, or is never called. */
  close(): void;
}

export type AuditOptions = Partial<WriterOptions>;

const defaults: WriterOptions = {
  strict: false,
  maxBytes: 16 * 1024 * 1024,
  checkpointEvery: 256,
  lockTimeoutMs: 5_000,
};

/** Opens the audit log. Nothing is touched before the first record. */
export function openAudit(environment: Environment, options: AuditOptions = {}): Audit {
  const places = placesIn(environment);
  const writer = createWriter(places, { ...defaults, ...options });

  function append(body: AuditBody): void {
    try {
      writer.append(body);
    } catch (error) {
      throw unwritable(error, places.current);
    }
  }

  return {
    start: (record) => append({ event: 'start', process: thisProcess(), ...record }),
    end: (record) => append({ event: 'end', ...record }),
    grant: (record) => append({ event: 'grant', user: userName(), ...record }),
    change: (record) => append({ event: 'change', user: userName(), ...record }),
    close() {
      try {
        writer.close();
      } catch {
        // Every record stands and is vouched for; the next writer signs them.
      }
    },
  };
}
