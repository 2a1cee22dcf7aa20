import { readRegularFile } from '../core/disk/files.ts';
import type { Environment } from '../core/environment.ts';
import { SkillError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { ComponentTools, ToolSkill } from '../run/tools/sources.ts';
import { toolboxOf } from '../run/tools/toolbox.ts';
import type { Toolbox } from '../run/tools/types.ts';

/** Maximum bytes of a component; a larger one is not a tool but a machine. */
const mostBytes = 64 * 1024 * 1024;

/** Reads all tools of a skill. A component is asked for its own in its sandbox, which is loaded only for that. */
export function toolboxFor(environment: Environment, skill: ToolSkill): Promise<Toolbox> {
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
