/** How the program is started for a scenario. */
export const servers = {
  everything: ['serve', '--transport', 'http'],
  portable: ['serve', '--transport', 'http', '--tool-names', 'portable'],
  listing: ['mcp-server', '--transport', 'http'],
} as const;

export interface Scenario {
  readonly name: string;
  readonly revisions: readonly string[];
  readonly server?: keyof typeof servers;
}

const old = ['2025-03-26', '2025-06-18', '2025-11-25'];
const handshake = ['2025-06-18', '2025-11-25'];
const stateless = ['2026-07-28'];
const recent = ['2025-11-25', '2026-07-28'];
const every = [...handshake, ...stateless];

/** Everything the suite asks of a server that it can ask without tools, resources and prompts of its own. */
export const scenarios: readonly Scenario[] = [
  { name: 'server-initialize', revisions: handshake },
  { name: 'server-session-lifecycle', revisions: old },
  { name: 'ping', revisions: handshake },
  { name: 'server-stateless', revisions: stateless },
  { name: 'tools-list', revisions: every },
  { name: 'tools-list', revisions: every, server: 'portable' },
  { name: 'resources-list', revisions: every },
  { name: 'prompts-list', revisions: every },
  { name: 'sep-2164-resource-not-found', revisions: stateless },
  { name: 'sep-2640-skills-enumeration', revisions: recent },
  { name: 'sep-2640-skills-manifest', revisions: recent },
  { name: 'sep-2640-skills-directory', revisions: recent },
  { name: 'dns-rebinding-protection', revisions: recent },
  { name: 'server-sse-multiple-streams', revisions: recent },
  { name: 'caching', revisions: stateless },
  // Calls the first tool without arguments and wants no error, which the tool that loads a skill cannot do.
  { name: 'http-header-validation', revisions: stateless, server: 'listing' },
  { name: 'input-required-result-unsupported-methods', revisions: stateless },
];
