import type { Diagnostic } from '../../../core/diagnostics.ts';
import { packageFile } from '../../../core/disk/package-file.ts';
import { addTo } from '../../../core/maps.ts';
import { choice, count, type Infer, list, nullable, object, text } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/text.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { listQuarantine } from '../../../get/scan/store.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { readPolicy } from '../../../run/policy/operator.ts';
import { catalogueOf } from '../../browsing/catalogue.ts';
import { owners } from '../../browsing/owners.ts';
import { errorsIn } from '../../diagnosis.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation, invoke } from '../../operation.ts';
import { toolboxFor } from '../../toolbox.ts';
import { audit } from '../running/audit.ts';
import { type GrantRecord, grants } from '../running/grants.ts';
import { toolsOf } from '../running/tools.ts';
import { agents } from './agents.ts';

const kinds = ['quarantine', 'broken', 'grant', 'denial', 'agent', 'asking'] as const;

const itemSchema = object({
  kind: choice(kinds, 'In the order of their weight.'),
  what: text('In a sentence.'),
  detail: text('The cause, or what to do; it may be empty.'),
  skill: nullable(text()),
  agent: nullable(text(), 'The id of an agent.'),
  file: nullable(text()),
  path: nullable(text(), 'Of the file, from the folder of its skill.'),
  line: nullable(count()),
  execution: nullable(text(), 'The id of the last execution that was denied.'),
});
export type AttentionItem = Infer<typeof itemSchema>;

const output = object({
  items: list(itemSchema, 'The weightiest first.'),
  skills: count('All skills that are found.'),
  connected: count('Agents that are connected.'),
  examples: nullable(text(), 'The folder of the skills that come with Repertoire.'),
});
export type AttentionOutput = Infer<typeof output>;

const nobody = { skill: null, agent: null, file: null, path: null, line: null, execution: null };

/** Collects what waits for a person: what is broken, kept out, no longer granted, denied or not connected. */
export const attention = defineOperation({
  name: 'attention',
  right: 'see',
  effect: 'reads',
  input: {},
  output,
  async run(engine, _input, request): Promise<AttentionOutput> {
    const snapshot = await engine.registry.snapshot();
    const known = (await invoke(engine, grants, {}, request)).grants;
    if (engine.whole !== undefined) return aboutOwn(engine, snapshot, known, request);
    const here = await invoke(engine, agents, {}, request);
    return {
      items: [
        ...inQuarantine(engine),
        ...broken(await errorsIn(engine, snapshot), snapshot),
        ...known.filter(({ valid }) => !valid).map(stale),
        ...(await denials(engine, known, request)),
        ...here.agents.flatMap((agent): AttentionItem[] => {
          const lost = agent.sees?.lost ?? 0;
          if (agent.connected !== 'no' || (agent.sees !== null && lost === 0)) return [];
          const detail = lost === 0 ? '' : `It does not see ${counted(lost, 'skill')} that it could get from here.`;
          return [{ ...nobody, kind: 'agent', what: `${agent.name} is not connected`, detail, agent: agent.id }];
        }),
        ...(await asking(engine, snapshot, known)),
      ],
      skills: snapshot.skills.length,
      connected: here.agents.filter(({ connected }) => connected === 'yes').length,
      examples: packageFile('skills') ?? null,
    };
  },
});

/** Collects the part of it that is about skills, for somebody who sees some of them and does not run the server. */
async function aboutOwn(
  engine: Engine,
  snapshot: Snapshot,
  known: readonly GrantRecord[],
  request: Request,
): Promise<AttentionOutput> {
  const { viewFor } = await import('../../access/tenant.ts');
  const granting = await viewFor(engine.whole ?? engine, request, 'grant');
  const folders = new Set(snapshot.skills.map(({ id }) => id));
  const errors = snapshot.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    items: [
      ...inQuarantine(engine).filter(({ file }) => file !== null && folders.has(file)),
      ...broken(errors, snapshot),
      ...known.filter(({ valid }) => !valid).map(stale),
      ...(await asking(granting, await granting.registry.snapshot(), known)),
    ],
    skills: snapshot.skills.length,
    connected: 0,
    examples: null,
  };
}

function inQuarantine({ environment }: Engine): AttentionItem[] {
  return [...listQuarantine(environment).values()].map(({ name, folder, report: { findings } }) => ({
    ...nobody,
    kind: 'quarantine',
    what: `${name} is in quarantine: ${counted(findings.length, 'finding')}`,
    detail: findings[0] === undefined ? '' : `${findings[0].file}: ${findings[0].found}`,
    skill: name,
    file: folder,
  }));
}

/** Number of broken files listed: Health has them all. */
const mostBroken = 500;

function broken(errors: readonly Diagnostic[], snapshot: Snapshot): AttentionItem[] {
  const ownerOf = owners(snapshot);
  return errors
    .filter(({ code }) => code !== 'quarantined')
    .slice(0, mostBroken)
    .map(({ message, remedy, file, line }) => {
      const { skill = null, path = null } = ownerOf(file) ?? {};
      return { ...nobody, kind: 'broken', what: message, detail: remedy, skill, path, file, line };
    });
}

function stale({ skill, changes }: GrantRecord): AttentionItem {
  return {
    ...nobody,
    kind: 'grant',
    what: `The grant of ${skill} no longer holds`,
    detail: `${changes.slice(0, 3).join(', ')}${changes.length > 3 ? ' …' : ''}`,
    skill,
  };
}

const mostDenials = 500;

/** Denials within a day of what has not been granted since, by skill. */
async function denials(engine: Engine, known: readonly GrantRecord[], request: Request): Promise<AttentionItem[]> {
  const answer = await invoke(engine, audit, { result: 'denied', since: '1d', limit: mostDenials }, request);
  const rows = answer.what === 'executions' ? answer.executions : [];
  const open = rows.filter(
    ({ skill, timestamp }) => !known.some((one) => one.valid && one.skill === skill && one.grantedAt > timestamp),
  );
  const bySkill = new Map<string, (typeof open)[number][]>();
  for (const row of open) addTo(bySkill, row.skill, row);
  return [...bySkill].map(([skill, all]) => ({
    ...nobody,
    kind: 'denial',
    what: `${skill} was denied ${all.length === 1 ? 'a run' : `${all.length} runs`} today`,
    detail: all[0]?.message ?? '',
    skill,
    execution: all[0]?.id ?? null,
  }));
}

const mostAsking = 50;

/** Skills whose tools ask for more than the sandbox gives, and that nobody has decided about. */
async function asking(
  engine: Engine,
  snapshot: Snapshot,
  known: readonly GrantRecord[],
): Promise<readonly AttentionItem[]> {
  const { environment } = engine;
  const decided = new Set(known.map(({ skill }) => skill));
  const policy = await readPolicy(environment);
  const { entries } = await catalogueOf(engine, snapshot);
  const slicer = createSlicer();
  const found: AttentionItem[] = [];
  for (const { skill, isDeclared, states } of entries) {
    if (found.length >= mostAsking) break;
    if (!isDeclared || states.includes('shadowed') || decided.has(skill.fullName)) continue;
    const toolbox = toolsOf(skill, await toolboxFor(environment, skill), policy, environment);
    const words = [...new Set(toolbox.tools.flatMap(({ asksTo }) => asksTo))];
    if (words.length > 0) {
      const what = `${skill.fullName} asks for permissions`;
      found.push({ ...nobody, kind: 'asking', what, detail: `To ${words.join('; ')}`, skill: skill.fullName });
    }
    if (slicer.isDue) await slicer.pause();
  }
  return found;
}
