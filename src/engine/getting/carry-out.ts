import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { readRegularFile } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { choice, count, flag, type Infer, list, nullable, object, text } from '../../core/schema/schema.ts';
import { unifiedDiff } from '../../core/text/diff.ts';
import { byText, counted, oneLine } from '../../core/text/text.ts';
import { type Lock, readLock } from '../../get/install/lock-file.ts';
import { mergedFileSchema } from '../../get/install/merge.ts';
import type { Scope } from '../../get/install/places.ts';
import { actions, type Planned, placeSchema } from '../../get/install/plan.ts';
import { createMemory } from '../../get/install/presence.ts';
import { type Kept, kept } from '../../get/install/store.ts';
import { commit, inTurn, settleFirst } from '../../get/install/transaction.ts';
import { keepVerdict } from '../../get/scan/store.ts';
import { findingSchema, verdicts } from '../../get/scan/types.ts';
import type { Engine, Request } from '../engine.ts';
import type { Refused } from './bring-in.ts';
import { actionWords, questionOf } from './words.ts';

const refusedSchema = object({ name: text(), reason: text() });

/** The plan for one skill, as it is told. */
const plannedSchema = object({
  name: text(),
  action: choice(actions),
  reason: nullable(text(), 'Why it is refused or in quarantine.'),
  folder: text(),
  source: nullable(text()),
  commit: nullable(text()),
  digest: nullable(text(), 'Of all files of the skill as it comes.'),
  previous: nullable(text(), 'The digest that was installed before.'),
  files: count(),
  verdict: nullable(choice(verdicts)),
  findings: list(findingSchema),
  asks: list(text(), 'The capabilities that it asks for.'),
  gained: list(text(), 'Those that the installed version does not ask for.'),
  inside: list(text(), 'Folders in it that are skills of their own, and come with it.'),
  places: list(placeSchema, 'Where agents have it that need it in a folder of their own.'),
  merge: list(mergedFileSchema, 'Files that were changed, where some were changed by hand.'),
  diff: nullable(text(), 'The change to its files, as `diff -u` writes it, where it was asked for.'),
});

export const outcomeSchema = object({
  scope: choice(['project', 'global']),
  folder: text('Of all skills that are installed there.'),
  lockFile: text(),
  dryRun: flag(),
  done: flag('Whether what is told was done.'),
  skills: list(plannedSchema),
  refused: list(refusedSchema, 'Skills that cannot be had at all.'),
  kept: list(text(), 'Where files that somebody has changed, and that were replaced, are kept.'),
});
export type Outcome = Infer<typeof outcomeSchema>;

interface CarryOut {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The command to type in order not to be asked. */
  readonly unasked: string;
  readonly refused?: readonly Refused[];
  /** Digests of the versions that were reviewed; any other is refused, unless there are none. */
  readonly digest?: readonly string[];
  /** Whether the change to each file is told. */
  readonly diff?: boolean;
  /** Whether the lock file stays as it is. */
  readonly keepsLock?: boolean;
  /** Plans with the lock file as it is; called again when it is this command's turn. */
  plan(lock: Lock): Promise<readonly Planned[]>;
}

/** The actions that change something. */
export const doing: ReadonlySet<Planned['action']> = new Set(['add', 'replace', 'merge', 'adopt', 'remove']);

/** The note for the activity log on what was done to which skills; null where nothing was. */
export function noteOf(outcome: Outcome | undefined) {
  const skills = outcome?.done === true ? outcome.skills.filter(({ action }) => doing.has(action)) : [];
  if (skills.length === 0) return null;
  return {
    what: 'changed',
    detail: skills.map(({ name, action }) => `${actionWords[action][1]} ${name}`).join(', '),
  } as const;
}

/** Plans, asks, waits for its turn, and does what was agreed to: all of it, or nothing. */
export async function carryOut(engine: Engine, what: CarryOut, request: Request): Promise<Outcome> {
  const { environment } = engine;
  const { scope, dryRun, yes, refused = [] } = what;
  await settleFirst(environment);
  const planned = await what.plan(readLock(scope));
  checkReviewed(planned, what.digest ?? []);
  const records = (all: readonly Planned[]) =>
    Promise.all(
      all.map(async (one) => ({
        ...plannedRecord(one),
        diff: what.diff === true ? await fileDiff(one, environment) : null,
      })),
    );
  const base = { scope: scope.kind, folder: scope.skills, lockFile: scope.lockFile, dryRun, refused };
  const isIdle = !planned.some(({ action }) => doing.has(action));
  const question = questionOf(planned, scope, environment);
  if (dryRun || (!isIdle && !yes && !(await isAgreed(request, question, what.unasked)))) {
    return { ...base, done: false, skills: await records(planned), kept: [] };
  }
  for (const { action, incoming } of planned) {
    if (action !== 'quarantine' || incoming === null) continue;
    // Its files stay in the store, where no agent looks.
    keepVerdict(environment, { folder: incoming.kept.folder, name: incoming.name }, incoming.scan);
  }
  if (isIdle) return { ...base, done: true, skills: await records(planned), kept: [] };
  return inTurn(
    environment,
    async () => {
      const now = await what.plan(readLock(scope));
      if (!yes && questionOf(now, scope, environment) !== question) throw changedMeanwhile();
      checkReviewed(now, what.digest ?? []);
      const changing = now.filter(({ action }) => doing.has(action));
      const entries = Object.fromEntries(
        changing.flatMap(({ name, entry }) => (entry === undefined || what.keepsLock ? [] : [[name, entry]])),
      );
      const memory = createMemory(environment, scope);
      memory.forget();
      memory.save();
      const kept = await commit(environment, { scope, steps: changing.flatMap(({ steps }) => steps), entries });
      return { ...base, done: true, skills: await records(now), kept };
    },
    request.onProgress,
  );
}

async function isAgreed({ confirm }: Request, question: string, unasked: string): Promise<boolean> {
  if (confirm !== undefined) return confirm(question, question);
  throw new SkillError('usage', 'cannot ask for confirmation: not a terminal', {
    hint: `See what would be done with --dry-run, and do it without being asked: ${unasked}`,
  });
}

/** Refuses a version that nobody has reviewed: a source may have another one by now. */
function checkReviewed(planned: readonly Planned[], reviewed: readonly string[]): void {
  if (reviewed.length === 0) return;
  const other = planned.find(({ incoming }) => incoming !== null && !reviewed.includes(incoming.kept.digest));
  if (other === undefined) return;
  throw new SkillError('denied', `what the source has of ${oneLine(other.name)} is not what was reviewed`, {
    hint: `Look at it again. Its digest is ${other.incoming?.kept.digest} now.`,
  });
}

function changedMeanwhile(): SkillError {
  return new SkillError('busy', 'what is installed has changed since you were asked', {
    hint: 'Run the command again.',
  });
}

function plannedRecord({ name, action, reason, folder, incoming, previous, gained, places, merge }: Planned) {
  const files = Object.keys(incoming?.kept.files ?? {});
  return {
    ...{ name, action, reason, folder, previous, gained, places, merge },
    source: incoming?.origin.source ?? null,
    commit: incoming?.origin.commit ?? null,
    digest: incoming?.kept.digest ?? null,
    files: files.length,
    inside: files.flatMap((path) => /^(.+)\/skill\.md$/i.exec(path)?.[1] ?? []),
    verdict: incoming?.scan.verdict ?? null,
    findings: incoming?.scan.findings ?? [],
    asks: incoming?.asks ?? [],
  };
}

/** Bytes of the longest file that is compared, and characters of the longest diff: nobody reads more. */
const [mostBytes, mostCharacters] = [200_000, 1_000_000];

/**
 * The change to the files of a skill since the version that was got before, as `diff -u` writes it; all of them, where
 * there was none. Whatever is not shown is told: nobody should agree to what they take for all of it.
 */
async function fileDiff({ incoming, previous }: Planned, environment: Environment): Promise<string> {
  if (incoming === null) return '';
  const before = previous === null ? null : await kept(environment, previous);
  const after = incoming.kept;
  const paths = [...new Set([...Object.keys(before?.files ?? {}), ...Object.keys(after.files)])];
  const changed = paths.filter((path) => before?.files[path] !== after.files[path]).sort(byText);
  let diff = '';
  for (const [at, path] of changed.entries()) {
    if (diff.length > mostCharacters)
      return diff + remark('…', `${counted(changed.length - at, 'more file')}, not shown`);
    diff +=
      unifiedDiff(textOf(before, path), textOf(after, path), oneLine(path)) || remark(path, 'not text, or too long');
  }
  return diff;
}

/** A line of our own in the place of what is not shown. */
function remark(path: string, words: string): string {
  return `--- ${oneLine(path)}\n+++ ${oneLine(path)}\n@@ -0,0 +1 @@\n+(${words})\n`;
}

/** The text of a file in the store; a remark instead of one that is no text or too long, and null where there is none. */
function textOf(side: Kept | null, path: string): string | null {
  if (side?.files[path] === undefined) return null;
  const read = readRegularFile(join(side.folder, path), mostBytes);
  if (!read.ok) return '(not shown: too long)\n';
  return attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(read.value.bytes), '(not shown: no text)\n');
}
