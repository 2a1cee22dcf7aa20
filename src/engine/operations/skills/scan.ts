import { basename, dirname } from 'node:path';
import { isThere, realPathOrSelf } from '../../../core/disk/files.ts';
import { expandPath } from '../../../core/disk/paths.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import { choice, count, flag, type Infer, list, named, nullable, object, text } from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { keepVerdict, quarantinedAs } from '../../../get/scan/store.ts';
import { scanReportSchema, severities } from '../../../get/scan/types.ts';
import { requireKnown } from '../../../registry/resolve.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { openScanner, type Scanner } from '../../scanning/scanning.ts';
import { atOnce } from '../../scanning/threads.ts';
import { targetsFor } from './validate.ts';

const scannedSchema = named(
  'ScannedSkill',
  object({
    name: text(),
    folder: text('Its real folder.'),
    report: nullable(scanReportSchema, 'Null where it could not be scanned.'),
    problem: nullable(text(), 'Why it could not be scanned.'),
    allowed: nullable(text(), 'The reason for which this version was let out of quarantine.'),
  }),
);
export type ScannedSkill = Infer<typeof scannedSchema>;

const output = object({
  skills: list(scannedSchema),
  summary: object({ skills: count(), clean: count(), warned: count(), blocked: count(), allowed: count() }),
  failed: flag('Whether something is as bad as was asked for, or worse.'),
});
export type ScanOutput = Infer<typeof output>;

export const scan = defineOperation({
  name: 'scan',
  effect: 'acts',
  input: {
    targets: list(
      text(),
      'A skill by its name, or a skill or folder with skills by its path. Every known skill when none is given.',
      {
        default: [],
      },
    ),
    failOn: choice([...severities, 'never'], 'Fail when there is a finding of this severity or a worse one.', {
      default: 'high',
    }),
  },
  output,
  async run(engine, { targets, failOn }, request): Promise<ScanOutput> {
    const places = await placesOf(engine, targets, request);
    const scanner = await openScanner(engine, { count: places.length, byLook: true });
    request.signal?.addEventListener('abort', () => scanner.close(), { once: true });
    const slicer = createSlicer();
    let done = 0;
    try {
      const skills = await inParallel(places, atOnce, async (place) => {
        request.signal?.throwIfAborted();
        if (slicer.isDue) await slicer.pause();
        const skill = await scanned(engine, scanner, place);
        request.onProgress?.({ what: 'Scanning skills', done: ++done, total: places.length });
        return skill;
      });
      return { skills, summary: summaryOf(skills), failed: hasFailed(skills, failOn) };
    } finally {
      scanner.close();
    }
  },
});

interface Place {
  readonly name: string;
  readonly folder: string;
}

/** The skills that are meant: by a name that is known, or by a path. */
async function placesOf(engine: Engine, targets: readonly string[], request: Request): Promise<Place[]> {
  const snapshot = await engine.registry.snapshot();
  if (targets.length === 0) return snapshot.skills.map(({ fullName, id }) => ({ name: fullName, folder: id }));
  const places = new Map<string, Place>();
  for (const target of targets) {
    for (const place of await placesFor(engine, target, request)) places.set(place.folder, place);
  }
  return [...places.values()];
}

async function placesFor(engine: Engine, target: string, request: Request): Promise<Place[]> {
  const isPath = /^[.~]|[\\/]/.test(target) || isThere(expandPath(target, engine.environment));
  if (!isPath) {
    const snapshot = await engine.registry.snapshot();
    const kept = quarantinedAs(engine.environment, target).filter(({ folder }) => isThere(folder));
    const isInstalled = snapshot.skills.some(({ id }) => kept.some(({ folder }) => folder === id));
    // What was kept out before it was installed is known by its quarantine alone.
    if (kept.length > 0 && !isInstalled) return kept.map(({ name, folder }) => ({ name, folder }));
    const { fullName, id } = requireKnown(snapshot, target);
    return [{ name: fullName, folder: id }];
  }
  const { files, notes } = await targetsFor([target], engine, request);
  const [missing] = notes.filter(({ severity }) => severity === 'error');
  if (files.length === 0 && missing !== undefined)
    throw new SkillError('usage', `${missing.file}: ${missing.message}`, { hint: missing.remedy });
  return files.map((file) => {
    const folder = realPathOrSelf(dirname(file));
    return { name: basename(folder), folder };
  });
}

async function scanned({ environment }: Engine, scanner: Scanner, place: Place): Promise<ScannedSkill> {
  try {
    const report = await scanner.scan(place.folder);
    keepVerdict(environment, place, report);
    return { ...place, report, problem: null, allowed: scanner.allowedFor(report) };
  } catch (error) {
    if (!(error instanceof SkillError) || error.code === 'unwritable') throw error;
    return { ...place, report: null, problem: reasonOf(error), allowed: null };
  }
}

function summaryOf(skills: readonly ScannedSkill[]): ScanOutput['summary'] {
  const those = (verdict: string): number =>
    skills.filter(({ report, allowed }) => report?.verdict === verdict && allowed === null).length;
  const allowed = skills.filter((one) => one.allowed !== null).length;
  return { skills: skills.length, clean: those('clean'), warned: those('warned'), blocked: those('blocked'), allowed };
}

/** Whether one of the skills is as bad as that. What was allowed does not count; what could not be scanned does. */
function hasFailed(skills: readonly ScannedSkill[], failOn: (typeof severities)[number] | 'never'): boolean {
  if (failOn === 'never') return false;
  const bad = new Set<string>(severities.slice(severities.indexOf(failOn)));
  return skills.some(
    ({ report, allowed }) =>
      report === null || (allowed === null && report.findings.some(({ severity }) => bad.has(severity))),
  );
}
