import { parseTrace } from '../../core/telemetry.ts';
import type { Request } from '../../engine/engine.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasScope, type Identity, callerOf as whoIs } from '../http/identity.ts';
import type { OutputOf } from './operations.ts';
import type { ConsoleMode, LiveEvent } from './shapes.ts';

/** The part of a request that says who asks, and how it is named elsewhere. */
export function callerOf({
  identity,
  id,
  request: { headers },
}: Exchange): Pick<Request, 'client' | 'subject' | 'groups' | 'scopes' | 'requestId' | 'trace'> {
  return {
    ...whoIs(identity),
    client: identity?.clientId,
    requestId: id,
    trace: parseTrace(headers['traceparent'], headers['tracestate']),
  };
}

type Withhold = (output: never) => unknown;

/**
 * Filters for clients that may only read, which remove what others typed, and the log of the machine. They share a
 * server; they do not run it.
 */
const withheld: Readonly<Record<string, Withhold>> = {
  health: (output: OutputOf<'health'>) => ({ ...output, log: [] }),
  activity: (output: OutputOf<'activity'>) => ({ ...output, rows: output.rows.map(withoutQuery) }),
  audit: (output: OutputOf<'audit'>) =>
    output.what === 'executions' ? { ...output, executions: output.executions.map(withoutParameters) } : output,
};

/** The mode of the console for a client: somebody who may do no more than read sees what readers see. */
export function modeFor(identity: Identity | undefined, mode: ConsoleMode): ConsoleMode {
  return hasScope(identity, 'skills:run') || hasScope(identity, 'skills:grant') ? mode : 'read';
}

/** Whether a client shares the server, and does not run it. */
export function isReader(identity: Identity | undefined, mode: ConsoleMode): boolean {
  return mode === 'read' || !hasScope(identity, 'admin');
}

/** The answer with the parts that readers may not see removed. */
export function forReaders(name: string, output: unknown): unknown {
  return withheld[name]?.(output as never) ?? output;
}

/** The event with the parts that readers may not see removed. */
export function newsForReaders(event: LiveEvent): LiveEvent {
  if (event.type === 'execution') return { ...event, row: withoutParameters(event.row) };
  return event.type === 'activity' ? { ...event, row: withoutQuery(event.row) } : event;
}

/** The event for somebody who may see some skills only: that something has changed, and nothing of what; null for the rest. */
export function newsForRuled({ type }: LiveEvent): LiveEvent | null {
  if (type === 'skills') return { type, revision: '' };
  return type === 'grants' ? { type } : null;
}

function withoutQuery<R extends OutputOf<'activity'>['rows'][number]>(row: R): R {
  return row.what === 'searched' ? { ...row, detail: null } : row;
}

function withoutParameters<R extends { readonly parameters: unknown }>(row: R): R {
  return { ...row, parameters: null };
}
