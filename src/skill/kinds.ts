/** Places where a skill is found: the project, the user's or machine's folders, a plugin. */
export const locations = ['project', 'global', 'plugin'] as const;
export type Location = (typeof locations)[number];

/** Runtimes of a skill's tools; `none` for a skill that is instructions alone. */
export const runtimes = ['native', 'wasm', 'docker', 'none'] as const;
export type Runtime = (typeof runtimes)[number];
