import { SkillError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/text.ts';
import { defineOperation } from '../operation.ts';
import { asksForNothing, type GrantRequest, grantRequestOf, keepGrant } from '../running/granting.ts';

export interface GrantOutput {
  readonly skill: string;
  readonly folder: string;
  readonly digest: string;
  readonly granted: boolean;
  /** What it may do, each going on from "it may". */
  readonly may: readonly string[];
}

export const grant = defineOperation({
  fields: {
    skill: {
      kind: 'text',
      positional: true,
      required: true,
      value: 'SKILL',
      description: 'The skill to allow what it asks for.',
      completes: 'skill',
    },
    yes: { kind: 'switch', short: 'y', description: 'Do not ask.' },
  },
  async run(engine, { skill: name, yes }): Promise<GrantOutput> {
    const request = await grantRequestOf(engine, name);
    const output = { skill: request.skill, folder: request.folder, digest: request.digest, may: request.words };
    if (asksForNothing(request)) return { ...output, granted: false };
    if (!yes && engine.confirm === undefined) {
      throw new SkillError('usage', 'there is nobody to ask', {
        hint: `To grant it unasked: repertoire grant ${name} --yes`,
      });
    }
    const granted = yes || (await engine.confirm?.(questionOf(request))) === true;
    if (granted) await keepGrant(engine, request);
    return { ...output, granted };
  },
});

/** What a person is shown, wherever they are asked. */
export function questionOf({ skill, folder, words }: GrantRequest): string {
  return [
    `The skill '${oneLine(skill)}' in ${oneLine(folder)} asks to:`,
    ...words.map((line) => `  - ${oneLine(line)}`),
    'This holds until any of its files changes. Allow it?',
  ].join('\n');
}
