import type { Diagnostic } from '../core/diagnostics.ts';
import { choice, nullable, text } from '../core/schema/schema.ts';

/** Places where a skill is found: the project, the user's or machine's folders, a plugin, another server. */
export const locations = ['project', 'global', 'plugin', 'remote'] as const;
export type Location = (typeof locations)[number];
export const locationSchema = choice(locations, 'Where it was found.');

/** Runtimes of a skill's tools; `none` for a skill that is instructions alone. */
export const runtimes = ['native', 'wasm', 'docker', 'none'] as const;
export type Runtime = (typeof runtimes)[number];
export const runtimeSchema = choice(runtimes, 'What its tools run in.');

/** The plugin that a skill came with. */
export const pluginSchema = nullable(text(), 'plugin@marketplace; null for a skill that belongs to none.');

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Frontmatter = { readonly [key: string]: Json };

/** A parsed SKILL.md. Everything here can be cached by the file's signature. */
export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  readonly frontmatter: Frontmatter;
  /** Whether the front matter had to be mended before it could be read. */
  readonly repaired: boolean;
}

/** The outcome of reading one SKILL.md: a skill or null, and the diagnostics on the way. */
export interface ParseResult {
  readonly skill: ParsedSkill | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill in the registry. */
export interface Skill extends ParsedSkill {
  /** The skill's identity: the real path of its folder. */
  readonly id: string;
  /**
   * The name it is requested by: `plugin:skill` for a plugin's, the plain name otherwise; with the name of its folder
   * where an earlier skill of the same root has its name, and with misleading characters by number where it looks like
   * another.
   */
  readonly fullName: string;
  readonly provider: string;
  readonly location: Location;
  /** The plugin as `plugin@marketplace`, or null. */
  readonly plugin: string | null;
  /** The folder as it was found, with links unresolved. */
  readonly dir: string;
  /** The SKILL.md in that folder. */
  readonly file: string;
  /** The digest of SKILL.md's bytes, after `sha256:`. */
  readonly digest: string;
  /** Rank of the root it was found in; lower is stronger. */
  readonly rank: number;
  /** The name of its plugin, without the marketplace. */
  readonly pluginName: string | null;
  /** Whether it came from a folder the user named, which outranks every other provider. */
  readonly named: boolean;
  /** The full name of the skill that this one's name could be taken for, or null. */
  readonly looksLike: string | null;
}

/** Lengths that the format allows, in characters. */
export const longest = { name: 64, description: 1024, compatibility: 500 } as const;

/** Bounds on the cost of a third party's SKILL.md. Real files stay far below: the largest of 10,173 has 294 kB. */
export const limits = {
  fileBytes: 10 * 1024 * 1024,
  frontmatterBytes: 64 * 1024,
  /** Levels of maps and lists. A recursive parser dies on a few thousand, and takes the process along. */
  depth: 32,
  /** Aliases that may be followed in one front matter; no real skill uses any. */
  aliases: 32,
  /** Values in one front matter, after aliases are followed. */
  nodes: 2_000,
} as const;
