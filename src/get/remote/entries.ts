import { repositoryIn } from '../../core/disk/git-repository.ts';
import {
  anything,
  type Infer,
  integer,
  list,
  literal,
  map,
  object,
  optional,
  text,
  union,
} from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { cut, fold, isKebabName } from '../../core/text/text.ts';

/** The keys under which Repertoire tells who serves a skill, and through whom it came. */
export const serverKey = 'repertoire/server';
export const viaKey = 'repertoire/via';

/** An identity of a server: random, so that it tells nothing but whether two are the same. */
const identitySchema = text(undefined, { min: 16, max: 64 });

/** Servers that a skill has passed; more of them are no way that anybody has set up. */
const longestWay = 8;

const metaSchema = object({ [viaKey]: optional(list(identitySchema)) }, undefined, { open: true });

const entrySchema = object(
  {
    uri: text(undefined, { max: 2000 }),
    frontmatter: map(anything()),
    resources: union(
      list(
        object(
          {
            uri: text(undefined, { max: 2000 }),
            digest: text(undefined, { min: 71, max: 71 }),
            size: integer(undefined, { min: 0 }),
          },
          undefined,
          { open: true },
        ),
      ),
      literal('dynamic'),
    ),
    _meta: optional(metaSchema),
  },
  undefined,
  { open: true },
);

/** A file of a skill as its server announces it. */
interface Announced {
  readonly uri: string;
  /** Path from the skill's folder, with `/`. */
  readonly path: string;
  readonly digest: string;
  readonly size: number;
}

/** A skill as its server announces it. */
export interface Offer {
  readonly name: string;
  /** The address of its SKILL.md. */
  readonly uri: string;
  /** The decoded parts of that address, without SKILL.md. */
  readonly parts: readonly string[];
  /** The front matter that its SKILL.md must have; null where the server does not tell. */
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  /** Files of the skill; null where the server gives no digests of them, and then SKILL.md alone is taken. */
  readonly files: readonly Announced[] | null;
  /** The servers that it has passed before this one, its origin first. */
  readonly via: readonly string[];
}

/** The outcome of reading something of a server: a value, or the reason in words. */
type Understood<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly name: string; readonly reason: string };

/** A page of a list: its items by their key, each read by itself. */
export function pageSchema(key: string) {
  return object({ [key]: list(anything()), nextCursor: optional(text()) }, undefined, { open: true });
}

/** The answer to `skills/get`. */
export const oneSchema = object({ skill: anything() }, undefined, { open: true });

/** The answer to `resources/read`. */
export const contentsSchema = object(
  {
    contents: list(object({ uri: text(), text: optional(text()), blob: optional(text()) }, undefined, { open: true })),
  },
  undefined,
  { open: true },
);

const signatureSchema = object(
  { _meta: optional(object({ [serverKey]: optional(identitySchema) }, undefined, { open: true })) },
  undefined,
  { open: true },
);

/** The identity that a server gives itself; null for servers of others. */
export function serverOf(answer: unknown): string | null {
  const signature = read(signatureSchema, answer, 'data', 1);
  return (signature.ok && signature.value._meta?.[serverKey]) || null;
}

/** Reads one entry of a list. Whatever is wrong with it is wrong with that skill alone. */
export function offerIn(entry: unknown, limits: FetchLimits): Understood<Offer> {
  const reading = read(entrySchema, entry, 'data', 1);
  if (!reading.ok) {
    const [{ path, message }] = reading.issues;
    return no(
      uriIn(entry),
      `its entry is not as the skills extension has it: ${cut(`${path.join('.')} ${message}`, 200)}`,
    );
  }
  const { uri, frontmatter, resources, _meta } = reading.value;
  const parts = partsOf(uri);
  if (parts === null) return no(uri, 'its address is not that of a SKILL.md');
  const { name } = frontmatter;
  const last = parts.at(-1) ?? '';
  if (!isKebabName(last)) return no(uri, 'its name is not 1 to 64 lower-case letters, digits and single hyphens');
  if (name !== last) return no(last, `its front matter has the name ${cut(JSON.stringify(name) ?? 'of nothing', 80)}`);
  const via = _meta?.[viaKey] ?? [];
  if (via.length > longestWay) return no(last, `it has passed more than ${longestWay} servers`);
  const files = resources === 'dynamic' ? null : filesIn(resources, uri, limits);
  if (typeof files === 'string') return no(last, files);
  return { ok: true, value: { name: last, uri, parts, frontmatter, files, via } };
}

/** Makes an offer of a resource, for servers that know resources and nothing of skills; none where it is no skill. */
export function offersAt(resource: unknown): readonly Offer[] {
  const uri = uriIn(resource);
  const parts = partsOf(uri);
  const name = parts?.at(-1) ?? '';
  return parts === null || !isKebabName(name) ? [] : [{ name, uri, parts, frontmatter: null, files: null, via: [] }];
}

function uriIn(entry: unknown): string {
  const reading = read(object({ uri: text() }, undefined, { open: true }), entry, 'data', 1);
  return reading.ok ? reading.value.uri : 'an entry of the list';
}

function no(name: string, reason: string): { readonly ok: false; readonly name: string; readonly reason: string } {
  return { ok: false, name: cut(name, 100), reason };
}

/** The decoded parts of `skill://one/two/SKILL.md` before its last; null for any other address. */
function partsOf(uri: string): string[] | null {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/([^?#\s]+)\/SKILL\.md$/i.exec(uri) ?? [];
  const parts = path?.split('/').map(decoded) ?? [null];
  return parts.every((part) => part !== null) ? parts : null;
}

type Listed = Exclude<Infer<typeof entrySchema>['resources'], 'dynamic'>;

/** The files of a skill, or why there is no writing them down. */
function filesIn(listed: Listed, uri: string, limits: FetchLimits): readonly Announced[] | string {
  if (listed.length > limits.files) return `it has more than ${limits.files} files`;
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.skillBytes) return `its files are larger than ${limits.skillBytes / 1024 / 1024} MiB`;
  const root = uri.slice(0, -'SKILL.md'.length);
  const files: Announced[] = [];
  for (const one of listed) {
    const path = one.uri.startsWith(root) ? pathOf(one.uri.slice(root.length)) : null;
    if (path === null) return `it has a file at ${cut(one.uri, 200)}, which is not a place in its folder`;
    if (!/^sha256:[0-9a-f]{64}$/.test(one.digest)) return `the digest of ${cut(path, 200)} is not SHA-256`;
    files.push({ ...one, path });
  }
  if (!files.some(({ path }) => path === 'SKILL.md')) return 'its SKILL.md is not among its files';
  const repository = repositoryIn(files.map(({ path }) => path));
  if (repository !== null) return `its files make ${cut(repository || 'its folder', 200)} a Git repository`;
  return collisionIn(files) ?? files;
}

/** A file that another one would replace, where letter case or the form of a character makes no difference. */
function collisionIn(files: readonly Announced[]): string | null {
  const folders = new Set<string>();
  const taken = new Set<string>();
  for (const { path } of files) {
    const key = fold(path);
    const parts = key.split('/');
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
    if (taken.has(key) || folders.has(key) || above.some((folder) => taken.has(folder))) {
      return `two of its files would be one: ${cut(path, 200)}`;
    }
    taken.add(key);
    for (const folder of above) folders.add(folder);
  }
  return null;
}

const deepest = 16;

/** The path that the end of an address means; null where it could lead anywhere but down, or could not be written. */
function pathOf(written: string): string | null {
  const parts = written.split('/').map(decoded);
  return parts.length <= deepest && parts.every((part) => part !== null) ? parts.join('/') : null;
}

/** Names that Windows keeps for devices, whatever follows them. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One decoded part of an address. Git's folder is refused: what is in it runs when somebody types `git status`. */
function decoded(part: string): string | null {
  try {
    const name = decodeURIComponent(part);
    const isOdd = name === '' || /^\.+$/.test(name) || /[/\\:*?"<>|\p{Cc}\p{Surrogate}]|[. ]$/u.test(name);
    return isOdd || Buffer.byteLength(name) > 200 || fold(name) === '.git' || devices.test(name) ? null : name;
  } catch {
    return null;
  }
}

const mebibyte = 1024 * 1024;

/** Limits of what is taken from one server, and of the time: one that exceeds them costs nobody else anything. */
export const fetchLimits = {
  /** Skills of one server. */
  skills: 5000,
  /** Pages of its list. */
  pages: 1000,
  /** Files of one skill, and their bytes: what the skills extension obliges hosts to accept. */
  files: 512,
  skillBytes: 16 * mebibyte,
  /** Bytes of all skills together. */
  totalBytes: 512 * mebibyte,
  /** Bytes of one message: the largest file, as base64, and what is around it. */
  messageBytes: 24 * mebibyte,
  /** Milliseconds for one answer, and for all of them. */
  requestMs: 30_000,
  totalMs: 600_000,
} as const;

export type FetchLimits = { readonly [K in keyof typeof fetchLimits]: number };
