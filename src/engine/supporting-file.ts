import { basename } from 'node:path';
import { SkillError } from '../kernel/errors.ts';
import { type FileContent, isAbsent, readRegularPart, statOf } from '../kernel/files.ts';
import { below } from '../kernel/paths.ts';
import { count, cut, oneLine } from '../kernel/text.ts';
import { fileUri, plainAddress } from '../registry/addresses.ts';
import { suggest } from '../registry/suggest.ts';
import { filesOf } from '../skill/files.ts';
import { isTextual, sampleBytes, typeOf, wholeCharacters } from '../skill/mime.ts';
import type { Skill } from '../skill/types.ts';
import { locate } from './contained.ts';
import { knownObstacle } from './extension.ts';

/** A file of a skill, or a part of it. */
export interface SupportingFile {
  /** From the skill's folder, with `/` between the parts. */
  readonly path: string;
  readonly mimeType: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly encoding: 'text' | 'base64';
  readonly content: string;
  /** Where to go on, in bytes; not there when this was the end. */
  readonly nextOffset?: number;
}

const pageBytes = 64 * 1024;
const binaryBytes = 256 * 1024;
/** Of somebody else's path in our messages, the sign that it is cut included. */
const shownLength = 201;

type Facts = Pick<SupportingFile, 'path' | 'mimeType' | 'size'>;
type Part = Pick<SupportingFile, 'encoding' | 'content' | 'nextOffset'>;

/** Reads a file of a skill for a model: text page by page, anything else whole if it is small. */
export function readSupportingFile(skill: Skill, asked: string, offset: number): SupportingFile {
  const facts = factsOf(skill, asked, offset);
  return isTextual(facts.mimeType)
    ? { ...facts, ...textPage(skill, facts.path, offset) }
    : binary(skill, facts, offset);
}

/** Reads a file of a skill for a program, which can put parts together whatever they are. */
export function readFilePart(skill: Skill, asked: string, offset: number): SupportingFile {
  const facts = factsOf(skill, asked, offset);
  const partOf = isTextual(facts.mimeType) ? textPage : binaryPage;
  return { ...facts, ...partOf(skill, facts.path, offset) };
}

function factsOf(skill: Skill, asked: string, offset: number): Facts {
  const path = asked.replace(/^(?:\.\/)+|\/$/g, ''); // `./scripts/` is `scripts`
  const { bytes: sample, stats } = readPart(skill, path, 0, sampleBytes);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > stats.size) {
    throw new SkillError(
      'usage',
      `offset must be a whole number from 0 to ${stats.size}, the size of ${oneLine(path)}`,
    );
  }
  return { path, mimeType: typeOf(path, sample), size: stats.size };
}

function textPage(skill: Skill, path: string, offset: number): Part {
  const { bytes, stats } = readPart(skill, path, offset, pageBytes);
  const isLast = offset + bytes.length >= stats.size;
  const length = isLast ? bytes.length : wholeCharacters(bytes, bytes.length);
  return { encoding: 'text', content: bytes.toString('utf8', 0, length), ...nextAfter(offset, length, stats.size) };
}

function binaryPage(skill: Skill, path: string, offset: number): Part {
  const { bytes, stats } = readPart(skill, path, offset, binaryBytes);
  return { encoding: 'base64', content: bytes.toString('base64'), ...nextAfter(offset, bytes.length, stats.size) };
}

/** A file that is cut off while it is read has ended: who goes on must come further each time. */
function nextAfter(offset: number, length: number, size: number): Pick<Part, 'nextOffset'> {
  return length === 0 || offset + length >= size ? {} : { nextOffset: offset + length };
}

function binary(skill: Skill, facts: Facts, offset: number): SupportingFile {
  const { path, mimeType, size } = facts;
  if (offset > 0)
    throw new SkillError('usage', `${oneLine(path)} is ${mimeType}; only text can be read from an offset`);
  if (size > binaryBytes) {
    const resource = knownObstacle(skill) === null ? ` or as the resource ${fileUri(plainAddress(skill), path)}` : '';
    const message = `${oneLine(path)} is ${mimeType} of ${size} bytes; at most ${binaryBytes} bytes of what is not text are given`;
    throw new SkillError('usage', message, { hint: `Read it where it lies: ${below(skill.dir, path)}${resource}` });
  }
  return { ...facts, ...binaryPage(skill, path, 0) };
}

function malformed(skill: Skill, path: string): SkillError {
  const [first] = filesOf(skill.id, basename(skill.file), 1).files;
  const example = oneLine(first?.path ?? 'SKILL.md');
  const hint = `Name a file by its path from the skill's folder, with / between the parts, as in ${example}.`;
  return new SkillError('usage', `'${cut(path, shownLength)}' is not a path in skill '${skill.fullName}'`, { hint });
}

function readPart(skill: Skill, path: string, start: number, length: number): FileContent {
  const place = path === '' ? nowhere : locate(skill, path);
  if (!place.ok) throw problems[place.kind](skill, path, place.reason);
  const read = readRegularPart(place.real, start, length);
  if (read.ok) return read.value;
  const stats = statOf(place.real);
  if (stats.ok && stats.value.isDirectory()) throw folder(skill, path);
  // A pipe or a socket is no file of the skill: no list shows it.
  const isOther = stats.ok && !stats.value.isFile();
  throw isAbsent(read.reason) || isOther ? unknown(skill, path) : unreadable(skill, path, read.reason);
}

const nowhere = { ok: false, kind: 'malformed', reason: '' } as const;
const problems = { malformed, absent: unknown, unreadable } as const;

function unreadable(skill: Skill, path: string, reason: string): SkillError {
  return new SkillError('unreadable', `${oneLine(path)} of skill '${skill.fullName}' cannot be read (${reason})`);
}

function unknown(skill: Skill, path: string): SkillError {
  const paths = pathsOf(skill);
  const suggestions = suggest(path, paths);
  const near = suggestions.length > 0 ? ` Did you mean: ${suggestions.map(oneLine).join(', ')}?` : '';
  const message = `Skill '${skill.fullName}' has no file '${cut(path, shownLength)}'; it has ${count(paths.length, 'file')}.${near}`;
  return new SkillError('not-found', message, { suggestions });
}

const shownPaths = 20;

function folder(skill: Skill, path: string): SkillError {
  const inside = pathsOf(skill).filter((one) => one.startsWith(`${path}/`));
  const rest = inside.length - shownPaths;
  const listed = inside.slice(0, shownPaths).map(oneLine).join(', ');
  const files = inside.length === 0 ? 'nothing' : `${listed}${rest > 0 ? ` (+${rest} more)` : ''}`;
  const message = `'${oneLine(path)}' in skill '${skill.fullName}' is a folder; it holds ${files}`;
  return new SkillError('not-found', message, { hint: 'Ask for one of its files.' });
}

function pathsOf(skill: Skill): string[] {
  return ['SKILL.md', ...filesOf(skill.id, basename(skill.file)).files.map((file) => file.path)];
}
