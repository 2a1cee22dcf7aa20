import { sep } from 'node:path';
import { readRegularPart } from '../core/disk/files.ts';
import { getOrInsert } from '../core/maps.ts';
import type { Frontmatter, Json, Skill } from './types.ts';

const words = { yes: new Set(['true', 'yes', 'on', '1']), no: new Set(['false', 'no', 'off', '0']) } as const;

/** Whether users may call the skill themselves. They may unless it says otherwise. */
export function isUserInvocable({ frontmatter }: Pick<Skill, 'frontmatter'>): boolean {
  return !says('no', fieldOf(frontmatter, 'user-invocable'));
}

/**
 * Whether models may be offered the skill: not where its author leaves it to people to call it. The folders are those
 * that a scan has entered, with how many levels it went on below each.
 */
export function isForModels({ id, frontmatter }: Skill, folders: ReadonlyMap<string, unknown>): boolean {
  return !says('yes', fieldOf(frontmatter, 'disable-model-invocation')) && !isManualInCodex(id, folders);
}

/** Tells whether a value is one of the spellings that YAML, and the agents that read it, take for true or false. */
function says(answer: keyof typeof words, value: Json | undefined): boolean {
  return typeof value !== 'object' && words[answer].has(String(value).trim().toLowerCase());
}

const codexBytes = 16 * 1024;

/**
 * Whether the skill is left to people in Codex, which has the same switch, with the opposite sense, in a file of its
 * own beside SKILL.md.
 */
function isManualInCodex(id: string, folders: ReadonlyMap<string, unknown>): boolean {
  const folder = `${id}${sep}agents`;
  // Few skills have such a folder, and where a scan would have entered it, it need not be looked for again.
  if (Number(folders.get(id)) > 0 && !folders.has(folder)) return false;
  const read = readRegularPart(`${folder}${sep}openai.yaml`, 0, codexBytes);
  return read.ok && /^[^#\n]*\ballow_implicit_invocation["']?\s*:\s*["']?false\b/im.test(read.value.bytes.toString());
}

/** A field, whether it is written `like-this`, `like_this` or `likeThis`. */
export function fieldOf(frontmatter: Frontmatter, key: string): Json | undefined {
  const written = spellingsOf(key).find((one) => Object.hasOwn(frontmatter, one));
  return written === undefined ? undefined : frontmatter[written];
}

/** The spellings of each field, made once: fields are looked for in thousands of skills. */
const spellings = new Map<string, readonly string[]>();

function spellingsOf(key: string): readonly string[] {
  return getOrInsert(spellings, key, () => [
    key,
    key.replaceAll('-', '_'),
    key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ]);
}
