import type { Root } from '../../discovery/roots.ts';
import type { RootReport } from '../../discovery/scan.ts';
import type { Diagnostic } from '../../kernel/diagnostics.ts';
import type { AgentReport } from '../agents/report.ts';
import { diagnose } from '../diagnosis.ts';
import type { Engine, Request } from '../engine.ts';
import { defineOperation } from '../operation.ts';
import type { SandboxReport } from '../running/check-sandboxes.ts';

export interface DoctorOutput {
  readonly roots: readonly (Pick<Root, 'path' | 'provider' | 'location'> & {
    readonly plugin: string | null;
    readonly status: RootReport['status'];
    readonly skills: number;
  })[];
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: {
    readonly skills: number;
    readonly visible: number;
    readonly errors: number;
    readonly warnings: number;
    readonly notes: number;
  };
  /** What sandboxes really hold on this machine; null where that was not asked for. */
  readonly sandboxes: readonly SandboxReport[] | null;
  /** How an agent meets the skills, by itself and with our server; null where that was not asked for. */
  readonly agent: AgentReport | null;
}

export const doctor = defineOperation({
  fields: {
    sandbox: {
      kind: 'switch',
      description: 'Test what the sandboxes of this machine really block, with harmless escape attempts.',
    },
    agent: {
      kind: 'text',
      description: 'Show what this agent sees by itself and what the server adds, as in --agent codex.',
      value: 'NAME',
      completes: 'agent',
    },
  },
  async run(engine, { sandbox, agent }, request): Promise<DoctorOutput> {
    const report = agent === undefined ? null : await reported(agent, engine);
    const { roots, diagnostics, summary } = await diagnose(engine, request);
    return { roots, diagnostics, summary, sandboxes: sandbox ? await checked(engine, request) : null, agent: report };
  },
});

async function reported(agent: string, engine: Engine): Promise<AgentReport> {
  const { agentReport } = await import('../agents/report.ts');
  return agentReport(agent, engine, await engine.registry.snapshot());
}

async function checked(engine: Engine, request: Request): Promise<readonly SandboxReport[]> {
  const { checkSandboxes } = await import('../running/check-sandboxes.ts');
  return checkSandboxes(engine, request);
}
