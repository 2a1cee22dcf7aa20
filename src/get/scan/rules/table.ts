import type { ScanSeverity } from '../types.ts';

/** A rule: how bad what it finds is, which depends on whether it is run or only shown, and what to say. */
export interface Rule {
  readonly severity: ScanSeverity;
  /** The severity where a document shows it: documents warn of things as often as they tell somebody to do them. */
  readonly shown: ScanSeverity;
  readonly title: string;
  readonly why: string;
  readonly remedy: string;
}

/** Every rule. The scanner knows no others, and documents are written from this table. */
export const rules = {
  'download-run': {
    severity: 'critical',
    shown: 'high',
    title: 'Downloads code and runs it',
    why: 'Whoever controls the address decides what runs on your machine, every time; nothing of it can be looked at beforehand.',
    remedy: 'Download the file, read it, and keep it in the skill',
  },
  'known-installer': {
    severity: 'low',
    shown: 'low',
    title: "Runs a well-known project's install script",
    why: 'It trusts that project with your machine.',
    remedy: 'Install the program yourself by its package manager',
  },
  'decode-run': {
    severity: 'critical',
    shown: 'high',
    title: 'Decodes hidden code and runs it',
    why: 'Code is encoded so that nobody reads it.',
    remedy: 'Ask for the plain code',
  },
  'hidden-code': {
    severity: 'high',
    shown: 'medium',
    title: 'Hides commands in an encoding',
    why: 'A text that decodes to commands waits for somebody to run it.',
    remedy: 'Ask for the plain text',
  },
  'remote-package': {
    severity: 'medium',
    shown: 'low',
    title: 'Installs a package from an address',
    why: 'A package that no registry holds can be another one tomorrow, and its install scripts run at once.',
    remedy: 'Install it from a registry, with a version',
  },
  'suspicious-address': {
    severity: 'medium',
    shown: 'low',
    title: 'Talks to an address without a name',
    why: 'Bare addresses, shortened links and throw-away domains hide who is behind them.',
    remedy: 'Find out whose address it is',
  },
  'credential-read': {
    severity: 'high',
    shown: 'medium',
    title: 'Reads credentials',
    why: 'Keys and passwords are read by the programs that they belong to, not by skills.',
    remedy: 'Give the skill a secret of its own by a capability',
  },
  'wallet-read': {
    severity: 'critical',
    shown: 'high',
    title: 'Reads wallets, browsers or the keychain',
    why: 'What lies there is money, or everything that you are logged in to.',
    remedy: 'Do not use this skill',
  },
  'env-file-read': {
    severity: 'low',
    shown: 'low',
    title: 'Reads a file of variables',
    why: 'Such files hold secrets of the project.',
    remedy: 'See what becomes of them',
  },
  exfiltration: {
    severity: 'critical',
    shown: 'high',
    title: 'Sends away what is yours',
    why: 'Secrets, files or the environment leave the machine for an address that somebody else reads.',
    remedy: 'Do not use this skill',
  },
  'sends-out': {
    severity: 'high',
    shown: 'medium',
    title: 'Sends something to a place that anyone can read',
    why: 'Web hooks, paste boxes, tunnels and bare addresses are how things are carried off.',
    remedy: 'Find out who receives it, and what',
  },
  'sends-secret': {
    severity: 'low',
    shown: 'low',
    title: 'Sends a secret variable in a request',
    why: 'It may well be meant for that service; then it belongs in a header.',
    remedy: 'See whether the address is that of the service',
  },
  'reverse-shell': {
    severity: 'critical',
    shown: 'high',
    title: 'Opens a shell to somebody else',
    why: 'Whoever listens there has your machine.',
    remedy: 'Do not use this skill',
  },
  persistence: {
    severity: 'high',
    shown: 'medium',
    title: 'Makes something start by itself',
    why: 'It goes on after the skill is gone: in profiles, timetables, services or hooks.',
    remedy: 'Set it up yourself if you want it',
  },
  'shell-setup': {
    severity: 'low',
    shown: 'low',
    title: 'Adds a setting to a profile of the shell',
    why: 'A path or a completion is harmless; the file is yours all the same.',
    remedy: 'Add the line yourself',
  },
  'login-keys': {
    severity: 'critical',
    shown: 'high',
    title: 'Changes who may log in',
    why: 'A key in authorized_keys or a line in sudoers is a door that stays open.',
    remedy: 'Do not use this skill',
  },
  'agent-settings': {
    severity: 'high',
    shown: 'medium',
    title: "Changes an agent's settings",
    why: 'Settings, hooks, MCP servers and standing instructions decide what your agent does from then on, without asking.',
    remedy: 'Change them yourself',
  },
  'permission-bypass': {
    severity: 'high',
    shown: 'high',
    title: 'Switches off the questions of an agent',
    why: 'An agent that asks nobody does whatever a text tells it.',
    remedy: 'Remove the flag',
  },
  destructive: {
    severity: 'high',
    shown: 'medium',
    title: 'Destroys files or disks',
    why: 'It cannot be undone.',
    remedy: 'Do not run it',
  },
  'weakens-security': {
    severity: 'high',
    shown: 'medium',
    title: 'Switches off a protection',
    why: 'Firewalls, quarantine marks, certificates and histories are there for a reason.',
    remedy: 'Leave them on',
  },
  'covers-tracks': {
    severity: 'high',
    shown: 'medium',
    title: 'Covers its tracks',
    why: 'Nobody with nothing to hide removes the history.',
    remedy: 'Do not use this skill',
  },
  miner: {
    severity: 'critical',
    shown: 'high',
    title: 'Mines coins',
    why: 'It uses your machine for somebody else.',
    remedy: 'Do not use this skill',
  },
  'watches-input': {
    severity: 'critical',
    shown: 'high',
    title: 'Records what you type',
    why: 'Passwords are typed too.',
    remedy: 'Do not use this skill',
  },
  'hidden-text': {
    severity: 'critical',
    shown: 'critical',
    title: 'Hides text in characters that cannot be seen',
    why: 'A model reads what you do not: letters written in Unicode tags are an instruction behind your back.',
    remedy: 'Remove them: repertoire validate shows where they are',
  },
  'bidi-text': {
    severity: 'high',
    shown: 'high',
    title: 'Turns the direction of text around',
    why: 'What you see is not in the order in which it is read.',
    remedy: 'Remove the control characters',
  },
  'zero-width-text': {
    severity: 'medium',
    shown: 'medium',
    title: 'Has characters without width',
    why: 'They split words so that nobody finds them, or carry a message.',
    remedy: 'Remove them: repertoire validate shows where they are',
  },
  'override-instructions': {
    severity: 'high',
    shown: 'medium',
    title: 'Tells the model to ignore its instructions',
    why: 'A skill adds knowledge. One that sets aside what you and your agent agreed on is an attack.',
    remedy: 'Do not use this skill',
  },
  'hides-from-user': {
    severity: 'high',
    shown: 'medium',
    title: 'Tells the model to hide something from you',
    why: 'What you must not know about cannot be in your interest.',
    remedy: 'Do not use this skill',
  },
  'remote-instructions': {
    severity: 'high',
    shown: 'medium',
    title: 'Has the model fetch its instructions from an address',
    why: 'Whoever controls the address tells your agent what to do, and nothing that was looked at here counts.',
    remedy: 'Keep the instructions in the skill',
  },
  'false-authority': {
    severity: 'high',
    shown: 'medium',
    title: 'Pretends to be the system',
    why: 'A text that plays a message of the system or of the user wants an obedience that skills do not get.',
    remedy: 'Do not use this skill',
  },
  'asks-for-secrets': {
    severity: 'high',
    shown: 'medium',
    title: 'Tells the model to collect or pass on secrets',
    why: 'Keys and private files are not for a model to gather.',
    remedy: 'Do not use this skill',
  },
  'skips-consent': {
    severity: 'high',
    shown: 'medium',
    title: 'Tells the model to act without asking',
    why: 'Your agent asks you for a reason.',
    remedy: 'Remove the instruction',
  },
  'external-program': {
    severity: 'high',
    shown: 'medium',
    title: 'Has somebody download and start a program first',
    why: 'It is the commonest way in: a “prerequisite” from a stranger, often in an archive with a password so that no scanner sees it.',
    remedy: 'Get programs from where they are published',
  },
  // A warning: which other skills there are is no property of this one, and a grant asks for the name to be confirmed.
  imitation: {
    severity: 'medium',
    shown: 'medium',
    title: 'Imitates another skill or a tool',
    why: 'Its name is made to be taken for another one.',
    remedy: 'Make sure which one you want',
  },
  secret: {
    severity: 'high',
    shown: 'high',
    title: 'Contains a secret',
    why: 'A key that travels with a skill is known to everyone who has it.',
    remedy: 'Withdraw the key, and keep the new one out of the files',
  },
  obfuscated: {
    severity: 'high',
    shown: 'medium',
    title: 'Is written so that nobody can read it',
    why: 'Code that hides what it does does something that is to be hidden.',
    remedy: 'Ask for the source',
  },
  'computed-code': {
    severity: 'medium',
    shown: 'low',
    title: 'Runs code that it puts together',
    why: 'What is run can only be known when it runs.',
    remedy: 'See where its parts come from',
  },
  executable: {
    severity: 'high',
    shown: 'high',
    title: 'Brings a compiled program',
    why: 'Nobody can read what it does.',
    remedy: 'Build it from its source, or get it from where it is published',
  },
  disguised: {
    severity: 'critical',
    shown: 'critical',
    title: 'Brings a program under a false name',
    why: 'A picture that is a program is there to be started unseen.',
    remedy: 'Do not use this skill',
  },
  archive: {
    severity: 'low',
    shown: 'low',
    title: 'Brings an archive',
    why: 'What is in it was not looked at.',
    remedy: 'Unpack it into the skill, and scan again',
  },
  'install-hook': {
    severity: 'medium',
    shown: 'medium',
    title: 'Runs something when it is installed',
    why: 'Hooks of package managers run before anybody has decided to use the skill.',
    remedy: 'Install with scripts switched off',
  },
  'import-hook': {
    severity: 'high',
    shown: 'high',
    title: 'Runs something whenever Python starts',
    why: 'A .pth file or sitecustomize runs in every program, not only in this skill.',
    remedy: 'Remove the file',
  },
  'broad-tools': {
    severity: 'low',
    shown: 'low',
    title: 'Asks for every command',
    why: 'With a shell and no limits, allowed-tools limits nothing.',
    remedy: 'Name the commands, such as Bash(git status:*)',
  },
  'all-tools': {
    severity: 'high',
    shown: 'high',
    title: 'Asks for every tool',
    why: 'It would never be asked for anything.',
    remedy: 'Name the tools that it needs',
  },
  'broad-capabilities': {
    severity: 'medium',
    shown: 'medium',
    title: 'Asks for far more than a tool needs',
    why: 'Whole home folders and every host are no capability but the absence of a limit.',
    remedy: 'Name the folders and hosts',
  },
  undeclared: {
    severity: 'medium',
    shown: 'medium',
    title: 'Does what its manifest does not declare',
    why: 'Whoever granted what is declared did not agree to that.',
    remedy: 'Declare it, or remove it',
  },
  'link-outside': {
    severity: 'high',
    shown: 'high',
    title: 'Has a link out of its folder',
    why: 'Reading the skill would read something else of yours.',
    remedy: 'Remove the link',
  },
  unscanned: {
    severity: 'medium',
    shown: 'medium',
    title: 'Could not be looked at',
    why: 'A file that is too large or not readable may hold anything.',
    remedy: 'Look at it yourself',
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

/** One place where a rule applies. */
export interface Hit {
  readonly rule: RuleId;
  /** Null for the file as a whole. */
  readonly line: number | null;
  readonly found: string;
  /** Whether it is only shown, in a document. */
  readonly isShown?: boolean;
  /** Another severity than the rule's, where more is known. */
  readonly severity?: ScanSeverity | undefined;
  readonly layers?: readonly string[];
}
