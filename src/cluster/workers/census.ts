import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Schema } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';
import type { Names } from '../names.ts';
import { listen, messageIn, subjectsIn, type WorkerFacts, workerSchema } from './messages.ts';

/** Milliseconds to wait for the first answer, and after each one for another. */
const [firstMs, anotherMs] = [500, 100];

/** Asks all workers of a cluster who they are. */
export async function workersOf(connection: NatsConnection, names: Names): Promise<readonly WorkerFacts[]> {
  const found = await answersTo(connection, subjectsIn(names).census, workerSchema);
  return [...found].sort((a, b) => byText(a.name, b.name));
}

/** Asks all who listen to a subject, and gathers their answers, one of each. */
export function answersTo<T extends { readonly id: string }>(
  connection: NatsConnection,
  subject: string,
  schema: Schema<T>,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  const inbox = createInbox();
  return new Promise((resolve) => {
    const end = (): void => {
      subscription.unsubscribe();
      clearTimeout(timer);
      resolve([...found.values()]);
    };
    let timer = setTimeout(end, firstMs);
    const subscription = listen(connection, inbox, (message) => {
      if (isNobody(message)) return end();
      const facts = messageIn(schema, message.data);
      if (facts !== null) found.set(facts.id, facts);
      clearTimeout(timer);
      timer = setTimeout(end, anotherMs);
    });
    connection.publish(subject, undefined, { reply: inbox });
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
