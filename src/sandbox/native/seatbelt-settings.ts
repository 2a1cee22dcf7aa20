import type { HostRule, Limits } from '../../policy/types.ts';
import type { RunSpec } from '../types.ts';

/** The settings of the sandbox package, as far as we use them. */
export interface SeatbeltSettings {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

/** Where people keep what is theirs. The system itself is for everyone to read. */
const privatePlaces = [
  '/Users',
  '/Volumes',
  '/Library/Keychains',
  '/private/var',
  '/var',
  '/tmp',
  '/private/tmp',
  '/etc/ssh',
];

export interface Places {
  readonly home: string;
  readonly scratch: string;
  /** Where the program was installed to, if not with the system. */
  readonly program: readonly string[];
}

/** Everything of people's is closed, and opened again for what this run may see. */
export function settingsFor(spec: RunSpec, places: Places): SeatbeltSettings {
  const granted = (access: 'read' | 'write') =>
    spec.mounts.filter((mount) => mount.access === access).map((mount) => mount.source);
  const guarded = (spec.guards ?? []).flatMap(({ source, access }) => (access === 'read' ? [source] : []));
  const writable = [places.scratch, ...granted('write')];
  return {
    network: { allowedDomains: spec.network.map(domainOf), deniedDomains: [] },
    filesystem: {
      denyRead: [...new Set([places.home, ...privatePlaces])],
      allowRead: [spec.skillFolder, ...places.program, ...granted('read'), ...writable],
      allowWrite: writable,
      denyWrite: [spec.skillFolder, ...granted('read'), ...guarded],
    },
  };
}

function domainOf({ host, below, port }: HostRule): string {
  return `${below ? '*.' : ''}${host}${port === null ? '' : `:${port}`}`;
}

/** Limits that the system sets for each process, by its own shell. */
export function limitScript(limits: Limits): string {
  const blocks = Math.ceil(limits.fileBytes / 512);
  return `ulimit -c 0 && ulimit -t ${limits.cpuSeconds} && ulimit -f ${blocks} || exit 126; exec "$@"`;
}
