import type { Server, ServerEvent } from '@modelcontextprotocol/server';
import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

/** What clients may have kept and must ask for again when the skills have changed. */
const lists = ['tools', 'resources', 'prompts'] as const;

/** Tells one client that its lists are out of date, with a word on why. */
export function notifyChanged(server: Server, reason: string, log: Logger): void {
  for (const list of lists) {
    server
      .notification({ method: `notifications/${list}/list_changed`, params: { reason } })
      .catch((error: unknown) => log.debug(`could not notify a client of changes: ${reasonOf(error)}`));
  }
}

/** The same for clients of the newer era, which get what they have subscribed to. */
export function changeEvents(reason: string): readonly ServerEvent[] {
  return lists.map((list) => ({ kind: `${list}_list_changed`, params: { reason } }));
}
