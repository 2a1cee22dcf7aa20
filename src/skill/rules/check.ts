import { basename, resolve } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic, type Position } from '../../core/diagnostics.ts';
import { realPathOf, statOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { count, oneLine } from '../../core/text/text.ts';
import { type Head, headOf, yamlOf } from '../fences.ts';
import { parseSkill } from '../parse.ts';
import { fieldRules } from './fields.ts';
import type { Finding } from './finding.ts';
import { readStrictly } from './strict.ts';

/** A SKILL.md to be checked: its name, and its surroundings. */
export interface SkillPlace {
  readonly file: string;
  /** The last part of the path, as it is on disk. */
  readonly fileName: string;
  /** The name of its folder. */
  readonly folder: string;
  /** Resolves a path relative to that folder. */
  lookUp(path: string): 'there' | 'missing' | 'outside';
}

/** Number of findings reported: more from one file helps nobody. */
const most = 100;

/** Diagnostics of loading that the strict rules report too; anything else they report more exactly themselves. */
const ruleFor: Partial<Record<DiagnosticCode, DiagnosticCode>> = {
  'text-encoding': 'text-encoding',
  'text-invalid-utf8': 'text-encoding',
  'text-hidden': 'text-hidden',
  'frontmatter-missing': 'frontmatter-missing',
  'frontmatter-unclosed': 'frontmatter-unclosed',
  'frontmatter-language': 'frontmatter-language',
  'frontmatter-too-large': 'frontmatter-too-large',
  'frontmatter-too-complex': 'frontmatter-too-complex',
  'frontmatter-not-a-map': 'frontmatter-not-a-map',
};

/**
 * Checks one file's bytes against the strict rules of the format. The result is in order of lines; empty when nothing
 * is wrong.
 */
export function checkSkill(bytes: Buffer, place: SkillPlace): readonly Diagnostic[] {
  const { file, folder } = place;
  const noted = parseSkill(bytes, file, folder).diagnostics;
  const isReadable = !noted.some((one) => endsHere.has(one.code));
  const inText = isReadable ? textRules(bytes.toString('utf8'), place) : [];
  const findings = [...fileRules(place), ...noted.flatMap(asRule), ...inText];
  findings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (findings.length <= most) return findings;
  const [kept, rest] = [findings.slice(0, most), findings.slice(most)];
  const worst = rest.find((one) => one.severity === 'error') ?? rest[0];
  const message = `and ${count(rest.length, 'more finding')} in this file`;
  return worst === undefined ? kept : [...kept, { ...worst, message, remedy: 'Fix the others first.' }];
}

/** Diagnostics after which there is nothing left that could be checked. */
const endsHere: ReadonlySet<DiagnosticCode> = new Set(['text-encoding', 'frontmatter-too-large']);

function asRule({ code, file, line, column, message, remedy }: Diagnostic): Diagnostic[] {
  const rule = ruleFor[code];
  if (rule === undefined) return [];
  return [diagnostic(rule, file, message, remedy, line === null ? undefined : { line, column: column ?? 1 })];
}

function* fileRules({ file, fileName }: SkillPlace): Iterable<Diagnostic> {
  if (fileName === 'SKILL.md') return;
  const message = `the file is called ${oneLine(fileName)}; most agents look for SKILL.md only`;
  yield diagnostic('rule-file-name', file, message, 'Rename it to SKILL.md.');
}

function* textRules(text: string, place: SkillPlace): Iterable<Diagnostic> {
  const { file, folder } = place;
  const here = (finding: Finding, lines: number): Diagnostic => {
    const { code, message, remedy, at } = finding;
    return diagnostic(code, file, message, remedy, { line: at.line + lines, column: at.column });
  };
  if (text.startsWith('\ufeff')) {
    const message = 'the file starts with a byte order mark, after which some agents do not find the front matter';
    yield diagnostic('rule-encoding', file, message, 'Save it as UTF-8 without BOM.', { line: 1, column: 1 });
  }
  const head = headOf(text);
  if (head === null) return;
  const openingLine = head.before.length + 1;
  const bodyLine = openingLine + head.yaml.length + (head.closing === null ? 1 : 2);
  for (const finding of fenceRules(head)) yield here(finding, openingLine - 1);
  for (const finding of yamlRules(yamlOf(head), folder)) yield here(finding, openingLine);
  for (const finding of bodyRules(head.body.replace(/\r\n?/g, '\n'), place)) yield here(finding, bodyLine - 1);
}

function* fenceRules({ before, opening, closing }: Head): Iterable<Finding> {
  const at: Position = { line: 1, column: 1 };
  if (before.length > 0) {
    const remedy = 'Move the opening --- to line 1; several agents do not see it elsewhere.';
    yield { code: 'rule-frontmatter', message: 'front matter does not start on the first line', remedy, at };
  }
  if (opening.text.trimEnd() !== '---') {
    const message = `front matter is opened by "${oneLine(opening.text)}"; some agents accept only ---`;
    yield { code: 'rule-frontmatter', message, remedy: 'Write --- and nothing else on that line.', at };
  }
  if (closing !== null) return;
  const message = 'front matter is opened by --- but never closed';
  yield { code: 'frontmatter-unclosed', message, remedy: 'Add a line --- after the last field.', at };
}

function* yamlRules(yaml: string, folder: string): Iterable<Finding> {
  const { problems, fields } = readStrictly(yaml);
  for (const { message, remedy, at } of problems) {
    yield { code: 'rule-yaml', message: `not strict YAML: ${message}`, remedy, at };
  }
  if (fields !== null) yield* fieldRules(fields, folder);
}

const longestBody = { lines: 500, tokens: 5000 } as const;

const references = {
  missing: ['which does not exist', 'Add the file or correct the link; paths start from the folder of SKILL.md.'],
  outside: [
    'which is outside the skill',
    "Agents read nothing outside the skill: copy the file into the skill's folder.",
  ],
} as const;

function* bodyRules(body: string, place: SkillPlace): Iterable<Finding> {
  const text = body.trim();
  const lines = text.split('\n').length;
  const tokens = Math.round(text.length / 4);
  if (lines > longestBody.lines || tokens > longestBody.tokens) {
    const message = `the body has ${count(lines, 'line')}, about ${tokens} tokens; ${longestBody.lines} lines and ${longestBody.tokens} tokens are recommended`;
    const remedy = 'Move parts that are not always needed into files below references/.';
    yield { code: 'rule-body', message, remedy, at: { line: 1, column: 1 } };
  }
  for (const { path, line, column } of referencesIn(body)) {
    const found = place.lookUp(path);
    if (found === 'there') continue;
    const [fault, remedy] = references[found];
    const message = `the body links to ${oneLine(path.slice(0, 200))}, ${fault}`;
    yield { code: 'rule-reference', message, remedy, at: { line, column } };
  }
}

/** The place of a SKILL.md on disk, given the real folder that it lies in. */
export function placeIn(file: string, folder: string): SkillPlace {
  return {
    file,
    fileName: basename(file),
    folder: basename(folder),
    lookUp(path) {
      const target = resolve(folder, path);
      if (!isInside(folder, target)) return 'outside';
      if (!statOf(target).ok) return 'missing';
      const real = realPathOf(target);
      return real.ok && isInside(folder, real.value) ? 'there' : 'outside';
    },
  };
}

/** A relative path that a body links to. */
interface Reference {
  readonly path: string;
  /** Line of the body and column, 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Number of links read: more than any real body has to files of its own. */
const mostReferences = 1000;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^\s*(?:[-*+]|\d+[.)])\s/;
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*(?:<([^<>]*)>|(\S+))/d;
const target =
  /\([ \t]*(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\)/dy;

/** The links of a Markdown body that lead to files beside it, each path once; those in code are examples. */
export function referencesIn(body: string): readonly Reference[] {
  const found = new Map<string, Reference>();
  let number = 0;
  for (const line of proseLines(body)) {
    number++;
    for (const [written, column] of line === null ? [] : targetsIn(line)) {
      const path = relativePath(written);
      if (path !== null && !found.has(path)) found.set(path, { path, line: number, column });
      if (found.size >= mostReferences) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Every line, with null for those of fenced code. */
function* outsideFences(lines: readonly string[]): Iterable<string | null> {
  let open = '';
  for (const line of lines) {
    const mark = fence.exec(line)?.[1] ?? '';
    yield open === '' && mark === '' ? line : null;
    if (open === '') open = mark;
    else if (mark.startsWith(open) && line.trim() === mark) open = '';
  }
}

/**
 * Lines with null for fenced and for indented code: lines that are indented after a blank line and not part of a list.
 */
function* proseLines(body: string): Iterable<string | null> {
  let [wasBlank, inList] = [true, false];
  for (const line of outsideFences(body.split('\n'))) {
    const isBlank = line === null || line.trim() === '';
    const isIndented = line !== null && /^(?: {4}|\t)/.test(line);
    const isCode = isIndented && wasBlank && !inList;
    yield isCode ? null : line;
    if (!isBlank && !isIndented) inList = listItem.test(line) || (inList && line.startsWith(' '));
    // Indented code goes on until a line that is not: each of its lines is as good as blank.
    wasBlank = isBlank || isCode;
  }
}

function* targetsIn(line: string): Iterable<[string, number]> {
  const text = line.includes('`') ? withoutCode(line) : line;
  const defined = definition.exec(text);
  const places = defined?.indices?.[1] ?? defined?.indices?.[2];
  if (places !== undefined) yield [text.slice(...places), places[0] + 1];
  for (let at = text.indexOf(']('); at !== -1; at = text.indexOf('](', at + 2)) {
    target.lastIndex = at + 1;
    const range = target.exec(text)?.indices;
    const place = range?.[1] ?? range?.[2];
    if (place !== undefined) yield [text.slice(...place), place[0] + 1];
  }
}

/** The line with its code spans blanked out. Each run of backticks ends at the next of the same length. */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  const next = new Map<number, number>();
  const ends = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] ?? { length: 0 };
    ends[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  let [out, from] = ['', 0];
  for (let index = 0; index < runs.length; index++) {
    const [start, end] = [runs[index], runs[ends[index] ?? -1]];
    if (start === undefined || end === undefined) continue;
    const stop = end.at + end.length;
    out += line.slice(from, start.at) + ' '.repeat(stop - start.at);
    from = stop;
    index = ends[index] ?? index;
  }
  return out + line.slice(from);
}

/** The path of a link, or null for one that leads to the web, within the page, or is a placeholder. */
function relativePath(written: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(written)) return null;
  const bare = written.replace(/[#?].*$/, '');
  // A single word is `[text](url)` far more often than a file without an extension; braces and the like are templates.
  if (!/[./]/.test(bare) || /[{}$*|<>]|\.{3}/.test(bare)) return null;
  // A stray per cent sign stands for itself.
  return attempt(() => decodeURIComponent(bare), bare);
}
