import type { JsonSchema } from './types.ts';

/**
 * A program that skills wrap without saying how: the heading of a tool names what to do, and its parameters what with.
 * Whatever a row does not mention follows the rule for programs that are not here (`described-tools.ts`).
 */
export interface WrappedProgram {
  /** Names of skills that mean it. */
  readonly skills: readonly string[];
  readonly program: string;
  /** Whether the hyphens in a tool's name separate subcommands. */
  readonly splits?: true;
  /** Whether options are written with the underscores of their parameters. */
  readonly keepsUnderscores?: true;
  /** Parameters that are operands, and no options. */
  readonly operands?: readonly string[];
  /**
   * Words for single tools, as a manifest has them in `command`: `{name,}` is a list, or a text with commas between its
   * items; `{name,}` is a list, or a text with the words of a command; `{name?--word}` is a switch, `+/{name}` goes
   * behind the word before it, `< {name}` to standard input, and `program:` puts another program first. A parameter that
   * the tool lacks goes away with its option. These words were checked by hand: none of them lets a value choose an option, but for `raw`,
   * whose point it is, and `exec` and its like, whose values are commands for another machine. What they may do is what
   * the program may, and that has to be granted by name.
   */
  readonly tools?: Readonly<Record<string, string>>;
  /** Facts that the texts of authors leave out, or have otherwise than their tools, by `tool.parameter`. */
  readonly known?: Readonly<Record<string, Known>>;
  /** Words in the place of an option and its value, by `tool.parameter` and the value. */
  readonly spellings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Parameters whose value is a time, which the program takes in seconds since 1970, by `tool.parameter`. */
  readonly times?: readonly string[];
  /** Tools that are left to another one, since the program would obey what is in their values. */
  readonly left?: { readonly to: string; readonly tools: readonly string[] };
}

/** Facts about a parameter beside its text. */
type Known = JsonSchema & { readonly isRequired?: boolean };

/** A name in SQL, of a table with or without its schema: nothing that could end a quoted text. */
const identifier: Known = { isRequired: true, pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$' };
/** Words of SQL, with blanks and commas between them. */
const keywords: Known = { isRequired: true, pattern: '^[A-Za-z]+([ ,]+[A-Za-z]+)*$' };
const time: Known = { pattern: '^(now|-[0-9]+[smhdw]|[0-9]+)$' };

const space = '--namespace {namespace}';
const group = '--resource-group {resource_group}';
const blob = '--account-name {account} --container-name {container}';
const server = '--host {host} --port {port} --username {user}';
const session = `--no-psqlrc ${server} --dbname {database}`;
const columns =
  "--command=SELECT/**/column_name,data_type,is_nullable,column_default/**/FROM/**/information_schema.columns/**/WHERE/**/'{table}'/**/IN/**/(table_name,table_schema||'.'||table_name)/**/ORDER/**/BY/**/ordinal_position";
const variables = '-var={var,} -var-file={var_file} -target={target,}';

const wrappedPrograms: readonly WrappedProgram[] = [
  {
    skills: ['kubernetes', 'kubectl', 'k8s'],
    program: 'kubectl',
    operands: ['resource', 'name', 'pod', 'node', 'ports'],
    tools: {
      exec: `exec {pod} ${space} --container {container} -- {command...}`,
      apply: `apply --filename - ${space} {dry_run?--dry-run=server} < {content}`,
      rollout: `rollout {action} {resource} {name} ${space} --to-revision {revision}`,
      config: 'config {action} {context}',
      create: `create {resource} {type} {name} ${space} --from-literal {from_literal,}`,
      label: `label {resource} {name} {labels,} ${space}`,
      annotate: `annotate {resource} {name} {annotations,} ${space}`,
      taint: 'taint nodes {node} {taint}',
      raw: '{args...}',
    },
    spellings: {
      'get.namespace': { all: '--all-namespaces' },
      'top.namespace': { all: '--all-namespaces' },
      'create.resource': { secret: 'secret generic' },
      'create.type': { generic: '', ClusterIP: 'clusterip', NodePort: 'nodeport', LoadBalancer: 'loadbalancer' },
    },
  },
  {
    skills: ['git'],
    program: 'git',
    operands: ['branch', 'remote', 'url', 'directory', 'ref', 'name', 'commit'],
    tools: {
      status: 'status {short?--short} {branch?--branch} {porcelain?--porcelain}',
      log: 'log --max-count {count} --pretty={format} {oneline?--oneline} --author={author} --since={since} --until={until} --grep={grep} -- {path}',
      diff: 'diff {staged?--cached} {name_only?--name-only} {stat?--stat} {commit} {commit2} -- {path}',
      show: 'show {stat?--stat} {name_only?--name-only} --pretty={format} {ref}',
      blame: 'blame -L {line_range} -- {file}',
      branch:
        'branch {all?--all} {remote?--remotes} {verbose?--verbose} {delete?--delete} {force_delete?-D} {name} --move {move}',
      checkout: 'checkout {force?--force} {create?-b} {branch} -- {path}',
      add: 'add {all?--all} {update?--update} {dry_run?--dry-run} -- {path}',
      commit: 'commit {all?--all} {amend?--amend} {no_verify?--no-verify} --author={author} --message={message}',
      reset: 'reset {soft?--soft} {hard?--hard} {commit} -- {path}',
      stash: 'stash {action} {include_untracked?--include-untracked} --message={message} stash@{{{index}}}',
      merge: 'merge {abort?--abort} {no_ff?--no-ff} {squash?--squash} --message={message} {branch}',
      pull: 'pull {rebase?--rebase} {no_commit?--no-commit} {remote} {branch}',
      push: 'push {force?--force} {force_with_lease?--force-with-lease} {set_upstream?--set-upstream} {tags?--tags} {delete?--delete} {remote} {branch}',
      fetch: 'fetch {all?--all} {prune?--prune} {tags?--tags} {remote}',
      remote: 'remote {verbose?--verbose} {action} {name} {url} {new_name}',
      tag: 'tag {delete?--delete} {list?--list} --message={message} {name} {pattern} {commit}',
      clone:
        'clone --branch {branch} --depth {depth} {single_branch?--single-branch} {recursive?--recursive} {url} {directory}',
      init: 'init {bare?--bare} --initial-branch={initial_branch} {directory}',
    },
    known: {
      'log.count': { default: 10 },
      'stash.action': { default: 'push' },
      'pull.remote': { default: 'origin' },
      'push.remote': { default: 'origin' },
      'merge.branch': { isRequired: false },
    },
    spellings: { 'remote.action': { list: '' } },
  },
  {
    skills: ['docker'],
    program: 'docker',
    splits: true,
    operands: ['container', 'image', 'target', 'source', 'name', 'network', 'services', 'service'],
    tools: {
      run: 'run {detach?--detach} {rm?--rm} --name {name} --publish {ports,} --volume {volumes,} --env {env,} --network {network} {image} {command...}',
      exec: 'exec {interactive?--interactive} {tty?--tty} --user {user} --workdir {workdir} {container} {command...}',
      start: 'start {attach?--attach} {container,}',
      stop: 'stop --time {time} {container,}',
      restart: 'restart --time {time} {container,}',
      rm: 'rm {force?--force} {volumes?--volumes} {container,}',
      rmi: 'rmi {force?--force} {image,}',
      build:
        'build --file {file} --tag {tag} --build-arg {build_arg,} {no_cache?--no-cache} --platform {platform} {context}',
      tag: 'tag {source} {target}',
      'network-connect': 'network connect --ip {ip} {network} {container}',
      'volume-rm': 'volume rm {force?--force} {name,}',
      'compose-up': 'compose --file {file} up {detach?--detach} {build?--build} {services,}',
      'compose-down': 'compose --file {file} down {volumes?--volumes} {remove_orphans?--remove-orphans}',
      'compose-ps': 'compose --file {file} ps {all?--all}',
      'compose-logs': 'compose --file {file} logs {follow?--follow} --tail {tail} {service}',
      raw: '{args...}',
    },
  },
  {
    skills: ['terraform', 'tofu'],
    program: 'terraform',
    splits: true,
    operands: ['address', 'source', 'destination', 'state_file', 'name', 'plan_file'],
    tools: {
      init: 'init -input=false -backend={backend} -backend-config={backend_config,} {upgrade?-upgrade} {reconfigure?-reconfigure} {migrate_state?-migrate-state}',
      plan: `plan -input=false -out={out} ${variables} {destroy?-destroy} -refresh={refresh} {detailed_exitcode?-detailed-exitcode}`,
      apply: `apply -input=false {auto_approve?-auto-approve} ${variables} -parallelism={parallelism} -refresh={refresh} {plan_file}`,
      destroy: `destroy -input=false {auto_approve?-auto-approve} ${variables} -parallelism={parallelism}`,
      validate: 'validate {json?-json}',
      fmt: 'fmt {check?-check} {diff?-diff} {recursive?-recursive} -write={write}',
      output: 'output {json?-json} {raw?-raw} -state={state} {name}',
      show: 'show {json?-json} {plan_file}',
      'state-list': 'state list -state={state} -id={id} {address}',
      'state-show': 'state show -state={state} {address}',
      'state-mv': 'state mv -state={state} {dry_run?-dry-run} {source} {destination}',
      'state-rm': 'state rm -state={state} {dry_run?-dry-run} {address,}',
      'state-push': 'state push {force?-force} {state_file}',
      import: 'import -input=false -var={var,} -var-file={var_file} -config={config} {address} {id}',
      refresh: `refresh -input=false ${variables}`,
      taint: 'taint -state={state} {address}',
      untaint: 'untaint -state={state} {address}',
      'workspace-select': 'workspace select -or-create={create} {name}',
    },
  },
  {
    skills: ['azure', 'az'],
    program: 'az',
    splits: true,
    tools: {
      'vm-stop': `vm deallocate --name {name} ${group}`,
      'vm-run-command': `vm run-command invoke --name {name} ${group} --command-id RunShellScript --scripts {command}`,
      'storage-list': `storage account list ${group}`,
      'storage-blob-list': `storage blob list ${blob} --prefix {prefix} --auth-mode login`,
      'storage-blob-upload': `storage blob upload ${blob} --file {source} --name {name} --auth-mode login`,
      'storage-blob-download': `storage blob download ${blob} --name {name} --file {destination} --auth-mode login`,
      'sql-list': `sql server list ${group}`,
      'aks-credentials': `aks get-credentials --name {name} ${group} {admin?--admin}`,
      'resource-list': `resource list ${group} --resource-type {type}`,
      'resource-group-list': 'group list',
      'monitor-metrics':
        'monitor metrics list --resource {resource} --metric {metric} --interval {interval} --aggregation {aggregation}',
    },
  },
  {
    skills: ['gcp', 'gcloud'],
    program: 'gcloud',
    splits: true,
    tools: {
      'compute-list': 'compute instances list --zones={zone} --filter={filter} --format={format}',
      'compute-start': 'compute instances start {instance} --zone={zone}',
      'compute-stop': 'compute instances stop {instance} --zone={zone}',
      'compute-ssh': 'compute ssh {instance} --zone={zone} --command={command}',
      'storage-list': 'storage ls gs://{bucket} +/{prefix}',
      'storage-copy': 'storage cp {recursive?--recursive} {source} {destination}',
      'sql-list': 'sql instances list --format={format}',
      'sql-databases': 'sql databases list --instance={instance}',
      'gke-list': 'container clusters list --region={region} --format={format}',
      'gke-credentials': 'container clusters get-credentials {cluster} --zone={zone} --region={region}',
      'functions-list': 'functions list --regions={region}',
      'functions-logs': 'functions logs read {function} --region={region} --limit={limit}',
      'iam-list': 'projects get-iam-policy {project}',
    },
    known: {
      'compute-list.format': { default: 'json' },
      'sql-list.format': { default: 'json' },
      'gke-list.format': { default: 'json' },
      'functions-logs.limit': { default: 50 },
    },
  },
  {
    skills: ['datadog', 'dogshell'],
    program: 'dog',
    splits: true,
    keepsUnderscores: true,
    operands: ['id', 'hostname', 'title', 'text', 'scope'],
    tools: {
      'metric-query': 'metric query {from} {to} {query}',
      'monitor-list': 'monitor show_all --name {name} --tags {tags} --monitor_tags=status:{status}',
      'monitor-get': 'monitor show {id}',
      'monitor-mute': 'monitor mute {id} --scope {scope} --end {end}',
      'monitor-unmute': 'monitor unmute {id} --scope {scope}',
      'downtime-list': 'downtime show_all {current_only?--current_only}',
      'service-check': 'service_check check {check} {host} {status} --message {message} --tags {tags}',
    },
    known: { 'metric-query.from': { ...time, default: '-1h' }, 'metric-query.to': { ...time, default: 'now' } },
    times: ['metric-query.from', 'metric-query.to'],
    spellings: {
      'monitor-list.status': {
        Alert: '--monitor_tags=status:alert',
        Warn: '--monitor_tags=status:warn',
        OK: '--monitor_tags=status:ok',
      },
      'service-check.status': { ok: '0', warning: '1', critical: '2', unknown: '3' },
    },
  },
  {
    skills: ['postgres-native', 'psql'],
    program: 'psql',
    // A command that begins with a backslash would be psql's own, and can start a shell; one that begins with a comment goes to
    // the server whole. Values never become arguments of psql's own commands, where backquotes would be obeyed, and those
    // that become parts of SQL are names or numbers.
    tools: {
      query: `${session} --pset=format={format} {csv?--csv} {html?--html} {tuples_only?--tuples-only} --command /**/{sql}`,
      connections: `${session} --command TABLE/**/pg_stat_activity`,
      'create-database': `createdb: ${server} --owner {owner} --encoding {encoding} --template {template} -- {name}`,
      'drop-database': `dropdb: ${server} {confirm?--echo} -- {name}`,
      'create-user': `createuser: ${server} {superuser?--superuser} {createdb?--createdb} {createrole?--createrole} -- {username}`,
      'running-queries': `${session} --command SELECT/**/*/**/FROM/**/pg_stat_activity/**/WHERE/**/state='active'`,
      'cancel-query': `${session} --command=SELECT/**/pg_cancel_backend({pid})`,
      grant: `${session} --command=GRANT/**/{privileges} +/**/ON/**/{object_type} +/**/{object_name} +/**/TO/**/{to_user}`,
      databases: `--no-psqlrc ${server} --list`,
      tables: `${session} --command \\dt`,
      describe: `${session} ${columns}`,
      columns: `${session} ${columns}`,
      indexes: `${session} --command=SELECT/**/indexname,indexdef/**/FROM/**/pg_indexes/**/WHERE/**/'{table}'/**/IN/**/(tablename,schemaname||'.'||tablename)`,
      constraints: `${session} --command=SELECT/**/conname,pg_get_constraintdef(oid)/**/FROM/**/pg_constraint/**/WHERE/**/conrelid='{table}'::regclass`,
      size: `${session} --command SELECT/**/pg_size_pretty(pg_database_size(current_database())) --command=SELECT/**/pg_size_pretty(pg_total_relation_size('{table}'))`,
      backup: `pg_dump: ${server} --dbname {database} --file {output} --format {format} {schema_only?--schema-only} {data_only?--data-only} --table {table,} --exclude-table {exclude_table,} --compress {compress}`,
      restore: `pg_restore: ${server} --dbname {database} {clean?--clean} {create?--create} {data_only?--data-only} {schema_only?--schema-only} {no_owner?--no-owner} --jobs {jobs} {input}`,
    },
    known: {
      'query.sql': { isRequired: true },
      'drop-database.name': { isRequired: true },
      'drop-database.confirm': { isRequired: true, const: true },
      'create-database.name': { isRequired: true },
      'create-user.username': { isRequired: true },
      'cancel-query.pid': { isRequired: true, type: 'integer' },
      'grant.privileges': keywords,
      'grant.object_type': keywords,
      'grant.object_name': identifier,
      'grant.to_user': identifier,
      'describe.table': identifier,
      'columns.table': identifier,
      'indexes.table': identifier,
      'constraints.table': identifier,
      'size.table': { ...identifier, isRequired: false },
      'backup.format': { default: 'custom' },
      'restore.input': { isRequired: true },
    },
    spellings: { 'query.format': { table: '' } },
    left: { to: 'query', tools: ['query-file'] },
  },
  { skills: ['helm'], program: 'helm', operands: ['release', 'name', 'chart'] },
];

/** The program that skills of this name wrap, if it is a known one. */
export function wrappedBy(skill: string): WrappedProgram | undefined {
  const name = skill.toLowerCase().replace(/-skill$/, '');
  return wrappedPrograms.find(({ skills }) => skills.includes(name));
}
