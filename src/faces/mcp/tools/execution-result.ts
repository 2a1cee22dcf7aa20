import type { ExecutionResult } from '../../../engine/running/types.ts';
import { ExecutionFailed } from '../protocol/execution-failed.ts';
import type { ToolResult } from './tool.ts';

/** Exit reasons that are mistakes in the call itself. */
const asked: ReadonlySet<string> = new Set(['invalid_parameters', 'not_found']);

/** The result of an execution: the output for a model, and the data for programs. */
export function resultFor(result: ExecutionResult, errors: 'result' | 'protocol'): ToolResult {
  const isFailed = result.reason !== 'exited' || result.exitCode !== 0;
  if (isFailed && errors === 'protocol')
    throw new ExecutionFailed(asked.has(result.reason) ? 'invalidParams' : 'internalError', [
      'Tool execution failed',
      ...remarks(result),
      result.stderr,
    ]);
  return {
    content: textsOf(result).map((text) => ({ type: 'text', text })),
    structuredContent: dataOf(result),
    ...(isFailed && { isError: true as const }),
  };
}

/** The output first, and then remarks about it. Never empty: some clients take no content for a failure. */
export function textsOf(result: ExecutionResult): readonly string[] {
  const texts = [asText(result.stdout), result.stderr === '' ? '' : `[stderr]\n${result.stderr}`, ...remarks(result)];
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? [''] : said;
}

/**
 * The output as text; JSON that is not an object gets a line of words before it: Gemini CLI takes a first text that is
 * JSON for data, and then refuses all but objects.
 */
function asText(output: string): string {
  return isBareJson(output) ? `Output:\n${output}` : output;
}

/**
 * Whether the output is JSON but no object; a text that would take long to parse is judged by its first and last
 * character.
 */
function isBareJson(output: string): boolean {
  if (!/^\s*["[\d\-tfn]/.test(output)) return false;
  if (output.length > 250_000) return ['[]', '""'].includes(`${output.trimStart()[0]}${output.trimEnd().at(-1)}`);
  try {
    JSON.parse(output);
    return true;
  } catch {
    return false;
  }
}

function remarks({ reason, exitCode, message, hint, notes, denials }: ExecutionResult): string[] {
  const end =
    reason !== 'exited'
      ? [`${reason}: ${message ?? ''}${hint === null ? '' : `\n\n${hint}`}`]
      : exitCode === 0
        ? []
        : [`The tool ended with exit code ${exitCode}.`];
  return [...notes, ...denials.map(({ what, detail }) => `Denied: ${what}: ${detail}`), ...end];
}

/** The data of an execution, for programs. */
export function dataOf(result: ExecutionResult): Record<string, unknown> {
  return {
    id: result.id,
    skill: result.skill,
    tool: result.tool,
    runtime: result.runtime,
    exit_reason: result.reason,
    ...(result.exitCode !== null && { exit_code: result.exitCode }),
    ...(result.value === undefined ? { stdout: result.stdout } : { value: result.value }),
    stderr: result.stderr,
    ...(result.message !== null && { message: result.message }),
    ...(result.hint !== null && { hint: result.hint }),
    ...(result.notes.length > 0 && { notes: result.notes }),
    duration_ms: Math.round(result.durationMs),
    ...(result.limits !== null && { limits: result.limits }),
    enforcement: Object.fromEntries(result.enforcement.map(({ what, by }) => [what, by])),
    denials: result.denials.map(({ what, detail }) => `${what}: ${detail}`),
    digest: result.digest,
  };
}
