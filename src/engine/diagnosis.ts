import type { Diagnostic } from '../core/diagnostics.ts';
import { type Root, standardRoots } from '../discovery/roots.ts';
import type { RootReport } from '../discovery/scan.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { clientLimitsOf } from './client-limits.ts';
import type { Engine, Request } from './engine.ts';
import { extensionNotes } from './loading/extension.ts';
import type { DoctorOutput } from './operations/machine/doctor.ts';

export type Diagnosis = Pick<DoctorOutput, 'roots' | 'diagnostics' | 'summary'>;

/** Reports the roots that were searched, what was found there, and every diagnostic about it. */
export async function diagnose(engine: Engine, request: Request): Promise<Diagnosis> {
  const snapshot = await engine.registry.snapshot();
  const limits = snapshot.visible.flatMap(clientLimitsOf);
  const { problems } = engine.configuration;
  const diagnostics = [
    ...problems,
    ...snapshot.diagnostics,
    ...(await notesOfCluster(engine)),
    ...limits,
    ...(await toolFaults(engine, snapshot)),
    ...(await extensionNotes(snapshot, request.onProgress)),
  ];
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
      hidden: snapshot.skills.filter((one) => !snapshot.isVisible(one) && snapshot.quarantined(one) === undefined)
        .length,
      quarantined: diagnostics.filter(({ code }) => code === 'quarantined').length,
      errors: of('error'),
      warnings: of('warning'),
      notes: of('info'),
    },
  };
}

/** Diagnostics about the catalogue of a cluster, where there is one. */
async function notesOfCluster(engine: Engine): Promise<readonly Diagnostic[]> {
  if (engine.configuration.values.cluster === undefined) return [];
  return (await import('./cluster/catalogue.ts')).catalogueNotes(engine);
}

/** Errors alone, without what takes a look into every skill. */
export async function errorsIn(engine: Engine, snapshot: Snapshot): Promise<readonly Diagnostic[]> {
  const all = [...engine.configuration.problems, ...snapshot.diagnostics, ...(await toolFaults(engine, snapshot))];
  return all.filter(({ severity }) => severity === 'error');
}

/** Errors in what declares tools of skills, each once: a project's manifest may be that of many. */
async function toolFaults(engine: Engine, snapshot: Snapshot): Promise<readonly Diagnostic[]> {
  const { catalogueOf } = await import('./browsing/catalogue.ts');
  const { entries } = await catalogueOf(engine, snapshot);
  const all = entries.flatMap(({ faults }) => faults);
  return [...new Map(all.map((one) => [[one.file, one.line, one.message].join('\0'), one])).values()];
}

/** The roots that were searched, in order of rank, with missing ones in their places. */
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
