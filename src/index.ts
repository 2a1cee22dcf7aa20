/** The public API. Whatever is named here is a promise; nothing else is. */
export { SkillError } from './kernel/errors.ts';
