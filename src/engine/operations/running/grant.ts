import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { shellWord } from '../../../core/text/text.ts';
import { type CapabilityItem, capabilitySchema, markedItemSchema, withOnly } from '../../../run/policy/request.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import {
  aboutOf,
  asksForNothing,
  type GrantRequest,
  grantRequestOf,
  itemsNow,
  keepGrant,
  type Narrowing,
  questionOf,
} from '../../running/permissions/granting.ts';
import { scanMode } from '../../scanning/quarantine.ts';

export { type CapabilityItem, capabilitySchema };

const output = object({
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill.'),
  granted: flag(),
  waits: optional(flag('Whether somebody else has to grant it too.')),
  gained: nullable(
    list(text()),
    'What this version asks for and the last granted one could not do; null for the first grant.',
  ),
  may: list(text(), 'What it may do, in words.'),
  items: list(markedItemSchema, 'All that it asks for.'),
});
export type GrantOutput = Infer<typeof output>;

export const grant = defineOperation({
  name: 'grant',
  right: 'grant',
  effect: 'acts',
  input: {
    skill: text('The skill to grant permissions to.'),
    only: list(
      text(),
      'Grant only this part of what it asks for, such as network:api.example.com, or network for all hosts; repeatable.',
      { default: [] },
    ),
    expected: optional(text('Only if the files of the skill still have this digest.')),
    confirmName: optional(
      text("The skill's name as lists show it, where it looks like another skill's: confirms which one is meant."),
    ),
    yes: flag('Do not ask.', { default: false }),
  },
  output,
  async run(engine, { skill: name, only, expected, confirmName, yes }, by): Promise<GrantOutput> {
    const narrowed: Narrowing = (asked) => withOnly(asked, only, engine.environment);
    const request = await grantRequestOf(engine, name, { expected, ...(only.length > 0 && { narrowed }) }, by);
    await refuseUnsafe(engine, request);
    const isConfirmed = request.looksLike === null || confirmName === request.skill;
    if (yes && !isConfirmed && !asksForNothing(request)) throw unconfirmed(request);
    const granted = !asksForNothing(request) && (yes || (await isAllowed(by, name, request)));
    const waits = granted && (await keepGrant(engine, request, by)) === 'waits';
    const { skill, folder, digest, gained, words: may } = request;
    const told = { granted: granted && !waits, ...(waits && { waits }) };
    return { skill, folder, digest, ...told, gained, may, items: itemsNow(engine, request) };
  },
});

/** Has the skill scanned before anybody is asked about it. */
async function refuseUnsafe(engine: Engine, { skill, folder }: GrantRequest): Promise<void> {
  if ((await scanMode(engine.configuration.values, engine.environment)) === 'off') return;
  const { refuseBlocked } = await import('../../scanning/scanning.ts');
  await refuseBlocked(engine, { folder, name: skill });
}

async function isAllowed({ confirm }: Request, name: string, request: GrantRequest): Promise<boolean> {
  if (confirm !== undefined) return confirm(questionOf(request), aboutOf(request));
  throw new SkillError('usage', 'cannot ask for confirmation: not a terminal', {
    hint: `Use --yes to grant it without being asked: repertoire grant ${shellWord(name)} --yes`,
  });
}

/** Makes the error for a look-alike where nobody has been shown the two names side by side. */
function unconfirmed({ skill, looksLike }: GrantRequest): SkillError {
  const word = shellWord(skill);
  return new SkillError('denied', `the name of skill '${skill}' looks like that of '${looksLike}'`, {
    hint: `If you do mean '${skill}', confirm its name: repertoire grant ${word} --yes --confirm-name ${word}`,
  });
}
