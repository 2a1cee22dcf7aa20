import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { byText } from '../../core/text/text.ts';
import type { Names } from '../names.ts';
import { messageIn, subjectsIn, type WorkerFacts, workerSchema } from './messages.ts';

/** Milliseconds to wait for the first worker, and after each one for another. */
const [firstMs, anotherMs] = [500, 100];

/** Asks all workers of a cluster who they are. */
export function workersOf(connection: NatsConnection, names: Names): Promise<readonly WorkerFacts[]> {
  const found: WorkerFacts[] = [];
  const inbox = createInbox();
  return new Promise((resolve) => {
    const end = (): void => {
      subscription.unsubscribe();
      clearTimeout(timer);
      resolve(found.sort((a, b) => byText(a.name, b.name)));
    };
    let timer = setTimeout(end, firstMs);
    const subscription = connection.subscribe(inbox, {
      callback(_, message) {
        if (isNobody(message)) return end();
        const facts = messageIn(workerSchema, message.data);
        if (facts !== null) found.push(facts);
        clearTimeout(timer);
        timer = setTimeout(end, anotherMs);
      },
    });
    connection.publish(subjectsIn(names).census, undefined, { reply: inbox });
  });
}

/** Whether a message says that nobody listens where something was asked. */
export function isNobody({
  data,
  headers,
}: {
  readonly data: Uint8Array;
  readonly headers?: { readonly code: number } | undefined;
}): boolean {
  return data.length === 0 && headers?.code === 503;
}
