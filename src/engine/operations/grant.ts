import { SkillError } from '../../kernel/errors.ts';
import { flag, type Infer, list, object, text } from '../../kernel/schema.ts';
import { oneLine, shellWord } from '../../kernel/text.ts';
import { type CapabilityItem, capabilitySchema, markedItemSchema, withOnly } from '../../policy/items.ts';
import type { Request } from '../engine.ts';
import { defineOperation } from '../operation.ts';
import {
  asksForNothing,
  type GrantRequest,
  grantRequestOf,
  itemsNow,
  keepGrant,
  type Narrowing,
} from '../running/granting.ts';

export { type CapabilityItem, capabilitySchema };

const output = object({
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill.'),
  granted: flag(),
  may: list(text(), 'What it may do, in words.'),
  items: list(markedItemSchema, 'All that it asks for.'),
});
export type GrantOutput = Infer<typeof output>;

export const grant = defineOperation({
  fields: {
    skill: {
      kind: 'text',
      positional: true,
      required: true,
      value: 'SKILL',
      description: 'The skill to grant permissions to.',
      completes: 'skill',
    },
    only: {
      kind: 'list',
      value: 'WHAT',
      description:
        'Grant only this part of what it asks for, such as network:api.example.com, or network for all hosts; repeatable.',
    },
    expected: {
      kind: 'text',
      value: 'DIGEST',
      description: 'Only if the files of the skill still have this digest.',
    },
    confirmName: {
      kind: 'text',
      value: 'NAME',
      description:
        "The skill's name as lists show it, where it looks like another skill's: confirms which one is meant.",
    },
    yes: { kind: 'switch', short: 'y', description: 'Do not ask.' },
  },
  output,
  async run(engine, { skill: name, only, expected, confirmName, yes }, by): Promise<GrantOutput> {
    const narrowed: Narrowing = (asked) => withOnly(asked, only, engine.environment);
    const request = await grantRequestOf(engine, name, { expected, ...(only.length > 0 && { narrowed }) }, by);
    const isConfirmed = request.looksLike === null || confirmName === request.skill;
    if (yes && !isConfirmed && !asksForNothing(request)) throw unconfirmed(request);
    const granted = !asksForNothing(request) && (yes || (await isAllowed(by, name, request)));
    if (granted) await keepGrant(engine, request, by);
    const { skill, folder, digest, words: may } = request;
    return { skill, folder, digest, granted, may, items: itemsNow(engine, request) };
  },
});

async function isAllowed({ confirm }: Request, name: string, request: GrantRequest): Promise<boolean> {
  if (confirm !== undefined) return confirm(questionOf(request));
  throw new SkillError('usage', 'cannot ask for confirmation: not a terminal', {
    hint: `Use --yes to grant it without being asked: repertoire grant ${shellWord(name)} --yes`,
  });
}

/** Nobody has been shown the two names side by side. */
function unconfirmed({ skill, looksLike }: GrantRequest): SkillError {
  const word = shellWord(skill);
  return new SkillError('denied', `the name of skill '${skill}' looks like that of '${looksLike}'`, {
    hint: `If you do mean '${skill}', confirm its name: repertoire grant ${word} --yes --confirm-name ${word}`,
  });
}

/** What a person is shown, wherever they are asked. */
export function questionOf({ skill, folder, words, looksLike }: GrantRequest): string {
  return [
    ...(looksLike === null
      ? []
      : [`Take care: '${oneLine(skill)}' looks like '${oneLine(looksLike)}', and is another skill.`]),
    `The skill '${oneLine(skill)}' in ${oneLine(folder)} asks to:`,
    ...words.map((line) => `  - ${oneLine(line)}`),
    'This is valid until any of its files changes. Allow it?',
  ].join('\n');
}
