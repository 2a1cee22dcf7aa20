/** The public API. Whatever is named here is a promise; nothing else is. */

export type { ListOutput, SkillRecord } from './engine/operations/list.ts';
export type { SearchHit, SearchOutput } from './engine/operations/search.ts';
export {
  createRepertoire,
  type LoadedContent,
  type Repertoire,
  type RepertoireOptions,
} from './engine/repertoire.ts';
export type { Diagnostic, DiagnosticCode, Severity } from './kernel/diagnostics.ts';
export { type ErrorCode, SkillError } from './kernel/errors.ts';
export type { Frontmatter, Json, Location } from './skill/types.ts';
