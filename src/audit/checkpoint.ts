import { readRegularFile } from '../kernel/files.ts';
import { addFile } from '../kernel/replace.ts';
import type { Key } from './key.ts';
import type { AuditBody, AuditRecord, Link } from './types.ts';

type Checkpoint = Extract<AuditBody, { event: 'checkpoint' }>;

/** What a checkpoint signs: its place, and through the hash before it everything that came before. */
function signed(seq: number, prev: string): string {
  return `repertoire audit checkpoint\n${seq}\n${prev}\n`;
}

export function checkpointBody({ seq, hash }: Link, key: Key): Checkpoint {
  return { event: 'checkpoint', key: key.fingerprint(), signature: key.sign(signed(seq + 1, hash)) };
}

export function isSigned({ seq, prev, key: signer, signature }: AuditRecord & Checkpoint, key: Key): boolean {
  return signer === key.fingerprint() && key.verify(signed(seq, prev), signature);
}

/** Puts the public key beside the log, for those who check signatures and must not be able to make them. */
export function keepPublicKey(path: string, key: Key): void {
  if (readRegularFile(path, 4096).ok) return; // another one would be a sign of tampering, and stays to be found
  addFile(path, key.publicKey(), 0o600); // whole or not at all, since verifying takes no lock
}
