import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import type { Limits } from '../../policy/types.ts';
import { type ComponentSource, componentSetup } from './component.ts';
import { type ComponentTool, toolsIn } from './component-tools.ts';
import { createContext, type WasmOptions } from './context.ts';
import { execute } from './execute.ts';
import type { Call } from './protocol.ts';

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

/** Something a component can be asked about itself. It gets nothing of a run: no mounts, and an empty environment. */
export async function askComponent(
  environment: Environment,
  options: WasmOptions,
  source: ComponentSource & { readonly skillFolder: string },
  question: Pick<Call, 'function' | 'arguments'>,
): Promise<string> {
  const context = createContext(environment, options);
  const place = context.place();
  if (place.kind === 'memory') {
    throw new SkillError('unavailable', `components run in a sandbox only, and there is none (${place.why})`, {
      hint: 'Install bubblewrap (apt-get install bubblewrap, or the package of your system).',
    });
  }
  const spec = { skillFolder: source.skillFolder, mounts: [], folder: 'scratch', limits } as const;
  const child = await context.start(await componentSetup(context.component(), source, spec));
  const output: Uint8Array[] = [];
  const outcome = await execute(child, {
    order: { ...question, env: {} },
    stdin: null,
    limits,
    watcher: {
      onOutput: (stream, bytes) => void (stream === 'stdout' && output.push(bytes)),
      signal: new AbortController().signal,
    },
    began: performance.now(),
  });
  const isDone = typeof outcome !== 'string' && outcome.reason === 'exited' && outcome.exitCode === 0;
  if (isDone) return Buffer.concat(output).toString('utf8');
  const why = typeof outcome === 'string' ? outcome : (outcome.message ?? `it ended with code ${outcome.exitCode}`);
  throw new SkillError('unreadable', `the WebAssembly component does not answer ${question.function}: ${why}`, {
    hint: 'It must export get-metadata, get-tools, execute-tool and validate-config.',
  });
}

/** The tools that a component says it has. */
export async function componentTools(
  environment: Environment,
  options: WasmOptions,
  source: ComponentSource & { readonly skillFolder: string },
): Promise<readonly ComponentTool[]> {
  return toolsIn(await askComponent(environment, options, source, { function: 'get-tools', arguments: [] }));
}
