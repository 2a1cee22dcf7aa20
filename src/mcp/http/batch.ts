import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import type { Exchange } from '../../http/exchange.ts';
import { settlesWithin } from '../../kernel/settles-within.ts';
import type { Asked } from './leaving.ts';
import { copyStream, drained, headOf, isStream, sendWebResponse } from './web.ts';

/** Whether a batch asks for answers, and nothing in it makes it wrong as a whole: it can be answered one by one. */
export function isPlainBatch(body: unknown): body is readonly unknown[] {
  return Array.isArray(body) && body.some(isJSONRPCRequest) && body.every(isMessage);
}

function isMessage(item: unknown): boolean {
  return isJSONRPCRequest(item) || isJSONRPCNotification(item) || isJSONRPCResponse(item);
}

/** One that takes longer, such as a run, no longer keeps the next one waiting. */
const patienceMs = 50;
/** Messages that are answered before somebody else's turn. */
const inARow = 5;

/**
 * Answers a batch as one stream, message by message: the next is worked on when the answers so far have been taken. All at
 * once would be as much memory as a client cares to ask for, and as much time in which nobody else is heard.
 */
export async function sendBatch(
  exchange: Exchange,
  messages: readonly unknown[],
  answerTo: (message: unknown) => Promise<Response>,
  asked: Asked,
): Promise<void> {
  const { response } = exchange;
  const slow: Promise<void>[] = [];
  let done = 0;

  async function answerOne(message: unknown): Promise<void> {
    const answer = await answerTo(message);
    if (answer.body === null) return void asked.delete(message); // nothing is answered to a notification
    if (!isStream(answer)) return response.headersSent ? undefined : sendWebResponse(exchange, answer);
    if (!response.headersSent) response.writeHead(...headOf(answer));
    const copied = copyStream(response, answer.body).finally(() => asked.delete(message));
    if (!(await settlesWithin(patienceMs, copied))) slow.push(copied);
  }

  async function answerSome(): Promise<void> {
    const end = Math.min(done + inARow, messages.length);
    while (done < end && !response.destroyed && !response.writableEnded && !response.writableNeedDrain) {
      await answerOne(messages[done++]);
    }
  }

  while (done < messages.length && !response.destroyed && !response.writableEnded) {
    await exchange.turn(answerSome);
    await drained(response);
  }
  await Promise.all(slow);
  response.end();
}
