import type { AgentReport, State } from '../../../agents/setup/plan/plan.ts';
import { choice, count, type Infer, list, nullable, object, text } from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { agentNamed } from '../../../discovery/native/agents.ts';
import type { Sees } from '../../../discovery/native/types.ts';
import { agentReport } from '../../agents/report.ts';
import { defineOperation } from '../../operation.ts';
import { connectAgents } from '../../setup/connecting.ts';
import { usualName } from '../../setup/request.ts';

const agentSchema = object({
  id: text(),
  name: text(),
  detectedBy: nullable(text(), 'What shows that it is installed.'),
  connected: choice(
    ['yes', 'no', 'otherwise', 'unknown'],
    'Whether its file has our entry; `otherwise` where that is not what setup would write.',
  ),
  file: nullable(text(), 'The file that has the entry, or would have it.'),
  problem: nullable(text(), 'Why its file cannot be used.'),
  sees: nullable(
    object({
      alone: count('Skills that it shows its model by itself.'),
      cut: count('Those of which it shows only a part.'),
      unknown: count('Those of which nobody knows.'),
      served: count('Skills that our server adds, once it is connected.'),
      lost: count('Skills that it does not see now, for it is not connected.'),
    }),
    'Null where nothing is known of how it reads skills.',
  ),
  known: nullable(text(), 'What this rests on, and the day.'),
});
export type AgentRow = Infer<typeof agentSchema>;

const output = object({ agents: list(agentSchema), skills: count('All skills that are found.') });
export type AgentsOutput = Infer<typeof output>;

const states: Readonly<Record<State, AgentRow['connected']>> = {
  absent: 'no',
  current: 'yes',
  differs: 'otherwise',
  unparseable: 'unknown',
  unsupported: 'unknown',
};

/** Shows the agents on this machine: which are connected, and what each sees. */
export const agents = defineOperation({
  name: 'agents',
  effect: 'reads',
  input: {},
  output,
  async run(engine): Promise<AgentsOutput> {
    const snapshot = await engine.registry.snapshot();
    const wanted = { named: [], server: usualName, all: true, dryRun: true, remove: false, trust: false };
    const [here, inProject] = (['global', 'project'] as const).map(
      (scope) => connectAgents(engine, { ...wanted, scope }).agents,
    );
    const slicer = createSlicer();
    // What is disabled was found too, and is no skill that anybody counts.
    const known = new Set(snapshot.skills.map(({ file }) => file));
    const rows: AgentRow[] = [];
    for (const found of here ?? []) {
      const own = inProject?.find(({ id, state }) => id === found.id && (state === 'current' || state === 'differs'));
      const entry = own !== undefined && found.state === 'absent' ? own : found;
      const report = agentNamed(found.id) === undefined ? null : agentReport(found.id, engine, snapshot);
      rows.push(rowOf(entry, report, known));
      if (slicer.isDue) await slicer.pause();
    }
    return { agents: rows, skills: known.size };
  },
});

function rowOf(
  { id, name, detectedBy, state, file, problem }: AgentReport,
  report: ReturnType<typeof agentReport> | null,
  known: ReadonlySet<string>,
): AgentRow {
  const connected = states[state];
  const skills = report?.skills.filter(({ file }) => known.has(file)) ?? [];
  const seen = (how: Sees): number => skills.filter(({ sees }) => sees === how).length;
  const served = skills.filter(({ server }) => server === 'served');
  const missed = served.filter((one) => one.sees === 'no').length;
  const sees = {
    ...{ alone: seen('yes') + seen('cut'), cut: seen('cut'), unknown: seen('unknown') },
    ...{ served: served.length, lost: connected === 'no' ? missed : 0 },
  };
  return {
    ...{ id, name, detectedBy, connected, file, problem },
    sees: report === null ? null : sees,
    known: report?.known ?? null,
  };
}
