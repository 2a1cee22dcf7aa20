import { diagnostic } from '../../kernel/diagnostics.ts';
import type { Environment } from '../../kernel/environment.ts';
import { noCapabilities } from '../../policy/capabilities.ts';
import type { Skill } from '../../skill/types.ts';
import type { Toolbox } from '../../tools/types.ts';
import { toolboxFor } from '../toolbox.ts';
import { attempted } from './outcome.ts';

const none = {
  runtime: 'none',
  source: 'none',
  file: null,
  version: null,
  tools: [],
  capabilities: noCapabilities,
  limits: {},
  instances: {},
  env: {},
  outside: {},
} as const satisfies Omit<Toolbox, 'problems'>;

/** The tools of a skill; where they cannot be read at all, none and why. */
export async function ownToolbox(environment: Environment, skill: Skill): Promise<Toolbox> {
  const read = await attempted(() => toolboxFor(environment, skill));
  if (read.ok) return read.value;
  const message = `its tools cannot be read (${read.reason})`;
  const remedy = 'Check that its files exist and that you may read them.';
  return { ...none, problems: [diagnostic('manifest-invalid', skill.file, message, remedy)] };
}
