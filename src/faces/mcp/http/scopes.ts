import type { AuthInfo } from '@modelcontextprotocol/server';
import { requireScope } from '../../http/access.ts';
import type { Exchange } from '../../http/exchange.ts';
import { otherTool, tools } from '../tools/call.ts';
import { portableName, toolIds, toolNamed } from '../tools/definitions.ts';

/** Whether the caller may send what is in a body; answers the exchange where not. To be admitted at all, one may read. */
export function mayAsk(exchange: Exchange, body: unknown): boolean {
  if (exchange.identity === undefined) return true;
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return !messages.some(executes) || requireScope(exchange, 'skills:run');
}

/** The caller of an exchange, as the protocol library hands it on to handlers; the token itself stays here. */
export function callerIn({ identity }: Exchange): { readonly authInfo?: AuthInfo } {
  if (identity === undefined) return {};
  const { clientId = '', scopes, expiresAt } = identity;
  return { authInfo: { token: '', clientId, scopes: [...scopes], expiresAt, extra: { identity } } };
}

/** Whether a message calls a tool that does more than read, by any of its names. */
function executes(message: unknown): boolean {
  const { method, params } = (message ?? {}) as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown };
  };
  const name = params?.name;
  if (method !== 'tools/call' || typeof name !== 'string') return false;
  const id = toolNamed(name) ?? otherTool(portableName(name), toolIds);
  const tool = id && tools[id];
  return typeof tool === 'function' || (tool !== undefined && tool.operation.effect !== 'reads');
}
