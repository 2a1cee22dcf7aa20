import { runtimeNames } from '../../run/policy/types.ts';
import type { Engine, Request } from '../engine.ts';
import type { SandboxReport } from '../operations/machine/doctor.ts';
import { runnerOf } from './runner.ts';

/** Tries every runtime; those for commands and WebAssembly are tried with attacks. */
export async function checkSandboxes(engine: Engine, { onProgress }: Request): Promise<SandboxReport[]> {
  const { runtimes } = await runnerOf(engine);
  const { probeSandbox } = await import('../../run/sandbox/probes.ts');
  const reports: SandboxReport[] = [];
  for (const name of runtimeNames) {
    onProgress?.({ what: `Looking for ${name}` });
    const runtime = await runtimes.get(name);
    const readiness = await runtime.readiness();
    const probes = readiness.ready && name !== 'docker' ? await probeSandbox(runtime, onProgress) : [];
    reports.push({
      runtime: name,
      ready: readiness.ready,
      problem: readiness.ready ? null : readiness.reason,
      remedy: readiness.ready ? null : readiness.remedy,
      enforcement: readiness.ready ? readiness.enforcement : [],
      probes,
    });
  }
  return reports;
}
