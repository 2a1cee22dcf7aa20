/** The public API. Whatever is named here is a promise; nothing else is. */

export type { Diagnostic, DiagnosticCode, Severity } from './core/diagnostics.ts';
export { type ErrorCode, SkillError } from './core/errors.ts';
export type { SkillTools, ToolRecord, ToolsOutput } from './engine/operations/running/tools.ts';
export type { ListOutput, SkillRecord } from './engine/operations/skills/list.ts';
export {
  createRepertoire,
  type ExecuteOptions,
  type LoadedContent,
  type Repertoire,
  type RepertoireOptions,
  type SearchOptions,
} from './engine/repertoire.ts';
export type { ExecutionResult } from './engine/running/types.ts';
export type { ExactHit, ExactOutput, FindOutput, IndexState, SearchFilters } from './engine/searching/find.ts';
export type { Explanation, SearchHit } from './engine/searching/hits.ts';
export type { SkillSummary } from './engine/summary.ts';
export type { OutputFormat, Shaping } from './run/output/types.ts';
export type { Limits } from './run/policy/types.ts';
export type { Denial, Enforcement, ExitReason } from './run/sandbox/types.ts';
export type { Frontmatter, Json, Location, Runtime } from './skill/types.ts';
