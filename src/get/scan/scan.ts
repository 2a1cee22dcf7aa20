import { join } from 'node:path';
import { readRegularFile } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { oneLine } from '../../core/text/text.ts';
import { digestFiles, executableMark, type FolderDigest, linkMark, specialMark } from '../../run/policy/digest.ts';
import type { Act } from './code/unit.ts';
import type { Value } from './code/value.ts';
import { fileOf, type ScannedFile } from './file.ts';
import { judge } from './judge.ts';
import { judgeCapabilities } from './rules/capabilities.ts';
import { type Hit, rules } from './rules/table.ts';
import { type Finding, type ScanReport, type ScanSeverity, severities, type Verdict } from './types.ts';

/** The version of the rules. A verdict of another version is not relied on. */
export const scannerVersion = '4';

export interface ScanOptions {
  readonly signal?: AbortSignal | undefined;
  /** Names of the other skills that there are: one must not be taken for another. */
  readonly others?: readonly string[];
  /** The home folder, for paths in manifests. */
  readonly home?: string;
  /** The digests of its files, where they were computed just now. Files that have others are refused. */
  readonly known?: FolderDigest;
}

/** Bytes of a file up to which it is looked at as a whole. */
const mostBytes = 4 * 1024 * 1024;
const mostFindings = 500;

/** Judges all files of the skill in a folder. Reads only; nothing is followed out of the folder, and nothing evaluated. */
export async function scanFolder(folder: string, options: ScanOptions = {}): Promise<ScanReport> {
  const { digest, files } = options.known ?? (await digestFiles(folder));
  const findings: Finding[] = [];
  const acts: Act[] = [];
  const scripts: ScannedFile[] = [];
  const left: Left = new Map();
  const put = (file: string, hits: Iterable<Hit>): void => {
    for (const hit of hits) if (findings.length < mostFindings) findings.push(findingOf(hit, file, digest));
  };
  for (const [path, mark] of Object.entries(files)) {
    options.signal?.throwIfAborted();
    const file = fileAt(folder, path, mark);
    if (Array.isArray(file)) {
      put(path, file);
      continue;
    }
    const judged = await judge(file, { others: options.others });
    put(path, judged.hits);
    acts.push(...judged.acts);
    if (file.kind === 'script') scripts.push(file);
    for (const [target, value] of judged.left) left.set(target, { value, by: path });
  }
  for (const [file, hits] of await judgeTogether(scripts, left)) {
    const before = new Set(findings.map(({ rule, file: at, line }) => `${rule} ${at} ${line}`));
    put(
      file,
      hits.filter(({ rule, line }) => !before.has(`${rule} ${file} ${line}`)),
    );
  }
  for (const [file, hits] of await judgeCapabilities(folder, acts, options.home ?? '')) put(file, hits);
  findings.sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  return { digest, verdict: verdictOf(findings), findings, scanner: scannerVersion };
}

/** The file at a path, which must be the one that the digest was made of; or what is to be said of one that is not looked into. */
function fileAt(folder: string, path: string, mark: string): ScannedFile | Hit[] {
  if (mark.startsWith(linkMark)) return [...judgeLink(folder, path, mark.slice(linkMark.length))];
  if (mark === specialMark) return [{ rule: 'unscanned', line: null, found: 'a device, a socket or a pipe' }];
  const read = readRegularFile(join(folder, path), mostBytes);
  if (!read.ok)
    return [{ rule: 'unscanned', line: null, found: `it cannot be read, or is too large (${read.reason})` }];
  if (`sha256:${sha256(read.value.bytes)}` !== mark.replace(executableMark, '')) throw hasChanged(folder, path);
  return fileOf(path, read.value.bytes, mark.endsWith(executableMark));
}

/** Files that scripts have written with something from elsewhere, and which script it was. */
type Left = Map<string, { readonly value: Value; readonly by: string }>;

/** Looks again at scripts that name a file which another script has left: what one fetches, another one may run. */
async function judgeTogether(scripts: readonly ScannedFile[], left: Left): Promise<[file: string, Hit[]][]> {
  const found: [string, Hit[]][] = [];
  for (const file of left.size === 0 ? [] : scripts) {
    const others = [...left].filter(
      ([target, { by }]) => by !== file.path && file.text.includes(target.slice(target.lastIndexOf('/') + 1)),
    );
    if (others.length === 0) continue;
    const { hits } = await judge(file, { left: new Map(others.map(([target, { value }]) => [target, value])) });
    found.push([file.path, [...hits]]);
  }
  return found;
}

/** The severity from which findings keep a skill from being loaded and run. */
const blockingSeverity: ScanSeverity = 'high';

function verdictOf(findings: readonly Finding[]): Verdict {
  const worst = Math.max(-1, ...findings.map(({ severity }) => severities.indexOf(severity)));
  if (worst >= severities.indexOf(blockingSeverity)) return 'blocked';
  return worst >= severities.indexOf('medium') ? 'warned' : 'clean';
}

function findingOf({ rule, line, found, isShown, severity, layers = [] }: Hit, file: string, digest: string): Finding {
  const { [rule]: about } = rules;
  const hidden = layers.length === 0 ? '' : ` (hidden as ${layers.join(', then ')})`;
  return {
    rule,
    severity: severity ?? (isShown === true && layers.length === 0 ? about.shown : about.severity),
    file,
    line,
    found: oneLine(found).slice(0, 300) + hidden,
    why: about.why,
    allow: `${about.remedy}; or allow this version: repertoire allow SKILL --digest ${digest} --reason TEXT`,
  };
}

function* judgeLink(folder: string, path: string, target: string): Generator<Hit> {
  const at = join(folder, path, '..', target);
  if (target.startsWith('/') || !isInside(folder, at))
    yield { rule: 'link-outside', line: null, found: `it leads to ${target}` };
}

function hasChanged(folder: string, path: string): SkillError {
  const hint = 'Scan it again when nobody writes to it.';
  return new SkillError('unreadable', `${oneLine(path)} in ${oneLine(folder)} has changed while it was scanned`, {
    hint,
  });
}
