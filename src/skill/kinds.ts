/** Where a skill was found: in the project, in the user's or machine's folders, or inside a plugin. */
export const locations = ['project', 'global', 'plugin'] as const;
export type Location = (typeof locations)[number];

/** What a skill's tools run in; `none` for a skill that is instructions alone. */
export const runtimes = ['native', 'wasm', 'docker', 'none'] as const;
export type Runtime = (typeof runtimes)[number];
