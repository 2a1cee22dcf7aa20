import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import type { Limits } from '../../policy/types.ts';
import { type ComponentSource, componentSetup, describedBy } from './component.ts';
import { type ComponentTools, describedTools, toolsIn } from './component-tools.ts';
import { createContext, type WasmOptions } from './context.ts';
import { execute } from './execute.ts';
import { needsSandbox } from './places.ts';

const megabyte = 1024 * 1024;

/** For asking a component about itself. */
const limits: Limits = {
  timeoutMs: 30_000,
  memoryBytes: 256 * megabyte,
  processes: 64,
  outputBytes: megabyte,
  scratchBytes: megabyte,
  fileBytes: megabyte,
  cpuSeconds: 30,
};

/** The tools of a component: its functions by their types, or those that a function of it lists. */
export async function componentTools(
  environment: Environment,
  options: WasmOptions,
  source: ComponentSource & { readonly skillFolder: string },
): Promise<ComponentTools> {
  const context = createContext(environment, options);
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('components run', place.why);
  const described = describedTools(await describedBy(context.component(), source));
  if (described !== null) return described;
  // It gets nothing of a run: no mounts, and an empty environment.
  const spec = { skillFolder: source.skillFolder, mounts: [], folder: 'scratch', limits } as const;
  const child = await context.start(await componentSetup(context.component(), source, spec));
  const output: Uint8Array[] = [];
  const outcome = await execute(child, {
    order: { tool: null, parameters: '{}', env: {} },
    stdin: null,
    limits,
    watcher: {
      onOutput: (stream, bytes) => void (stream === 'stdout' && output.push(bytes)),
      signal: new AbortController().signal,
    },
    began: performance.now(),
  });
  const isDone = typeof outcome !== 'string' && outcome.reason === 'exited' && outcome.exitCode === 0;
  if (isDone) return { tools: toolsIn(Buffer.concat(output).toString('utf8')), problems: [] };
  const why = typeof outcome === 'string' ? outcome : (outcome.message ?? `it ended with code ${outcome.exitCode}`);
  throw new SkillError('unreadable', `the WebAssembly component does not list its tools: ${why}`, {
    hint: 'Its function get-tools must return them.',
  });
}
