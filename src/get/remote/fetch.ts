import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { inParallel } from '../../core/in-parallel.ts';
import type { OnProgress } from '../../core/progress.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { byText, count, cut, oneLine } from '../../core/text/text.ts';
import { version } from '../../core/version.ts';
import { verbatimFrontmatter } from '../../skill/yaml.ts';
import { type Connected, connectTo } from '../connect/client.ts';
import type { Target } from '../connect/target.ts';
import { type Link, type OAuthClientProvider, openAddress, openProcess, type Remedies } from '../connect/transport.ts';
import {
  contentsSchema,
  type FetchLimits,
  fetchLimits,
  type Offer,
  offerIn,
  offersAt,
  oneSchema,
  pageSchema,
  serverOf,
} from './entries.ts';

export interface FetchOptions {
  /** The folder to put the skills into, each into one of its own. It must be empty, or not be there. */
  readonly folder: string;
  /** The skills to take; all where this is missing. One that the server does not have is an error. */
  readonly names?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<FetchLimits> | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Bytes that are here already, by their digest; they are checked as if the server had sent them. */
  readonly known?: ((digest: string) => Buffer | null) | undefined;
  /** The identity of this server: skills that came from here are not taken back. */
  readonly own?: string | null | undefined;
  /** Signs in where the server asks for it. */
  readonly signIn?: SignIn | undefined;
}

/** The way in which a person signs in at a server. */
export interface SignIn {
  readonly provider: OAuthClientProvider;
  /** Waits until the person is back from the authorization server; null if nobody was sent there. */
  readonly returned: (signal: AbortSignal) => Promise<URLSearchParams | null>;
}

interface FetchedSkill {
  readonly name: string;
  /** The folder of the skill. */
  readonly path: string;
  /** The address at the server. */
  readonly uri: string;
  /** The digest of all its files: their paths and contents. */
  readonly digest: string;
  /** Digests of its files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether the server has announced digests, which were compared. */
  readonly verified: boolean;
  /** The servers that it has passed, its origin first, as far as they tell. */
  readonly via: readonly string[];
}

export interface Fetched {
  readonly skills: readonly FetchedSkill[];
  /** The digest of everything that was taken. */
  readonly digest: string;
  readonly problems: readonly FetchProblem[];
  /** The name that the server gives itself. */
  readonly server: string;
}

/**
 * Fetches skills of an MCP server into a folder: by the skills extension, each file compared with the size and the
 * digest that the list says, each front matter with the listed one; or, from a server that does not speak it, each
 * SKILL.md that is among its resources. Throws where the server cannot be used, and then leaves nothing behind; a skill
 * that is not as announced is left out, and told of in `problems`.
 */
export async function fetchFromServer(target: Target, options: FetchOptions): Promise<Fetched> {
  const limits = { ...fetchLimits, ...options.limits };
  const late = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([late, ...(options.signal === undefined ? [] : [options.signal])]);
  const work = fetchThrough(target, { ...options, limits, signal });
  try {
    const isDone = await settlesWithin(limits.totalMs + limits.requestMs, work);
    if (!isDone) throw tooSlow(limits);
    return await work;
  } catch (error) {
    rmSync(options.folder, { recursive: true, force: true });
    work.catch(() => {}); // Whatever it fails with later has been told.
    throw late.aborted ? tooSlow(limits) : error;
  }
}

function tooSlow({ totalMs }: FetchLimits): SkillError {
  return unusable(`the server had not sent its skills after ${totalMs / 1000} s`);
}

interface Fetching extends FetchOptions {
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
}

async function fetchThrough(target: Target, fetching: Fetching): Promise<Fetched> {
  const { link, connected } = await signedIn(target, fetching);
  try {
    return await take(connected, link, fetching);
  } finally {
    await link.close();
  }
}

/** Connects, and connects again once a person has signed in. */
async function signedIn(target: Target, fetching: Fetching): Promise<{ link: Link; connected: Connected }> {
  const { limits, signal, signIn } = fetching;
  const identity = { name: 'repertoire', version: version(), protocol: '2026-07-28' };
  const connect = (link: Link): Promise<Connected> => connectTo(link, identity, { timeout: limits.requestMs, signal });
  const link = opened(target, fetching);
  try {
    return { link, connected: await connect(link) };
  } catch (error) {
    const callback = await signIn?.returned(signal).catch(async (reason: unknown) => {
      await link.close();
      throw reason;
    });
    if (callback && 'finishAuth' in link) {
      await (link as ReturnType<typeof openAddress>).finishAuth(callback).catch((reason: unknown) => {
        throw unusable(`signing in failed (${cut(reasonOf(reason), 200)})`);
      });
    }
    await link.close();
    if (!callback) throw error;
  }
  const second = opened(target, fetching);
  try {
    return { link: second, connected: await connect(second) };
  } catch (error) {
    await second.close();
    throw error;
  }
}

function opened(target: Target, { signal, limits: { messageBytes: messageLimit }, signIn }: Fetching): Link {
  if (target.kind === 'address')
    return openAddress(target, { signal, remedies, messageLimit, provider: signIn?.provider });
  return openProcess(target, { signal, remedies, messageLimit, folder: target.cwd ?? process.cwd() });
}

/** Remedies for whoever has added a remote. */
const remedies: Remedies = {
  401: 'Name the variable with its token by --token-env, or sign in with --oauth.',
  403: 'Ask whoever runs the server: the token may not be allowed to do this, or the server does not know its host name.',
  404: 'Check the address: that of a Repertoire ends in /mcp.',
  silent: () => 'Is the server running, and is the address right?',
  command: 'Check the command: it is started without a shell.',
  address: 'Give an address that begins with https:// or http://, or a command after --.',
};

/** Reads the list, and takes skill by skill. */
async function take(connected: Connected, link: Link, fetching: Fetching): Promise<Fetched> {
  const { folder, signal, onProgress } = fetching;
  const problems: FetchProblem[] = [];
  const listed = await offersOf({ ...fetching, connected, problems });
  const offers = chosen(listed, fetching, problems);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const skills: FetchedSkill[] = [];
  let done = 0;
  await inParallel(placed(offers, problems), atOnce, async ({ offer, place }) => {
    onProgress?.({ what: 'Fetching skills', done: done++, total: offers.length });
    try {
      const skill = await takeOne(connected, offer, { ...fetching, path: join(folder, place), server: listed.server });
      skills.push(skill);
      if (!skill.verified) problems.push({ skill: offer.name, message: unverified });
    } catch (error) {
      signal.throwIfAborted();
      const failure = link.failure();
      if (failure !== null) throw failure;
      if (!(error instanceof SkillError) || connected.isSilent()) throw error;
      problems.push({ skill: offer.name, message: `left out: ${error.message}` });
    }
  });
  skills.sort((a, b) => byText(a.path, b.path));
  const lines = skills.map(({ path, digest, via }) => [path.slice(folder.length), digest, ...via].join(' '));
  const server = cut(connected.client.getServerVersion()?.name ?? 'a server without a name', 100);
  problems.sort((a, b) => byText(a.skill ?? '', b.skill ?? ''));
  return { skills, digest: sha256(lines.join('\n')), problems, server };
}

const unverified = 'SKILL.md alone was taken, unchecked: the server gives no digests of the files';

/** Chooses what to take: what is asked for, as far as it is not from here, and as much as there is room for. */
function chosen({ offers, server }: Listing, fetching: Fetching, problems: FetchProblem[]): readonly Offer[] {
  const { names, own, limits } = fetching;
  if (own && server === own) throw unusable('the server is this one: its skills are here already');
  const missing = names?.find((name) => !offers.some((offer) => offer.name === name));
  if (missing !== undefined) {
    throw new SkillError('not-found', `the server has no skill '${oneLine(missing)}' that can be taken`, {
      suggestions: offers.map(({ name }) => name),
      ...(problems[0] && { hint: `${problems[0].skill ?? 'The list'}: ${problems[0].message}` }),
    });
  }
  const wanted = offers.filter(({ name }) => names?.includes(name) ?? true);
  const foreign = wanted.filter(({ via }) => !own || !via.includes(own));
  if (foreign.length < wanted.length) {
    const fromHere = count(wanted.length - foreign.length, 'skill');
    problems.push({ skill: null, message: `${fromHere} came from here, and were not taken back` });
  }
  let bytes = 0;
  const fitting = foreign.filter(({ files }) => {
    const size = (files ?? []).reduce((sum, file) => sum + file.size, 0);
    if (bytes + size > limits.totalBytes) return false;
    bytes += size;
    return true;
  });
  if (fitting.length < foreign.length) {
    const [skills, most] = [count(foreign.length - fitting.length, 'skill'), limits.totalBytes / 1024 / 1024];
    problems.push({ skill: null, message: `${skills} left out: all together are larger than ${most} MiB` });
  }
  return fitting;
}

interface Placed {
  readonly offer: Offer;
  /** The name of its folder. */
  readonly place: string;
}

/** Gives each skill a folder: by its name or, for a second one of that name, by its whole address. */
function placed(offers: readonly Offer[], problems: FetchProblem[]): readonly Placed[] {
  const taken = new Set<string>();
  return [...offers]
    .sort((a, b) => byText(a.uri, b.uri))
    .flatMap((offer) => {
      const long = offer.parts
        .join('-')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 200);
      const place = [offer.name, long].find((one) => !taken.has(one));
      if (place === undefined) problems.push({ skill: offer.name, message: 'left out: another skill has its address' });
      else taken.add(place);
      return place === undefined ? [] : [{ offer, place }];
    });
}

/** Files that are asked for at the same time: enough for a server that is far away. */
const atOnce = 8;

interface Taking extends Fetching {
  readonly path: string;
  readonly server: string | null;
}

/** The error for what is not as it was announced. */
class Mismatch extends SkillError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

/** Takes one skill. It may have been changed since it was listed: the server is asked about it once more. */
async function takeOne(connected: Connected, offer: Offer, taking: Taking): Promise<FetchedSkill> {
  try {
    return await takeOffered(connected, offer, taking);
  } catch (error) {
    if (!(error instanceof Mismatch) || offer.files === null) throw error;
    const reading = read(oneSchema, await connected.request('skills/get', { uri: offer.uri }), 'data', 1);
    const again = reading.ok ? offerIn(reading.value.skill, taking.limits) : null;
    if (!again?.ok || again.value.uri !== offer.uri) throw error;
    return takeOffered(connected, again.value, taking);
  }
}

async function takeOffered(connected: Connected, offer: Offer, taking: Taking): Promise<FetchedSkill> {
  const { name, uri, frontmatter, via } = offer;
  const contents = new Map<string, Buffer>();
  for (const file of offer.files ?? [{ uri, path: 'SKILL.md', digest: null, size: null }]) {
    contents.set(file.path, await bytesOf(connected, file, taking));
  }
  const found = verbatimFrontmatter(contents.get('SKILL.md') ?? Buffer.alloc(0));
  if (frontmatter !== null && !(found.ok && isDeepStrictEqual(found.frontmatter, frontmatter))) {
    throw new Mismatch(
      `its SKILL.md has a front matter other than the list says${found.ok ? '' : `: ${found.reason}`}`,
    );
  }
  if (found.ok && found.frontmatter['name'] !== name) {
    throw new Mismatch(
      `its SKILL.md has another name: ${cut(JSON.stringify(found.frontmatter['name']) ?? 'none', 80)}`,
    );
  }
  for (const [path, bytes] of contents) {
    const file = join(taking.path, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  }
  const files = Object.fromEntries([...contents].map(([path, bytes]) => [path, `sha256:${sha256(bytes)}`]));
  const digest = sha256(
    Object.entries(files)
      .map(([path, one]) => `${one} ${path}\n`)
      .sort(byText)
      .join(''),
  );
  const passed = taking.server === null ? via : [...via, taking.server];
  return { name, path: taking.path, uri, digest, files, verified: offer.files !== null, via: passed };
}

interface Wanted {
  readonly uri: string;
  readonly path: string;
  readonly digest: string | null;
  readonly size: number | null;
}

/** The bytes of one file, from here or from the server, compared with what was announced. */
async function bytesOf({ request }: Connected, { uri, path, digest, size }: Wanted, taking: Taking): Promise<Buffer> {
  const known = digest === null ? null : (taking.known?.(digest) ?? null);
  const bytes = known ?? bytesIn(await request('resources/read', { uri }), uri);
  if (bytes === null) throw new Mismatch(`${cut(path, 200)} was answered with something else`);
  if (bytes.length > taking.limits.skillBytes) throw new Mismatch(`${cut(path, 200)} is too large`);
  if (size !== null && bytes.length !== size) {
    throw new Mismatch(`${cut(path, 200)} has ${count(bytes.length, 'byte')}, and the list says ${size}`);
  }
  if (digest !== null && `sha256:${sha256(bytes)}` !== digest) {
    throw new Mismatch(`${cut(path, 200)} has another digest than the list says`);
  }
  return bytes;
}

function bytesIn(answer: unknown, uri: string): Buffer | null {
  const reading = read(contentsSchema, answer, 'data', 1);
  const content = reading.ok ? reading.value.contents.find((one) => one.uri === uri) : undefined;
  if (content?.text !== undefined) return Buffer.from(content.text);
  return content?.blob === undefined ? null : Buffer.from(content.blob, 'base64');
}

/** A skill that was not taken, or taken in part, and why. */
export interface FetchProblem {
  /** The skill; null for what concerns the server as a whole. */
  readonly skill: string | null;
  readonly message: string;
}

/** The offers of a server. */
interface Listing {
  readonly offers: readonly Offer[];
  /** The identity that the server gives itself. */
  readonly server: string | null;
}

/** The connection whose lists are read, and how far. */
interface Source {
  readonly connected: Connected;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  /** Receives what is wrong with the list. */
  readonly problems: FetchProblem[];
}

const extension = 'io.modelcontextprotocol/skills';

/** Reads the whole list: by the skills extension or, where the server does not speak it, among its resources. */
export async function offersOf(source: Source): Promise<Listing> {
  const { extensions, resources } = source.connected.client.getServerCapabilities() ?? {};
  if (extensions?.[extension] !== undefined) return listed(source);
  const offers = resources === undefined ? [] : await amongResources(source);
  if (offers.length > 0) return { offers, server: null };
  const message = 'the server offers no skills: it neither speaks the skills extension nor lists skills as resources';
  throw unusable(message);
}

async function listed(source: Source): Promise<Listing> {
  const offers: Offer[] = [];
  let server: string | null = null;
  for await (const { answer, items } of pagesOf(source, 'skills/list', 'skills')) {
    server ??= serverOf(answer);
    for (const item of items) {
      const offer = offerIn(item, source.limits);
      if (offer.ok) offers.push(offer.value);
      else source.problems.push({ skill: offer.name, message: `left out: ${offer.reason}` });
    }
  }
  return { offers, server };
}

async function amongResources(source: Source): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for await (const { items } of pagesOf(source, 'resources/list', 'resources')) offers.push(...items.flatMap(offersAt));
  return offers;
}

interface Page {
  readonly answer: unknown;
  readonly items: readonly unknown[];
}

/** Yields the pages of a list, as long as it comes to an end. */
async function* pagesOf(source: Source, method: string, key: string): AsyncGenerator<Page> {
  const { connected, limits, signal, problems } = source;
  const end = (message: string): void => void problems.push({ skill: null, message });
  const seen = new Set<string>();
  let cursor: string | undefined;
  let left = limits.skills;
  for (let pages = 0; pages < limits.pages; pages++) {
    signal.throwIfAborted();
    const answer = await connected.request(method, cursor === undefined ? {} : { cursor });
    const reading = read(pageSchema(key), answer, 'data', 1);
    if (!reading.ok) throw unusable(`${method} was answered with something else: ${key} ${reading.issues[0].message}`);
    const items = reading.value[key] as readonly unknown[];
    cursor = reading.value['nextCursor'] as string | undefined;
    yield { answer, items: items.slice(0, left) };
    left -= items.length;
    if (left < 0 || (left === 0 && cursor !== undefined)) {
      return end(`the list has more than ${count(limits.skills, 'entry', 'entries')}; the first ones were taken`);
    }
    if (cursor === undefined) return;
    if (seen.has(cursor)) return end('the list leads back to a page that was there before');
    seen.add(cursor);
  }
  end(`the list has more than ${count(limits.pages, 'page')}; the first ones were taken`);
}

/** The error for a server whose skills cannot be taken. */
function unusable(message: string): SkillError {
  return new SkillError('unavailable', message, { hint: 'Ask whoever runs the server.' });
}
