import type { KeyObject } from 'node:crypto';
import { chmodSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, SkillError } from '../kernel/errors.ts';
import { isAbsent, readRegularFile } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import type { Link } from './types.ts';

/** What only we can do: vouch for records and for the head of the log, and sign. */
export interface Key {
  /** Over a record, or over the head; one can never pass for the other. */
  mac(what: 'record' | 'head', link: Link): string;
  /** Ed25519, in base64. */
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
  /** SHA-256 of the public key, in hex. */
  fingerprint(): string;
  /** In PEM. */
  publicKey(): string;
}

const byteLimit = 4096;
const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');

/** The key, or null where there is none yet. */
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
      hint: `Whoever has read it can forge records. If nobody has: chmod 600 ${path}`,
    });
  }
  return keyOf(bytes.toString('latin1'));
}

/** The same, made if there is none. Of several processes that make one at the same time, one wins. */
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
    linkSync(draft, path); // never in the place of one that is there
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
