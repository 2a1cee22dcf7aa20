import { SkillError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/hash.ts';
import type { Key } from './key.ts';
import type { AuditBody, AuditRecord, Link } from './types.ts';

/** No line is longer, so that the last record of a file is found without reading much of it. */
export const lineLimit = 64 * 1024;

/** What stands at the end of every line, after what is hashed. */
const ending = /^,"hash":"([0-9a-f]{64})","mac":"([0-9a-f]{64})"\}$/;
const endingLength = ',"hash":"","mac":""}'.length + 2 * 64;

export interface Made {
  /** With its line end. */
  readonly line: Buffer;
  readonly link: Link;
}

/** The record that follows another. */
export function makeRecord(body: AuditBody, { seq, hash: prev }: Link, key: Key, now: Date): Made {
  const made = make(body);
  if (made.line.length <= lineLimit) return made;
  const shorter = make(shortened(body, made.line.length));
  if (shorter.line.length <= lineLimit) return shorter;
  throw new SkillError('unwritable', 'the record of this execution is too long for the audit log', {
    hint: 'Names and folders that long are not supported; shorten them.',
  });

  function make(content: AuditBody): Made {
    const text = JSON.stringify({ seq: seq + 1, timestamp: now.toISOString(), prev, ...content });
    const link = { seq: seq + 1, hash: sha256(text) };
    const line = `${text.slice(0, -1)},"hash":"${link.hash}","mac":"${key.mac('record', link)}"}\n`;
    return { line: Buffer.from(line), link };
  }
}

/** What strangers can make as long as they like is left out where it is too long. */
function shortened(body: AuditBody, bytes: number): AuditBody {
  const { parameters, message, ...rest } = body as AuditBody & { parameters?: unknown; message?: unknown };
  return {
    ...rest,
    parameters: { '…': `left out: the record had ${bytes} bytes`, sha256: sha256(JSON.stringify(parameters) ?? '') },
    ...(typeof message === 'string' && { message: `${message.slice(0, 1000)}…` }),
  } as AuditBody;
}

export type Checked =
  | { readonly ok: true; readonly record: AuditRecord }
  | { readonly ok: false; readonly why: 'no record' | 'hash'; readonly seq: number | null };

/** Reads a line, without its end, and checks that the record is the one that was hashed. */
export function checkLine(line: Buffer): Checked {
  const record = parseRecord(line);
  if (record === null) return { ok: false, why: 'no record', seq: null };
  const split = line.length - endingLength;
  const [, hash] = ending.exec(line.toString('latin1', Math.max(0, split))) ?? [];
  if (hash === undefined || hash !== record.hash || sha256(line.subarray(0, split), '}') !== hash) {
    return { ok: false, why: 'hash', seq: record.seq };
  }
  return { ok: true, record };
}

/** What a line says, unchecked, if it looks like a record at all. */
export function parseRecord(line: Buffer): AuditRecord | null {
  try {
    const value = JSON.parse(line.toString('utf8')) as Partial<AuditRecord> | null;
    const isRecord =
      typeof value === 'object' &&
      value !== null &&
      Number.isSafeInteger(value.seq) &&
      typeof value.prev === 'string' &&
      typeof value.event === 'string' &&
      typeof value.timestamp === 'string';
    return isRecord ? (value as AuditRecord) : null;
  } catch {
    return null;
  }
}

/** Whether it was made by someone who has the key. */
export function isVouched({ seq, hash, mac }: AuditRecord, key: Key): boolean {
  return key.mac('record', { seq, hash }) === mac;
}
