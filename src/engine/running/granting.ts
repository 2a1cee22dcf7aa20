import { SkillError } from '../../kernel/errors.ts';
import { isEmpty, union } from '../../policy/capabilities.ts';
import { refuseImpossible } from '../../policy/effective.ts';
import { grantOf } from '../../policy/give.ts';
import { writeGrant } from '../../policy/grants.ts';
import { readPolicy } from '../../policy/operator.ts';
import { checkRequest, needsGrant } from '../../policy/request.ts';
import type { Capabilities, Grant, Mount } from '../../policy/types.ts';
import { inWords } from '../../policy/words.ts';
import type { Toolbox } from '../../tools/types.ts';
import type { Engine } from '../engine.ts';
import { askedBy, digestOf, permissionsOf } from './prepare.ts';
import { brokenTools, targetOf, toolboxNamed } from './target.ts';
import type { ExecuteRequest } from './types.ts';

/** What a skill would be allowed, as a person is asked about it. */
export interface GrantRequest {
  readonly skill: string;
  readonly folder: string;
  /** The state of the skill that the answer is about. */
  readonly digest: string;
  readonly files: Grant['files'];
  readonly capabilities: Capabilities;
  /** Each line goes on from "it may". */
  readonly words: readonly string[];
}

/** What a skill asks for. What no grant could allow is an error that says why. */
export async function grantRequestOf(engine: Engine, name: string): Promise<GrantRequest> {
  const { environment } = engine;
  const { skill, toolbox } = await toolboxNamed(engine, name);
  const broken = brokenTools(skill, toolbox);
  if (broken !== null) throw broken;
  const policy = await readPolicy(environment);
  const capabilities = needsGrant(policy, askedByAll(toolbox));
  const checked = checkRequest(policy, capabilities, environment);
  refuseImpossible(skill.fullName, checked);
  const { digest, files } = await digestOf({ skill, toolbox });
  const words = [...inWords(capabilities), ...linksInWords(checked.mounts)];
  return { skill: skill.fullName, folder: skill.id, digest, files, capabilities, words };
}

/** Whoever is asked must see what is really meant: a path can be a link that came with the skill. */
function linksInWords(mounts: readonly Mount[]): string[] {
  const links = mounts.filter(({ source, target }) => source !== target);
  return links.map(({ source, target }) => `so reach ${source}, which is where ${target} leads`);
}

/** Whether two requests are the same one: of the same files, and with nothing else behind the links. */
export function isSameRequest(one: GrantRequest, other: GrantRequest | null): boolean {
  return other !== null && aboutOf(one) === aboutOf(other);
}

/** What an answer is about: an answer about anything else is no answer. */
export function aboutOf({ folder, digest, words }: GrantRequest): string {
  return JSON.stringify([folder, digest, ...words]);
}

/** A grant is for the skill as a whole, in all its instances. */
function askedByAll({ capabilities, instances, tools }: Toolbox): Capabilities {
  const all = [...Object.values(instances), ...tools].map((one) => one.capabilities);
  return union(capabilities, ...all);
}

export function asksForNothing({ capabilities }: GrantRequest): boolean {
  return isEmpty(capabilities);
}

/** Keeps what was allowed, of the skill as it was when it was shown. */
export async function keepGrant({ environment }: Engine, request: GrantRequest): Promise<void> {
  const { skill: name, folder: skill, digest, files, capabilities: asked } = request;
  const policy = await readPolicy(environment);
  const { mounts } = checkRequest(policy, asked, environment);
  if (linksInWords(mounts).some((line) => !request.words.includes(line))) {
    const hint = `Look at it again: repertoire grant ${name}`;
    throw new SkillError('denied', `a link leads elsewhere than it did when skill '${name}' was shown`, { hint });
  }
  writeGrant(environment, grantOf({ skill, name, digest, files, asked, policy, environment, now: new Date() }));
}

/** The grant that a call lacks, where one could be given and would be enough; null where it lacks none. */
export async function missingGrant(engine: Engine, request: ExecuteRequest): Promise<GrantRequest | null> {
  const target = await targetOf(engine, request);
  if (isEmpty(askedBy(target))) return null;
  try {
    await permissionsOf(engine, target, await digestOf(target));
    return null;
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== 'denied') throw error;
  }
  // What no grant would allow is told when the call itself is refused.
  return grantRequestOf(engine, request.skill).catch(() => null);
}
