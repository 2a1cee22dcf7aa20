import { reasonOf, SkillError } from '../../core/errors.ts';
import { decodeOutput } from '../../run/output/decode.ts';
import { shape, shorten } from '../../run/output/shape.ts';
import type { Shaped, Shaping } from '../../run/output/types.ts';
import { limitForms } from '../../run/policy/limits.ts';
import type { LimitName, Permissions } from '../../run/policy/types.ts';
import type { ExitReason, Outcome } from '../../run/sandbox/types.ts';
import type { Collected } from './collected.ts';
import { runtimeOf, type Target } from './target.ts';
import type { ExecutionResult } from './types.ts';

/** The execution that a result belongs to. */
export interface Identity {
  readonly id: string;
  readonly target: Target;
  readonly digest: string;
}

/** The result of a call that ran. */
export async function resultOf(
  identity: Identity,
  outcome: Outcome,
  output: Collected,
  shaping: Shaping,
  { limits, missing }: Permissions,
): Promise<ExecutionResult> {
  const { target } = identity;
  const { limit, hint, notes = [], worker: _, ...ended } = outcome;
  const text = decodeOutput(output.bytes('stdout'));
  const shaped = await shapedOr(text, shaping, target.tool.output);
  return {
    ...named(identity),
    ...ended,
    durationMs: Math.round(outcome.durationMs),
    hint: hint ?? hintFor(limit),
    stdout: shaped.text,
    stderr: shorten(decodeOutput(output.bytes('stderr')), shaping).text,
    ...(shaped.value !== undefined && { value: shaped.value }),
    notes: [...notes, ...missing.map((path) => `It ran without ${path}, which does not exist.`), ...shaped.notes],
    limits,
  };
}

/** A hint for a run that a limit has ended. */
function hintFor(limit: LimitName | undefined): string | null {
  return limit === undefined ? null : `Ask for less at a time, or raise \`${limitForms[limit].key}\` in skill.toml.`;
}

/** The result of a call that never ran. */
export function refusedResult(
  identity: Identity,
  error: unknown,
  reason: ExitReason,
  durationMs: number,
): ExecutionResult {
  return {
    ...named(identity),
    reason,
    exitCode: null,
    signal: null,
    message: reasonOf(error),
    hint: error instanceof SkillError ? (error.hint ?? null) : null,
    stdout: '',
    stderr: '',
    notes: [],
    durationMs,
    limits: null,
    enforcement: [],
    denials: [],
  };
}

function named({ id, target, digest }: Identity) {
  return { id, skill: target.skill.fullName, tool: target.tool.name, runtime: runtimeOf(target), digest };
}

/** Shapes output, or returns it whole: a filter that does not fit must not cost the caller what the tool has done. */
async function shapedOr(text: string, shaping: Shaping, form: 'text' | 'json'): Promise<Shaped> {
  try {
    return await shape(text, shaping, form);
  } catch (error) {
    const plain = shorten(text, shaping);
    return { ...plain, notes: [`The output was not filtered: ${reasonOf(error)}.`, ...plain.notes] };
  }
}
