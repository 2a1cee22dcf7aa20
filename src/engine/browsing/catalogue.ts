import type { Diagnostic } from '../../core/diagnostics.ts';
import type { Environment } from '../../core/environment.ts';
import { entriesOf, statOf } from '../../core/files.ts';
import { keepRecent } from '../../core/recent.ts';
import { hasSignature, isSettled, type Signature, signatureOf } from '../../core/signature.ts';
import { byText, fold } from '../../core/text.ts';
import { createSlicer, runSliced } from '../../core/time-slice.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { nothingDeclared } from '../../run/tools/declared.ts';
import { manifestNames } from '../../run/tools/manifest.ts';
import { projectManifestFile, readProjectManifest } from '../../run/tools/project-manifest.ts';
import { scriptsOf } from '../../run/tools/scripts.ts';
import type { Runtime } from '../../skill/kinds.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import { toolMarkOf } from '../searching/tool-marks.ts';
import { toolboxFor } from '../toolbox.ts';
import { revisionSteps } from './revision.ts';
import { type Standing, standings } from './states.ts';

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

/** What a list tells of the tools of a skill. */
interface ToolFacts {
  readonly runtime: Runtime;
  readonly tools: number;
}

const noTools: ToolFacts = { runtime: 'none', tools: 0 };

/** A skill is found anew by every look at the disk; between two of them its tools are counted once. */
const factsOf = new WeakMap<Skill, ToolFacts>();

/** Counts the tools of skills, of which there may be thousands: only what declares tools is read. */
function toolCounter(
  environment: Environment,
  folders: ReadonlyMap<string, unknown>,
): (skill: Skill) => Promise<ToolFacts> {
  const project = projectManifestFile(environment);
  return async (skill) => {
    const before = factsOf.get(skill);
    if (before !== undefined) return before;
    const facts = (await isDeclared(skill, project, environment))
      ? await readFacts(skill, environment)
      : await ownFacts(skill, toolMarkOf(skill, folders), environment);
    factsOf.set(skill, facts);
    return facts;
  };
}

/** The tools of skills that declare none, by their folders, with how what they come from looked. */
const remembered = new Map<string, { readonly mark: string; readonly folder: Signature; readonly facts: ToolFacts }>();
const mostRemembered = 50_000;

async function ownFacts(skill: Skill, mark: string, environment: Environment): Promise<ToolFacts> {
  const before = remembered.get(skill.id);
  const now = Date.now();
  const folder = statOf(skill.id);
  if (folder.ok && before?.mark === mark && hasSignature(folder.value, before.folder)) return before.facts;
  if (declaresTools(skill)) return readFacts(skill, environment);
  const facts = scriptFacts(skill);
  if (folder.ok && isSettled(folder.value, now))
    keepRecent(remembered, skill.id, { mark, folder: signatureOf(folder.value), facts }, mostRemembered);
  return facts;
}

/** Whether a look at its folder is not enough: it has a manifest, or a module that may bring tools of its own. */
function declaresTools({ id }: Skill): boolean {
  const entries = entriesOf(id);
  if (!entries.ok) return true;
  return entries.value.some(
    ({ name }) => name.endsWith('.wasm') || manifestNames.some((one) => one === name.toLowerCase()),
  );
}

/** The manifest of a project can give tools to a skill that has none. */
async function isDeclared(skill: Skill, project: string | null, environment: Environment): Promise<boolean> {
  const manifest = project === null ? null : await readProjectManifest(project, skill, environment);
  return manifest !== null && manifest.declared !== nothingDeclared;
}

/** Where nothing is declared, each script is a tool. */
function scriptFacts({ id }: Skill): ToolFacts {
  const { scripts } = scriptsOf(id);
  return scripts.length === 0 ? noTools : { runtime: 'native', tools: scripts.length };
}

/** One skill whose tools cannot be read must not spoil the list of all. */
async function readFacts(skill: Skill, environment: Environment): Promise<ToolFacts> {
  try {
    const { runtime, tools } = await toolboxFor(environment, skill);
    return { runtime, tools: tools.length };
  } catch {
    return noTools;
  }
}
