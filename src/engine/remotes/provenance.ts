import { basename, dirname } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { keepRecent } from '../../core/maps.ts';
import { serverKey, viaKey } from '../../get/remote/entries.ts';
import { folderOf, type Manifest, ownIdentity, readManifest } from '../../get/remote/store.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';

/** A mark for other servers of this kind, in a list or in an entry of it. */
interface Mark {
  readonly _meta?: Readonly<Record<string, string | readonly string[]>>;
}

/** The identity of this installation, by which others notice what came from here; nothing where none can be kept. */
export function signatureOf({ environment }: Engine): Mark {
  const identity = ownIdentity(environment);
  return identity === null ? {} : { _meta: { [serverKey]: identity } };
}

/** Manifests of snapshots, which never change, by their folder. */
const manifests = new Map<string, Manifest | null>();
const mostKept = 64;

/** The servers that a skill has passed on its way here; nothing for a skill of this machine. */
export function provenanceOf({ environment }: Engine, skill: Skill): Mark {
  return skill.location === 'remote' ? { _meta: { [viaKey]: wayIn(environment, skill) } } : {};
}

function wayIn(environment: Environment, { provider, dir }: Skill): readonly string[] {
  const snapshot = dirname(dir);
  const known = manifests.get(snapshot);
  const manifest = known ?? readManifest(folderOf(environment, provider), basename(snapshot));
  keepRecent(manifests, snapshot, manifest, mostKept);
  return manifest?.skills[basename(dir)]?.via ?? [];
}

/** The refusal to run a tool of a skill from elsewhere. */
export function notRunHere({ fullName, provider }: Pick<Skill, 'fullName' | 'provider'>): SkillError {
  const message = `skill '${fullName}' is from the remote '${provider}', and tools of other servers' skills are not run here`;
  return new SkillError('denied', message, {
    hint: 'Load it and follow its text; or add the skill to this machine, with repertoire add, and run that.',
  });
}
