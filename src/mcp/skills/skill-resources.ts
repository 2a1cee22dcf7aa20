import type { Engine } from '../../engine/engine.ts';
import type { Freshness } from '../../engine/freshness.ts';
import { SkillError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { addressesOf } from '../../registry/addresses.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { OnFound } from '../noting.ts';
import { shown, type Target, targetOf } from './address.ts';
import { type Completion, completePath } from './completion.ts';
import type { Content } from './content.ts';
import { entryOf, offeredAddresses, skillsPage } from './entries.ts';
import { createExclusions } from './exclusions.ts';
import { folderPage } from './folders.ts';
import { readTarget } from './reading.ts';
import { resourcesPage, templates } from './resources.ts';
import type { Resource, SkillEntry } from './types.ts';

/** The skills as resources: what the skills extension and `resources/*` answer, in the shapes of the protocol. */
export interface SkillResources {
  listSkills(cursor: string | undefined): Promise<{ skills: readonly SkillEntry[]; nextCursor?: string }>;
  getSkill(uri: string): Promise<SkillEntry>;
  readDirectory(
    uri: string,
    cursor: string | undefined,
  ): Promise<{ resources: readonly Resource[]; nextCursor?: string }>;
  listResources(cursor: string | undefined): Promise<{ resources: readonly Resource[]; nextCursor?: string }>;
  listTemplates(): { resourceTemplates: typeof templates };
  /** Says which file it is before it is read. */
  read(uri: string, onFound?: OnFound): Promise<{ contents: readonly [Content] }>;
  /** What may stand for `path` in `skill://{+path}`. */
  completePath(prefix: string): Promise<Completion>;
}

export function createSkillResources(engine: Engine, freshness: Pick<Freshness, 'check'>, log: Logger): SkillResources {
  const exclusions = createExclusions(log);

  async function fresh(): Promise<Snapshot> {
    await freshness.check();
    const snapshot = await engine.registry.snapshot();
    exclusions.noteHomeless(snapshot);
    return snapshot;
  }

  /** A file or folder of a skill that the extension carries. */
  async function target(uri: string): Promise<Target> {
    const snapshot = await fresh();
    const found = targetOf(addressesOf(snapshot), uri);
    if (found === null) throw unknownSkill(uri);
    const obstacle = await exclusions.obstacle(snapshot, found.address);
    if (obstacle !== null) throw leftOut(found, obstacle.message);
    return found;
  }

  return {
    listSkills: async (cursor) => skillsPage(await fresh(), exclusions, cursor),
    async getSkill(uri) {
      const found = targetOf(addressesOf(await fresh()), uri);
      if (found?.path !== 'SKILL.md') throw unknownSkill(uri);
      const inspection = await exclusions.inspect(found.address);
      if (!inspection.ok) throw leftOut(found, inspection.obstacle.message);
      return entryOf(found.address, inspection);
    },
    readDirectory: async (uri, cursor) => folderPage(await target(uri), uri, cursor),
    listResources: async (cursor) => resourcesPage(await fresh(), exclusions, cursor),
    listTemplates: () => ({ resourceTemplates: templates }),
    async read(uri, onFound) {
      const found = await target(uri);
      onFound?.(found.address.skill.fullName, found.path);
      return { contents: [readTarget(found, uri)] };
    },
    completePath: async (prefix) => completePath(offeredAddresses(await fresh()), prefix),
  };
}

function unknownSkill(uri: string): SkillError {
  const hint = 'skills/list and resources/list list the addresses of all skills.';
  return new SkillError('not-found', `No skill is served at ${shown(uri)}`, { hint });
}

function leftOut({ address: { skill } }: Target, reason: string): SkillError {
  const message = `Skill '${skill.fullName}' is not served as a resource: ${reason}`;
  return new SkillError('not-found', message, { hint: 'Load it with the tool for loading skills.' });
}
