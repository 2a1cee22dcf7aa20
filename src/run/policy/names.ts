import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';
import type { PathRule } from './types.ts';

const variable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const program = /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}$/;

/** Parses the name of an environment variable that a run may see. */
export function parseEnvName(text: string): Parsed<string> {
  return variableName(text, 'an environment variable');
}

/** Parses the name of a secret. Runs are given it as an environment variable, so that the same names are refused. */
export function parseSecretName(text: string): Parsed<string> {
  return variableName(text, 'a secret');
}

function variableName(text: string, what: string): Parsed<string> {
  if (!variable.test(text)) {
    return problem(`${shown(text)} cannot be the name of ${what}`, 'Use letters, digits and _, like "API_REGION".');
  }
  if (!isSteering(text)) return parsed(text);
  const why = `${text} is never passed to a run: it changes how programs start, find things or connect`;
  return problem(why, 'Remove it, or use another name.');
}

/** Parses a program by its name alone: where it is found is for the machine to say. */
export function parseCommand(text: string): Parsed<string> {
  if (program.test(text)) return parsed(text);
  const path = text.includes('/');
  const message = `${shown(text)} ${path ? 'is a path' : 'cannot be the name of a program'}`;
  return problem(message, 'Name the program alone, like "kubectl".');
}

// [registry[:port]/]name[/name…][:tag][@digest]
const component = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const registry = '(?:[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?/)?';
const repository = `${registry}${component}(?:/${component})*`;
const image = new RegExp(`^${repository}(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$`);

/** Parses a container image as engines name it. */
export function parseImage(text: string): Parsed<string> {
  if (text.length <= 512 && image.test(text)) return parsed(text);
  const example = 'Write it like "alpine:3.20" or "ghcr.io/owner/name@sha256:…".';
  return problem(`${shown(text)} cannot be the name of an image`, example);
}

/** Parses a name in an operator's list, where `APP_*` stands for all that begin so. */
export function parsePattern(text: string, parse: (text: string) => Parsed<string>): Parsed<string> {
  if (!text.endsWith('*')) return parse(text);
  const begin = text.slice(0, -1);
  if (/^[\w./:@+-]*$/.test(begin)) return parsed(text);
  return problem(`${shown(text)} is not the beginning of a name`, 'Write a name, or its beginning and a *.');
}

export function coversName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** The pattern for what both patterns allow; null where that is nothing. */
export function meetNames(one: string, other: string): string | null {
  if (coversName(one, other)) return other;
  return coversName(other, one) ? one : null;
}

/** Variables that make a program load or run something else than it would. */
const running = new Set(
  [
    'PATH',
    // shells
    'ENV BASH_ENV BASHOPTS SHELLOPTS BASH_LOADABLES_PATH PROMPT_COMMAND PS0 PS1 PS2 PS4 ZDOTDIR FPATH INPUTRC',
    // loaders and the C library
    'LIBPATH SHLIB_PATH GCONV_PATH GETCONF_DIR GLIBC_TUNABLES HOSTALIASES LOCALDOMAIN LOCPATH MALLOC_TRACE NIS_PATH',
    'NLSPATH RESOLV_HOST_CONF RESOLV_MULTI RES_OPTIONS TZDIR TERMINFO TERMINFO_DIRS TERMCAP TERMPATH QEMU_LD_PREFIX',
    // interpreters
    'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE NODE_TLS_REJECT_UNAUTHORIZED NODE_V8_COVERAGE',
    'NODE_REDIRECT_WARNINGS NODE_ICU_DATA TS_NODE_PROJECT DENO_DIR DENO_CERT DENO_TLS_CA_STORE BUN_OPTIONS BUN_INSTALL',
    'PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONWARNINGS PYTHONBREAKPOINT PYTHONUSERBASE PYTHONEXECUTABLE',
    'PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX PYTHONCASEOK VIRTUAL_ENV CONDA_PREFIX',
    'PERLLIB PERL5LIB PERL5OPT PERL5DB PERL5SHELL PERL_UNICODE',
    'RUBYOPT RUBYLIB RUBYPATH RUBYSHELL GEM_HOME GEM_PATH BUNDLE_GEMFILE BUNDLE_PATH',
    'PHPRC PHP_INI_SCAN_DIR R_HOME R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS R_LIBS_USER R_LIBS_SITE',
    'CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTIONS JULIA_LOAD_PATH JULIA_DEPOT_PATH',
    'PSMODULEPATH ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS GUILE_LOAD_PATH TCLLIBPATH AWKPATH AWKLIBPATH JQ_LIBRARY_PATH',
    // programs that other programs start
    'PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE LESSKEY GREP_OPTIONS TAR_OPTIONS ZIPOPT UNZIP MAKEFLAGS',
    'GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE GIT_SSL_NO_VERIFY GIT_SSL_CAINFO',
    'RSYNC_RSH CVS_RSH SUDO_ASKPASS SSH_ASKPASS RUSTC_WRAPPER RUSTC CC CXX LD',
    'OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES',
  ].flatMap((line) => line.split(' ')),
);

const runningBeginnings = ['LD_', 'DYLD_', '_RLD', 'BASH_FUNC_', 'GIT_CONFIG', 'LUA_', 'NPM_CONFIG_'];

/** Whether the value of a variable becomes code, or chooses what is run. */
export function isRunning(name: string): boolean {
  return running.has(name) || runningBeginnings.some((begin) => name.startsWith(begin));
}

/**
 * Variables that make a program trust something else than it would, say where things lie, or lead to an agent that hands
 * out keys. The run's own are set for it; nobody else's belong there.
 */
const steering = new Set(
  [
    // locations
    'HOME PWD OLDPWD SHELL TMPDIR TMP TEMP TEMPDIR XDG_RUNTIME_DIR',
    // shells
    'IFS CDPATH GLOBIGNORE HISTFILE',
    // certificates, proxies, agents and engines
    'SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE CURL_CA_BUNDLE CURL_HOME',
    'REQUESTS_CA_BUNDLE WGETRC NETRC HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY',
    'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GNUPGHOME DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS',
    'DOCKER_HOST DOCKER_CONFIG CONTAINER_HOST CONTAINERS_CONF DISPLAY WAYLAND_DISPLAY XAUTHORITY',
  ].flatMap((line) => line.split(' ')),
);

const beginnings = ['MALLOC_', 'REPERTOIRE_'];

/** Whether a variable steers programs. Some read such names in lower case as well. */
function isSteering(name: string): boolean {
  const upper = name.toUpperCase();
  return isRunning(upper) || steering.has(upper) || beginnings.some((begin) => upper.startsWith(begin));
}

/**
 * Programs that need no grant. In a sandbox they can do no more than the script of a skill could: they read and write
 * what the run may, and speak to whom the run may.
 */
export const freeCommands: readonly string[] = [
  // interpreters
  'sh bash dash zsh ash busybox python python3 node deno bun ruby perl php lua luajit Rscript pwsh tclsh awk gawk mawk',
  'fish ksh java julia elixir wasmtime',
  // text and data
  'cat echo printf head tail sort uniq wc cut tr grep egrep fgrep sed jq yq diff cmp comm join paste fold fmt nl rev tac',
  'split csplit tee column expand unexpand od xxd hexdump strings base64 base32 iconv bc dc expr seq shuf',
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
  // files
  'ls find stat file du df basename dirname realpath readlink pwd test cp mv rm mkdir rmdir touch ln mktemp chmod',
  'tar gzip gunzip zcat bzip2 bunzip2 xz unxz zstd zip unzip',
  // the rest
  'true false date cal sleep timeout uname nproc arch id whoami tty yes factor numfmt',
].flatMap((line) => line.split(' '));

const labelForm = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Reads a label of workers: whatever sets some of them apart, such as `gpu` or `eu`. */
export function parseLabel(label: string): Parsed<string> {
  if (labelForm.test(label)) return parsed(label);
  return problem(`${shown(label)} cannot be a label`, 'Use up to 32 lower-case letters, digits and "-", as in gpu.');
}

const remedy = 'Write "read:/folder" or "write:/folder", with the whole path; "~/" is your home folder.';

const refusals: readonly (readonly [RegExp, string, string])[] = [
  [/^\$/, 'begins with a variable', 'Write "~/" for your home folder, and other folders with their whole path.'],
  [/^~[^/]/, 'is the home folder of another user', remedy],
  [/^(?![/~])/, 'is not an absolute path', remedy],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'contains "." or ".."', 'Write the path without "." and "..".'],
  [/\*/, 'has a *', 'Name the folder alone: everything below it is meant.'],
  [/[\p{C}\p{Zl}\p{Zp}]/u, 'has an invisible character', remedy],
  [/^.{4096}/s, 'is too long', remedy],
];

/** Parses `read:/data` or `write:~/notes` into its one form: absolute, without a slash at the end. */
export function parsePath(text: string, { home }: Pick<Environment, 'home'>): Parsed<PathRule> {
  const [, access, path = ''] = /^(read|write):(.*)$/s.exec(text) ?? [];
  if (access !== 'read' && access !== 'write')
    return problem(`${shown(text)} does not say "read:" or "write:"`, remedy);
  const refusal = refusals.find(([pattern]) => pattern.test(path));
  if (refusal !== undefined) return problem(`${shown(text)} ${refusal[1]}`, refusal[2]);
  const absolute = path.replace(/^~/, () => home).replace(/\/{2,}/g, '/');
  return parsed({ access, path: absolute === '/' ? '/' : absolute.replace(/\/$/, '') });
}

export function pathText({ access, path }: PathRule): string {
  return `${access}:${path}`;
}

/**
 * Whether a rule includes another; the right to change files includes the right to read them. Compares what is written;
 * where links lead is another question.
 */
export function coversPath(rule: PathRule, other: PathRule): boolean {
  return (rule.access === 'write' || other.access === 'read') && isInside(rule.path, other.path);
}

/** The rule for what both rules allow; null where that is nothing. */
export function meetPaths(one: PathRule, other: PathRule): PathRule | null {
  const access = one.access === 'write' && other.access === 'write' ? 'write' : 'read';
  if (isInside(one.path, other.path)) return { access, path: other.path };
  return isInside(other.path, one.path) ? { access, path: one.path } : null;
}

/**
 * Whether a rule asks for nothing. Every run has a `/tmp` of its own, which nobody else sees and which goes away with
 * it: to ask for it, or to write below it, is to ask for nothing. To read below it would mean files of the host, which
 * are not there.
 */
export function isPrivatePath({ access, path }: PathRule): boolean {
  return path === '/tmp' || (access === 'write' && isInside('/tmp', path));
}
