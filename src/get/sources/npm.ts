import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import { list, object, text, union } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { printable } from '../../core/text/text.ts';
import { withoutCredentials } from './addresses.ts';
import { checkPinned, integrityOf, skillsInArchive, withOrigins } from './archives/archive-source.ts';
import type { AskingNewest, Fetching, Found } from './fetching.ts';
import { runProgram } from './program.ts';
import type { Origin, Source } from './types.ts';

/** Fetches a package with the user's own npm, so that private registries and their tokens work; no script of it is run. */
export async function fetchNpm(source: Source, fetching: Fetching): Promise<Found> {
  const { files, pinned } = fetching;
  const { file, origin } = await packFrom(source, fetching);
  checkPinned(source.text, origin.integrity, pinned);
  const skills = await skillsInArchive(file, files, { what: source.text, name: nameOf(source), fetching });
  return { origin, refused: [], skills: withOrigins(skills, origin, pinned) };
}

/** Has npm fetch a package as the archive that it is. */
export async function packFrom(
  source: Source,
  fetching: Fetching,
): Promise<{ readonly file: string; readonly origin: Origin }> {
  const { work, pinned } = fetching;
  const asked = pinned?.version ?? source.ref;
  if (asked !== undefined && !/^[\w^~<>=*][\w.+~^<>=*| -]*$/.test(asked)) {
    throw new SkillError('unreadable', `${source.text}: what was recorded is not a version`);
  }
  await npm(['pack', '--pack-destination', work], specOf(source, asked), source, fetching);
  const archive = readdirSync(work).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new SkillError('unreadable', `${source.text}: npm has packed nothing`);
  const file = join(work, archive);
  const version = /-(\d+\.\d+\.\d+.*)\.tgz$/.exec(archive)?.[1];
  const integrity = await integrityOf(file, 'sha512');
  return { file, origin: { ...originOf(source), ...(version !== undefined && { version }), integrity } };
}

const versionSchema = object({ version: text(), 'dist.integrity': text() }, undefined, { open: true });

export async function newestOfNpm(source: Source, asking: AskingNewest): Promise<Origin> {
  const output = await npm(['view'], specOf(source, source.ref), source, asking, ['version', 'dist.integrity']);
  const answer = read(union(versionSchema, list(versionSchema)), parsed(output));
  // A range has several; the last is the newest.
  const newest = answer.ok ? [answer.value].flat().at(-1) : undefined;
  if (newest === undefined) throw new SkillError('unreadable', `${source.text}: npm tells no version of it`);
  return { ...originOf(source), version: newest.version, integrity: newest['dist.integrity'] };
}

function originOf({ text: spelling, ref }: Source): Origin {
  return { kind: 'npm', source: spelling, ...(ref !== undefined && { ref }) };
}

function specOf({ place }: Source, version: string | undefined): string {
  return version === undefined ? place : `${place}@${version}`;
}

function nameOf({ place }: Source): string {
  return place.replace(/^@[^/]*\//, '');
}

function parsed(output: Buffer): unknown {
  try {
    return JSON.parse(output.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

const always = [
  '--json',
  '--ignore-scripts',
  '--workspaces=false',
  '--loglevel=error',
  '--no-update-notifier',
  '--no-fund',
];

async function npm(
  command: readonly string[],
  spec: string,
  source: Source,
  { environment, limits, signal, onProgress }: AskingNewest,
  fields: readonly string[] = [],
): Promise<Buffer> {
  onProgress?.({ what: `Asking npm for ${source.text}` });
  const { code, output, said } = await runProgram('npm', [...command, ...always, '--', spec, ...fields], {
    cwd: environment.cwd,
    env: environment.env,
    // It says nothing while it waits, and has limits of its own.
    limits: { ...limits, idleMs: limits.totalMs },
    signal,
  });
  if (code === 0) return output;
  throw failure(`${said}\n${output.toString('utf8')}`, source);
}

const failures: readonly (readonly [RegExp, 'not-found' | 'denied' | 'unreadable', string])[] = [
  [/\bE404\b/, 'not-found', 'there is no such package, or it is private'],
  [/\bETARGET\b|\bENOVERSIONS\b/, 'not-found', 'there is no such version'],
  [/\bE401\b|\bE403\b|\bENEEDAUTH\b/, 'denied', 'the registry wants to know who asks; log in with npm'],
  [/\bEINTEGRITY\b/, 'unreadable', 'the registry sends something else than it promises'],
];

function failure(said: string, { text: spelling }: Source): SkillError {
  const [, code, message] = failures.find(([pattern]) => pattern.test(said)) ?? [];
  if (code !== undefined)
    return new SkillError(code, `${spelling}: ${message}`, { hint: 'Try `npm view` with the same name.' });
  const line = said.split('\n').find((one) => /^npm (?:error|ERR!) (?!code)/.test(one)) ?? '';
  const plain = printable(withoutCredentials(line)).slice(0, 300);
  return new SkillError('unreadable', `${spelling}: npm cannot fetch it (${plain || 'it does not say why'})`);
}
