import { readRegularFile } from '../core/disk/files.ts';
import { isInside } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { SkillError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { noCapabilities } from '../run/policy/capabilities.ts';
import type { ComponentTools, ToolSkill } from '../run/tools/sources.ts';
import { toolboxOf } from '../run/tools/toolbox.ts';
import type { Toolbox } from '../run/tools/types.ts';

/** Maximum bytes of a component; a larger one is not a tool but a machine. */
const mostBytes = 64 * 1024 * 1024;

/** The toolbox of a skill from another server: nothing of it is run here, not even to ask what it can do. */
const empty: Toolbox = {
  ...{ runtime: 'none', source: 'none', file: null, version: null, tools: [], capabilities: noCapabilities },
  ...{ limits: {}, instances: {}, env: {}, outside: {}, problems: [] },
};

/** Tells whether nobody here runs what a skill has: it is another server's, or the catalogue's and there are no workers. */
export function isOfOthers({ handedOver }: Environment, { location, file }: ToolSkill): boolean {
  return location === 'remote' && (handedOver === undefined || !isInside(handedOver, file));
}

/** Reads all tools of a skill. A component is asked for its own in its sandbox, which is loaded only for that. */
export async function toolboxFor(environment: Environment, skill: ToolSkill): Promise<Toolbox> {
  if (isOfOthers(environment, skill)) return empty;
  return toolboxOf(skill, environment, {
    async componentTools(file) {
      const { componentTools } = await import('../run/sandbox/wasm/tools.ts');
      const read = readRegularFile(file, mostBytes);
      if (!read.ok) throw new SkillError('unreadable', `${file} cannot be read (${read.reason})`);
      const source = { file, skillFolder: skill.copy ?? skill.id, digest: sha256(read.value.bytes) };
      return (await componentTools(environment, {}, source)) as ComponentTools;
    },
  });
}
