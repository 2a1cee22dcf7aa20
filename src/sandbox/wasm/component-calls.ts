import type { WitType } from './wit/types.ts';
import { toJson } from './wit/values.ts';
import type { World } from './wit/world.ts';

/** What a function gave: a value as JSON, or that of an error. */
type Given = { readonly ok: unknown } | { readonly err: unknown };

/** What a tool prints, and what went wrong if something did. */
export interface ToolOutcome {
  readonly output: unknown;
  readonly failure?: unknown;
}

/** Calls a function. A result that is an error comes as an exception that carries it. */
export function resultOf(type: WitType | null, call: () => unknown): Given {
  if (type?.kind !== 'result') return { ok: toJson(type, call()) };
  try {
    return { ok: toJson(type.ok, call()) };
  } catch (error) {
    if (error instanceof Error && 'payload' in error) return { err: toJson(type.err, error.payload) };
    throw error;
  }
}

/** Names with their values: text as it is, and everything else as JSON. */
export function pairsFrom(values: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [name, textOf(value)]);
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** A function that runs all tools of a component says in its answer how it went; every other just gives its result. */
export function outcomeOf(world: World, given: Given): ToolOutcome {
  if ('err' in given) return { output: null, failure: given.err ?? 'it failed and does not say why' };
  if (world.kind === 'functions') return { output: given.ok };
  return answered(parsed(given.ok));
}

function answered(answer: unknown): ToolOutcome {
  if (!isRecord(answer)) return { output: answer };
  if ('err' in answer) return { output: null, failure: answer['err'] };
  const inner = 'ok' in answer ? answer['ok'] : answer;
  if (!isRecord(inner) || !('output' in inner || 'success' in inner)) return { output: inner };
  const { success, output } = inner;
  if (success !== false) return { output };
  const why = ['error-message', 'error_message', 'errorMessage'].map((name) => inner[name]).find((one) => one != null);
  return { output, failure: why ?? 'the tool failed and did not say why' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
