import type { Diagnostic } from '../../kernel/diagnostics.ts';
import { byText, fold } from '../../kernel/text.ts';
import { createSlicer, runSliced } from '../../kernel/time-slice.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import { revisionSteps } from './revision.ts';
import { type Standing, standings } from './states.ts';
import { type ToolFacts, toolCounter } from './tool-facts.ts';

/** A skill with all that a list filters by. */
export interface Entry extends Standing, ToolFacts {
  readonly skill: Skill;
  /** What it is sorted by. */
  readonly key: string;
}

/** Everything there is to page through. */
export interface Catalogue {
  /** By name, then by rank. */
  readonly entries: readonly Entry[];
  /** Why files are no skills. */
  readonly skipped: readonly Diagnostic[];
  readonly revision: string;
}

const known = new WeakMap<Snapshot, Promise<Catalogue>>();

/** Made once for each snapshot; who comes meanwhile waits for the same. */
export function catalogueOf(engine: Engine, snapshot: Snapshot): Promise<Catalogue> {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const made = makeCatalogue(engine, snapshot);
  known.set(snapshot, made);
  made.catch(() => known.delete(snapshot)); // whoever asks next may be luckier
  return made;
}

async function makeCatalogue({ environment }: Engine, snapshot: Snapshot): Promise<Catalogue> {
  const slicer = createSlicer();
  const countTools = toolCounter(environment, snapshot.scan.folders);
  const standingOf = standings(snapshot);
  const entries: Entry[] = [];
  for (const skill of snapshot.skills) {
    entries.push({ skill, key: fold(skill.fullName), ...standingOf(skill), ...(await countTools(skill)) });
    if (slicer.isDue) await slicer.pause();
  }
  entries.sort(inOrder);
  return {
    entries,
    skipped: snapshot.scan.diagnostics.filter(({ severity }) => severity === 'error'),
    revision: await runSliced(revisionSteps(snapshot), slicer),
  };
}

function inOrder(a: Entry, b: Entry): number {
  return byText(a.key, b.key) || a.skill.rank - b.skill.rank || byText(a.skill.file, b.skill.file);
}
