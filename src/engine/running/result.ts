import { reasonOf, SkillError } from '../../core/errors.ts';
import { decodeOutput } from '../../run/output/decode.ts';
import { shape, shorten } from '../../run/output/shape.ts';
import type { Shaped, Shaping } from '../../run/output/types.ts';
import { limitForms } from '../../run/policy/limits.ts';
import type { LimitName, Permissions } from '../../run/policy/types.ts';
import type { ExitReason, Outcome, Stream } from '../../run/sandbox/types.ts';
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

/** The output of a run so far. */
export interface Collected {
  add(stream: Stream, bytes: Uint8Array): void;
  /** Returns all bytes of a stream from an offset on. */
  bytes(stream: Stream, from?: number): Uint8Array;
  readonly size: number;
  /** Forgets everything. */
  clear(): void;
}

interface Kept {
  /** Pieces joined so far, in order, followed by the latest. */
  joined: Uint8Array[];
  latest: Uint8Array[];
}

/**
 * Number of pieces after which they are joined: a piece of one byte takes two hundred to keep, and a run that writes
 * byte by byte must not fill our memory.
 */
const mostLatest = 1024;

/** Keeps pieces as they came, and joins them on demand: a reader that polls does not cause a copy each time. */
export function createCollected(): Collected {
  const streams: Record<Stream, Kept> = {
    stdout: { joined: [], latest: [] },
    stderr: { joined: [], latest: [] },
  };
  let size = 0;
  return {
    add(stream, bytes) {
      const kept = streams[stream];
      kept.latest.push(bytes);
      size += bytes.length;
      if (kept.latest.length < mostLatest) return;
      kept.joined.push(Buffer.concat(kept.latest));
      kept.latest = [];
    },
    bytes(stream, from = 0) {
      const kept = streams[stream];
      const pieces = [...kept.joined, ...kept.latest];
      const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      if (whole === undefined) return new Uint8Array();
      streams[stream] = { joined: [whole], latest: [] };
      return whole.subarray(from);
    },
    get size() {
      return size;
    },
    clear() {
      for (const kept of Object.values(streams)) [kept.joined, kept.latest] = [[], []];
      size = 0;
    },
  };
}
