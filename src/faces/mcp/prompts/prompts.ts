import { basename } from 'node:path';
import { SkillError } from '../../../core/errors.ts';
import { anything, map, optional, text } from '../../../core/schema/schema.ts';
import { suggest } from '../../../core/text/near.ts';
import { byText, cut, oneLine } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import type { Engine } from '../../../engine/engine.ts';
import { headerOf, shownText } from '../../../engine/loading/header.ts';
import { readSkillFile } from '../../../engine/loading/load.ts';
import { defineOperation } from '../../../engine/operation.ts';
import { distinctName, resolveName } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { headOf } from '../../../skill/fences.ts';
import { filesOf } from '../../../skill/files.ts';
import { fieldOf, isUserInvocable } from '../../../skill/invocation.ts';
import type { Json, Skill } from '../../../skill/types.ts';
import { pageOf } from '../protocol/paging.ts';
import { type Completion, completionOf } from '../skills/completion.ts';
import { type Given, givenText, givenValues, substitute } from './substitute.ts';

/** A prompt, as lists show it. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

interface PromptResult {
  readonly description: string;
  readonly messages: readonly [
    { readonly role: 'user'; readonly content: { readonly type: 'text'; readonly text: string } },
  ];
}

const pageSize = 100;

async function find(engine: Engine, name: string): Promise<Skill> {
  const { byName } = await promptSkillsOf(await engine.registry.snapshot());
  const found = byName.get(name);
  if (found !== undefined) return found;
  const suggestions = suggest(name, byName.keys());
  const near = suggestions.length > 0 ? ` Did you mean: ${suggestions.join(', ')}?` : '';
  const hint = 'prompts/list lists them all.';
  throw new SkillError('not-found', `There is no prompt '${oneLine(name)}'.${near}`, { suggestions, hint });
}

interface FilledPrompt {
  readonly skill: string;
  readonly prompt: PromptResult;
}

/** Prompts: the skills that users may call themselves. Clients show these as commands. */
export const prompts = {
  list: defineOperation({
    name: 'prompts/list',
    right: 'see',
    effect: 'reads',
    input: { cursor: optional(text('Where the previous page says that the next one begins.')) },
    async run({ registry }, { cursor }) {
      const { sorted } = await promptSkillsOf(await registry.snapshot());
      const { items, ...rest } = pageOf('prompts', sorted, ({ name }) => name, { cursor, size: pageSize });
      return { prompts: items.map(promptOf), ...rest };
    },
  }),
  get: defineOperation({
    name: 'prompts/get',
    right: 'see',
    effect: 'reads',
    input: { name: text('The prompt.'), arguments: optional(map(anything<string>(), 'What it is filled with.')) },
    notes: ({ name }, output?: FilledPrompt) => ({ what: 'loaded', skill: output?.skill ?? name }),
    async run(engine, { name, arguments: given = {} }): Promise<FilledPrompt> {
      const skill = await find(engine, name);
      const body = readSkillFile(skill).toString('utf8');
      const shown = shownText(fill(body, skill, givenTo(skill, declaredOf(skill), given)));
      const files = filesOf(skill.id, basename(skill.file));
      const { header } = engine.configuration.values;
      const content = `${headerOf(skill, files, header, shown.remarks)}\n\n${shown.text}`;
      return {
        skill: skill.fullName,
        prompt: {
          description: cut(skill.description, descriptionLength),
          messages: [{ role: 'user', content: { type: 'text', text: content } }],
        },
      };
    },
  }),
  complete: defineOperation({
    name: 'completion/complete of prompts',
    right: 'see',
    effect: 'reads',
    input: { name: text('The prompt.'), argument: text('The argument.'), value: text('What was typed so far.') },
    async run(engine, { name, argument, value }): Promise<Completion> {
      const skill = await find(engine, name);
      const declared = declaredOf(skill);
      const place = argumentsOf(declared).findIndex((one) => one.name === argument);
      if (place === -1) throw unknownArgument(skill, declared, argument);
      return completionOf(
        declared.names === null ? wordsFor(skill, declared, value) : valuesFor(skill, declared, place, value),
      );
    },
  }),
};

const descriptionLength = 1024;

function promptOf({ name, skill }: PromptSkill): Prompt {
  const description = cut(skill.description, descriptionLength);
  return { name, title: skill.name, description, arguments: argumentsOf(declaredOf(skill)) };
}

function givenTo(skill: Skill, declared: Declared, given: Readonly<Record<string, string>>): Given {
  const known = argumentsOf(declared).map((argument) => argument.name);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw unknownArgument(skill, declared, name);
    if (typeof value !== 'string') throw new SkillError('usage', `Argument '${name}' must be a string`);
  }
  return declared.names === null ? givenText(given['arguments'] ?? '') : givenValues(declared.names, given);
}

function unknownArgument(skill: Skill, declared: Declared, name: string): SkillError {
  const known = argumentsOf(declared).map((argument) => argument.name);
  const message = `Prompt '${skill.fullName}' has no argument '${oneLine(String(name))}'; it takes ${known.join(', ')}`;
  return new SkillError('usage', message);
}

/** Fills the placeholders, which only the text below the front matter has. Nothing in it is ever run. */
function fill(text: string, skill: Skill, given: Given): string {
  const body = headOf(text)?.body ?? text;
  const ownFolder = body.replace(/\$\{CLAUDE_SKILL_DIR\}/g, () => skill.dir);
  return text.slice(0, text.length - body.length) + substitute(ownFolder, given);
}

/** Completes the last word of an argument that is one text; the words before it stay. */
function wordsFor(skill: Skill, { hint }: Declared, value: string): string[] {
  const last = value.split(/\s/).at(-1) ?? '';
  const before = value.slice(0, value.length - last.length);
  const place = before.split(/\s/).filter((word) => word !== '').length;
  return choicesFor(skill, alternativesIn(hint)[place] ?? [], last).map((choice) => before + choice);
}

function valuesFor(skill: Skill, { hint }: Declared, place: number, value: string): string[] {
  return choicesFor(skill, alternativesIn(hint)[place] ?? [], value);
}

/** The choices that the hint offers; and where the beginning looks like a path, the skill's own files. */
function choicesFor(skill: Skill, alternatives: readonly string[], start: string): string[] {
  const choices = alternatives.filter((choice) => choice.toLowerCase().startsWith(start.toLowerCase()));
  if (choices.length > 0 || !start.includes('/')) return choices;
  const [, dots = '', rest = ''] = /^(\.\/)?(.*)$/s.exec(start) ?? [];
  const { files } = filesOf(skill.id, basename(skill.file));
  return files.filter(({ path }) => path.startsWith(rest)).map(({ path }) => dots + path);
}

/** An argument of a prompt, as lists show it. */
interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: false;
}

/** The arguments that a skill declares for users who call it. */
interface Declared {
  /** Names of its arguments; null when it takes its input as one text. */
  readonly names: readonly string[] | null;
  readonly hint: string;
}

/** Reads the arguments that a skill's front matter declares. */
function declaredOf({ frontmatter }: Skill): Declared {
  const hint = fieldOf(frontmatter, 'argument-hint');
  const names = [...new Set(namesIn(fieldOf(frontmatter, 'arguments')))];
  return { names: names.length > 0 ? names : null, hint: hintText(hint) };
}

const hintLength = 200;

/** The hint as it was written: to YAML, `[file] [mode]` is a list or a broken list. */
function hintText(hint: Json | undefined): string {
  const text = Array.isArray(hint) ? hint.map((one) => `[${String(one)}]`).join(' ') : hint;
  return typeof text === 'string' ? cut(text, hintLength) : '';
}

/** Arguments as lists show them: those with names, or the one text. */
function argumentsOf({ names, hint }: Declared): PromptArgument[] {
  if (names === null) {
    const description = hint === '' ? 'What to tell the skill' : hint;
    return [{ name: 'arguments', description, required: false }];
  }
  return names.map((name) => ({ name, ...(hint === '' ? {} : { description: hint }), required: false }));
}

const mostNames = 20;

function namesIn(value: Json | undefined): string[] {
  const items = typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  const names = items.map((item: Json) => (isMapWithName(item) ? item.name : item));
  return names.filter((name): name is string => typeof name === 'string' && isName(name)).slice(0, mostNames);
}

function isMapWithName(item: Json): item is { readonly name: Json } {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && 'name' in item;
}

function isName(text: string): boolean {
  return /^[A-Za-z_][\w-]{0,63}$/.test(text);
}

/** The alternatives that an argument's hint offers, by position: `[add|remove] <file>` offers two in the first. */
export function alternativesIn(hint: string): string[][] {
  const places = hint.match(/(?:\[[^\]]*\]|<[^>]*>|\([^)]*\))\.*|\S+/g) ?? [];
  return places.map((place) => {
    const inside = place.replace(/^[[<(]+|[\]>)]+\.*$/g, '');
    const choices = inside.split('|').map((one) => one.trim().replace(/^["'`]|["'`]$/g, ''));
    return choices.length > 1 ? choices.filter((one) => /^[\w.:@/+-]+$/.test(one)) : [];
  });
}

/** A skill under the name that resolves to exactly it. */
interface PromptSkill {
  readonly name: string;
  readonly skill: Skill;
}

interface PromptSkills {
  /** The skills, sorted by name. */
  readonly sorted: readonly PromptSkill[];
  readonly byName: ReadonlyMap<string, Skill>;
}

const known = new WeakMap<Snapshot, Promise<PromptSkills>>();

/** The skills that users may call. Computed once for each snapshot, in time slices. */
export function promptSkillsOf(snapshot: Snapshot): Promise<PromptSkills> {
  let skills = known.get(snapshot);
  if (skills === undefined) {
    skills = collect(snapshot);
    known.set(snapshot, skills);
  }
  return skills;
}

async function collect(snapshot: Snapshot): Promise<PromptSkills> {
  const byName = new Map<string, Skill>();
  const slicer = createSlicer();
  for (const skill of snapshot.visible.filter(isUserInvocable)) {
    const name = distinctName(snapshot, skill);
    if (means(snapshot, name, skill)) byName.set(name, skill);
    if (slicer.isDue) await slicer.pause();
  }
  const sorted = [...byName].map(([name, skill]) => ({ name, skill })).sort((a, b) => byText(a.name, b.name));
  return { sorted, byName };
}

/** Whether a name resolves to this very skill. A shadowed copy can be shown and yet have no name that does. */
function means(snapshot: Snapshot, name: string, skill: Skill): boolean {
  const resolution = resolveName(snapshot, name);
  return resolution.kind === 'found' && resolution.skill === skill;
}
