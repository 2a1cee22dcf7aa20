import { type Parsed, parsed, problem } from '../../../core/schema/parsed.ts';
import type { RuntimeName } from '../../policy/types.ts';
import type { Declared } from './declared.ts';
import type { Target } from './tool-work.ts';

/** The declarations of a tool itself on where it runs. */
interface Said {
  readonly command?: readonly string[];
  readonly script?: string;
  readonly module?: string;
  readonly image?: string;
}

/** The target of a tool: its own, or its skill's. A script of the same name is what it runs if it names nothing. */
export function targetOf(said: Said, declared: Declared, namesake: string | undefined): Parsed<Target> {
  const { script, module, image, command } = said;
  const runtime = runtimeOf(declared);
  if (script !== undefined) {
    return parsed({ kind: 'script', file: script, image: image ?? (runtime === 'docker' ? declared.image : null) });
  }
  if (module !== undefined) return parsed({ kind: 'module', file: module });
  if (image !== undefined) return parsed({ kind: 'container', image });
  if (runtime !== 'native') return sharedTarget(runtime, declared);
  const isNamesake = command === undefined && namesake !== undefined;
  return parsed(isNamesake ? { kind: 'script', file: namesake, image: null } : { kind: 'command' });
}

/** The module or the image that all tools of a skill share. */
export function sharedTarget(runtime: 'wasm' | 'docker', { module, image }: Declared): Parsed<Target> {
  if (runtime === 'wasm') {
    if (module !== null) return parsed({ kind: 'module', file: module });
    return problem('has no module to run', 'Add module = "name.wasm" to the tool, or to [skill].');
  }
  if (image !== null) return parsed({ kind: 'container', image });
  return problem('has no image to run', 'Add image = "name:tag" to the tool, or to [skill].');
}

/** The runtime of tools, unless they say otherwise. */
export function runtimeOf({ runtime, image, module }: Declared): RuntimeName {
  return runtime ?? (image !== null ? 'docker' : module !== null ? 'wasm' : 'native');
}
