import type { Diagnostic } from '../core/diagnostics.ts';
import type { Location } from './kinds.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Frontmatter = { readonly [key: string]: Json };

export type { Location } from './kinds.ts';

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
