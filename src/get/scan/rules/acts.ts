import { type AddressKind, addressesIn, addressKind, hostOf } from '../code/addresses.ts';
import { credentialAt, holdsCredentials, lastingAt, plainPath } from '../code/places.ts';
import type { Act, Trace } from '../code/unit.ts';
import { has, hole, type Source } from '../code/value.ts';
import type { ScanSeverity } from '../types.ts';
import type { Hit, RuleId } from './table.ts';

/** A rule over one act: what is done, to what, with what. */
type ActRule = (
  act: Act,
) => { readonly rule: RuleId; readonly found: string; readonly severity?: Hit['severity'] } | null;

/** Finds what the acts of a file amount to: each by itself, and those that belong together. */
export function* judgeActs({ acts }: Trace): Generator<Hit> {
  for (const act of acts) {
    for (const rule of byKind[act.kind]) {
      const hit = rule(act);
      if (hit !== null) yield { ...hit, line: act.line, isShown: !act.isScript, layers: act.layers };
    }
  }
  yield* together(acts);
}

/** A file that reads keys and talks to a stranger, even if it is not seen how one leads to the other. */
function* together(acts: readonly Act[]): Generator<Hit> {
  const scripts = acts.filter(({ isScript }) => isScript);
  const encrypted = scripts.find(({ kind, target }) => kind === 'command' && target.text.startsWith('encrypt:'));
  const removed = scripts.find(({ kind, target }) => kind === 'delete' && isPersonal(target));
  if (encrypted !== undefined && removed !== undefined)
    yield { rule: 'destructive', line: removed.line, found: 'encrypts files of a person, and deletes them' };
  const read = scripts.find((act) => act.kind === 'read' && /^(?:treasure|keys)$/.test(worthOf(act) ?? ''));
  const sent = scripts.find((act) => act.kind === 'send' && isStrange(kindOf(act)));
  if (read === undefined || sent === undefined) return;
  const found = `reads ${textOf(read)}, and sends to ${textOf(sent)}`;
  yield { rule: 'exfiltration', line: sent.line, found, layers: sent.layers };
}

/** Whether something was found by looking through the files of a person. */
function isPersonal({ from }: Act['target']): boolean {
  return from.some(
    ({ what }) => credentialAt(what)?.what === 'files of a person' || /^~?\/?\*{0,2}$/.test(plainPath(what)),
  );
}

const strange: ReadonlySet<AddressKind> = new Set(['collector', 'hook', 'suspicious', 'unknown']);
const hidden: ReadonlySet<AddressKind> = new Set(['collector', 'suspicious']);

function isStrange(kind: AddressKind): boolean {
  return strange.has(kind);
}

function kindOf({ target }: Act): AddressKind {
  return addressKind(target.text);
}

function worthOf({ target }: Act): 'treasure' | 'keys' | 'settings' | undefined {
  if (target.text.startsWith('secret:')) return 'keys';
  return credentialAt(target.text)?.worth;
}

function textOf({ target }: Act): string {
  return target.text.replaceAll(hole, '…').replace(/^secret:/, '');
}

function whatOf(payload: readonly Source[], ...kinds: readonly Source['kind'][]): string {
  const those = payload.filter(({ kind }) => kinds.includes(kind)).map(({ what }) => what.replaceAll(hole, '…'));
  return those.slice(0, 3).join(', ');
}

const runsDownload: ActRule = (act) => {
  if (!has({ from: act.payload }, 'network')) return null;
  const addresses = act.payload.filter(({ kind }) => kind === 'network').map(({ what }) => what);
  const kinds = addresses.map(addressKind);
  const found = `${act.by} runs what comes from ${addresses.join(', ').replaceAll(hole, '…')}`;
  if (kinds.every((kind) => kind === 'installer')) return { rule: 'known-installer', found };
  if (kinds.every((kind) => kind === 'local')) return { rule: 'download-run', found, severity: 'low' };
  // A document that names no address shows a pattern.
  if (!act.isScript && addresses.every((one) => one === hole))
    return { rule: 'download-run', found, severity: 'medium' };
  return { rule: 'download-run', found };
};

const runsDecoded: ActRule = (act) => {
  if (!has({ from: act.payload }, 'decoded')) return null;
  const text = act.target.text.includes(hole) ? '' : `: ${act.target.text.slice(0, 120)}`;
  return { rule: 'decode-run', found: `${act.by} runs what was hidden as ${whatOf(act.payload, 'decoded')}${text}` };
};

const readsCredential: ActRule = (act) => {
  const worth = worthOf(act);
  if (worth === undefined || credentialAt(act.target.text)?.what === 'files of a person') return null;
  const found = `${act.by} reads ${textOf(act)}`;
  if (worth === 'treasure') return { rule: 'wallet-read', found };
  // The token of a program's own login is what scripts use to talk to that service: where it goes decides.
  if (act.target.text.startsWith('secret:the token of')) return { rule: 'credential-read', found, severity: 'medium' };
  return worth === 'keys' ? { rule: 'credential-read', found } : { rule: 'env-file-read', found };
};

const sendsAway: ActRule = (act) => {
  const kind = kindOf(act);
  return kind === 'local' ? null : (sendsSecret(act, kind) ?? sendsFile(act, kind));
};

function sendsSecret({ payload, by, ...act }: Act, kind: AddressKind): ReturnType<ActRule> {
  const to = `to ${textOf({ payload, by, ...act })}`;
  const host = hostOf(act.target.text);
  const secrets = payload.filter((one) => one.kind === 'credential' && !isOwners(one.what, host));
  const isSettings = secrets.every(
    ({ what }) => /^the (?:clipboard|screen|repository)$/.test(what) || credentialAt(what)?.worth === 'settings',
  );
  if (secrets.length > 0 && (!isSettings || isStrange(kind))) {
    return { rule: 'exfiltration', found: `${by} sends ${whatOf(payload, 'credential')} ${to}` };
  }
  const variables = payload.filter((one) => one.kind === 'environment' && !isOwners(one.what, host));
  if (variables.length === 0) return null;
  const found = `${by} sends ${whatOf(payload, 'environment')} ${to}`;
  const isAll = variables.some(({ what }) => what === 'all variables');
  const isForeign = isStrange(kind) && host !== '' && variables.some(({ what }) => issued.test(what));
  return { rule: isAll || isForeign || hidden.has(kind) || kind === 'hook' ? 'exfiltration' : 'sends-secret', found };
}

/** Variables whose names say who gave out the secret. */
const issued =
  /^(?:ANTHROPIC|OPENAI|CLAUDE|GEMINI|GOOGLE|GITHUB|GH|GITLAB|AWS|AZURE|STRIPE|SLACK|NPM|NODE_AUTH|PYPI|VERCEL|CLOUDFLARE|HF|HUGGINGFACE|TWILIO|SENDGRID|DOCKER|KUBE|SSH|DATABASE)_/;
const otherNames: Readonly<Record<string, string>> = {
  gh: 'github',
  aws: 'amazonaws',
  gemini: 'google',
  hf: 'huggingface',
};

/** Whether a secret goes to those who gave it out: a word of its name is in theirs. */
function isOwners(what: string, host: string): boolean {
  return what
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => {
      const name = otherNames[word] ?? word;
      return (
        name.length > 3 &&
        !/^(?:token|secret|access|auth|private|password|credentials?|session|that)$/.test(name) &&
        host.includes(name)
      );
    });
}

function sendsFile({ payload, by, isScript, ...act }: Act, kind: AddressKind): ReturnType<ActRule> {
  const to = `to ${textOf({ payload, by, isScript, ...act })}`;
  const what = whatOf(payload, 'file', 'command');
  if (
    isStrange(kind) &&
    payload.some((one) => one.kind === 'file' && /^(?:~|\/)\/?(?:\*\*?\/?\*?)?$/.test(plainPath(one.what)))
  )
    return { rule: 'exfiltration', found: `${by} sends files of the whole home folder ${to}` };
  if (isStrange(kind) && payload.some((one) => one.kind === 'file' && holdsCredentials(one.what)))
    return { rule: 'exfiltration', found: `${by} sends ${what}, with the keys in it, ${to}` };
  if (what !== '' && kind === 'hook')
    return { rule: 'sends-out', found: `${by} sends ${what} ${to}`, severity: 'medium' };
  if (what !== '' && hidden.has(kind)) return { rule: 'sends-out', found: `${by} sends ${what} ${to}` };
  return kind === 'collector' ? { rule: 'sends-out', found: `${by} sends something ${to}` } : null;
}

const fetchesStrange: ActRule = (act) => {
  const kind = kindOf(act);
  if (/169\.254\.169\.254|metadata\.google\.internal/.test(act.target.text))
    return { rule: 'credential-read', found: `${act.by} asks ${textOf(act)} for the machine's credentials` };
  return hidden.has(kind) ? { rule: 'suspicious-address', found: `${act.by} fetches ${textOf(act)}` } : null;
};

const opensShell: ActRule = (act) => ({ rule: 'reverse-shell', found: `${act.by} connects to ${textOf(act)}` });

const harmless =
  /^\s*(?:#.*|export\s+[\w]+=.*|alias\s+[\w-]+=.*|source\s+.*|\.\s+\S+|\[[^\n]*\]\s*&&.*|eval\s+"?\$\([\w./-]+\s+[\w\s"'-]*\)"?|autoload.*|compinit.*|fpath.*|set\s+.*|setopt.*|PATH=.*|if\s.*|fi|then|)\s*$/;

/** Lines of a hook of Git that do no more than check or build a project. */
const checks =
  /^\s*(?:#.*|set -\w+.*|exit \d|echo\b[^|;&`$]*|(?:exec )?(?:npm|npx|pnpm|yarn|bun|make|cargo|go|uv|pytest|ruff|black|mypy|eslint|prettier|biome|tsc|vitest|jest|lint-staged|pre-commit|python3? -m \w+)\b[^|;`$<>]*|)\s*$/;

const writesLasting: ActRule = (act) => {
  const path = plainPath(act.target.text);
  const lasting = lastingAt(path) ?? startsPython(act);
  if (lasting === null) return null;
  const found = `${act.by} writes ${textOf(act)}, ${lasting.what}`;
  if (lasting.rule === 'login-keys') return { rule: 'login-keys', found };
  const isHostile = act.payload.some(({ kind }) => kind === 'network' || kind === 'decoded');
  if (lasting.rule === 'persistence') {
    if (isHarmless(act, path) && !isHostile) return { rule: 'shell-setup', found };
    // A link to a file of its own is what managers of such files make: the file itself is looked at.
    return act.by === 'ln' && !isHostile
      ? { rule: 'persistence', found, severity: 'medium' }
      : { rule: 'persistence', found };
  }
  if (!act.isScript && !isHostile) return { rule: 'agent-settings', found, severity: 'low' };
  // Standing instructions of a project are what many tools write; those of the person are not theirs.
  const isProjects = /^(?:\.\/)?(?:[\w-]+\/)?(?:CLAUDE|AGENTS|GEMINI)\.md$|^\.?\/?\.(?:vscode|cursor)\//.test(path);
  return isProjects && !isHostile
    ? { rule: 'agent-settings', found, severity: 'medium' }
    : { rule: 'agent-settings', found };
};

/** Whether no more is written than settings of a shell, or checks of a project. */
function isHarmless({ content }: Act, path: string): boolean {
  if (content === undefined || content === hole) return false;
  const lines = content.split('\n').map((line) => line.replaceAll(hole, ' '));
  if (/\.git\/hooks\/|\.husky\//.test(path) && !content.includes(hole) && lines.every((line) => checks.test(line)))
    return true;
  return (
    lines.every((line) => harmless.test(line)) &&
    !/curl|wget|base64|https?:|\/tmp\/|nohup|python|node |bash |&\s*$|LD_PRELOAD|PROMPT_COMMAND|alias (?:sudo|ssh|git|cd|ls)=/.test(
      content,
    )
  );
}

/** A file that Python runs whenever it starts, in whatever folder it is put. */
function startsPython({ target, content = '' }: Act): ReturnType<typeof lastingAt> {
  const isRun = /\.pth$/.test(target.text) && /^[ \t]*import\s/m.test(content);
  return isRun ? { what: 'a file that Python runs whenever it starts', rule: 'persistence' } : null;
}

const removesAll: ActRule = (act) => {
  const path = plainPath(act.target.text);
  return /^(?:\/\*?|~\/?\*?|\/(?:etc|usr|var|home|bin|lib|boot|Users)\/?\*?|\/dev\/\w+|\$HOME\/?\*?|~\/(?:Documents|Desktop|Downloads|Pictures|Library|Music|Movies)\/?\*?)$/.test(
    path,
  )
    ? { rule: 'destructive', found: `${act.by} deletes ${textOf(act)}` }
    : null;
};

const installsFrom: ActRule = (act) => {
  const kind = kindOf({ ...act, target: { ...act.target, text: act.target.text.replace(/^git\+/, '') } });
  const found = `${act.by} ${textOf(act)}`;
  if (kind === 'reputable' || kind === 'local') return { rule: 'remote-package', found, severity: 'low' };
  if (/^http:/.test(act.target.text)) return { rule: 'remote-package', found, severity: 'high' };
  return hidden.has(kind)
    ? { rule: 'remote-package', found, severity: act.isScript ? 'high' : 'medium' }
    : { rule: 'remote-package', found };
};

/** Commands that say what they do by their words alone. */
const telling: readonly (readonly [RuleId, RegExp])[] = [
  [
    'permission-bypass',
    /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--allow-dangerously-skip-permissions|--permission-mode[= ]bypassPermissions|(?:^|\s)--yolo\b|--trust-all-tools|--allow-all-tools|--full-auto\b.*--sandbox[= ]danger|--sandbox[= ]danger-full-access|--approval-mode[= ]yolo|--dangerously-auto-approve|--ask-for-approval[= ]never|-a never\b.*codex|codex\b.*-a never\b/,
  ],
  [
    'persistence',
    /^(?:systemctl)\b.*\benable\b|^launchctl\s+(?:load|bootstrap|submit|enable)\b|^schtasks\b.*\/create|^at\s+(?:now|\d)|^update-rc\.d\b|^chkconfig\b.*\bon\b|reg(?:\.exe)?\s+add\b.*\\(?:Run|RunOnce)\b|New-ItemProperty\b.*CurrentVersion.Run|Register-ScheduledTask|New-ScheduledTask\b|New-Service\b|__EventFilter|EventConsumer\b|Register-WmiEvent|^sc(?:\.exe)?\s+create\b|Image File Execution Options|AppInit_DLLs|Winlogon.{0,40}(?:Shell|Userinit)|SetNotifyCmdLine|^git\s+config\b.*\b(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|core\.pager|core\.editor|init\.templateDir|credential\.helper|filter\.\w+\.(?:clean|smudge))|^git\s+config\b.*\balias\.\S+\s+!.*(?:curl|wget|\bnc\b|https?:)|osascript.*login item|^pm2\s+startup/i,
  ],
  [
    'agent-settings',
    /^(?:claude|codex|gemini|code|cursor|windsurf)\b.*(?:\bmcp\s+add|--add-mcp|\bconfig\s+(?:set|add)|\bplugin\s+(?:install|marketplace add)|\bextensions?\s+install)/,
  ],
  [
    'destructive',
    /^mkfs(?:\.\w+)?\b|:\(\)\s*\{\s*:\|:&\s*\};:|^rm\s.*--no-preserve-root|^shred\b.*(?:\/dev\/|~|\/\*)|^diskutil\s+eraseDisk|Format-Volume|^vssadmin\b.*delete|^wipefs\b|^cryptsetup\s+luksFormat/i,
  ],
  [
    'weakens-security',
    /^setenforce\s+0|^spctl\s+--(?:master|global)-disable|^csrutil\s+disable|^ufw\s+disable|^iptables\s+-F|^xattr\b.*com\.apple\.quarantine|Set-MpPreference\b.*-Disable|DisableRealtimeMonitoring|Add-MpPreference\b.*-Exclusion|^systemctl\b.*\b(?:stop|disable)\b.*(?:firewalld|apparmor|auditd|clamav|falcon|crowdstrike)|^chmod\b.*(?:\s[ug]?\+s\b|\s[2467][0-7]{3}\b)|^netsh\b.*(?:firewall|advfirewall)\b.*off|Set-ExecutionPolicy\s+(?:Unrestricted|Bypass)\s+-Scope\s+(?:LocalMachine|CurrentUser)|NOPASSWD|^git\s+config\b.*http\.sslverify\s+false|^npm\s+config\s+set\s+strict-ssl\s+false|^visudo|usermod\b.*-aG?\s+(?:sudo|wheel|docker)\b|sysctl\b.*kernel\.yama\.ptrace_scope=0|LD_PRELOAD=|^docker\s+run\b.*(?:--privileged\b|-v\s+\/:\/|--pid[= ]host)/i,
  ],
  [
    'covers-tracks',
    /^history\s+-[cw]|^unset\s+HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0\b|HISTCONTROL=ignorespace.*unset|rm\b.*\.(?:bash|zsh)_history|^(?:shred|truncate)\b.*(?:_history|\/var\/log)|rm\b.*\/var\/log\/|Clear-EventLog|wevtutil\s+cl|^set\s+\+o\s+history|ln\b.*\/dev\/null\b.*_history/,
  ],
  [
    'miner',
    /\bxmrig\b|stratum\+(?:tcp|ssl):\/\/|\bminerd\b|\bcpuminer\b|--donate-level|\bnbminer\b|\bt-rex\b.*-a\s|coinhive|cryptonight/i,
  ],
  [
    'watches-input',
    /^watch:|\bSetWindowsHookEx|GetAsyncKeyState|\bxinput\s+test|\blogkeys\b|CGEventTapCreate|\bscript\s+-[qa]*f?\s+\/tmp/i,
  ],
  [
    'wallet-read',
    /\bCred(?:Enumerate|Read)[AW]?\s*\(|\bkSecReturnData\b.*\bkSecMatchLimitAll\b|\bvaultcmd\b|^cmdkey\s+\/list|^security\s+(?:find-(?:generic|internet)-password|dump-keychain)\b.*-[wg]\b|^security\s+dump-keychain/,
  ],
  [
    // Where packages come from, and what runs their scripts, for every project.
    'persistence',
    /^(?:npm|pnpm|yarn|pip3?|uv|gem|bundle)\s+config\s+set\b.*(?:script-shell|\bregistry\s*=?\s*http:|index-url\s*=?\s*http:|node-options)/,
  ],
  [
    'asks-for-secrets',
    /display dialog\b.*\bhidden answer|Get-Credential\b.*(?:-Message|Windows)|\b(?:zenity|kdialog|yad)\b.*--password/i,
  ],
  [
    'reverse-shell',
    /\/dev\/(?:tcp|udp)\/[\w.-]+\/\d+|\bmkfifo\b.*\bnc\b|socat\b.*EXEC:|TCPClient\(.*GetStream|fsockopen\(.*(?:exec|proc_open|shell_exec)|rcat\b.*-e\b/i,
  ],
  [
    // A database that hands what it holds to a command.
    'exfiltration',
    /\bCOPY\b.*\bTO\s+PROGRAM\b.*(?:curl|wget|\bnc\b|https?:)|\bFROM\s+(?:pg_shadow|pg_authid|mysql\.user)\b.*(?:INTO\s+OUTFILE|PROGRAM)/i,
  ],
  [
    'suspicious-address',
    /^(?:ngrok|cloudflared|localtunnel|lt|bore)\s+(?:http|tcp|tunnel|--port)|ssh\b.*-R\s+\d+.*(?:serveo|localhost\.run)/,
  ],
];

/** Commands that mean less than their rule says, with the severity in a script and in a document. */
const milder: readonly (readonly [RegExp, ScanSeverity, ScanSeverity])[] = [
  [/^systemctl/, 'medium', 'low'],
  // The hooks of one project, kept in it.
  [/^git\s+config\s+(?!.*--(?:global|system))(?:--local\s+)?core\.hooksPath\s+\.?[\w./-]+$/, 'medium', 'low'],
  [
    /^(?:claude|codex|gemini|code|cursor|windsurf)\b(?!.*(?:dangerously|yolo|bypassPermissions|danger-full-access))/,
    'high',
    'low',
  ],
];

/** Places of which packages are taken all over the world. */
const registries =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com|pypi\.org|pythonhosted\.org|rubygems\.org|crates\.io|golang\.org|goproxy\.(?:io|cn)|tuna\.tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|huaweicloud\.com|tencent(?:yun)?\.com|taobao\.org|jfrog\.io|cloudsmith\.io|anaconda\.(?:org|com)|jsr\.io|nuget\.org|packagist\.org|visualstudio\.com|pkg\.dev|pytorch\.org|nvidia\.com)$/;

/** The source of packages, for every project: whoever is behind that address can put anything into them. */
const takesPackagesFrom: ActRule = (act) => {
  const isSetting =
    act.kind === 'write'
      ? /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.condarc|\.gemrc|\.cargo\/config(?:\.toml)?|bunfig\.toml|uv\.toml)$/.test(
          plainPath(act.target.text),
        )
      : /^(?:npm|pnpm|yarn|bun|pip3?|uv|gem|cargo|go|poetry|conda|composer)\s+(?:config|env|sources|source)\b/.test(
          act.target.text,
        );
  if (!isSetting) return null;
  const [url] = addressesIn(act.kind === 'write' ? (act.content ?? '') : act.target.text);
  if (url === undefined || !isStrange(addressKind(url)) || registries.test(hostOf(url))) return null;
  const found = `${act.by} has packages taken from ${url.slice(0, 120)}`;
  return { rule: 'persistence', found };
};

const saysItself: ActRule = (act) => {
  const text = act.target.text.replaceAll(hole, ' ').slice(0, 2000);
  const [rule] = telling.find(([, pattern]) => pattern.test(text)) ?? [];
  if (rule === undefined) return null;
  const [, run, shown] = milder.find(([pattern]) => pattern.test(text)) ?? [];
  return { rule, found: text.slice(0, 160), severity: act.isScript ? run : shown };
};

const runsComputed: ActRule = (act) => {
  if (!act.target.text.includes(hole) || act.target.text.replaceAll(hole, '').trim().length > 0) return null;
  if (has({ from: act.payload }, 'network') || has({ from: act.payload }, 'decoded')) return null;
  return act.payload.some(({ kind }) => kind === 'input' || kind === 'file') && /eval|exec|Function|vm\./.test(act.by)
    ? {
        rule: 'computed-code',
        found: `${act.by} runs code from ${whatOf(act.payload, 'input', 'file')}`,
        severity: 'low',
      }
    : null;
};

const byKind: Readonly<Record<Act['kind'], readonly ActRule[]>> = {
  run: [runsDownload, runsDecoded, runsComputed],
  command: [saysItself, takesPackagesFrom],
  read: [readsCredential],
  send: [sendsAway, fetchesStrange],
  fetch: [fetchesStrange],
  write: [writesLasting, takesPackagesFrom],
  delete: [removesAll],
  connect: [opensShell],
  open: [installsFrom],
};
