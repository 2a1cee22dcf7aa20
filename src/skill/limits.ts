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
