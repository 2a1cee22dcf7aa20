/** The run that a person has asked for on the way: it is started when its page is shown, and by nothing in an address. */
let pending: string | null = null;

export function runNext(skill: string, tool: string): void {
  pending = JSON.stringify([skill, tool]);
}

/** Tells whether this is the run that was asked for, once. */
export function takePending(skill: string, tool: string): boolean {
  const isIt = pending === JSON.stringify([skill, tool]);
  pending = null;
  return isIt;
}
