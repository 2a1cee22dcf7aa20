import { readFileSync } from 'node:fs';
import { sha256 } from '../../kernel/hash.ts';
import { lifeOf, thisProcess } from '../../kernel/owner.ts';

/** A process, the boot of the machine that it ran under, and that machine. */
const form = /^(\d+\.\d+\.\d+)\.([^.]+)\.([^.]+)$/;

/** Who we are, for the label of a container. */
export function ownLabel(): string {
  return `${thisProcess()}.${boot()}.${machine()}`;
}

/** Whether the process named by a label is gone for certain. In doubt it is not, and its container stays. */
export function isOrphan(label: string): boolean {
  const [, owner, booted, where] = form.exec(label) ?? [];
  if (owner === undefined) return false;
  if (booted === boot()) return lifeOf(owner) === 'dead';
  // Containers outlive a reboot, processes do not. A virtual machine may use the same engine, and has booted by itself.
  return where === machine() && where !== unknown;
}

const unknown = 'unknown';

function boot(): string {
  return lineOf('/proc/sys/kernel/random/boot_id') ?? unknown;
}

/** A digest, because labels are public and the number of a machine is not. */
function machine(): string {
  const id = lineOf('/etc/machine-id');
  return id === null ? unknown : sha256(id).slice(0, 16);
}

function lineOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
