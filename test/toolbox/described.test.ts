import { describe, expect, it } from 'vitest';
import { argumentsFor } from '../../src/run/tools/parameters/arguments.ts';
import { checkParameters } from '../../src/run/tools/parameters/parameters.ts';
import { createWorld } from '../support/world.ts';
import { problemsOf, toolboxIn } from './toolbox.ts';

type Values = Readonly<Record<string, unknown>>;

/** A tool as a SKILL.md describes it: its parameters, each with what stands in brackets behind it. */
type Described = Readonly<Record<string, string>>;

function body(tools: Readonly<Record<string, Described>>): string {
  const sections = Object.entries(tools).map(([name, parameters]) => {
    const items = Object.entries(parameters).map(([key, note]) => `- \`${key}\` (${note}): What it is.`);
    return `### ${name}\nDoes it.\n${items.length === 0 ? '' : `\n**Parameters**:\n${items.join('\n')}\n`}`;
  });
  return `\n## Tools Provided\n\n${sections.join('\n')}`;
}

/** The command of a tool of a skill that has nothing but its description. */
async function commandOf(skill: string, tool: string, parameters: Described, values: Values): Promise<string[]> {
  const world = createWorld();
  world.skill(`project/skills/${skill}`, { body: body({ [tool]: parameters, other: { x: 'optional' } }) });
  const { tools, problems } = await toolboxIn(world, `project/skills/${skill}`);
  const made = tools.find(({ name }) => name === tool);
  if (made?.work.kind !== 'command') throw new Error(`${tool}: ${JSON.stringify(problems)}`);
  return argumentsFor(made.work.command, checkParameters(made.parameters, values), '', now);
}

const now = 1_700_000_000_123;

/** Values that the tool for granting takes. */
const granted = { privileges: 'ALL', object_type: 'TABLE', object_name: 'orders', to_user: 'ann' };

const text = 'optional';
const needed = 'required';
const switched = 'boolean, optional';

describe('a tool that is only described', () => {
  it('is the subcommand of the program that its skill is named after, with each parameter as an option', async () => {
    const parameters = { resource: needed, output_format: text, n: 'optional, integer', quiet: switched, follow: text };
    const command = (values: Values): Promise<string[]> => commandOf('mycli', 'fetch', parameters, values);
    expect(await command({ resource: 'pods', output_format: 'wide', n: 3, quiet: true })).toEqual([
      'mycli',
      'fetch',
      'pods',
      '--output-format',
      'wide',
      '-n',
      '3',
      '--quiet',
    ]);
    expect(await command({ resource: 'pods', quiet: false, follow: 'true' })).toEqual([
      'mycli',
      'fetch',
      'pods',
      '--follow',
    ]);
    expect(await command({ resource: 'pods', follow: 'false' })).toEqual(['mycli', 'fetch', 'pods']);
  });

  it('gets a value as one argument, never as several and never as an option', async () => {
    const command = (values: Values): Promise<string[]> =>
      commandOf('mycli', 'fetch', { resource: needed, filter: text }, values);
    expect(await command({ resource: 'a b; rm -rf /', filter: '$(id) `id`' })).toEqual([
      'mycli',
      'fetch',
      'a b; rm -rf /',
      '--filter',
      '$(id) `id`',
    ]);
    expect(await command({ resource: 'a', filter: '-1h --all' })).toEqual([
      'mycli',
      'fetch',
      'a',
      '--filter=-1h --all',
    ]);
    await expect(command({ resource: '--all' })).rejects.toThrow('could be taken for an option');
  });

  it('asks for the program, and for nothing else', async () => {
    const world = createWorld();
    world.skill('project/skills/mycli', { body: body({ fetch: { resource: needed } }) });
    const { source, runtime, capabilities } = await toolboxIn(world, 'project/skills/mycli');
    expect([source, runtime]).toEqual(['SKILL.md', 'native']);
    expect(capabilities).toMatchObject({ commands: ['mycli'], network: [], filesystem: [], env: [] });
  });

  it('has the parameters that stand in a table', async () => {
    const world = createWorld();
    world.skill('project/skills/mycli', {
      body: `
## Tools

### Some tools

#### greet
Says something nice.

| Parameter | Type | Required | Default | Description |
|-----------|------|:--------:|---------|-------------|
| \`whom\` | string | Yes | - | The person, or \\| the group |
| times | integer | No | 2 | How often |
| loud | boolean | no |  | Whether it is shouted |

| Note | Value |
|------|-------|
| a | b |
`,
    });
    const { tools } = await toolboxIn(world, 'project/skills/mycli');
    expect(tools.map(({ name, parameters }) => [name, parameters])).toEqual([
      [
        'greet',
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            whom: { type: 'string', description: 'The person, or \\| the group' },
            times: { type: 'integer', description: 'How often', default: 2 },
            loud: { type: 'boolean', description: 'Whether it is shouted' },
          },
          required: ['whom'],
        },
      ],
    ]);
  });

  it('is refused where the program would read a value as code', async () => {
    const world = createWorld();
    world.skill('project/skills/env', { body: body({ sh: { c: needed } }) });
    const toolbox = await toolboxIn(world, 'project/skills/env');
    expect(toolbox.tools).toEqual([]);
    expect(problemsOf(toolbox)[0]).toMatch(/the tool sh: /);
  });

  it('is none where the text only speaks of tools, or where its source was never built', async () => {
    const world = createWorld();
    world.skill('project/skills/prose', { body: '\n## Tools\n\n### grep\nFinds lines.\n\n### sed\nChanges them.\n' });
    expect((await toolboxIn(world, 'project/skills/prose')).tools).toEqual([]);
    world.skill('project/skills/greeter', { body: body({ hello: { name: needed } }) });
    world.write('project/skills/greeter/skill.js', 'export function getTools() {}\n');
    const greeter = await toolboxIn(world, 'project/skills/greeter');
    expect([greeter.tools, greeter.problems[0]?.message]).toEqual([[], 'its tools are not built']);
    world.skill('project/skills/lister', { body: '\n## Tools\n\n### Query Tools\n- `ask` - Asks.\n' });
    world.write('project/skills/lister/src/skill.ts', 'export function getTools() {}\n');
    const lister = await toolboxIn(world, 'project/skills/lister');
    expect([lister.tools, lister.problems[0]?.message]).toEqual([[], 'its tools are not built']);
  });
});

/** What authors of such skills mean, by the programs that they wrap. */
const meant: readonly (readonly [
  skill: string,
  tool: string,
  parameters: Described,
  values: Values,
  command: string,
])[] = [
  [
    'kubernetes',
    'get',
    { resource: needed, name: text, namespace: text },
    { resource: 'pods', namespace: 'web' },
    'kubectl get pods --namespace web',
  ],
  [
    'kubernetes',
    'get',
    { resource: needed, namespace: text },
    { resource: 'pods', namespace: 'all' },
    'kubectl get pods --all-namespaces',
  ],
  [
    'kubernetes',
    'create',
    { resource: needed, name: needed, from_literal: text },
    { resource: 'secret', name: 's', from_literal: ['a=1'] },
    'kubectl create secret generic s --from-literal a=1',
  ],
  [
    'kubernetes',
    'describe',
    { resource: needed, name: needed },
    { resource: 'pod', name: 'a' },
    'kubectl describe pod a',
  ],
  [
    'kubernetes',
    'logs',
    { pod: needed, tail: text, follow: text },
    { pod: 'a', tail: '5', follow: 'true' },
    'kubectl logs a --tail 5 --follow',
  ],
  [
    'kubernetes',
    'delete',
    { resource: needed, name: needed, grace_period: text },
    { resource: 'pod', name: 'a', grace_period: '0' },
    'kubectl delete pod a --grace-period 0',
  ],
  [
    'kubernetes',
    'exec',
    { pod: needed, command: needed, container: text },
    { pod: 'a', command: ['ls', '/x'], container: 'c' },
    'kubectl exec a --container c -- ls /x',
  ],
  [
    'kubernetes',
    'exec',
    { pod: needed, command: needed },
    { pod: 'a', command: "sh -c 'ls -l | wc'" },
    'kubectl exec a -- sh -c ls -l | wc',
  ],
  [
    'kubernetes',
    'create',
    { resource: needed, name: needed, from_literal: text },
    { resource: 'configmap', name: 'c', from_literal: 'a=1, b=2' },
    'kubectl create configmap c --from-literal a=1 --from-literal b=2',
  ],
  [
    'kubernetes',
    'create',
    { resource: needed, name: needed, type: text },
    { resource: 'secret', name: 's', type: 'generic' },
    'kubectl create secret generic s',
  ],
  [
    'kubernetes',
    'create',
    { resource: needed, name: needed, type: text },
    { resource: 'service', name: 's', type: 'NodePort' },
    'kubectl create service nodeport s',
  ],
  [
    'kubernetes',
    'label',
    { resource: needed, name: needed, labels: needed },
    { resource: 'pod', name: 'a', labels: 'x=1,y=2' },
    'kubectl label pod a x=1 y=2',
  ],
  [
    'kubernetes',
    'label',
    { resource: needed, name: needed, labels: needed },
    { resource: 'pod', name: 'a', labels: ['x=1,y=2'] },
    'kubectl label pod a x=1,y=2',
  ],
  [
    'kubernetes',
    'raw',
    { args: needed },
    { args: 'get pods -o "jsonpath={.items[*]}"' },
    'kubectl get pods -o jsonpath={.items[*]}',
  ],
  [
    'docker',
    'exec',
    { container: needed, command: needed },
    { container: 'db', command: 'psql -U ann' },
    'docker exec db psql -U ann',
  ],
  ['docker', 'stop', { container: needed, time: text }, { container: 'a,b', time: '5' }, 'docker stop --time 5 a b'],
  [
    'docker',
    'run',
    { image: needed, ports: text },
    { image: 'nginx', ports: '80:80,443:443' },
    'docker run --publish 80:80 --publish 443:443 nginx',
  ],
  ['git', 'log', { count: 'number, optional' }, {}, 'git log --max-count 10'],
  ['git', 'merge', { branch: needed, abort: switched }, { abort: true }, 'git merge --abort'],
  ['git', 'pull', { remote: text, branch: text }, { branch: 'main' }, 'git pull origin main'],
  [
    'git',
    'push',
    { remote: text, branch: text, delete: switched },
    { branch: 'old', delete: true },
    'git push --delete origin old',
  ],
  [
    'terraform',
    'plan',
    { var: text, target: text },
    { var: 'a=1,b=2', target: 'm.x' },
    'terraform plan -input=false -var=a=1 -var=b=2 -target=m.x',
  ],
  ['terraform', 'state-rm', { address: needed }, { address: 'a.b,c.d' }, 'terraform state rm a.b c.d'],
  ['gcp', 'storage-list', { bucket: text, prefix: text }, { bucket: 'b' }, 'gcloud storage ls gs://b'],
  [
    'gcp',
    'storage-list',
    { bucket: text, prefix: text },
    { bucket: 'b', prefix: 'logs/' },
    'gcloud storage ls gs://b/logs/',
  ],
  ['gcp', 'sql-list', { format: text }, {}, 'gcloud sql instances list --format=json'],
  ['datadog', 'monitor-list', { name: text, status: text }, { name: 'n' }, 'dog monitor show_all --name n'],
  [
    'datadog',
    'metric-query',
    { query: needed, from: text, to: text },
    { query: 'q', from: '1', to: '2' },
    'dog metric query 1 2 q',
  ],
  [
    'datadog',
    'metric-query',
    { query: needed, from: text, to: text },
    { query: 'q' },
    'dog metric query 1699996400 1700000000 q',
  ],
  [
    'datadog',
    'metric-query',
    { query: needed, from: text, to: text },
    { query: 'q', from: '-1w', to: '-90s' },
    'dog metric query 1699395200 1699999910 q',
  ],
  [
    'kubernetes',
    'rollout',
    { resource: needed, name: needed, action: needed },
    { resource: 'deployment', name: 'a', action: 'undo' },
    'kubectl rollout undo deployment a',
  ],
  [
    'kubernetes',
    'drain',
    { node: needed, ignore_daemonsets: text },
    { node: 'n', ignore_daemonsets: 'true' },
    'kubectl drain n --ignore-daemonsets',
  ],
  [
    'kubernetes',
    'taint',
    { node: needed, taint: needed },
    { node: 'n', taint: 'a=b:NoSchedule' },
    'kubectl taint nodes n a=b:NoSchedule',
  ],
  [
    'kubernetes',
    'apply',
    { content: needed, namespace: text, dry_run: text },
    { content: 'kind: x', dry_run: true },
    'kubectl apply --filename - --dry-run=server',
  ],
  ['kubernetes', 'raw', { args: needed }, { args: ['get', 'pods', '-A'] }, 'kubectl get pods -A'],
  ['kubernetes', 'cluster-info', {}, {}, 'kubectl cluster-info'],
  [
    'git',
    'status',
    { short: switched, branch: switched },
    { short: true, branch: true },
    'git status --short --branch',
  ],
  ['git', 'remote', { action: text, verbose: switched }, { action: 'list', verbose: true }, 'git remote --verbose'],
  ['git', 'remote', { action: text, name: text }, { action: 'remove', name: 'old' }, 'git remote remove old'],
  [
    'git',
    'log',
    { count: 'number, optional', oneline: switched, path: text },
    { count: 5, oneline: true, path: 'src' },
    'git log --max-count 5 --oneline -- src',
  ],
  ['git', 'commit', { message: needed, all: switched }, { message: '-m', all: true }, 'git commit --all --message=-m'],
  ['git', 'stash', { action: text, index: 'number, optional' }, { action: 'pop', index: 2 }, 'git stash pop stash@{2}'],
  [
    'git',
    'push',
    { remote: text, branch: text, set_upstream: switched },
    { remote: 'origin', branch: 'b', set_upstream: true },
    'git push --set-upstream origin b',
  ],
  [
    'docker',
    'ps',
    { all: text, filter: text },
    { all: 'true', filter: 'status=running' },
    'docker ps --all --filter status=running',
  ],
  [
    'docker',
    'run',
    { image: needed, name: text, detach: text, ports: text },
    { image: 'nginx:1', name: 'web', detach: true, ports: ['80:80', '443:443'] },
    'docker run --detach --name web --publish 80:80 --publish 443:443 nginx:1',
  ],
  ['docker', 'network-ls', { filter: text }, {}, 'docker network ls'],
  [
    'docker',
    'compose-up',
    { file: text, detach: text, services: text },
    { file: 'c.yml', detach: true, services: ['web'] },
    'docker compose --file c.yml up --detach web',
  ],
  [
    'terraform',
    'plan',
    { out: text, var: text, refresh: switched },
    { out: 'p', var: ['a=1', 'b=2'], refresh: false },
    'terraform plan -input=false -out=p -var=a=1 -var=b=2 -refresh=false',
  ],
  [
    'terraform',
    'state-push',
    { state_file: needed, force: switched },
    { state_file: 's', force: true },
    'terraform state push -force s',
  ],
  ['terraform', 'output', { name: text, raw: switched }, { name: 'ip', raw: true }, 'terraform output -raw ip'],
  ['terraform', 'state-show', { address: needed, state: text }, { address: 'a.b' }, 'terraform state show a.b'],
  [
    'azure',
    'vm-start',
    { name: needed, resource_group: needed },
    { name: 'v', resource_group: 'g' },
    'az vm start --name v --resource-group g',
  ],
  [
    'azure',
    'vm-stop',
    { name: needed, resource_group: needed },
    { name: 'v', resource_group: 'g' },
    'az vm deallocate --name v --resource-group g',
  ],
  ['azure', 'resource-group-list', {}, {}, 'az group list'],
  [
    'gcp',
    'compute-start',
    { instance: needed, zone: needed },
    { instance: 'i', zone: 'z' },
    'gcloud compute instances start i --zone=z',
  ],
  ['gcp', 'projects-list', {}, {}, 'gcloud projects list'],
  [
    'datadog',
    'monitor-mute',
    { id: needed, scope: text },
    { id: '7', scope: 'host:a' },
    'dog monitor mute 7 --scope host:a',
  ],
  [
    'datadog',
    'event-post',
    { title: needed, text: needed, alert_type: text },
    { title: 't', text: 'x', alert_type: 'info' },
    'dog event post t x --alert_type info',
  ],
  [
    'datadog',
    'service-check',
    { check: needed, host: needed, status: needed },
    { check: 'c', host: 'h', status: 'critical' },
    'dog service_check check c h 2',
  ],
  [
    'datadog',
    'monitor-list',
    { status: text },
    { status: 'Alert' },
    'dog monitor show_all --monitor_tags=status:alert',
  ],
  [
    'postgres-native',
    'query',
    { sql: needed, database: text, host: text, tuples_only: switched },
    { sql: '\\! id', database: 'shop', host: 'db', tuples_only: true },
    'psql --no-psqlrc --host db --dbname shop --tuples-only --command /**/\\! id',
  ],
  [
    'postgres-native',
    'connections',
    { host: text },
    { host: 'db' },
    'psql --no-psqlrc --host db --command TABLE/**/pg_stat_activity',
  ],
  [
    'postgres-native',
    'create-database',
    { name: needed, owner: text },
    { name: 'shop', owner: 'ann' },
    'createdb --owner ann -- shop',
  ],
  ['postgres-native', 'drop-database', { name: needed }, { name: 'shop' }, 'dropdb -- shop'],
  [
    'postgres-native',
    'grant',
    { privileges: needed, object_type: needed, object_name: needed, to_user: needed, database: needed },
    { privileges: 'SELECT,INSERT', object_type: 'TABLE', object_name: 'orders', to_user: 'ann', database: 'shop' },
    'psql --no-psqlrc --dbname shop --command=GRANT/**/SELECT,INSERT/**/ON/**/TABLE/**/orders/**/TO/**/ann',
  ],
  [
    'postgres-native',
    'query',
    { sql: needed, format: text },
    { sql: 'x', format: 'csv' },
    'psql --no-psqlrc --pset=format=csv --command /**/x',
  ],
  [
    'postgres-native',
    'cancel-query',
    { pid: needed },
    { pid: 7 },
    'psql --no-psqlrc --command=SELECT/**/pg_cancel_backend(7)',
  ],
  [
    'postgres-native',
    'restore',
    { input: needed, data_only: switched },
    { input: 'f', data_only: true },
    'pg_restore --data-only f',
  ],
  [
    'postgres-native',
    'create-user',
    { username: needed, createdb: switched },
    { username: 'ann', createdb: true },
    'createuser --createdb -- ann',
  ],
];

describe('a program that skills are known to wrap', () => {
  it.each(meant)('%s:%s with %j and %j is %s', async (skill, tool, parameters, values, command) => {
    expect((await commandOf(skill, tool, parameters, values)).join(' ')).toBe(command);
  });

  it('has no tool whose values it would obey, and says which one to use', async () => {
    const world = createWorld();
    world.skill('project/skills/postgres-native', {
      body: '\n## Tools\n\n### Schema Tools\n- `query-file` - Runs a file\n- `tables` - List tables\n',
    });
    const { tools, problems } = await toolboxIn(world, 'project/skills/postgres-native');
    expect(tools.map(({ name }) => name)).toEqual(['tables']);
    expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
      ['the tool query-file: has no command: psql could obey what is in its values', 'Use the tool query.'],
    ]);
  });

  it.each([
    ['docker', 'exec', { command: text }, { command: '--privileged sh' }, 'could be taken for an option'],
    ['docker', 'stop', { container: needed }, { container: 'a,--time=0' }, 'could be taken for an option'],
    ['kubernetes', 'exec', { pod: needed, command: needed }, { pod: 'a', command: "echo 'x" }, 'left open'],
    ['postgres-native', 'describe', { table: needed }, { table: "a'; drop table b" }, 'table'],
    ['postgres-native', 'grant', {}, { ...granted, privileges: 'ALL ON a TO b; DROP' }, 'privileges'],
    ['postgres-native', 'grant', {}, { ...granted, object_type: "TABLE'" }, 'object_type'],
    ['postgres-native', 'grant', {}, { ...granted, object_name: 'a; drop table b' }, 'object_name'],
    ['postgres-native', 'grant', {}, { ...granted, to_user: '`id`' }, 'to_user'],
    ['postgres-native', 'grant', {}, { privileges: 'ALL' }, 'object_type is missing'],
    ['postgres-native', 'drop-database', { name: needed, confirm: text }, { name: 'a' }, 'confirm is missing'],
    ['postgres-native', 'drop-database', { name: needed, confirm: text }, { name: 'a', confirm: false }, 'confirm'],
    ['datadog', 'metric-query', { query: needed, from: text }, { query: 'q', from: 'yesterday' }, 'from'],
    ['datadog', 'metric-query', { query: needed, from: text }, { query: 'q', from: '--help' }, 'from'],
  ])('%s:%s with %j and %j is refused: %s', async (skill, tool, parameters, values, reason) => {
    await expect(commandOf(skill, tool, parameters as Described, values)).rejects.toThrow(reason);
  });

  it('may have its tools in a list', async () => {
    const world = createWorld();
    world.skill('project/skills/postgres-native', {
      body: '\n## Tools (2)\n\n### Schema Tools\n- `databases` - List all databases\n- `tables` - List tables\n\n### Notes\n- `x` - y\n',
    });
    const { tools } = await toolboxIn(world, 'project/skills/postgres-native');
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['databases', 'List all databases'],
      ['tables', 'List tables'],
    ]);
    const [databases] = tools;
    const command = databases?.work.kind === 'command' ? databases.work.command : [];
    expect(argumentsFor(command, { host: 'db', port: '5432' })).toEqual(
      'psql --no-psqlrc --host db --port 5432 --list'.split(' '),
    );
  });
});
