import { basename, dirname } from 'node:path';
import { agentFolders } from '../../agents/folders.ts';
import { entriesOf, isAbsent, isThere, linkStatOf, realPathOf, statOf } from '../../core/disk/files.ts';
import { isRepository } from '../../core/disk/git-repository.ts';
import { configFolder, stateFolder } from '../../core/disk/own-folders.ts';
import { below, isInside, xdgDir } from '../../core/disk/paths.ts';
import { type Environment, variable } from '../../core/environment.ts';
import { type Problem, problem, shown } from '../../core/schema/parsed.ts';
import { isPrivatePath, pathText } from './names.ts';
import type { Mount, PathRule } from './types.ts';

/** The mount that a run gets for a rule: none where it has that anyway, or where there is nothing to see. */
type CheckedPath =
  | {
      readonly ok: true;
      readonly mount: Mount | null;
      readonly missing?: true;
      /** The place where it would be, if it is missing; null where a link stands there that leads nowhere. */
      readonly placeToBe?: string | null;
    }
  | Problem;

const narrower = 'Name something narrower.';
const elsewhere = 'Keep what the skill needs in a folder of its own, and name that.';

const homeInTmp = 'Your home folder is in /tmp. Set HOME to one elsewhere, or have the skill name a folder elsewhere.';

/** The folders in which people have their homes. */
const homes = ['/home', '/Users', '/var/home', '/export/home'];

/**
 * Resolves where a path really leads, and tells whether a run may see it. To be called when the grant is given and
 * again before each run: links change.
 */
export function checkPath(rule: PathRule, environment: Environment): CheckedPath {
  if (isPrivatePath(rule)) return { ok: true, mount: null };
  const real = realPathOf(rule.path);
  const isMissing = !real.ok && isAbsent(real.reason);
  if (!real.ok && !isMissing) {
    return problem(`${shown(rule.path)} cannot be checked (${real.reason})`, 'Correct the path, or its permissions.');
  }
  const place = real.ok ? real.value : placeToBe(rule.path);
  const source = place ?? rule.path;
  const places = [...refusedPlaces(environment), ...(rule.access === 'write' ? unwritablePlaces(environment) : [])];
  const refusal =
    refusalOf(rule.path, places) ??
    refusalOf(source, places) ??
    (rule.access === 'write' ? refusalToWrite(rule.path, source) : null) ??
    (isMissing ? null : refusalOfKind(source));
  if (refusal !== null) {
    const leads = source === rule.path ? '' : `, which leads to ${shown(source)},`;
    return problem(`${pathText(rule)}${leads} ${refusal[0]}`, remedyFor(rule, environment) ?? refusal[1]);
  }
  if (isMissing) return { ok: true, mount: null, missing: true, placeToBe: place };
  return { ok: true, mount: { source, target: rule.path, access: rule.access } };
}

/** The remedy for `~/x` where home is in /tmp, which its author does not see. */
function remedyFor({ path }: PathRule, { home }: Environment): string | null {
  return isInside('/tmp', home) && isInside(home, path) ? homeInTmp : null;
}

/** The place of a folder that is made at this path: no link may stand there. Null where one does that leads nowhere. */
function placeToBe(path: string): string | null {
  const stats = linkStatOf(path);
  if (!stats.ok && isAbsent(stats.reason) && path !== dirname(path)) {
    const folder = placeToBe(dirname(path));
    return folder === null ? null : below(folder, basename(path));
  }
  const real = realPathOf(path);
  return real.ok ? real.value : null;
}

type Refusal = readonly [message: string, remedy: string];

function refusalOf(path: string, places: readonly RefusedPlace[]): Refusal | null {
  if (path === '/') return ['is the whole machine', narrower];
  if (isInside('/tmp', path) || isInside('/private/tmp', path)) {
    return ['is in /tmp, and every run has a /tmp of its own', elsewhere];
  }
  if (isInside('/skill', path)) return ['is where every run sees its own skill', elsewhere];
  return places.map((place) => refusalBy(place, path)).find((one) => one !== null) ?? refusalForKeys(path);
}

/** Refuses a place, whatever lies in it, and whatever it lies in. */
function refusalBy({ path: place, holds }: RefusedPlace, path: string): Refusal | null {
  if (isInside(place, path)) return [`is in ${place}, which holds ${holds}`, elsewhere];
  return isInside(path, place) ? [`contains ${place}, which holds ${holds}`, narrower] : null;
}

/** Refuses keys of other people, and keys in unusual places. */
function refusalForKeys(path: string): Refusal | null {
  const key = path.split('/').find((part) => keyNames.has(part.toLowerCase()));
  if (key !== undefined) return [`is in a folder ${key}, which holds keys`, elsewhere];
  const isHome = homes.includes(dirname(path)) || path === '/root';
  if (isHome || homes.some((home) => isInside(path, home))) return ['contains a home folder', narrower];
  const held = [...keyNames].find((name) => isThere(below(path, name)));
  return held === undefined ? null : [`contains ${held}, which holds keys`, narrower];
}

function refusalToWrite(path: string, source: string): Refusal | null {
  return refusalOfNames(path) ?? refusalOfNames(source) ?? refusalOfContent(source);
}

/** Refuses what programs look for by its name, wherever it lies. Inside a writable folder it is refused as well. */
function refusalOfNames(path: string): Refusal | null {
  for (const name of path.split('/')) {
    const holds = guardedAs(name);
    if (holds !== null) return [`is in ${name}, which holds ${holds}`, elsewhere];
  }
  return null;
}

function refusalOfContent(path: string): Refusal | null {
  const entries = entriesOf(path);
  const what = entries.ok ? guardedByContent(entries.value.map(({ name }) => name)) : null;
  return what === null ? null : [`is ${what}, which programs run`, elsewhere];
}

function refusalOfKind(path: string): Refusal | null {
  const stats = statOf(path);
  if (stats.ok && (stats.value.isDirectory() || stats.value.isFile())) return null;
  return ['is neither a folder nor a regular file', 'Name a folder or a regular file.'];
}

/**
 * Files and folders that programs of the host look for by themselves, wherever somebody works, and run or obey what they find. A run
 * that may write to a folder may not write these: it would get out of its sandbox by way of the next `git status`, agent or editor.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'hooks and settings of Git': list(`
    .git, .gitconfig, .gitmodules, .husky, .githooks, .lefthook, lefthook.yml, .lefthook.yml,
    lefthook.yaml, .lefthook.yaml, lefthook.toml, .lefthook.toml, lefthook.json, .lefthook.json, lefthook-local.yml, .lefthook-local.yml,
    .pre-commit-config.yaml, .overcommit.yml
  `),
  'hooks and settings of a version control system': list(`
    .hg, .hgrc, .sl, .jj
  `),
  'settings and skills of agents': [
    ...agentFolders.flatMap(({ project }) => project.flatMap((path) => /^\.[^/]+/.exec(path) ?? [])),
    ...list(`
      .claude.json, .claude-plugin, .codex-plugin, .cursorrules, .windsurfrules, opencode.json, opencode.jsonc, .copilot, .goosehints,
      .roomodes, .aider.conf.yml, .amp, crush.json, .crush.json, .kimi, .codeium, .warp
    `),
  ],
  'instructions for agents': list(`
    AGENTS.md, AGENTS.override.md, AGENT.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md, QWEN.md, CRUSH.md, WARP.md
  `),
  'MCP servers': list(`
    .mcp.json, mcp.json, .mcp
  `),
  'tasks and settings of editors': list(`
    .vscode, .idea, .zed, .helix, .fleet, .vs, .devcontainer, .devcontainer.json, .nvim.lua, .nvimrc, .exrc, .vimrc, .gvimrc, .vim, .emacs,
    .emacs.d, .dir-locals.el, .dir-locals-2.el
  `),
  'commands that shells run when they start': list(`
    .bashrc, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .profile, .zshrc, .zshenv, .zprofile, .zlogin, .zlogout, .kshrc,
    .mkshrc, .cshrc, .tcshrc, .login, .logout, .inputrc, .envrc, .autoenv, .pam_environment, .xprofile, .xinitrc, .xsession,
    .xsessionrc, .mise.toml, mise.toml, .mise.local.toml, mise.local.toml, .mise, .tmux.conf, .screenrc
  `),
  'commands that interpreters and debuggers run when they start': list(`
    .Rprofile, .Renviron, .RData, .octaverc, .pdbrc, .irbrc, .pryrc, .ghci, .ocamlinit, .gdbinit, .lldbinit, .bazelrc
  `),
  'settings of package managers': list(`
    .npmrc, .yarnrc, .yarnrc.yml, .pnpmfile.cjs, .pnpmfile.mjs, .cargo, .bunfig.toml, bunfig.toml
  `),
  'files of this program': list(`
    repertoire.toml, .skill-engine.toml
  `),
};

/** Endings of editors' project files, which have any name before these. */
const endings = ['.code-workspace', '.sublime-project'];

const known = new Map(
  Object.entries(table).flatMap(([holds, names]) => names.map((name) => [folded(name), holds] as const)),
);

/** A name as file systems take it that ignore case, invisible characters and dots at the end. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[. ]+$/, '');
}

/** The content of a file or folder of this name, where no run may write it; goes after "which holds". */
export function guardedAs(name: string): string | null {
  const plain = folded(name);
  return known.get(plain) ?? (endings.some((end) => plain.endsWith(end)) ? 'tasks and settings of editors' : null);
}

/** Whether a file of this name makes its folder a skill. */
export function isSkillFile(name: string): boolean {
  return folded(name) === 'skill.md';
}

/** The reason why nothing may be written to a folder, judging by the names in it; null where it may. */
export function guardedByContent(names: readonly string[]): string | null {
  if (names.some(isSkillFile)) return 'a skill';
  return isRepository(names) ? 'a Git repository' : null;
}

/** A place that no run sees, and why. */
interface RefusedPlace {
  readonly path: string;
  /** The content of the place; goes after "which holds". */
  readonly holds: string;
}

type Table = Readonly<Record<string, readonly string[]>>;

/** Places refused to everybody, no matter whose home it is. */
const onMachine: Table = {
  'the machine itself': list(`
    /proc, /sys, /dev, /boot, /lost+found
  `),
  'the sockets of services': list(`
    /run, /var/run, /private/var/run
  `),
  'passwords and keys': list(`
    /etc/shadow, /etc/shadow-, /etc/gshadow, /etc/gshadow-, /etc/master.passwd, /etc/sudoers, /etc/sudoers.d, /etc/ssh,
    /etc/ssl/private, /etc/pki, /etc/krb5.keytab, /etc/security, /etc/kubernetes, /etc/rancher, /etc/wireguard, /etc/openvpn,
    /etc/ipsec.d, /etc/ipsec.secrets, /etc/NetworkManager, /etc/letsencrypt, /etc/docker, /etc/containers, /var/db/dslocal,
    /Library/Keychains, /private/etc, /private/var/db
  `),
  'the data of container engines and services': list(`
    /var/lib/docker, /var/lib/containers, /var/lib/containerd, /var/lib/kubelet, /var/lib/etcd, /var/lib/rancher, /var/lib/sss,
    /var/lib/systemd, /var/lib/NetworkManager, /var/snap, /var/spool
  `),
};

/** Places refused below somebody's home. */
const atHome: Table = {
  'keys and passwords': list(`
    .ssh, .gnupg, .aws, .azure, .kube, .docker, .oci, .fly, .terraform.d, .vault-token, .config/gcloud, .config/doctl, .config/rclone,
    .config/containers, .config/helm, .helm, .config/op, .1password, .config/gh, .config/hub, .config/glab-cli, .config/github-copilot, .config/git,
    .git-credentials, .netrc, _netrc, .npmrc, .yarnrc, .yarnrc.yml, .pypirc, .cargo, .gem, .m2, .gradle, .boto, .s3cfg, .pgpass,
    .my.cnf, .mylogin.cnf, .pki, .password-store, .config/pip, .local/share/keyrings, .local/share/kwalletd, .config/1Password,
    .config/Bitwarden, .config/keepassxc, .local/share/pass, .config/sops, .config/age, .terraformrc, .databrickscfg, .snowflake,
    .putty, .bitcoin, .ethereum, .electrum, .config/solana, Library/Keychains, Library/Accounts, AppData, .monero,
    .config/monero-project, .config/Exodus, .config/Ledger Live, .litecoin, .dogecoin, .zcash, .gnome2/keyrings,
    .kde/share/apps/kwallet, .dbus, .Xauthority, .ICEauthority, .config/pulse, .env, .env.local, .envrc, .authinfo, .authinfo.gpg,
    .vault, .consul, .nomad, .boundary, .okta, .tsh, .teleport, .saml2aws, .awsvault, .aws-sso, .step, .cache/huggingface, .huggingface,
    .kaggle, .config/kaggle, .config/wandb, .openai, .config/openai, .anthropic, .config/anthropic, .replicate, .modal.toml,
    .config/modal, .config/stripe, .cloudflared, .wrangler, .config/.wrangler, .vercel, .config/vercel, .config/com.vercel.cli,
    .local/share/com.vercel.cli, .netlify, .config/netlify, .heroku, .config/heroku, .local/share/heroku, .railway, .render, .supabase,
    .config/configstore, .config/firebase, .config/ngrok, .ngrok2, .config/linode-cli, .config/hcloud, .config/scw, .ibmcloud, .bluemix,
    .aliyun, .tccli, .ovh.conf, .config/openstack, .openstack, .chef, .puppetlabs, .ansible, .pulumi, .jfrog, .nuget, .config/NuGet,
    .composer, .config/composer, .hex, .pub-cache, .config/dart, .config/tea, .circleci, .travis, .sentryclirc, .snowsql, .dbt,
    .databricks, .mongodb, .mongorc.js, .config/Postman, .postman, .wgetrc, .curlrc, .config/curlrc, .msmtprc, .mutt, .muttrc,
    .config/mutt, .fetchmailrc, .offlineimaprc, .mbsyncrc, .config/filezilla, .filezilla, .config/remmina, .subversion,
    .local/share/remmina, .hgrc, .config/rbw, .config/lastpass, .lpass, .config/doppler, .doppler, .infisical
  `),
  'the data of browsers and messengers': list(`
    .mozilla, .thunderbird, .config/google-chrome, .config/chromium, .config/BraveSoftware, .config/microsoft-edge, .config/vivaldi,
    .config/opera, .config/Signal, .config/Slack, .config/discord, .var/app, snap, Library/Application Support, Library/Cookies,
    Library/Safari, Library/Mail, Library/Messages, Library/Containers, Library/Group Containers, Library/Calendars,
    Library/HTTPStorages, Library/WebKit, Library/Preferences, Library/Caches, .cache/mozilla, .cache/google-chrome, .cache/chromium,
    .cache/BraveSoftware, .cache/microsoft-edge, .cache/thunderbird, .config/Element, .config/teams, .config/Microsoft, .zoom,
    .local/share/TelegramDesktop, .purple, .weechat, .config/weechat, .irssi, .config/hexchat, .local/share/evolution,
    .config/evolution
  `),
  'the history of commands': list(`
    .bash_history, .zsh_history, .python_history, .node_repl_history, .psql_history, .mysql_history, .sqlite_history, .rediscli_history,
    .irb_history, .local/share/fish, .lesshst, .viminfo
  `),
  'the sockets and storage of container engines': list(`
    .colima, .lima, .rd, .orbstack, .local/share/containers, .local/share/docker, .minikube
  `),
  'the credentials of agents': list(`
    .claude.json, .claude/.credentials.json, .codex/auth.json, .gemini/oauth_creds.json, .qwen/oauth_creds.json, .copilot/config.json,
    .factory/auth.json, .kimi-code/credentials, .pi/agent/auth.json, .local/share/opencode, .local/share/goose,
    .config/goose/secrets.yaml, .local/share/crush, .config/Claude, .config/Code/User/globalStorage, .config/Cursor/User/globalStorage,
    .config/Windsurf/User/globalStorage, .config/VSCodium/User/globalStorage, .config/JetBrains, .local/share/zed, .local/share/amp,
    .codeium, .cursor/mcp.json, .aider.conf.yml, .cline/data, .openclaw, .hermes, .grok, .vibe, .continue/config.yaml, .continue/.env, .aws/amazonq
  `),
};

/** Places where files would be run, or believed, by others than the run. */
const systemFolders = list(`
  /bin, /sbin, /lib, /lib32, /lib64, /libx32, /usr, /etc, /opt, /nix, /snap, /var/lib, /var/log, /var/cache, /var/mail, /var/www,
  /System, /Library, /Applications, /private/var
`);
/** Places refused at home. What `guardedAs` knows by its name is refused wherever it lies. */
const startingAtHome = list(`
  .oh-my-zsh, .oh-my-bash, .config/fish, .config/autostart, .config/systemd, .config/environment.d, .local/bin, .local/lib,
  .local/share/applications, bin, .config/nvim, .vscode-server, .nvm, .pyenv, .rbenv, .rustup, .bun, .deno, .config/opencode,
  .config/goose, .config/crush, .config/agents, .config/devin, Library, .config/Code, .config/Code - Insiders, .config/VSCodium,
  .config/Cursor, .config/Windsurf, .config/zed, .config/helix, .config/sublime-text, .config/emacs, .config/doom, .doom.d, .spacemacs,
  .vscode-insiders, .vscode-oss, .windsurf-server, .cursor-server, .config/micro, .config/kak, .config/lvim, .SpaceVim,
  .local/share/systemd, .local/share/dbus-1, .local/share/nautilus, .local/share/nemo, .local/share/gnome-shell, .local/share/plasma,
  .local/share/kservices5, .local/share/kio, .local/share/konsole, .local/share/nvim, .local/share/flatpak, .local/share/mime,
  .local/share/thumbnailers, .local/share/xsessions, .local/share/mise, .local/opt, .config/autostart-scripts, .config/plasma-workspace, .config/upstart,
  .config/i3, .i3, .config/sway, .config/hypr, .config/bspwm, .config/awesome, .config/openbox, .config/sxhkd, .xbindkeysrc,
  .config/mpv, .config/kitty, .config/alacritty, .config/wezterm, .wezterm.lua, .config/ghostty, .config/tmux, .tmux, .config/zsh,
  .config/nushell, .config/powershell, .config/direnv, .config/mise, .config/starship.toml, .config/xonsh, .config/ranger, .config/lf,
  .config/yazi, .Xresources, .Xdefaults, .dmrc, .mailcap, .forward, .procmailrc, .npm, .npm-global, .volta, .fnm, .asdf, .sdkman, .jenv,
  .goenv, go, .conda, .condarc, miniconda3, anaconda3, .virtualenvs, .ipython, .jupyter, .config/matplotlib, .config/pip, .config/uv,
  .config/pypoetry, .Rprofile, .Renviron, .julia, .ghci, .ghcup, .cabal, .stack, .opam, .ocamlinit, .irbrc, .pryrc, .pythonrc, .pdbrc,
  .gdbinit, .config/gdb, .lldbinit, .sqliterc, .psqlrc, .lesskey, .lessfilter, .perltidyrc, .proverc, .config/containers, .config/cron
`);

function rows(table: Table, pathOf: (entry: string) => string): RefusedPlace[] {
  return Object.entries(table).flatMap(([holds, entries]) => entries.map((entry) => ({ path: pathOf(entry), holds })));
}

/** Adds the real names of places: a link in the home folder may lead to the keys, and home itself may be one. */
function reallyToo(places: readonly RefusedPlace[]): RefusedPlace[] {
  const known = new Map<string, string>();
  return places.flatMap((place) => {
    const real = realPlaceOf(place.path, known);
    return real === place.path ? [place] : [place, { ...place, path: real }];
  });
}

/** The place where a path really leads, or would if it were there. */
function realPlaceOf(path: string, known: Map<string, string>): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const parent = dirname(path);
  // Most of them are not there, and an error costs more than checking first.
  const real = isThere(path) ? realPathOf(path) : ({ ok: false } as const);
  const place = real.ok ? real.value : parent === path ? path : below(realPlaceOf(parent, known), basename(path));
  known.set(path, place);
  return place;
}

/** The places that no run may read. */
function refusedPlaces(environment: Environment): readonly RefusedPlace[] {
  const { home, systemDir } = environment;
  const policy = variable(environment, 'REPERTOIRE_POLICY');
  const own = [configFolder(environment), stateFolder(environment), below(xdgDir(environment, 'CACHE'), 'repertoire')];
  const sockets = ['DOCKER_HOST', 'CONTAINER_HOST', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR']
    .map((name) => variable(environment, name)?.replace(/^unix:\/\//, ''))
    .filter((path) => path?.startsWith('/'));
  return reallyToo([
    ...rows(onMachine, (path) => path),
    ...rows(atHome, (path) => below(home, path)),
    ...[...own, below(systemDir, 'repertoire'), ...(policy === undefined ? [] : [policy])].map((path) => ({
      path,
      holds: 'files of this program',
    })),
    ...sockets.map((path) => ({ path: path ?? '', holds: 'the sockets of services' })),
  ]);
}

/** The places that no run may write, on top of those. */
function unwritablePlaces({ home }: Environment): readonly RefusedPlace[] {
  return reallyToo([
    ...systemFolders.map((path) => ({ path, holds: 'the system' })),
    ...startingAtHome.map((path) => ({ path: below(home, path), holds: 'files that start or configure programs' })),
  ]);
}

/** Names of folders in which keys lie, wherever such a folder is. */
const keyNames: ReadonlySet<string> = new Set([
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store', '.netrc', '.git-credentials', '.pgpass'],
]);

/** Splits a list of short texts, written as it is read best: with commas between them, on as few lines as possible. */
function list(text: string): readonly string[] {
  return text.trim().split(/,\s*/);
}
