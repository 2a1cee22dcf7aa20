import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { entriesOf, readRegularFile, statOf } from '../../core/disk/files.ts';
import { hasSignature, isSettled, type Signature, signatureOf } from '../../core/disk/signature.ts';
import type { Environment } from '../../core/environment.ts';
import { addTo, keepRecent } from '../../core/maps.ts';
import { byText, fold } from '../../core/text/text.ts';
import { createSlicer, runSliced } from '../../core/time-slice.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { mayDescribeTools } from '../../run/tools/headings.ts';
import { nothingDeclared } from '../../run/tools/manifest/declared.ts';
import { manifestNames } from '../../run/tools/manifest/manifest.ts';
import { projectManifestFile, readProjectManifest } from '../../run/tools/manifest/project-manifest.ts';
import { scriptsOf } from '../../run/tools/scripts.ts';
import type { Runtime, Skill } from '../../skill/types.ts';
import { limits } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import { toolMarkOf } from '../searching/source.ts';
import { toolboxFor } from '../toolbox.ts';
import { revisionSteps } from './revision.ts';

/** A skill with everything that a list filters by. */
export interface Entry extends Standing, ToolFacts {
  readonly skill: Skill;
  /** Key that entries are sorted by. */
  readonly key: string;
}

/** All entries there are to page through. */
export interface Catalogue {
  /** Entries by name, then by rank. */
  readonly entries: readonly Entry[];
  /** Diagnostics of files that are not skills. */
  readonly skipped: readonly Diagnostic[];
  readonly revision: string;
}

const known = new WeakMap<Snapshot, Promise<Catalogue>>();

/** Returns the catalogue of a snapshot. It is made once, and calls in the meantime wait for the same one. */
export function catalogueOf(engine: Engine, snapshot: Snapshot): Promise<Catalogue> {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const made = makeCatalogue(engine, snapshot);
  known.set(snapshot, made);
  made.catch(() => known.delete(snapshot)); // the next call may be luckier
  return made;
}

async function makeCatalogue({ environment }: Engine, snapshot: Snapshot): Promise<Catalogue> {
  const slicer = createSlicer();
  const countTools = toolCounter(environment, snapshot.scan.folders);
  const standingOf = standings(snapshot);
  const entries: Entry[] = [];
  for (const skill of snapshot.skills) {
    const facts = await countTools(skill);
    entries.push({ skill, key: fold(skill.fullName), ...withFaults(standingOf(skill), facts.faults), ...facts });
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

/** Facts about the tools of a skill, as a list shows them. */
interface ToolFacts {
  readonly runtime: Runtime;
  readonly tools: number;
  /** Errors in what declares them: then none of them can be used. */
  readonly faults: readonly Diagnostic[];
  /** Whether something declares them: what nobody declares asks for nothing. */
  readonly isDeclared: boolean;
}

const noTools: ToolFacts = { runtime: 'none', tools: 0, faults: [], isDeclared: false };

/** Facts by skill. Every scan makes new skill objects; between two scans the tools of each are counted once. */
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

/** Facts about skills that declare no tools, by folder, with the state of the files they were derived from. */
const remembered = new Map<
  string,
  { readonly mark: string; readonly folder: Signature; readonly file: Signature; readonly facts: ToolFacts }
>();
const mostRemembered = 50_000;

async function ownFacts(skill: Skill, mark: string, environment: Environment): Promise<ToolFacts> {
  const before = remembered.get(skill.id);
  const now = Date.now();
  const [folder, file] = [statOf(skill.id), statOf(skill.file)];
  const isSame = before?.mark === mark && folder.ok && file.ok;
  if (isSame && hasSignature(folder.value, before.folder) && hasSignature(file.value, before.file)) return before.facts;
  if (declaresTools(skill)) return readFacts(skill, environment);
  const facts = scriptFacts(skill);
  if (folder.ok && file.ok && isSettled(folder.value, now) && isSettled(file.value, now)) {
    const signatures = { folder: signatureOf(folder.value), file: signatureOf(file.value) };
    keepRecent(remembered, skill.id, { mark, ...signatures, facts }, mostRemembered);
  }
  return facts;
}

/** Tells whether the tools must be read: a manifest, a module or a heading may bring tools of its own. */
function declaresTools({ id, file }: Skill): boolean {
  const entries = entriesOf(id);
  if (!entries.ok) return true;
  const bringsSome = ({ name }: { readonly name: string }): boolean =>
    name.endsWith('.wasm') || manifestNames.some((one) => one === name.toLowerCase());
  if (entries.value.some(bringsSome)) return true;
  const read = readRegularFile(file, limits.fileBytes);
  return read.ok && mayDescribeTools(read.value.bytes.toString('utf8'));
}

/** Tells whether the project's manifest declares tools, which it can do for a skill that has none. */
async function isDeclared(skill: Skill, project: string | null, environment: Environment): Promise<boolean> {
  const manifest = project === null ? null : await readProjectManifest(project, skill, environment);
  return manifest !== null && manifest.declared !== nothingDeclared;
}

/** Counts scripts: where nothing is declared, each one is a tool. */
function scriptFacts({ id }: Skill): ToolFacts {
  const { scripts } = scriptsOf(id);
  return scripts.length === 0 ? noTools : { ...noTools, runtime: 'native', tools: scripts.length };
}

/** Reads the tools of a skill. If they cannot be read, it counts as having none, so as not to spoil the list of all. */
async function readFacts(skill: Skill, environment: Environment): Promise<ToolFacts> {
  try {
    const { runtime, tools, problems } = await toolboxFor(environment, skill);
    const faults = problems.filter(({ severity }) => severity === 'error');
    return { runtime, tools: tools.length, faults, isDeclared: true };
  } catch {
    return noTools;
  }
}

/** States of a skill. */
export const skillStates = [
  'plain',
  'repaired',
  'broken-tools',
  'shadowed',
  'ambiguous',
  'look-alike',
  'quarantined',
] as const;
export type SkillState = (typeof skillStates)[number];

/** The states of a skill, and the diagnostics about them. */
interface Standing {
  /** `plain` alone, or all others that hold. */
  readonly states: readonly SkillState[];
  readonly diagnostics: readonly Diagnostic[];
}

/** States other than plain, by the diagnostic that reports them. */
const stateOf: { readonly [C in DiagnosticCode]?: SkillState } = {
  'frontmatter-repaired': 'repaired',
  'frontmatter-not-first': 'repaired',
  shadowed: 'shadowed',
  ambiguous: 'ambiguous',
  'looks-like': 'look-alike',
  quarantined: 'quarantined',
};

const plain: Standing = { states: ['plain'], diagnostics: [] };

/** The standing of a skill whose tools have faults: those of a manifest, which make it have none. */
function withFaults({ states, diagnostics }: Standing, faults: readonly Diagnostic[]): Standing {
  if (faults.length === 0) return { states, diagnostics };
  const found: ReadonlySet<SkillState> = new Set([...states, 'broken-tools' as const]);
  const held = skillStates.filter((state) => state !== 'plain' && found.has(state));
  return { states: held, diagnostics: [...diagnostics, ...faults] };
}

/** Returns a function that tells the standing of each skill of a snapshot. */
function standings(snapshot: Snapshot): (skill: Skill) => Standing {
  const telling = new Map<string, Diagnostic[]>();
  for (const one of snapshot.diagnostics) if (stateOf[one.code] !== undefined) addTo(telling, one.file, one);
  return (skill) => {
    const diagnostics = telling.get(skill.file) ?? [];
    const found = new Set(diagnostics.map(({ code }) => stateOf[code]));
    if (skill.repaired) found.add('repaired');
    if (snapshot.shadowedBy(skill) !== undefined) found.add('shadowed');
    return found.size === 0 ? plain : { states: skillStates.filter((state) => found.has(state)), diagnostics };
  };
}
