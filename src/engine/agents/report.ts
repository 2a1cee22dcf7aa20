import type { Reading } from '../../agents/types.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { words } from '../../discovery/native/agents.ts';
import { rulesOf } from '../../discovery/native/rules.ts';
import type { Sees } from '../../discovery/native/types.ts';
import { nativePrefix } from '../../registry/filters.ts';
import { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import type { AgentReport, AgentSkill, Served } from '../operations/machine/doctor.ts';
import { excludesFor, requireAgent, viewOf } from './native.ts';

export function agentReport(name: string, { environment }: Engine, snapshot: Snapshot): AgentReport {
  const agent = requireAgent(name);
  const view = viewOf(agent, snapshot);
  const excludes = excludesFor(agent.id);
  const natives = new Map([...(snapshot.view.natives ?? []), [nativePrefix + agent.id, view.covered]]);
  const filters = { ...snapshot.view, exclude: [...snapshot.view.exclude, ...excludes], natives };
  const server = new Snapshot(snapshot.scan, filters, (path) => expandPath(path, environment));
  const offered = new Set(server.shownTo('models'));
  const [visible, known] = [new Set(server.visible), new Set(server.skills)];
  const skills = [...view.sights].map(([skill, sight]): AgentSkill => {
    const { fullName, provider, location, file } = skill;
    return { fullName, provider, location, file, ...sight, server: servedAs(skill) };
  });
  const { listing, skipped } = view;
  const isPlugin = ({ location }: Reading): boolean => location === 'plugin';
  return {
    ...{ id: agent.id, name: agent.name, known: words(agent.source) },
    reads: agent.places.filter((place) => !isPlugin(place)).map(({ shown }) => shown),
    plugins: agent.places.filter(isPlugin).map(({ provider }) => provider),
    rules: rulesOf(agent).map(({ does, what, source }) => ({ does, what, known: words(source), ...source })),
    ...{ excludes, listing, skills, skipped, summary: summaryOf(skills) },
  };

  function servedAs(skill: Skill): Served {
    if (offered.has(skill)) return 'served';
    if (visible.has(skill)) return 'people';
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
