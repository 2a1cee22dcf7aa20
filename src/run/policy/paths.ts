import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';
import type { PathRule } from './types.ts';

const remedy = 'Write "read:/folder" or "write:/folder", with the whole path; "~/" is your home folder.';

const refusals: readonly (readonly [RegExp, string, string])[] = [
  [/^\$/, 'begins with a variable', 'Write "~/" for your home folder, and other folders with their whole path.'],
  [/^~[^/]/, 'is the home folder of another user', remedy],
  [/^(?![/~])/, 'is not an absolute path', remedy],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'contains "." or ".."', 'Write the path without "." and "..".'],
  [/\*/, 'has a *', 'Name the folder alone: everything below it is meant.'],
  [/[\p{C}\p{Zl}\p{Zp}]/u, 'has an invisible character', remedy],
  [/^.{4096}/s, 'is too long', remedy],
];

/** Parses `read:/data` or `write:~/notes` into its one form: absolute, without a slash at the end. */
export function parsePath(text: string, { home }: Pick<Environment, 'home'>): Parsed<PathRule> {
  const [, access, path = ''] = /^(read|write):(.*)$/s.exec(text) ?? [];
  if (access !== 'read' && access !== 'write')
    return problem(`${shown(text)} does not say "read:" or "write:"`, remedy);
  const refusal = refusals.find(([pattern]) => pattern.test(path));
  if (refusal !== undefined) return problem(`${shown(text)} ${refusal[1]}`, refusal[2]);
  const absolute = path.replace(/^~/, () => home).replace(/\/{2,}/g, '/');
  return parsed({ access, path: absolute === '/' ? '/' : absolute.replace(/\/$/, '') });
}

export function pathText({ access, path }: PathRule): string {
  return `${access}:${path}`;
}

/**
 * Whether a rule includes another; the right to change files includes the right to read them. Compares what is written;
 * where links lead is another question.
 */
export function coversPath(rule: PathRule, other: PathRule): boolean {
  return (rule.access === 'write' || other.access === 'read') && isInside(rule.path, other.path);
}

/** The rule for what both rules allow; null where that is nothing. */
export function meetPaths(one: PathRule, other: PathRule): PathRule | null {
  const access = one.access === 'write' && other.access === 'write' ? 'write' : 'read';
  if (isInside(one.path, other.path)) return { access, path: other.path };
  return isInside(other.path, one.path) ? { access, path: one.path } : null;
}

/**
 * Whether a rule asks for nothing. Every run has a `/tmp` of its own, which nobody else sees and which goes away with
 * it: to ask for it, or to write below it, is to ask for nothing. To read below it would mean files of the host, which
 * are not there.
 */
export function isPrivatePath({ access, path }: PathRule): boolean {
  return path === '/tmp' || (access === 'write' && isInside('/tmp', path));
}
