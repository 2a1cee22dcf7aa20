import { basename } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import type { Freshness } from '../../engine/freshness.ts';
import { type HeaderStyle, headerOf } from '../../engine/header.ts';
import { readSkillFile } from '../../engine/load.ts';
import { shownText } from '../../engine/shown-text.ts';
import { SkillError } from '../../kernel/errors.ts';
import { cut, oneLine } from '../../kernel/text.ts';
import { suggest } from '../../registry/suggest.ts';
import { filesOf } from '../../skill/files.ts';
import { headOf } from '../../skill/head.ts';
import type { Skill } from '../../skill/types.ts';
import type { OnFound } from '../noting.ts';
import { pageOf } from '../paging.ts';
import { type Completion, completionOf } from '../skills/completion.ts';
import { argumentsOf, type Declared, declaredOf, type PromptArgument } from './declared.ts';
import { alternativesIn } from './hints.ts';
import { type PromptSkill, promptSkillsOf } from './names.ts';
import { type Given, givenText, givenValues, substitute } from './substitute.ts';

/** A prompt, as lists show it. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptResult {
  readonly description: string;
  readonly messages: readonly [
    { readonly role: 'user'; readonly content: { readonly type: 'text'; readonly text: string } },
  ];
}

/** The skills that users may call themselves, as prompts: clients show these as commands. */
export interface Prompts {
  list(cursor: string | undefined): Promise<{ prompts: readonly Prompt[]; nextCursor?: string }>;
  /** Says which skill it is before it is read. */
  get(name: string, given: Readonly<Record<string, string>> | undefined, onFound?: OnFound): Promise<PromptResult>;
  complete(name: string, argument: string, value: string): Promise<Completion>;
}

const pageSize = 100;

export function createPrompts(
  engine: Engine,
  freshness: Pick<Freshness, 'check'>,
  header: HeaderStyle = 'full',
): Prompts {
  async function find(name: string): Promise<Skill> {
    await freshness.check();
    const { byName } = await promptSkillsOf(await engine.registry.snapshot());
    const found = byName.get(name);
    if (found !== undefined) return found;
    const suggestions = suggest(String(name), byName.keys());
    const near = suggestions.length > 0 ? ` Did you mean: ${suggestions.join(', ')}?` : '';
    const hint = 'prompts/list lists them all.';
    throw new SkillError('not-found', `There is no prompt '${oneLine(String(name))}'.${near}`, { suggestions, hint });
  }

  return {
    async list(cursor) {
      await freshness.check();
      const { sorted } = await promptSkillsOf(await engine.registry.snapshot());
      const { items, ...rest } = pageOf('prompts', sorted, ({ name }) => name, { cursor, size: pageSize });
      return { prompts: items.map(promptOf), ...rest };
    },
    async get(name, given = {}, onFound) {
      const skill = await find(name);
      onFound?.(skill.fullName, 'SKILL.md');
      const text = readSkillFile(skill).toString('utf8');
      const shown = shownText(fill(text, skill, givenTo(skill, declaredOf(skill), given)));
      const files = filesOf(skill.id, basename(skill.file));
      const content = `${headerOf(skill, files, header, shown.remarks)}\n\n${shown.text}`;
      return {
        description: cut(skill.description, descriptionLength),
        messages: [{ role: 'user', content: { type: 'text', text: content } }],
      };
    },
    async complete(name, argument, value) {
      const skill = await find(name);
      const declared = declaredOf(skill);
      const place = argumentsOf(declared).findIndex((one) => one.name === argument);
      if (place === -1) throw unknownArgument(skill, declared, argument);
      return completionOf(
        declared.names === null ? wordsFor(skill, declared, value) : valuesFor(skill, declared, place, value),
      );
    },
  };
}

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

/** Only the text below the front matter has places to fill. Nothing in it is ever run. */
function fill(text: string, skill: Skill, given: Given): string {
  const body = headOf(text)?.body ?? text;
  const ownFolder = body.replace(/\$\{CLAUDE_SKILL_DIR\}/g, () => skill.dir);
  return text.slice(0, text.length - body.length) + substitute(ownFolder, given);
}

/** One text: its last word is completed, and what stands before it stays. */
function wordsFor(skill: Skill, { hint }: Declared, value: string): string[] {
  const last = value.split(/\s/).at(-1) ?? '';
  const before = value.slice(0, value.length - last.length);
  const place = before.split(/\s/).filter((word) => word !== '').length;
  return choicesFor(skill, alternativesIn(hint)[place] ?? [], last).map((choice) => before + choice);
}

function valuesFor(skill: Skill, { hint }: Declared, place: number, value: string): string[] {
  return choicesFor(skill, alternativesIn(hint)[place] ?? [], value);
}

/** What the hint offers; and where the beginning looks like a path, the skill's own files. */
function choicesFor(skill: Skill, alternatives: readonly string[], start: string): string[] {
  const choices = alternatives.filter((choice) => choice.toLowerCase().startsWith(start.toLowerCase()));
  if (choices.length > 0 || !start.includes('/')) return choices;
  const [, dots = '', rest = ''] = /^(\.\/)?(.*)$/s.exec(start) ?? [];
  const { files } = filesOf(skill.id, basename(skill.file));
  return files.filter(({ path }) => path.startsWith(rest)).map(({ path }) => dots + path);
}
