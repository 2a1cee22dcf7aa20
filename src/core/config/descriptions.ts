import type { SettingName } from './settings.ts';

/** Explanations of the settings, for help, completion and the documentation. */
export const descriptions: Readonly<Record<SettingName, string>> = {
  skillDirs: 'Search this folder too, at any depth, before all others; repeatable. PATH?scope=NAME names its provider.',
  root: 'Search this folder of the project instead of ./skills.',
  trustedProjects: 'Read the project files below this folder whoever owns them; repeatable. / means everywhere.',
  include:
    'Only these: all, auto, a provider, provider:name, @plugins, @plugin:skill, project, global, file:path, a name or glob.',
  exclude: 'All but these; the same tokens as --include.',
  disabled:
    'Skills that nobody loads or runs, by name or by real folder; AGENT=SKILL for one agent alone. repertoire disable writes it.',
  skipPlugins: 'Leave out the skills of installed plugins.',
  scanDefaultDirs: "Leave out ./skills and every agent's own folders; named folders and plugins remain.",
  pluginsFile: "Read this instead of Claude Code's installed_plugins.json.",
  pluginsRoot: "Take this as Claude Code's plugins folder.",
  onDuplicate: 'What to do when a name means several skills: fail, or take the one in the higher root.',
  remotes:
    'Skills of remotes: those kept from the last refresh, the same with servers refreshing them every ten minutes, or none.',
  cluster: 'Take part in the cluster at these NATS addresses: its catalogue of skills appears beside your own.',
  clusterName: 'Which of several clusters at --cluster; its skills have this provider (repertoire).',
  clusterChannel: 'The channel of the catalogue to follow (stable).',
  clusterCredentials: 'Sign in there with this file: NATS credentials, the seed of an nkey, user:password, or a token.',
  clusterCa: 'Trust nodes with certificates of this authority, a file in PEM format.',
  embeddingsUrl:
    'Get embeddings from this service (OpenAI format) instead of the built-in model. It is sent the text of skills.',
  embeddingsModel: 'The model to request from --embeddings-url.',
  embeddingsKey: 'The bearer token for --embeddings-url.',
  autoRefresh: 'Never rescan the disk after the first scan.',
  refreshInterval: 'Rescan the disk this often, in milliseconds.',
  tools: 'Offer only these tools: skill,skills.search,…',
  toolNames:
    'How tools are listed: skills.list, or skills_list for clients that accept only letters, digits and _. Calls may use either.',
  catalogBudget:
    "How long the list of skills in the skill tool's description may get before it is shortened; 0 for no limit.",
  header: 'What precedes a loaded skill: everything known about it, or only its name and folder.',
  structured:
    'Answer calls of skill and skill-engine/execute with structuredContent beside the text. Some agents show models only that, others both.',
  filePart: 'How long the answer with one part of a supporting file may get, in characters (8000).',
  errors:
    'Report a failed execution in the result of the call, or as the error -32603 (-32602 where there is no such skill or tool, or the parameters are wrong).',
  maxPerSubject: 'Most executions at once on workers for each subject of an access token; 0 for any number.',
  detachAfter:
    'Answer with a job to ask about later when an execution takes longer than this, in milliseconds (50000).',
  unsafeNoSandbox: 'Run tools without any sandbox, with all of your own permissions. This is audited.',
  executions: 'Where tools run: on this machine, or on the workers of --cluster.',
  wasmEngine: 'What runs WebAssembly inside the sandbox; wasmtime must be installed.',
  wasmIsolation:
    "Where WebAssembly modules run: in the system's sandbox, or in a plain process with files in memory only, which is weaker.",
  containerRuntime: 'The runtime that the container engine is to use, such as runsc (gVisor); it must know it.',
  auditStrict: 'Sync each audit record to disk before continuing, so that a power failure loses none.',
  scan: 'When skills are scanned: never, which lets those in quarantine out, too; when they are added, updated or granted something; or before every run as well.',
  activity: 'Do not log what is searched for and loaded.',
  keepOutput: 'Do not keep the output of tools that a server runs.',
  offline: 'Ask nothing of other machines: what needs them is refused.',
  grantsOverHttp: 'Ask clients over HTTP for grants too. Any of them can then grant a skill what it asks for.',
  shareRemote: 'Serve the skills of remotes on to clients over HTTP.',
  transport: 'Speak over stdin and stdout, over streamable HTTP at /mcp, or over HTTP with server-sent events.',
  host: 'The address to listen on (127.0.0.1). Beyond this machine a token is required.',
  port: 'The port to listen on (3000); 0 for any.',
  authToken:
    'Answer only requests that carry this bearer token. Other users can see options: prefer --auth-token-file.',
  authTokenFile: 'Read that token from this file.',
  oauthIssuer: 'Accept access tokens of this OAuth authorization server.',
  oauthAudience: 'A further audience of access tokens, besides the URL that clients use.',
  oauthGroupsClaim: 'The claim of access tokens that holds the groups of a caller.',
  accessFile: 'The rules for who sees, runs and grants which skills, by access token. Without it, all callers see all.',
  oauthClientId: 'Let people sign in to the console at that authorization server, which knows it by this name.',
  oauthClientSecret: 'The secret for that name, where it has one.',
  publicUrl: 'The URL that clients use for /mcp, where it differs: behind a proxy.',
  trustedProxies: 'Believe what this proxy in front, an address or a network, says of its clients (X-Forwarded-*).',
  basePath: 'Serve everything below this path, such as /skills.',
  tlsCert: 'Encrypt with this certificate, a file in PEM format. It is read again when it changes.',
  tlsKey: 'The private key of that certificate, a file in PEM format.',
  allowedHosts: 'A further host name that requests may be addressed to.',
  allowedOrigins: 'A further web page, as https://host, that may send requests.',
  sessionTimeout: 'End an HTTP session that has been idle for this long, in milliseconds (1800000).',
  console:
    'The web console at / when serving over HTTP: full access, read-only, or off. Default: full on this machine, otherwise read.',
  otlpEndpoint: 'Send traces and metrics to this collector, by OTLP over HTTP.',
  logLevel: 'How much to write to stderr.',
  logFormat: 'Log lines for people or for programs.',
};
