import { type Root, standardRoots } from '../../discovery/roots.ts';
import type { RootReport } from '../../discovery/scan.ts';
import type { Diagnostic } from '../../kernel/diagnostics.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { clientLimitsOf } from '../client-limits.ts';
import type { Engine } from '../engine.ts';
import { extensionNotes } from '../extension.ts';
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
}

export const doctor = defineOperation({
  fields: {
    sandbox: {
      kind: 'switch',
      description: 'Try out what the sandboxes of this machine really hold, with attacks that harm nothing.',
    },
  },
  async run(engine, { sandbox }): Promise<DoctorOutput> {
    const snapshot = await engine.registry.snapshot();
    const limits = snapshot.visible.flatMap(clientLimitsOf);
    const diagnostics = [...snapshot.diagnostics, ...limits, ...(await extensionNotes(snapshot))];
    const of = (severity: Diagnostic['severity']): number =>
      diagnostics.filter((one) => one.severity === severity).length;
    return {
      roots: everyRoot(engine, snapshot).map(({ root: { path, provider, location, plugin }, status, skills }) => ({
        path,
        provider,
        location,
        plugin: plugin?.key ?? null,
        status,
        skills,
      })),
      diagnostics,
      summary: {
        skills: snapshot.skills.length,
        visible: snapshot.visible.length,
        errors: of('error'),
        warnings: of('warning'),
        notes: of('info'),
      },
      sandboxes: sandbox ? await checked(engine) : null,
    };
  },
});

async function checked(engine: Engine): Promise<readonly SandboxReport[]> {
  const { checkSandboxes } = await import('../running/check-sandboxes.ts');
  return checkSandboxes(engine);
}

/** The roots that were searched, in order of rank, with those that are not there in their places. */
function everyRoot({ configuration, environment }: Engine, { scan }: Snapshot): RootReport[] {
  const keyOf = ({ provider, path }: Root): string => `${provider} ${path}`;
  const reports = new Map(scan.roots.map((report) => [keyOf(report.root), report]));
  const known = standardRoots(configuration.values, environment, () => true);
  const keys = new Set(known.map(keyOf));
  return [
    ...known.map((root): RootReport => reports.get(keyOf(root)) ?? { root, status: 'missing', skills: 0 }),
    ...scan.roots.filter(({ root }) => !keys.has(keyOf(root))),
  ];
}
