import { basename } from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { readRegularPart } from '../core/disk/files.ts';
import { addTo } from '../core/groups.ts';
import { fold } from '../core/text/text.ts';
import type { Snapshot } from './snapshot.ts';

type ByName = ReadonlyMap<string, readonly Diagnostic[]>;

const known = new WeakMap<Snapshot, ByName>();

/** Diagnostics about skills of that name: the usual reason why one is missing. */
export function problemsNamed(snapshot: Snapshot, name: string): readonly Diagnostic[] {
  const byName = known.get(snapshot) ?? collect(snapshot.diagnostics);
  known.set(snapshot, byName);
  return byName.get(fold(name.slice(name.lastIndexOf(':') + 1).trim())) ?? [];
}

/** The reason why a skill of that name was found and cannot be used; undefined where none was found. */
export function obstacleNamed(snapshot: Snapshot, name: string): Diagnostic | undefined {
  return problemsNamed(snapshot, name).find(
    ({ severity, code, file }) =>
      severity === 'error' || code === 'folder-unreadable' || (code.startsWith('link-') && isSkillFile(file)),
  );
}

function isSkillFile(file: string): boolean {
  return /^\.?skill\.md$/i.test(basename(file));
}

function collect(diagnostics: readonly Diagnostic[]): ByName {
  const byName = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (one.code === 'filter-no-match') continue;
    for (const name of namesIn(one)) addTo(byName, name, one);
  }
  return byName;
}

/**
 * The names that a diagnostic is about: that of the folder and, where a SKILL.md could not be used, the name that it
 * gives.
 */
function namesIn({ file, severity }: Diagnostic): ReadonlySet<string> {
  const parts = file.split(/[/\\]/);
  const isSkill = isSkillFile(file);
  const folder = isSkill ? parts.at(-2) : parts.at(-1);
  const given = isSkill && severity === 'error' ? nameGivenIn(file) : undefined;
  return new Set([folder, given].filter((name) => name !== undefined).map((name) => fold(name)));
}

const beginning = 4096;

/** The name in a line of front matter that cannot be read. */
function nameGivenIn(file: string): string | undefined {
  const read = readRegularPart(file, 0, beginning);
  const text = read.ok ? read.value.bytes.toString('utf8') : '';
  return /^name[ \t]*:[ \t]*(["']?)([^\r\n]*?)\1[ \t]*\r?$/m.exec(text)?.[2];
}
