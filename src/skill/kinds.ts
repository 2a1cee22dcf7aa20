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
