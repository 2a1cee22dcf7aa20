import type { HostConfig, MountSettings } from 'dockerode';
import { statOf } from '../../kernel/files.ts';
import type { Mount } from '../../policy/types.ts';

/**
 * The two ways to write down what is mounted. Podman turns the first one into a list with commas, and both engines
 * split the second one at colons, so that each path goes where nothing in it has a meaning.
 */
export function mounted(mounts: readonly Mount[]): Pick<HostConfig, 'Mounts' | 'Binds'> {
  const separable = mounts.filter((mount) => !hasComma(mount));
  return { Mounts: separable.map(setting), Binds: mounts.filter(hasComma).map(bind) };
}

const others = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** Why one of them cannot be mounted, or would be of no use; null where all of them can. */
export function problemWithMounts(mounts: readonly Mount[]): string | null {
  for (const mount of mounts) {
    const problem = problemWith(mount);
    if (problem !== null) return problem;
  }
  return null;
}

function problemWith(mount: Mount): string | null {
  const { source, target, access } = mount;
  if (hasComma(mount) && `${source}${target}`.includes(':')) {
    return `a path with both a comma and a colon cannot be mounted: ${source}`;
  }
  // Engines would make the folder that is missing, as root.
  const stats = statOf(source);
  if (!stats.ok) return `${source} does not exist (${stats.reason})`;
  const enter = stats.value.isDirectory() ? others.enter : 0;
  const needed = others.read | enter | (access === 'write' ? others.write : 0);
  if ((stats.value.mode & needed) === needed) return null;
  const how = access === 'write' ? 'rwX' : 'rX';
  return `containers run as nobody, who may not ${access} ${source}: chmod -R o+${how} ${source}`;
}

function hasComma({ source, target }: Mount): boolean {
  return /[,"\r\n]/.test(source + target);
}

function setting({ source, target, access }: Mount): MountSettings {
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: access === 'read',
    // What is mounted below a folder would not become read-only with it.
    BindOptions: { Propagation: 'rprivate', ...(access === 'read' && { NonRecursive: true }) } as NonNullable<
      MountSettings['BindOptions']
    >,
  };
}

function bind({ source, target, access }: Mount): string {
  return `${source}:${target}:${access === 'read' ? 'ro' : 'rw'},rprivate`;
}
