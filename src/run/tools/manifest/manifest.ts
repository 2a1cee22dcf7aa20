import { sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../../../core/diagnostics.ts';
import { remedyFor, statOf } from '../../../core/disk/files.ts';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf } from '../../../core/errors.ts';
import { type DocumentResult, isObject, readToml, unreadable } from '../../../core/formats/documents.ts';
import { type Declared, declaredIn, merged, nothingDeclared } from './declared.ts';
import { Findings, type Place, within } from './findings.ts';
import { inner } from './readers.ts';

/** A manifest that was read: its declarations, and the place to report what is found later. */
export interface Manifest {
  readonly file: string;
  readonly declared: Declared;
  /** Problems of the manifest; the list grows while the tools are read. */
  readonly problems: readonly Diagnostic[];
}

/** Names that the manifest of a skill may have, the stronger one first. */
export const manifestNames = ['skill.toml', 'manifest.toml'] as const;

/**
 * Tables of which a manifest has at least one. Other programs call their files `manifest.toml` too: one with none of
 * these is not about tools.
 */
const ownTables = ['skill', 'tools', 'capabilities'];

/** Reads the manifest of a skill, whose real folder is given; null where there is none. Never throws for its text. */
export async function readManifest(folder: string, home: Pick<Environment, 'home'>): Promise<Manifest | null> {
  for (const name of manifestNames) {
    const manifest = await manifestAt(folder + sep + name, folder, home, name === 'skill.toml' ? [] : ownTables);
    if (manifest !== null) return manifest;
  }
  return null;
}

async function manifestAt(
  file: string,
  folder: string,
  home: Pick<Environment, 'home'>,
  tables: readonly string[],
): Promise<Manifest | null> {
  const read = await readDocument(file, folder);
  if (read.kind === 'absent') return null;
  const isOurs = ({ value }: { readonly value: unknown }): boolean =>
    tables.length === 0 || tables.some((table) => isObject(value) && Object.hasOwn(value, table));
  return read.kind === 'value' && !isOurs(read) ? null : manifestOf(file, read, home);
}

/** The manifest that a text would be. */
export async function manifestIn(file: string, text: string, home: Pick<Environment, 'home'>): Promise<Manifest> {
  const { parseToml } = await import('../../../core/formats/parsed-toml.ts');
  return manifestOf(file, text.length > mostBytes ? tooLarge() : parseToml(text), home);
}

function manifestOf(
  file: string,
  read: Exclude<DocumentResult, { kind: 'absent' }>,
  home: Pick<Environment, 'home'>,
): Manifest {
  if (read.kind === 'invalid') return { file, declared: nothingDeclared, problems: [invalid(file, read)] };
  const findings = new Findings(file, read.text);
  const top: Place = { value: read.value, path: [], findings };
  const whole = declaredIn(top, home, { skill: inner });
  const declared = merged(whole, declaredIn(within(top, 'skill'), home));
  return { file, declared, problems: findings.list };
}

/** Most bytes of a manifest. None that people write is nearly as long, and all of it is read before anything runs. */
const mostBytes = 256 * 1024;

function tooLarge(): DocumentResult & { kind: 'invalid' } {
  return { kind: 'invalid', message: `larger than ${mostBytes} bytes` };
}

/** Reads a manifest's text. That of a third party may be more than a parser can take. */
export async function readDocument(file: string, container?: string): Promise<DocumentResult> {
  const stats = statOf(file);
  if (stats.ok && stats.value.size > mostBytes) {
    return tooLarge();
  }
  try {
    return await readToml(file, container);
  } catch (error) {
    return unreadable(reasonOf(error));
  }
}

export function invalid(file: string, { message, at, reason = '' }: DocumentResult & { kind: 'invalid' }): Diagnostic {
  return diagnostic('manifest-invalid', file, message, remedyFor(reason, 'Fix the file, or remove it.'), at);
}
