import { redacted, withoutSecretLooks } from '../../kernel/secret-names.ts';
import { cut, oneLine } from '../../kernel/text.ts';
import type { ActivityEvent } from './types.ts';

/** Characters that are kept of each text. Whatever these are, a line stays below 4 KiB, and is written in one piece. */
const longest = { client: 80, skill: 160, detail: 200, outcome: 40 } as const;
/** More of a text is not looked at. */
const looked = 1000;

/** An event as it is written, with its line end. What looks like a secret is left out, as in the audit log. */
export function lineOf(event: ActivityEvent): string {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = event;
  const safe = detail === null ? null : withoutSecretLooks(detail.slice(0, looked), redacted);
  const kept = {
    time,
    what,
    client: shortened(client, longest.client),
    skill: skill === null ? null : shortened(skill, longest.skill),
    detail: safe === null ? null : shortened(safe, longest.detail),
    hits,
    outcome: shortened(outcome, longest.outcome),
    durationMs,
  };
  return `${JSON.stringify(kept)}\n`;
}

function shortened(text: string, length: number): string {
  const line = oneLine(text.slice(0, looked).toWellFormed());
  return line.length <= length ? line : cut(line, length); // counting characters takes a while
}

/** What a line says; null for half a line, and for what somebody else has written. */
export function eventIn(line: Buffer): ActivityEvent | null {
  let value: Partial<ActivityEvent> | null;
  try {
    value = JSON.parse(line.toString('utf8')) as Partial<ActivityEvent> | null;
  } catch {
    return null;
  }
  return typeof value === 'object' && value !== null && isEvent(value) ? value : null;
}

function isEvent(value: Partial<ActivityEvent>): value is ActivityEvent {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = value;
  return (
    (what === 'searched' || what === 'loaded') &&
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time)) &&
    [client, outcome].every((text) => typeof text === 'string') &&
    [skill, detail].every((text) => text === null || typeof text === 'string') &&
    (hits === null || Number.isFinite(hits)) &&
    Number.isFinite(durationMs)
  );
}
