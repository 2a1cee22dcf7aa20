import { knownProvider } from '../../agents/providers.ts';
import type { Environment } from '../../core/environment.ts';
import { fold } from '../../core/text.ts';
import type { Location, Runtime } from '../../skill/kinds.ts';
import type { Skill } from '../../skill/types.ts';

/** Which skills are wanted at all. */
export interface SearchFilters {
  readonly provider?: string | undefined;
  readonly location?: Location | undefined;
  /** A plugin, with or without its marketplace. */
  readonly plugin?: string | undefined;
  readonly runtime?: Runtime | undefined;
}

export function acceptedBy(environment: Environment, { provider, location, plugin, runtime }: SearchFilters): Accepts {
  const providers = provider === undefined ? undefined : [provider, knownProvider(fold(provider))];
  return (skill) =>
    (providers === undefined || providers.includes(skill.provider)) &&
    (location === undefined || skill.location === location) &&
    (plugin === undefined || skill.plugin === plugin || skill.pluginName === plugin) &&
    (runtime === undefined || hasRuntime(environment, skill, runtime));
}

/** Whether a skill is wanted. Known at once, but for what only its tools can tell. */
export type Accepts = (skill: Skill) => boolean | Promise<boolean>;

/** Few ask for it: what it takes to know is loaded for those. */
async function hasRuntime(environment: Environment, skill: Skill, runtime: Runtime): Promise<boolean> {
  const { toolboxFor } = await import('../toolbox.ts');
  return (await toolboxFor(environment, skill)).runtime === runtime;
}

export function isNarrow({ provider, location, plugin, runtime }: SearchFilters): boolean {
  return [provider, location, plugin, runtime].some((filter) => filter !== undefined);
}

/** What to say where nothing was found because nothing is wanted. */
export async function noteOnFilters(
  environment: Environment,
  filters: SearchFilters,
  visible: readonly Skill[],
): Promise<string[]> {
  const { provider, location, plugin, runtime } = filters;
  const given = Object.entries({ provider, location, plugin, runtime }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  const accepts = acceptedBy(environment, filters);
  for (const skill of visible) if (await accepts(skill)) return [];
  return [`no skill has ${given.map(([name, value]) => `${name} '${value}'`).join(' and ')}`];
}
