import { chmodSync } from 'node:fs';
import { toolSkill } from '../execute/library.ts';
import { ask, askModern, openSession, type Session } from '../serve/http.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts';
import { startHttp } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** Two teams that share a server and nothing else: each has a skill with its own colour in everything. */
export const colours = { ann: 'vermilion', ben: 'cobalt' } as const;

export const everything = 'skills:read skills:run skills:grant';

/** A server with rules, and an authorization server that says who calls. */
export interface Team {
  readonly world: World;
  readonly url: string;
  readonly origin: string;
  /** Replaces the rules. */
  rules(text: string): void;
  /** The headers of somebody, with any further claims in the token. */
  headers(subject: string, scope?: string, claims?: object): Promise<Readonly<Record<string, string>>>;
  /** A session of the handshake era. */
  session(subject: string, claims?: object): Promise<Session>;
  modern(subject: string, method: string, params?: object): ReturnType<typeof askModern>;
  /** A request to the HTTP API, by whoever has these headers. */
  api(headers: object, path: string, body?: object): Promise<{ readonly status: number; readonly text: string }>;
}

export const rulesOfTwo = `
[[rules]]
groups = ["${colours.ann}"]
run = ["${colours.ann}-*"]
grant = ["${colours.ann}-*"]

[[rules]]
subjects = ["ben"]
run = ["${colours.ben}-*"]
grant = ["${colours.ben}-*"]
`;

export function tenantSkill(world: World, colour: string, sh: string, head = ''): void {
  toolSkill(world, `${colour}-vault`, { tell: sh }, head);
  world.skill(`project/skills/${colour}-vault`, {
    description: `Keeps ${colour} numbers of the quarter.`,
    body: `\nThe ${colour} combination is 12-34.\n`,
  });
  world.write(`project/skills/${colour}-vault/references/${colour}.md`, `All of ${colour}.\n`);
}

export async function startTeam(rules = rulesOfTwo, more: readonly string[] = [], world = twoTeams()): Promise<Team> {
  const authorization: AuthorizationServer = await startAuthorizationServer();
  const write = (text: string): void => chmodSync(world.write('home/access.toml', text), 0o600);
  write(rules);
  const file = world.path('home/access.toml');
  const { url } = await startHttp(world, [
    ...['serve', '--transport', 'http', '--oauth-issuer', authorization.issuer, '--access-file', file, '--structured'],
    ...more,
  ]);
  const { origin } = new URL(url);
  const headers: Team['headers'] = async (subject, scope = everything, claims = {}) => {
    const groups = subject === 'ann' ? [colours.ann] : [];
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await authorization.forge({
      iss: authorization.issuer,
      aud: url,
      sub: subject,
      scope,
      groups,
      exp,
      ...claims,
    });
    return { authorization: `Bearer ${token}` };
  };
  return {
    ...{ world, url, origin, headers, rules: write },
    session: async (subject, claims) => openSession(url, undefined, await headers(subject, everything, claims)),
    modern: async (subject, method, params = {}) => askModern(url, method, params, await headers(subject)),
    async api(given, path, body) {
      const method = body === undefined ? 'GET' : 'POST';
      return ask(`${origin}/api/${path}`, { method, headers: { ...given }, ...(body && { body }) });
    },
  };
}

export function twoTeams(): World {
  const world = createWorld();
  for (const colour of Object.values(colours)) tenantSkill(world, colour, `echo the ${colour} secret`);
  return world;
}
