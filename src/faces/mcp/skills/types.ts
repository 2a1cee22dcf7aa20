import type { Frontmatter } from '../../../skill/types.ts';

/** A resource as lists show it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly size?: number;
}

/** A skill as the extension describes it. */
export interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
  /** The servers that it has passed, for a skill of a remote. */
  readonly _meta?: Readonly<Record<string, string | readonly string[]>>;
}
