import { statOf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { signatureOf } from '../../core/disk/signature.ts';
import { SkillError } from '../../core/errors.ts';
import { keepRecent } from '../../core/maps.ts';
import { NarrowRegistry } from '../../registry/narrow.ts';
import { type AccessRules, type Right, type Rights, readAccess, rightsOf } from '../../run/policy/access.ts';
import type { Engine, Request } from '../engine.ts';

/** Views that are kept: one for each set of skills that somebody may see, run or grant. */
const mostViews = 64;

/** The rules of an engine, and the views that were made by them. */
export interface AccessViews {
  readonly signature: string;
  readonly rules: Promise<AccessRules>;
  readonly views: Map<string, Engine>;
}

/** The rules as they are now: the file is read again when it has changed, and the views made by it are forgotten. */
function current(engine: Engine): AccessViews {
  const file = expandPath(engine.configuration.values.accessFile ?? '', engine.environment);
  const stats = statOf(file);
  const signature = stats.ok ? signatureOf(stats.value).join(' ') : stats.reason;
  if (engine.access?.signature === signature) return engine.access;
  const made: AccessViews = { signature, rules: readAccess(file), views: new Map() };
  made.rules.catch(() => {
    if (engine.access === made) delete engine.access; // whoever asked is told; the next one tries again
  });
  engine.access = made;
  return made;
}

/** The engine as a caller may use it for something that takes this right: with those skills alone for which they have it. */
export async function viewFor(engine: Engine, request: Request, right: Right): Promise<Engine> {
  const { rules, views } = current(engine);
  const rights = rightsOf(await rules, { subject: request.subject ?? '', groups: request.groups ?? [] });
  const key = JSON.stringify(rights[right]);
  const known = views.get(key);
  if (known !== undefined) return known;
  const made = narrowed(engine, rights[right]);
  keepRecent(views, key, made, mostViews);
  return made;
}

/** An engine that sees some skills of another, and has a searcher of its own: what is shared knows of no skill. */
function narrowed(engine: Engine, tokens: Rights[Right]): Engine {
  const { environment, configuration, isLongLived, vitals, log, disposers, registry, freshness } = engine;
  return {
    ...{ environment, configuration, isLongLived, vitals, log, disposers, whole: engine },
    ...(freshness && { freshness }),
    registry: new NarrowRegistry(registry, tokens, configuration.values, environment),
    get runner() {
      return engine.runner as NonNullable<Engine['runner']>;
    },
    set runner(runner) {
      engine.runner = runner;
    },
    get notes() {
      return engine.notes as NonNullable<Engine['notes']>;
    },
    set notes(notes) {
      engine.notes = notes;
    },
    get cluster() {
      return engine.cluster as NonNullable<Engine['cluster']>;
    },
    set cluster(cluster) {
      engine.cluster = cluster;
    },
  };
}

/** Whether a caller has a right to a skill, by its real folder. */
export async function hasRight(engine: Engine, request: Request, right: Right, folder: string): Promise<boolean> {
  const view = await viewFor(engine.whole ?? engine, request, right);
  return (await view.registry.snapshot()).skills.some(({ id }) => id === folder);
}

/** Whether what somebody grants waits until somebody else has confirmed it. */
export async function needsSecond(engine: Engine): Promise<boolean> {
  return (await current(engine.whole ?? engine).rules).grants === 'four-eyes';
}

/** Reads the rules, so that a server does not start with wrong ones. */
export async function checkAccess(engine: Engine): Promise<void> {
  await current(engine).rules;
}

/** The error for an operation that is not for callers whom rules hold for. */
export function notForTenants(operation: string): SkillError {
  return new SkillError('denied', `'${operation}' is for those who run this server`, {
    hint: 'It takes a token with the scope admin.',
  });
}

/** The error for a skill that is not there, or to which a caller has no right: which of the two is not told. */
export function withoutRight(error: SkillError, right: Exclude<Right, 'see'>): SkillError {
  const [line = ''] = error.message.split('\n', 1);
  return new SkillError('denied', `${line}: there is none of that name that you may ${right}`, {
    hint: 'Those who run this server decide who may: docs/access.md.',
    cause: error,
  });
}
