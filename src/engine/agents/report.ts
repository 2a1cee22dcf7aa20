import type { ListingUse } from '../../discovery/native/listing.ts';
import { type Rule, rulesOf } from '../../discovery/native/rules.ts';
import type { Skipped } from '../../discovery/native/skipped.ts';
import { words } from '../../discovery/native/sources.ts';
import type { NativeAgent, Place, Sees, SightState, Source } from '../../discovery/native/types.ts';
import { expandPath } from '../../kernel/paths.ts';
import { nativePrefix } from '../../registry/filters.ts';
import { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import { excludesFor, viewOf } from './native.ts';
import { requireAgent } from './table.ts';

/** What our server does about a skill, set up for the agent. */
export type Served =
  /** The agent gets it from us. */
  | 'served'
  /** The agent has it, or one of its name, already. */
  | 'left-out'
  /** Another of its name is served. */
  | 'hidden'
  /** The filters of the configuration keep it out. */
  | 'filtered';

export interface AgentSkill {
  readonly fullName: string;
  readonly provider: string;
  readonly location: Skill['location'];
  readonly file: string;
  readonly state: SightState;
  readonly sees: Sees;
  readonly reason: string;
  readonly characters: number | null;
  readonly server: Served;
}

/** One thing that is known of an agent; see `Rule`. */
export interface AgentRule extends Pick<Rule, 'does' | 'what'>, Source {
  /** The source, the version and the day in words. */
  readonly known: string;
}

/** How an agent treats the skills of this place, by itself and with our server. */
export interface AgentReport extends Pick<NativeAgent, 'id' | 'name'> {
  /** What most of it rests on, and the day. */
  readonly known: string;
  /** The folders it reads, strongest first. */
  readonly reads: readonly string[];
  /** Everything that is known of it, with what each rests on. */
  readonly rules: readonly AgentRule[];
  /** The providers whose plugins it loads. */
  readonly plugins: readonly string[];
  /** What its server entry leaves out. */
  readonly excludes: readonly string[];
  readonly listing: ListingUse | null;
  readonly skills: readonly AgentSkill[];
  /** Files that Repertoire skips. */
  readonly skipped: readonly Skipped[];
  readonly summary: Readonly<Record<Sees | 'served' | 'missing', number>>;
}

export function agentReport(name: string, { environment }: Engine, snapshot: Snapshot): AgentReport {
  const agent = requireAgent(name);
  const view = viewOf(agent, snapshot);
  const excludes = excludesFor(agent.id);
  const natives = new Map([...(snapshot.view.natives ?? []), [nativePrefix + agent.id, view.covered]]);
  const filters = { ...snapshot.view, exclude: [...snapshot.view.exclude, ...excludes], natives };
  const server = new Snapshot(snapshot.scan, filters, (path) => expandPath(path, environment));
  const [offered, known] = [new Set(server.visible), new Set(server.skills)];
  const skills = [...view.sights].map(([skill, sight]): AgentSkill => {
    const { fullName, provider, location, file } = skill;
    return { fullName, provider, location, file, ...sight, server: servedAs(skill) };
  });
  const { listing, skipped } = view;
  const isPlugin = ({ location }: Place): boolean => location === 'plugin';
  return {
    ...{ id: agent.id, name: agent.name, known: words(agent.source) },
    reads: agent.places.filter((place) => !isPlugin(place)).map(({ shown }) => shown),
    plugins: agent.places.filter(isPlugin).map(({ provider }) => provider),
    rules: rulesOf(agent).map(({ does, what, source }) => ({ does, what, known: words(source), ...source })),
    ...{ excludes, listing, skills, skipped, summary: summaryOf(skills) },
  };

  function servedAs(skill: Skill): Served {
    if (offered.has(skill)) return 'served';
    if (known.has(skill)) return 'hidden';
    return view.covered.has(skill) ? 'left-out' : 'filtered';
  }
}

function summaryOf(skills: readonly AgentSkill[]): AgentReport['summary'] {
  const of = (sees: Sees): number => skills.filter((one) => one.sees === sees).length;
  const isGap = ({ state, server }: AgentSkill): boolean => server === 'filtered' && state !== 'listed';
  return {
    yes: of('yes'),
    cut: of('cut'),
    no: of('no'),
    unknown: of('unknown'),
    served: skills.filter(({ server }) => server === 'served').length,
    missing: skills.filter(isGap).length,
  };
}
