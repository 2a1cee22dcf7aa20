import { attempt } from '../../../core/attempt.ts';
import { hole } from './value.ts';

/** A path as it is compared: the home folder as `~`, slashes forward, nothing doubled. */
export function plainPath(path: string): string {
  return path
    .trim()
    .replaceAll('\\', '/')
    .replace(
      /^(?:file:\/\/)?(?:\$\{?HOME\}?|\$env:(?:USERPROFILE|HOME)|%USERPROFILE%|%HOMEPATH%|\/root(?=\/|$)|(?:\/mnt\/c|[A-Za-z]:)?\/(?:home|Users)\/[^/]+(?=\/|$)|~[a-z]+(?=\/))/i,
      '~',
    )
    .replace(/%APPDATA%|\$env:APPDATA/i, '~/AppData/Roaming')
    .replace(/%LOCALAPPDATA%|\$env:LOCALAPPDATA/i, '~/AppData/Local')
    .replace(/\/(?:\.?\/)+/g, '/');
}

interface Place {
  readonly what: string;
  readonly path: RegExp;
}

const end = String.raw`(?:$|[\s"'/*${hole}])`;
const place = (what: string, path: string): Place => ({ what, path: new RegExp(path.replaceAll('<end>', end), 'i') });

/** Files that give whoever reads them money or the accounts of a person. */
const treasures: readonly Place[] = [
  place(
    'a wallet',
    String.raw`(?:^|/)(?:wallet\.dat|\.electrum|\.bitcoin|\.ethereum/keystore|\.config/solana/id\.json|\.sui/sui_config|\.aptos/config|\.monero|\.zcash|\.litecoin|\.dogecoin|\.near-credentials|\.cardano)<end>`,
  ),
  place(
    'a wallet',
    `/(?:Exodus|Electrum|Atomic|Coinomi|Ledger Live|Trezor Suite|Guarda|Armory|Bitcoin|Ethereum|Jaxx|Daedalus|Sparrow|WalletWasabi|Phantom|MetaMask)(?:/|$).{0,80}(?:wallet|keystore|exodus|Local Storage|leveldb|config|seed|$)`,
  ),
  place('a wallet', `nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|Local Extension Settings`),
  place(
    "a browser's passwords or cookies",
    String.raw`(?:Chrome|Chromium|BraveSoftware|Brave-Browser|Microsoft.?Edge|Vivaldi|Opera|google-chrome|Firefox|Mozilla).{0,80}(?:Login Data|Cookies|Web Data|Local State|logins\.json|key[34]\.db|cookies\.sqlite|signons\.sqlite)`,
  ),
  place(
    "a browser's passwords or cookies",
    String.raw`(?:^|/)(?:Login Data|logins\.json|key4\.db|cookies\.sqlite|Cookies\.binarycookies)$`,
  ),
  place(
    'the keychain',
    String.raw`Library/Keychains|login\.keychain|/\.local/share/keyrings|\.password-store|\.kdbx|1Password/|Bitwarden/data\.json|Group Containers/.*1password`,
  ),
  place(
    'passwords of the system',
    String.raw`^/etc/(?:shadow|gshadow|master\.passwd|sudoers)<end>|/System32/config/SAM`,
  ),
];

/** Files that hold keys and tokens. Programs that belong to them read them by themselves. */
const keys: readonly Place[] = [
  place(
    'SSH keys',
    String.raw`(?:^|/)\.ssh(?:/(?:id_[a-z0-9_]+|identity|\*|[^/\s"']*\.pem|[^/\s"'.]*${hole}[^/\s"'.]*))?(?:$|[\s"'*${hole}])|(?:^|/)\.ssh/$|(?:^|/)id_(?:rsa|dsa|ecdsa|ed25519)$`,
  ),
  place(
    'cloud credentials',
    String.raw`(?:^|/)\.aws(?:/(?:credentials|config|sso|\*|.*${hole})?)?<end>|(?:^|/)\.aws/credentials|gcloud/(?:application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials)|(?:^|/)\.azure/(?:accessTokens|msal_token_cache|azureProfile)|(?:^|/)\.config/gcloud/?$|(?:^|/)\.oci/config|(?:^|/)\.digitalocean|(?:^|/)\.config/doctl`,
  ),
  place(
    'credentials',
    String.raw`(?:^|/)(?:\.netrc|_netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.yarnrc\.yml|\.dockercfg|\.vault-token|\.terraformrc|\.s3cfg|\.boto|\.rclone\.conf|rclone\.conf|credentials\.tfrc\.json)<end>`,
  ),
  place(
    'credentials',
    String.raw`(?:^|/)\.docker/config\.json|(?:^|/)\.kube/config|(?:^|/)\.config/gh/hosts\.yml|(?:^|/)\.config/hub<end>|(?:^|/)\.gem/credentials|(?:^|/)\.cargo/credentials|(?:^|/)\.gnupg|(?:^|/)\.config/git/credentials|(?:^|/)\.subversion/auth|(?:^|/)\.m2/settings\.xml|(?:^|/)\.huggingface/token|huggingface/token`,
  ),
  place(
    "an agent's tokens",
    String.raw`(?:^|/)\.claude/\.?credentials|(?:^|/)\.codex/auth\.json|(?:^|/)\.gemini/oauth_creds|(?:^|/)\.config/(?:github-copilot|op)/|(?:^|/)\.claude\.json<end>|(?:^|/)\.openclaw/(?:credentials|\.env)|(?:^|/)\.clawdbot/|(?:^|/)\.moltbot/`,
  ),
  place(
    'the history of a shell',
    String.raw`(?:^|/)\.(?:bash|zsh|sh|python|psql|mysql|node_repl)_history<end>|(?:^|/)\.histfile<end>|fish_history`,
  ),
  place(
    'secrets of the process',
    String.raw`^/proc/(?:self|\d+|\*|\$)[^/]*/environ|/var/run/secrets/|/run/secrets/kubernetes\.io|169\.254\.169\.254|metadata\.google\.internal`,
  ),
  place(
    'messages of a person',
    String.raw`Telegram Desktop/tdata|Library/Messages/chat\.db|(?:discord|Slack)/(?:Local Storage|storage)|Signal/(?:config\.json|sql)|Library/Application Support/(?:Slack|discord)|Library/Mail/`,
  ),
];

/** Files that are read every day, and nobody's business elsewhere. */
const settings: readonly Place[] = [
  place(
    'conversations with an agent',
    String.raw`(?:^|/)\.claude/(?:projects|history\.jsonl|todos)|(?:^|/)\.codex/(?:sessions|history)|(?:^|/)\.gemini/(?:tmp|history)|(?:^|/)\.local/share/opencode/storage`,
  ),
  place('files of a person', `^~/(?:Documents|Desktop|Downloads|Pictures|Library/Mail|Library/Messages)<end>`),
  place('keys, wherever they lie', String.raw`(?:^|/)\*\.(?:pem|p12|pfx|key|kdbx|keystore|ppk|wallet)$`),
  place('a file of secrets', String.raw`(?:^|/)\.env(?:\.(?:local|production|prod|development|staging))?<end>`),
];

/** Places by which a pattern, or the name of a folder, is tried: what could mean one of them is taken to mean it. */
const examples = [
  ...['id_rsa', 'id_ed25519', 'id_ecdsa'].map((key) => `~/.ssh/${key}`),
  '~/.aws/credentials',
  '~/.config/gcloud/application_default_credentials.json',
  '~/.azure/msal_token_cache.json',
  '~/.kube/config',
  '~/.docker/config.json',
  '~/.gnupg/secring.gpg',
  '~/.netrc',
  '~/.git-credentials',
  '~/.npmrc',
  '~/.pypirc',
  '~/.pgpass',
  '~/.config/gh/hosts.yml',
  '~/.bash_history',
  '~/.zsh_history',
  '~/.claude/.credentials.json',
  '~/.codex/auth.json',
  '~/.mozilla/firefox/x.default/logins.json',
  '~/.config/google-chrome/Default/Login Data',
  '~/.config/chromium/Default/Cookies',
  '~/.config/BraveSoftware/Brave-Browser/Default/Login Data',
  '~/.config/solana/id.json',
  '~/.config/Exodus/exodus.wallet',
  '~/.electrum/wallets',
  '~/.bitcoin/wallet.dat',
  '~/.ethereum/keystore',
  '~/.password-store',
  '~/.local/share/keyrings/login.keyring',
  '~/Library/Keychains/login.keychain-db',
  '~/Library/Application Support/Google/Chrome/Default/Login Data',
  '~/Library/Application Support/Firefox/Profiles/x/logins.json',
  '~/Library/Application Support/Exodus/exodus.wallet',
  '~/AppData/Local/Google/Chrome/User Data/Default/Login Data',
  '~/AppData/Roaming/Mozilla/Firefox/Profiles/x/logins.json',
  '~/AppData/Roaming/Exodus/exodus.wallet',
  '/etc/shadow',
] as const;

/** The first of the examples that a pattern matches; one without a fixed part matches too much to mean anything. */
function exampleOf(path: string): string | undefined {
  const wild = path.match(/[*{]/g)?.length ?? 0;
  if (wild > 4 || !/[*?[{]/.test(path) || path.replace(/[*?]|\[[^\]]*\]/g, '').length < 6) return undefined;
  const pattern = path
    .replace(/\{([^{}]{1,200})\}/g, (_, list: string) => `\u0001${list.replaceAll(',', '\u0002')}\u0003`)
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    .replace(/\*{1,20}/g, '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0001', '(?:')
    .replaceAll('\u0002', '|')
    .replaceAll('\u0003', ')');
  const form = attempt(() => new RegExp(`^${pattern}$`, 'i'), null);
  return form === null ? undefined : examples.find((one) => form.test(one));
}

/** Whether a folder is known to hold credentials: who takes all of it takes them along. */
export function holdsCredentials(path: string): boolean {
  const folder = plainPath(path).replace(/\/?\*{0,2}$/, '');
  return (
    folder.length > 3 &&
    !folder.includes(hole) &&
    examples.some((one) => one.startsWith(`${folder}/`)) &&
    !/^~\/?$/.test(folder)
  );
}

export interface Credential {
  readonly what: string;
  readonly worth: 'treasure' | 'keys' | 'settings';
}

/** The credential that lies at a path; null for nothing that is known. */
export function credentialAt(path: string): Credential | null {
  const named = plainPath(path);
  const plain = named.length > 200 ? named : (exampleOf(named) ?? named);
  if (plain.length > 400 || /\.pub$|known_hosts|\.ssh\/config$|\.example$|\.sample$|\.template$|-example/.test(plain))
    return null;
  for (const [worth, places] of [
    ['treasure', treasures],
    ['keys', keys],
    ['settings', settings],
  ] as const) {
    const found = places.find((one) => one.path.test(plain));
    if (found !== undefined) return { what: found.what, worth };
  }
  return null;
}

/** Files that make something start by itself, or that tell agents what they may do. */
const lasting: readonly (Place & { readonly rule: 'persistence' | 'agent-settings' | 'login-keys' })[] = [
  {
    rule: 'login-keys',
    ...place(
      'the keys that may log in',
      String.raw`(?:^|/)\.ssh/(?:authorized_keys2?|rc|config)<end>|^/etc/(?:sudoers|passwd|pam\.d|ssh/)|/etc/sudoers\.d/`,
    ),
  },
  {
    rule: 'persistence',
    ...place(
      'a profile of the shell',
      String.raw`(?:^|/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|xinitrc|xprofile|xsession|inputrc|envrc|vimrc)<end>|^/etc/(?:profile|bash\.bashrc|zshrc|zshenv|environment|ld\.so\.preload|rc\.local)|config/fish/(?:config\.fish|conf\.d)|Microsoft\.PowerShell_profile|\$PROFILE`,
    ),
  },
  {
    rule: 'persistence',
    ...place(
      'a timetable or service',
      String.raw`^/etc/(?:cron|anacrontab|init\.d|systemd|launchd|rc\d?\.d|xdg/autostart)|/var/spool/cron|(?:^|/)Library/Launch(?:Agents|Daemons)|(?:^|/)\.config/(?:systemd/user|autostart)|(?:^|/)lib/systemd/system|Start Menu/Programs/Startup|CurrentVersion/Run`,
    ),
  },
  {
    rule: 'persistence',
    ...place(
      "a hook of Git or a program's own start",
      String.raw`/(?:\.local/)?bin/(?:git|ssh|sudo|su|ls|cat|cd|curl|npm|npx|node|python3?|pip3?|docker|kubectl|gh|aws|claude|codex|gpg)<end>|(?:^|/)\.git/hooks/|(?:^|/)\.git/config<end>|(?:^|/)\.gitconfig<end>|core\.hooksPath|sitecustomize\.py|usercustomize\.py|site-packages/[^/]*\.pth|dist-packages/[^/]*\.pth|(?:^|/)\.husky/`,
    ),
  },
  {
    rule: 'agent-settings',
    ...place(
      "an agent's settings",
      String.raw`(?:^|/)\.claude/(?:settings(?:\.local)?\.json|hooks|commands|agents|plugins|CLAUDE\.md)|(?:^|/)\.claude\.json<end>|claude_desktop_config\.json|(?:^|/)\.?mcp\.json<end>|(?:^|/)\.(?:cursor|windsurf|codeium|kiro|gemini|qwen|roo|kilocode|amazonq|continue|vscode)/(?:[\w-]+/)*(?:mcp(?:_config)?|settings|config|tasks|hooks)\.(?:json|toml|yaml|yml)|(?:^|/)\.codex/(?:config\.toml|AGENTS\.md|hooks)|(?:^|/)\.config/(?:opencode|goose|crush|zed)/|(?:^|/)(?:Code|Code - Insiders|Cursor|VSCodium|Windsurf)/User/(?:settings|mcp|tasks|keybindings)\.json|(?:^|/)\.cursorrules<end>|(?:^|/)\.cursor/rules|(?:^|/)\.windsurfrules<end>|(?:^|/)(?:CLAUDE|AGENTS|GEMINI)\.md<end>|(?:^|/)copilot-instructions\.md<end>|(?:^|/)\.openclaw/|(?:^|/)(?:SOUL|MEMORY)\.md<end>`,
    ),
  },
];

/** The lasting effect of writing a file; null for one that is not known for it. */
export function lastingAt(
  path: string,
): { readonly what: string; readonly rule: 'persistence' | 'agent-settings' | 'login-keys' } | null {
  const plain = plainPath(path);
  if (plain.length > 400) return null;
  return lasting.find((one) => one.path.test(plain)) ?? null;
}

/** Whether a text could be a path: programs are given a great many words that are none. */
export function looksLikePath(text: string): boolean {
  return (
    /^(?:~|\.{0,2}\/|[A-Za-z]:[\\/]|\$HOME|%[A-Z]+%|\$env:)|^\.[a-z]|\/|^[\w.-]+\.(?:json|dat|pem|key|kdbx|db|env|txt|sh|py|js|zip|gz|tgz)$/i.test(
      text,
    ) &&
    !/^[a-z]+:\/\//i.test(text) &&
    text.length < 400 &&
    !text.includes('\n')
  );
}
