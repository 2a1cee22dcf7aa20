import type { Server, ServerEvent } from '@modelcontextprotocol/server';
import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

/** Lists that clients may have cached and must fetch again when the skills have changed. */
const lists = ['tools', 'resources', 'prompts'] as const;

/** Notifies one client that its lists are out of date, with the reason. */
export function notifyChanged(server: Server, reason: string, log: Logger): void {
  for (const list of lists) {
    server
      .notification({ method: `notifications/${list}/list_changed`, params: { reason } })
      .catch((error: unknown) => log.debug(`could not notify a client of changes: ${reasonOf(error)}`));
  }
}

/** The change events for clients of the newer era, which get the ones they have subscribed to. */
export function changeEvents(reason: string): readonly ServerEvent[] {
  return lists.map((list) => ({ kind: `${list}_list_changed`, params: { reason } }));
}
