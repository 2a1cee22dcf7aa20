import { readFileSync } from 'node:fs';
import { lifeOf, thisProcess } from '../../kernel/owner.ts';

/** A process, and the boot of the machine that it ran under. */
const form = /^(\d+\.\d+\.\d+)\.(.+)$/;

/** Who we are, for the label of a container. */
export function ownLabel(): string {
  return `${thisProcess()}.${boot()}`;
}

/** Whether the process named by a label is gone for certain. In doubt it is not, and its container stays. */
export function isOrphan(label: string): boolean {
  const [, owner, booted] = form.exec(label) ?? [];
  if (owner === undefined) return false;
  // Containers outlive the machine's being switched off; processes do not.
  return booted !== boot() || lifeOf(owner) === 'dead';
}

function boot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
