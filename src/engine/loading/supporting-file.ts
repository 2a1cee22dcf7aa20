import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { type FileContent, isAbsent, readRegularPart, statOf } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import type { Around } from '../../core/text/hidden.ts';
import { suggest } from '../../core/text/near.ts';
import { count, cut, oneLine } from '../../core/text/text.ts';
import { fileUri, plainAddress } from '../../registry/addresses.ts';
import { filesOf } from '../../skill/files.ts';
import { isTextual, looksLikeText, mediaTypeOf, sampleBytes, typeOf, wholeCharacters } from '../../skill/mime.ts';
import type { Skill } from '../../skill/types.ts';
import { locate, unreadable } from './contained.ts';
import { knownObstacle } from './extension.ts';
import { type ShownText, shownText } from './header.ts';

/** Facts about a file of a skill. */
interface Facts {
  /** Path relative to the skill's folder, with `/` between the parts. */
  readonly path: string;
  readonly mimeType: string;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

interface Part {
  readonly encoding: 'text' | 'base64';
  readonly content: string;
  /** Offset of the next part in bytes; missing at the end of the file. */
  readonly nextOffset?: number;
}

/** A file of a skill, or a part of it. */
export type FilePart = Facts & Part;

/** A file as a model sees it: a part of its text, a picture or a sound in base64, or the reason why it is not shown. */
export type SupportingFile = Facts &
  (
    | ({ readonly kind: 'text' } & Omit<Part, 'encoding'> & Pick<ShownText, 'remarks'>)
    | { readonly kind: 'image' | 'audio'; readonly data: string }
    | { readonly kind: 'other'; readonly reason: string }
  );

const pageBytes = 64 * 1024;
const binaryBytes = 256 * 1024;
/** Bytes up to which a picture is shown: a larger one costs a model much, and some services refuse it. */
const mediaBytes = 1024 * 1024;
/** Characters shown of a path that a caller gave, including the sign that it is cut. */
const shownLength = 201;

/** Reads a file of a skill for a model. A part of a text takes up at most `room` characters, quoted as JSON. */
export function readSupportingFile(skill: Skill, asked: string, offset: number, room: number): SupportingFile {
  const facts = factsOf(skill, asked, offset, shownType);
  const { path, mimeType } = facts;
  if (isTextual(mimeType)) {
    return { ...facts, kind: 'text', ...shownPart(skill, path, offset, room) };
  }
  if (offset > 0)
    throw new SkillError('usage', `${oneLine(path)} is ${mimeType}; only text can be read from an offset`);
  return { ...facts, ...mediumOr(skill, facts) };
}

/** A part of a text with hidden characters made visible. The next offset still counts the bytes of the file. */
function shownPart(skill: Skill, path: string, offset: number, room: number) {
  const read = (most: number) => {
    const { encoding: _, ...part } = textPart(skill, path, offset, room, (bytes) => fitting(bytes, most));
    const { text: content, remarks } = shownText(part.content, around(skill, path, offset, part.nextOffset));
    return { growth: quotedLength(content) - quotedLength(part.content), part: { ...part, content, remarks } };
  };
  const { growth, part } = read(room);
  // No character takes up more than four times the bytes that it has in the file.
  return growth === 0 ? part : read(Math.max(room - growth, Math.floor(room / 4))).part;
}

/** Bytes on either side of a part that decide which of its characters count as hidden. */
const aroundBytes = 80;

function around(skill: Skill, path: string, start: number, end: number | undefined): Around {
  const textAt = (from: number, to: number): string => readPart(skill, path, from, to - from).bytes.toString('utf8');
  return {
    before: start === 0 ? '' : textAt(Math.max(0, start - aroundBytes), start),
    after: end === undefined ? '' : textAt(end, end + aroundBytes),
  };
}

function quotedLength(text: string): number {
  return JSON.stringify(text).length;
}

const medium = /^(?:image|audio)\/(?!svg)/;

/**
 * The media type of a file. Where a name promises a picture, text stands in for it: a Git LFS pointer, or the message
 * of a failed download.
 */
function shownType(path: string, sample: Uint8Array): string {
  const named = typeOf(path, sample);
  return medium.test(named) && looksLikeText(sample) ? 'text/plain' : named;
}

/** Reads a part of a file for a program, which can join parts whatever they are. */
export function readFilePart(skill: Skill, asked: string, offset: number): FilePart {
  const facts = factsOf(skill, asked, offset);
  const part = isTextual(facts.mimeType)
    ? textPart(skill, facts.path, offset, pageBytes)
    : binaryPart(skill, facts.path, offset);
  return { ...facts, ...part };
}

function factsOf(skill: Skill, asked: string, offset: number, typed = typeOf): Facts {
  const path = asked.replace(/^(?:\.\/)+|\/$/g, ''); // `./scripts/` is `scripts`
  const { bytes: sample, stats } = readPart(skill, path, 0, sampleBytes);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > stats.size) {
    throw new SkillError(
      'usage',
      `offset must be a whole number from 0 to ${stats.size}, the size of ${oneLine(path)}`,
    );
  }
  return { path, mimeType: typed(path, sample), size: stats.size };
}

function textPart(
  skill: Skill,
  path: string,
  offset: number,
  most: number,
  measure = (bytes: Uint8Array) => bytes.length,
): Part {
  if (offset > 0) refuseInside(skill, path, offset);
  const { bytes, stats } = readPart(skill, path, offset, most);
  const length = measure(bytes);
  const end = offset + length >= stats.size ? length : wholeCharacters(bytes, length);
  return { encoding: 'text', content: bytes.toString('utf8', 0, end), ...nextAfter(offset, end, stats.size) };
}

/**
 * Refuses an offset inside a character, which would show what the file does not contain. Text that is not UTF-8 may be
 * split anywhere.
 */
function refuseInside(skill: Skill, path: string, offset: number): void {
  const from = Math.max(0, offset - 3);
  const { bytes } = readPart(skill, path, from, 7);
  const at = offset - from;
  if (at >= bytes.length) return;
  const start = wholeCharacters(bytes, at);
  const end = [2, 3, 4].map((length) => start + length).find((one) => isUtf8(bytes.subarray(start, one)));
  if (start === at || end === undefined || end <= at) return;
  const hint = `Use ${from + start} or ${from + end}.`;
  throw new SkillError('usage', `offset ${offset} of ${oneLine(path)} is inside a character`, { hint });
}

/** Number of characters that each ASCII character takes up inside a JSON string. */
const quoted = Array.from({ length: 0x80 }, (_, code) => JSON.stringify(String.fromCharCode(code)).length - 2);

/** Number of bytes that take up no more than `room` characters, quoted as JSON: some agents cut what they quote. */
function fitting(bytes: Uint8Array, room: number): number {
  let [length, taken] = [0, 0];
  for (const byte of bytes) {
    taken += quoted[byte] ?? 1;
    if (taken > room) break;
    length++;
  }
  return length;
}

function binaryPart(skill: Skill, path: string, offset: number): Part {
  const { bytes, stats } = readPart(skill, path, offset, binaryBytes);
  return { encoding: 'base64', content: bytes.toString('base64'), ...nextAfter(offset, bytes.length, stats.size) };
}

/** The next offset, if any. A file truncated while it is read has ended: each part must lead further than the last. */
function nextAfter(offset: number, length: number, size: number): Pick<Part, 'nextOffset'> {
  return length === 0 || offset + length >= size ? {} : { nextOffset: offset + length };
}

/** A picture or a sound; for anything else, the reason why it is not shown. */
function mediumOr(skill: Skill, { path, mimeType, size }: Facts) {
  const isSmall = size <= mediaBytes;
  const { bytes } = readPart(skill, path, 0, isSmall ? size : 0);
  const found = isSmall ? mediaTypeOf(bytes, mimeType) : null;
  if (found !== null) {
    const kind = found.startsWith('image/') ? ('image' as const) : ('audio' as const);
    return { kind, mimeType: found, data: bytes.toString('base64') };
  }
  const isMedium = medium.test(mimeType);
  return {
    kind: 'other' as const,
    ...(isMedium && isSmall && { mimeType: 'application/octet-stream' }),
    reason: !isMedium
      ? 'it is not text, an image or audio'
      : isSmall
        ? `its name says ${mimeType}, but its content is not that`
        : `it has more than ${mediaBytes} bytes`,
  };
}

/** The path of a file, and its `skill://` address if it has one. */
export function whereIs(skill: Skill, path: string): { readonly place: string; readonly uri: string | null } {
  const uri = knownObstacle(skill) === null ? fileUri(plainAddress(skill), path) : null;
  return { place: below(skill.dir, path), uri };
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
  // A pipe or a socket is not a file of the skill: no listing shows it.
  const isOther = stats.ok && !stats.value.isFile();
  throw isAbsent(read.reason) || isOther ? unknown(skill, path) : unreadable(skill, path, read.reason);
}

const nowhere = { ok: false, kind: 'malformed', reason: '' } as const;
const problems = { malformed, absent: unknown, unreadable } as const;

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
  const message = `'${oneLine(path)}' in skill '${skill.fullName}' is a folder; it contains ${files}`;
  return new SkillError('not-found', message, { hint: 'Ask for one of its files.' });
}

function pathsOf(skill: Skill): string[] {
  return ['SKILL.md', ...filesOf(skill.id, basename(skill.file)).files.map((file) => file.path)];
}
