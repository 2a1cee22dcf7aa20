import type { KeyObject } from 'node:crypto';
import { chmodSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAbsent, readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { addFile } from '../../core/disk/replace.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import type { AuditBody, AuditRecord, Link } from './types.ts';

/** The key with which only we can vouch for records and for the head of the log, and sign. */
export interface Key {
  /** The MAC of a record, or of the head; one can never pass for the other. */
  mac(what: 'record' | 'head', link: Link): string;
  /** The Ed25519 signature of a text, in base64. */
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
  /** SHA-256 of the public key, in hex. */
  fingerprint(): string;
  /** The public key, in PEM. */
  publicKey(): string;
}

const byteLimit = 4096;
const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');

/** Reads the key; null where there is none yet. */
export function readKey(path: string): Key | null {
  const file = readRegularFile(path, byteLimit);
  if (!file.ok) {
    if (isAbsent(file.reason)) return null;
    throw new SkillError('unreadable', `the key of the audit log cannot be read (${file.reason}): ${path}`, {
      hint: 'Make it a regular file that belongs to you, with mode 600.',
    });
  }
  const { bytes, stats } = file.value;
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new SkillError('unreadable', `others can read the key of the audit log: ${path}`, {
      hint: `Anyone who has read it can forge records. If nobody has: chmod 600 ${path}`,
    });
  }
  return keyOf(bytes.toString('latin1'));
}

/** Reads the key, or makes one if there is none. Of several processes that make one at the same time, one wins. */
export function openKey(path: string): Key {
  const known = readKey(path);
  if (known !== null) return known;
  try {
    makeFolder(dirname(path));
    make(path);
  } catch (error) {
    throw new SkillError('unwritable', `the key of the audit log cannot be created (${reasonOf(error)}): ${path}`, {
      hint: 'Make its folder writable for this user, or set XDG_CONFIG_HOME to one that is.',
      cause: error,
    });
  }
  const made = readKey(path);
  if (made === null)
    throw new SkillError('unwritable', `the key of the audit log is removed as soon as it is created: ${path}`);
  return made;
}

function make(path: string): void {
  const { privateKey } = crypto().generateKeyPairSync('ed25519');
  const draft = `${path}.${process.pid}.${crypto().randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    linkSync(draft, path); // never in the place of an existing one
  } catch (error) {
    if (reasonOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function keyOf(pem: string): Key {
  // Whole keys take long to read, and most runs sign nothing: they only need a secret to vouch with.
  const secret = Buffer.from(sha256('repertoire audit mac\n', pem.trim()), 'hex');
  const parts = once(() => {
    const privateKey = crypto().createPrivateKey(pem);
    const publicKey = crypto().createPublicKey(privateKey);
    return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
  });
  return {
    mac: (what, { seq, hash }) =>
      crypto().createHmac('sha256', secret).update(`${what}\n${seq}\n${hash}`).digest('hex'),
    sign: (text) => crypto().sign(null, Buffer.from(text), parts().privateKey).toString('base64'),
    verify: (text, signature) =>
      crypto().verify(null, Buffer.from(text), parts().publicKey, Buffer.from(signature, 'base64')),
    fingerprint: () => parts().fingerprint,
    publicKey: () => parts().publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

/** The public part of a key, by which everybody can check signatures; null where the text is none. */
export function readPublicKey(pem: string): Pick<Key, 'fingerprint' | 'verify'> | null {
  try {
    const publicKey = crypto().createPublicKey(pem);
    const fingerprint = fingerprintOf(publicKey);
    return {
      fingerprint: () => fingerprint,
      verify: (text, signature) =>
        crypto().verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
    };
  } catch {
    return null;
  }
}

function fingerprintOf(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: 'spki', format: 'der' }));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Most bytes of a line, so that the last record of a file is found without reading much of it. */
export const lineLimit = 64 * 1024;

/** The end of every line, after the part that is hashed. */
const ending = /^,"hash":"([0-9a-f]{64})","mac":"([0-9a-f]{64})"\}$/;
const endingLength = ',"hash":"","mac":""}'.length + 2 * 64;

export interface Made {
  /** The record with its line end. */
  readonly line: Buffer;
  readonly link: Link;
}

/** Makes the record that follows another. */
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

/** Shortens a record that is too long, by the fields that third parties can make as long as they like. */
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

/** The record in a line, unchecked, if it looks like one at all. */
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

/** Whether a record was made by someone who has the key. */
export function isVouched({ seq, hash, mac }: AuditRecord, key: Key): boolean {
  return key.mac('record', { seq, hash }) === mac;
}

type Checkpoint = Extract<AuditBody, { event: 'checkpoint' }>;

/** The text that a checkpoint signs: its place, and through the hash before it everything that came before. */
function signed(seq: number, prev: string): string {
  return `repertoire audit checkpoint\n${seq}\n${prev}\n`;
}

export function checkpointBody({ seq, hash }: Link, key: Key): Checkpoint {
  return { event: 'checkpoint', key: key.fingerprint(), signature: key.sign(signed(seq + 1, hash)) };
}

export function isSigned(
  { seq, prev, key: signer, signature }: AuditRecord & Checkpoint,
  key: Pick<Key, 'fingerprint' | 'verify'>,
): boolean {
  return signer === key.fingerprint() && key.verify(signed(seq, prev), signature);
}

/** Puts the public key beside the log, for those who check signatures and must not be able to make them. */
export function keepPublicKey(path: string, key: Key): void {
  if (readRegularFile(path, 4096).ok) return; // another one would be a sign of tampering, and stays to be found
  addFile(path, key.publicKey(), 0o600); // whole or not at all, since verifying takes no lock
}
