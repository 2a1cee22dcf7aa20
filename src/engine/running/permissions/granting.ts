import { randomUUID } from 'node:crypto';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { oneLine } from '../../../core/text/text.ts';
import { resolveName } from '../../../registry/resolve.ts';
import type { AuditGrant } from '../../../run/audit/types.ts';
import {
  differenceBetween,
  isEmpty,
  narrow,
  noCapabilities,
  textsOf,
  union,
} from '../../../run/policy/capabilities.ts';
import { grantOf, refuseImpossible } from '../../../run/policy/effective.ts';
import {
  forgetRequest,
  keepGranted,
  keepRequest,
  listGrants,
  pruneGranted,
  readGrant,
  removeGrant,
  requestFor,
  writeGrant,
} from '../../../run/policy/grants.ts';
import { limitRemark } from '../../../run/policy/limits.ts';
import { readPolicy } from '../../../run/policy/operator.ts';
import {
  type CheckedRequest,
  checkRequest,
  inWords,
  itemsOf,
  type MarkedItem,
  markedItems,
  needsGrant,
} from '../../../run/policy/request.ts';
import type { Capabilities, Grant, OperatorPolicy } from '../../../run/policy/types.ts';
import { askedByAll } from '../../../run/tools/toolbox.ts';
import type { Engine, Request } from '../../engine.ts';
import { askedBy, digestOf, permissionsOf } from '../prepare.ts';
import { runnerOf } from '../runner.ts';
import { brokenTools, type Target, targetOf, toolboxNamed } from '../target.ts';
import type { ToolCall } from '../types.ts';
import { whoAsks } from '../who.ts';

/** The capabilities that a skill would be granted, as a person is asked about them. */
export interface GrantRequest {
  readonly skill: string;
  readonly folder: string;
  /** Digest of the skill that the answer is about. */
  readonly digest: string;
  readonly files: Grant['files'];
  /** All capabilities that it asks for. */
  readonly asked: Capabilities;
  /** Capabilities that would be granted. */
  readonly capabilities: Capabilities;
  /** Lines about them, each of which goes on from "it may". */
  readonly words: readonly string[];
  /** Lines about what this version asks for and the last granted one could not do; null where there was none. */
  readonly gained: readonly string[] | null;
  /** Name of the skill that it could be mistaken for, or null. */
  readonly looksLike: string | null;
}

/** Selects the part of the requested capabilities that is to be granted. */
export type Narrowing = (asked: Capabilities) => Capabilities;

export interface GrantTerms {
  readonly narrowed?: Narrowing | undefined;
  /** Digest of the skill that was shown to whoever decides. */
  readonly expected?: string | undefined;
}

/**
 * Returns the request for what a skill asks for, or for the part of it that is wanted. Throws an error that says why
 * where no grant could allow it.
 */
export async function grantRequestOf(
  engine: Engine,
  name: string,
  terms: GrantTerms,
  request: Request,
): Promise<GrantRequest> {
  const { environment } = engine;
  const { skill, toolbox } = await toolboxNamed(engine, name, request);
  const broken = brokenTools(skill, toolbox);
  if (broken !== null) throw broken;
  const { digest, files } = await digestOf({ skill, toolbox }, request);
  if (digest !== (terms.expected ?? digest)) throw hasChanged(name);
  const policy = await readPolicy(environment);
  const asked = needsGrant(policy, askedByAll(toolbox));
  const capabilities = terms.narrowed === undefined || isEmpty(asked) ? asked : terms.narrowed(asked);
  const checked = checkRequest(policy, capabilities, environment);
  refuseImpossible(skill.fullName, checked, restOf(policy, capabilities, environment));
  const words = [
    ...inWords(capabilities, { limit: limitRemark(policy) }),
    ...linksInWords(checked),
    ...missingInWords(checked.missing),
  ];
  const { fullName, id: folder, looksLike } = skill;
  const gained = gainedSince(environment, folder, digest, asked);
  return { skill: fullName, folder, digest, files, asked, capabilities, words, gained, looksLike };
}

/** Lines about what a skill asks for beyond what its last version was granted. */
function gainedSince(
  environment: Engine['environment'],
  folder: string,
  digest: string,
  asked: Capabilities,
): readonly string[] | null {
  const { grant } = readGrant(environment, folder);
  if (grant === null || grant.digest === digest) return null;
  return inWords(differenceBetween(asked, union(grant.capabilities, grant.withheld ?? noCapabilities)));
}

/**
 * The capabilities that remain without the folders that cannot be granted; null where nothing remains, or that cannot
 * be granted either.
 */
function restOf(
  policy: OperatorPolicy,
  capabilities: Capabilities,
  environment: Engine['environment'],
): Capabilities | null {
  const isPossible = (asked: Capabilities): boolean => checkRequest(policy, asked, environment).problems.length === 0;
  const filesystem = capabilities.filesystem.filter((rule) => isPossible({ ...noCapabilities, filesystem: [rule] }));
  const rest = { ...capabilities, filesystem };
  return isEmpty(rest) || !isPossible(rest) ? null : rest;
}

/** Makes the error for a skill that has changed since it was shown to whoever decided. */
function hasChanged(name: string): SkillError {
  return new SkillError('denied', `the files of skill '${name}' have changed since they were shown`, {
    hint: `Review them again, then run: repertoire grant ${name}`,
  });
}

/** Lines about links: a person must see what is really meant, and a path can be a link that came with the skill. */
function linksInWords({ places }: CheckedRequest): string[] {
  const links = Object.entries(places).filter(([path, place]) => place !== path);
  return links.map(([path, place]) => `so reach ${place}, which is where ${path} leads`);
}

function missingInWords(missing: readonly string[]): string[] {
  return missing.map((path) => `run without ${path} as long as it does not exist`);
}

/** Tells whether two requests are the same: for the same files, and with the same targets behind the links. */
export function isSameRequest(one: GrantRequest, other: GrantRequest | null): boolean {
  return other !== null && aboutOf(one) === aboutOf(other);
}

/** The subject of an answer: an answer about anything else is none. */
export function aboutOf({ folder, digest, words }: GrantRequest): string {
  return JSON.stringify([folder, digest, ...words]);
}

/** The question for a person, the same wherever it is asked. */
export function questionOf({ skill, folder, words, gained, looksLike }: GrantRequest): string {
  return [
    ...gainedInWords(gained),
    ...(looksLike === null
      ? []
      : [`Take care: '${oneLine(skill)}' looks like '${oneLine(looksLike)}', and is another skill.`]),
    `The skill '${oneLine(skill)}' in ${oneLine(folder)} asks to:`,
    ...words.map((line) => `  - ${oneLine(line)}`),
    'This is valid until any of its files changes. Allow it?',
  ].join('\n');
}

/** Lines about what is new since the last grant, which stand before everything else. */
export function gainedInWords(gained: readonly string[] | null): string[] {
  if (gained === null) return [];
  if (gained.length === 0) return ['The files have changed since the last grant; this version asks for nothing new.'];
  return [
    'New since the last version that was granted something, which could not:',
    ...gained.map((line) => `  + ${oneLine(line)}`),
  ];
}

export function asksForNothing({ asked }: GrantRequest): boolean {
  return isEmpty(asked);
}

/** All capabilities that a skill asks for, each marked whether the skill as it is now has been granted it. */
export function itemsNow({ environment }: Engine, { folder, digest, asked }: GrantRequest): readonly MarkedItem[] {
  const { grant } = readGrant(environment, folder);
  return markedItems(asked, grant?.digest === digest ? grant.capabilities : noCapabilities);
}

/**
 * Keeps a grant for the skill as it was when it was shown, and records who gave it. Returns whether it waits instead:
 * where two people are needed, for the second one.
 */
export async function keepGrant(engine: Engine, request: GrantRequest, by: Request): Promise<'kept' | 'waits'> {
  const { environment } = engine;
  const { skill: name, folder: skill, digest, files, capabilities: asked } = request;
  const withheld = differenceBetween(request.asked, asked);
  const policy = await readPolicy(environment);
  if (linksInWords(checkRequest(policy, asked, environment)).some((line) => !request.words.includes(line))) {
    const hint = `Review it again: repertoire grant ${name}`;
    throw new SkillError('denied', `a link leads elsewhere than when skill '${name}' was shown`, { hint });
  }
  const grant = grantOf({ skill, name, digest, files, asked, withheld, policy, environment, now: new Date() });
  const before = readGrant(environment, skill).grant?.capabilities ?? noCapabilities;
  const isNarrower = !isEmpty(differenceBetween(before, grant.capabilities));
  // The record comes first: what is granted is in the log, whatever happens in between.
  const { audit } = await runnerOf(engine);
  if (await waitsForSecond(engine, request, by)) {
    audit.grant(grantFacts(engine, grant, by, 'requested'));
    return 'waits';
  }
  audit.grant(grantFacts(engine, grant, by, isNarrower ? 'narrowed' : 'granted'));
  try {
    writeGrant(environment, grant);
  } catch (error) {
    audit.grant(grantFacts(engine, grant, by, 'not_granted'));
    throw error;
  }
  forgetRequest(environment, skill);
  keepGranted(environment, grant);
  forgetOthers(environment);
  return 'kept';
}

/** Whether a grant has to wait for somebody else: nobody but the same person has asked for the very same until now. */
async function waitsForSecond(engine: Engine, request: GrantRequest, { subject }: Request): Promise<boolean> {
  const { configuration, environment } = engine;
  if (subject === undefined || configuration.values.accessFile === undefined) return false;
  const { needsSecond } = await import('../../access/tenant.ts');
  if (!(await needsSecond(engine))) return false;
  const about = sha256(JSON.stringify([aboutOf(request), textsOf(request.capabilities)]));
  const known = requestFor(environment, request.folder);
  if (known?.about === about && known.subject !== subject) return false;
  if (known?.about !== about) keepRequest(environment, request.folder, { about, subject });
  return true;
}

/** The grants that are known: where somebody may see some skills only, those of these. */
export async function knownGrants(engine: Engine): Promise<ReturnType<typeof listGrants>> {
  const all = listGrants(engine.environment);
  if (engine.whole === undefined) return all;
  const folders = new Set((await engine.registry.snapshot()).skills.map(({ id }) => id));
  return { grants: all.grants.filter(({ skill }) => folders.has(skill)), problems: [] };
}

/** Finds grants by the skill's name now, or by the name it had: a grant must be revocable when the skill is gone. */
export async function grantsOf(engine: Engine, known: readonly Grant[], name: string): Promise<readonly Grant[]> {
  const found = resolveName(await engine.registry.snapshot(), name);
  const skill = found.kind === 'found' ? found.skill : undefined;
  const those = known.filter((grant) => grant.skill === skill?.id || grant.name.toLowerCase() === name.toLowerCase());
  if (those.length > 0) return those;
  throw new SkillError('not-found', `nothing is granted to '${name}'`, {
    suggestions: known.map((grant) => grant.name),
    hint: '`repertoire grants` lists what is.',
  });
}

/** Revokes grants, and records who did. They are revoked even if the log cannot be written. */
export async function takeBack(engine: Engine, grants: readonly Grant[], by: Request): Promise<void> {
  const taken = grants.filter(({ skill }) => removeGrant(engine.environment, skill));
  forgetOthers(engine.environment);
  const { audit } = await runnerOf(engine);
  try {
    for (const grant of taken) audit.grant(grantFacts(engine, grant, by, 'revoked'));
  } catch (error) {
    const message = `it is revoked, but ${reasonOf(error)}`;
    throw new SkillError('unwritable', message, { hint: 'Check the audit log: repertoire audit verify', cause: error });
  }
}

/** Removes the kept texts of files that nothing is granted to any more. A grant that cannot be read may need them. */
function forgetOthers(environment: Engine['environment']): void {
  const { grants, problems } = listGrants(environment);
  if (problems.length === 0) pruneGranted(environment, grants);
}

function grantFacts(engine: Engine, grant: Grant, by: Request, result: AuditGrant['result']): AuditGrant {
  const { name, skill, digest, capabilities, withheld } = grant;
  const keysOf = (some: Capabilities): string[] => itemsOf(some).map(({ key }) => key);
  return {
    id: randomUUID(),
    skill: name,
    folder: skill,
    digest,
    parameters: { items: keysOf(capabilities), ...(withheld && { withheld: keysOf(withheld) }) },
    ...whoAsks(engine, by),
    result,
  };
}

/** The grant that a call lacks, where one could be given and would be enough; null where it lacks none. */
export async function missingGrant(engine: Engine, call: ToolCall, request: Request): Promise<GrantRequest | null> {
  // A skill or tool that is not there is reported when the call itself fails.
  const target = await targetOf(engine, call, request).catch(() => null);
  if (target === null || isEmpty(askedBy(target))) return null;
  const now = await digestOf(target, request);
  try {
    await permissionsOf(engine, target, now);
    return null;
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== 'denied') throw error;
  }
  // A request that no grant would allow is reported when the call itself is refused.
  const narrowed = wideningFor(engine, target, now.digest);
  return grantRequestOf(engine, call.skill, { narrowed }, request).catch(() => null);
}

/** Narrows a request to what a call needs besides a partial grant, so that nobody is asked for all of it again. */
function wideningFor({ environment }: Engine, target: Target, digest: string): Narrowing | undefined {
  const { grant } = readGrant(environment, target.skill.id);
  if (grant?.digest !== digest) return undefined;
  return (asked) => narrow(union(grant.capabilities, askedBy(target)), asked).allowed;
}
