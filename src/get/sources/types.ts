import type { Environment } from '../../core/environment.ts';
import type { OnProgress } from '../../core/progress.ts';
import { choice, type Infer, object, optional, text } from '../../core/schema/schema.ts';
import type { Limits } from './limits.ts';

const sourceKinds = ['folder', 'git', 'npm', 'archive', 'well-known', 'marketplace', 'mcp'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** A source as it was typed, understood: nothing has been fetched yet. */
export interface Source {
  readonly kind: SourceKind;
  /** The source in its canonical spelling, which `parseSource` reads again; never holds credentials. */
  readonly text: string;
  /** An address, a path, or the name of a package. May hold credentials, and is never shown. */
  readonly place: string;
  /** The branch, tag or commit asked for; of a package the version, the range or the tag. */
  readonly ref?: string;
  /** The folder asked for, with `/`, below what is fetched. */
  readonly path?: string;
  /** A ref and a path as one, as in the address of a web page: only the server knows where the ref ends. */
  readonly refAndPath?: string;
  /** The plugin asked for, of a marketplace; all of them where there is none. */
  readonly plugin?: string;
  /** The source that holds the file of a marketplace, where that is not the place itself. */
  readonly within?: Source;
}

/** The knowledge with which a lock file has the very same bytes fetched again. Holds no credentials. */
export type Origin = Infer<typeof originSchema>;

export const originSchema = object({
  kind: choice(sourceKinds),
  source: text('The source in its canonical spelling.'),
  url: optional(text('The address, or the absolute path, that the bytes came from.')),
  ref: optional(text('The branch, tag, commit, version or range that was asked for.')),
  commit: optional(text('The commit, in full.')),
  tree: optional(text('What Git calls the content of the folder.')),
  version: optional(text('The version of a package.')),
  integrity: optional(text('The digest of the archive or the file, as in `sha512-…` with Base64.')),
  etag: optional(text('What a server calls this state of a file.')),
  path: optional(text('The folder of the skill, or its name in an index, with `/`.')),
  plugin: optional(text('The plugin that it belongs to.')),
  marketplace: optional(text('The marketplace that named this source.')),
});

/** A skill in what was fetched. */
export interface FetchedSkill {
  readonly name: string;
  /** The folder relative to that of the whole; empty where it is the whole. */
  readonly path: string;
  /** The origin of this skill alone: that of the whole with its path, unless a plugin or an index says otherwise. */
  readonly origin: Origin;
  /** The digest that an index states, as written there: `sha256:` and hexadecimal digits. */
  readonly digest?: string;
  /** The plugin that it belongs to. */
  readonly plugin?: string;
}

/** A skill that cannot be had, with the entry and the reason: it costs the others nothing. */
export interface RefusedSkill {
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

export interface Fetched {
  /** A private temporary folder. It holds regular files and folders only, and nothing that leads out. */
  readonly folder: string;
  readonly skills: readonly FetchedSkill[];
  readonly refused: readonly RefusedSkill[];
  readonly origin: Origin;
  /** Removes the folder. */
  readonly dispose: () => Promise<void>;
}

export interface FetchContext {
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Nothing but what lies on this machine may be asked. */
  readonly offline: boolean;
  /** The state to fetch, instead of the newest: anything else is refused. With a path, only what lies there. */
  readonly pinned?: Origin | undefined;
  /** The names of the skills that are wanted: those that can be fetched alone, as from an index, are. */
  readonly only?: readonly string[] | undefined;
  /** Whether submodules are fetched too. */
  readonly submodules?: boolean | undefined;
  /** Whether a person sits at a terminal, whom Git and SSH may ask for a password. */
  readonly terminal?: boolean | undefined;
  /** Whether plain HTTP may be used with other machines. */
  readonly plainHttp?: boolean | undefined;
  /** Called with the folder of a skill as soon as all of its files are there; it may be refused yet, with all others. */
  readonly onPlaced?: ((folder: string) => void) | undefined;
  /** Limits other than the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
}
