import { basename, dirname } from 'node:path';
import { type Environment, variable } from '../kernel/environment.ts';
import { realPathOf } from '../kernel/files.ts';
import { configFolder, stateFolder } from '../kernel/own-folders.ts';
import { below, xdgDir } from '../kernel/paths.ts';

/** A place that no run sees, and why. */
export interface RefusedPlace {
  readonly path: string;
  /** Goes after "which holds". */
  readonly holds: string;
}

type Table = Readonly<Record<string, readonly string[]>>;

/** For everybody, whoever is at home. */
const onMachine: Table = {
  'the machine itself': ['/proc', '/sys', '/dev', '/boot', '/lost+found'],
  'the sockets of services': ['/run', '/var/run', '/private/var/run'],
  'passwords and keys': [
    ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/master.passwd', '/etc/sudoers'],
    ...['/etc/sudoers.d', '/etc/ssh', '/etc/ssl/private', '/etc/pki', '/etc/krb5.keytab', '/etc/security'],
    ...['/etc/kubernetes', '/etc/rancher', '/etc/wireguard', '/etc/openvpn', '/etc/ipsec.d', '/etc/ipsec.secrets'],
    ...['/etc/NetworkManager', '/etc/letsencrypt', '/etc/docker', '/etc/containers', '/var/db/dslocal'],
    ...['/Library/Keychains', '/private/etc', '/private/var/db'],
  ],
  'the data of container engines and services': [
    ...['/var/lib/docker', '/var/lib/containers', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/etcd'],
    ...['/var/lib/rancher', '/var/lib/sss', '/var/lib/systemd', '/var/lib/NetworkManager', '/var/snap', '/var/spool'],
  ],
};

/** Below somebody's home. */
const atHome: Table = {
  'keys and passwords': [
    ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.oci', '.fly', '.terraform.d', '.vault-token'],
    ...['.config/gcloud', '.config/doctl', '.config/rclone', '.config/containers', '.config/helm', '.config/op'],
    ...['.config/gh', '.config/hub', '.config/glab-cli', '.config/github-copilot', '.config/git', '.git-credentials'],
    ...['.netrc', '_netrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.cargo', '.gem', '.m2', '.gradle'],
    ...['.boto', '.s3cfg', '.pgpass', '.my.cnf', '.mylogin.cnf', '.pki', '.password-store', '.config/pip'],
    ...[
      '.local/share/keyrings',
      '.local/share/kwalletd',
      '.config/1Password',
      '.config/Bitwarden',
      '.config/keepassxc',
    ],
    ...['.local/share/pass', '.config/sops', '.config/age', '.terraformrc', '.databrickscfg', '.snowflake', '.putty'],
    ...['.bitcoin', '.ethereum', '.electrum', '.config/solana', 'Library/Keychains', 'AppData'],
  ],
  'the data of browsers and messengers': [
    ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware'],
    ...['.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.config/Signal', '.config/Slack'],
    ...['.config/discord', '.var/app', 'snap', 'Library/Application Support', 'Library/Cookies', 'Library/Safari'],
    ...['Library/Mail', 'Library/Messages', 'Library/Containers', 'Library/Group Containers'],
  ],
  'the history of commands': [
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.node_repl_history',
    '.psql_history',
  ],
  'the sockets and storage of container engines': [
    ...['.colima', '.lima', '.rd', '.orbstack', '.local/share/containers', '.local/share/docker', '.minikube'],
  ],
  'the credentials of agents': [
    '.claude.json',
    '.claude/.credentials.json',
    '.codex/auth.json',
    '.gemini/oauth_creds.json',
  ],
};

/** Places where files would be run, or believed, by others than the run. */
const systemFolders = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr', '/etc', '/opt', '/nix', '/snap', '/var/lib'],
  ...['/var/log', '/var/cache', '/var/mail', '/var/www', '/System', '/Library', '/Applications', '/private/var'],
];
const startingAtHome = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.pam_environment'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.oh-my-zsh', '.config/fish', '.config/autostart'],
  ...['.config/systemd', '.config/environment.d', '.local/bin', '.local/lib', '.local/share/applications', 'bin'],
  ...['.gitconfig', '.vim', '.vimrc', '.config/nvim', '.emacs', '.emacs.d', '.vscode', '.vscode-server', '.cursor'],
  ...['.inputrc', '.xprofile', '.xinitrc', '.xsession', '.nvm', '.pyenv', '.rbenv', '.rustup', '.bun', '.deno'],
  ...['.claude', '.codex', '.gemini', '.agents', '.copilot', '.config/opencode', '.config/goose', 'Library'],
];

function rows(table: Table, pathOf: (entry: string) => string): RefusedPlace[] {
  return Object.entries(table).flatMap(([holds, entries]) => entries.map((entry) => ({ path: pathOf(entry), holds })));
}

/** Also by the names they really have: a link in the home folder may lead to the keys, and home itself may be one. */
function reallyToo(places: readonly RefusedPlace[]): RefusedPlace[] {
  const known = new Map<string, string>();
  return places.flatMap((place) => {
    const real = realPlaceOf(place.path, known);
    return real === place.path ? [place] : [place, { ...place, path: real }];
  });
}

/** Where a path really leads, or would if it were there. */
function realPlaceOf(path: string, known: Map<string, string>): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const parent = dirname(path);
  const real = realPathOf(path);
  const place = real.ok ? real.value : parent === path ? path : below(realPlaceOf(parent, known), basename(path));
  known.set(path, place);
  return place;
}

/** What no run may read. */
export function refusedPlaces(environment: Environment): readonly RefusedPlace[] {
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

/** What no run may write, on top of that. */
export function unwritablePlaces({ home }: Environment): readonly RefusedPlace[] {
  return reallyToo([
    ...systemFolders.map((path) => ({ path, holds: 'the system' })),
    ...startingAtHome.map((path) => ({ path: below(home, path), holds: 'files that start or configure programs' })),
  ]);
}

/** Wherever a folder of such a name lies, keys lie in it. */
export const keyNames: ReadonlySet<string> = new Set([
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store', '.netrc', '.git-credentials', '.pgpass'],
]);
