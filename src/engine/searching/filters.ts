import { knownProvider } from '../../agents/providers.ts';
import type { Environment } from '../../core/environment.ts';
import { fold } from '../../core/text/text.ts';
import type { Location, Runtime } from '../../skill/kinds.ts';
import type { Skill } from '../../skill/types.ts';

/** Filters for the skills that are wanted at all. */
export interface SearchFilters {
  readonly provider?: string | undefined;
  readonly location?: Location | undefined;
  /** Name of a plugin, with or without its marketplace. */
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

/** Tells whether a skill is wanted. Known at once, but for what depends on its tools. */
export type Accepts = (skill: Skill) => boolean | Promise<boolean>;

/** Tells whether a skill has a tool of this runtime. Few ask for it, so its dependencies are loaded for those only. */
async function hasRuntime(environment: Environment, skill: Skill, runtime: Runtime): Promise<boolean> {
  const { toolboxFor } = await import('../toolbox.ts');
  return (await toolboxFor(environment, skill)).runtime === runtime;
}

export function isNarrow({ provider, location, plugin, runtime }: SearchFilters): boolean {
  return [provider, location, plugin, runtime].some((filter) => filter !== undefined);
}

/** The note for when nothing was found because the filters reject everything. */
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
