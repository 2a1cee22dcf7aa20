/** A program that reads some of its words as code, or as the name of a program to run. */
export interface CodeReader {
  /** By its name. */
  readonly program: RegExp;
  /** Options that code, a file of code or a program follows. */
  readonly option?: RegExp;
  /** Whether words after a file are for that file. */
  readonly cutsAtFile?: true;
  /** What its operands are: the first one is a program or code, or all of them are. */
  readonly operand?: {
    readonly is: 'program' | 'code' | 'all code';
    /** So many operands before are something else. */
    readonly after?: number;
    /** Operands that do not count, such as `NAME=value`. */
    readonly isSkipped?: RegExp;
  };
  /** Options that have the next word as their value. */
  readonly takes?: RegExp;
  /** Options with which the operands are only files. */
  readonly unless?: RegExp;
  /** Whether it reads code from its input: where nothing else is given to run, or always. */
  readonly input?: 'alone' | 'always';
}

const script = { operand: { is: 'code' }, cutsAtFile: true, input: 'alone' } as const;
const runs = { operand: { is: 'program' } } as const;

/** All that are known. What is not here is taken to read its words as data. */
export const codeReaders: readonly CodeReader[] = [
  // shells and interpreters: code after an option, or else a file
  {
    program: /^(?:ba|da|a|z|k|mk|c|tc|fi)?sh$/,
    option: /^(?:-[a-z]*c[a-z]*|--command|--init-command|--rcfile|--init-file)$/i,
    takes: /^[-+][oO]$/,
    unless: /^(?:-[a-z]*c[a-z]*|--command)$/i,
    ...script,
  },
  {
    program: /^(?:python|pypy)[\d.]*$/,
    option: /^-[a-zA-Z]*[cm]$/,
    takes: /^-[XW]$/,
    unless: /^-[a-zA-Z]*[cm]$/,
    ...script,
  },
  {
    program: /^(?:node|nodejs|bun|deno)$/,
    option: /^(?:-[pe]+|-r|--eval|--print|eval|--import|--require|--preload|--loader|--experimental-loader)$/,
    takes: /^(?:-r|--import|--require|--loader|-C|--conditions|--env-file)$/,
    unless: /^(?:-[pe]+|--eval|--print|eval)$/,
    ...script,
    operand: { is: 'code', isSkipped: /^run$/ },
  },
  {
    program: /^(?:perl|ruby|lua|luajit|Rscript|R|osascript|php|elixir|julia|octave(?:-cli)?|gnuplot)[\d.]*$/,
    option: /^(?:-[a-z]*[eErRBMmlL]|-d|--eval|--run|--require)$/,
    takes: /^(?:-[IMmrlLCd]|--project)$/,
    unless: /^(?:-[a-z]*[eErRB]|--eval|--run)$/,
    ...script,
  },
  { program: /^(?:pwsh|powershell)$/, option: /^-{1,2}(?:c|command|e|encodedcommand|f|file)$/i, ...script },
  { program: /^(?:java|tclsh|expect|wasmtime)$/, option: /^(?:-jar|-cp|-classpath|-javaagent:?.*|-c)$/, ...script },
  // small languages
  {
    program: /^[gmn]?awk$/,
    option: /^(?:-[efliE]|--source|--file|--include|--load|--exec)$/,
    takes: /^-[Fv]$/,
    unless: /^(?:-[efE].*|--source.*|--file.*|--exec.*)$/,
    operand: { is: 'code' },
  },
  {
    program: /^g?sed$/,
    option: /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/,
    takes: /^-l$/,
    unless: /^(?:-[nErsuz]*[ef].*|--expression.*|--file.*)$/,
    operand: { is: 'code' },
  },
  { program: /^dc$/, option: /^(?:-[ef]|--expression|--file)$/, operand: { is: 'all code' }, input: 'always' },
  {
    program: /^m4$/,
    option: /^(?:-[DI]|--define|--include|--prepend-include)$/,
    operand: { is: 'all code' },
    input: 'always',
  },
  { program: /^(?:ed|red|at|batch)$/, option: /^-f$/, operand: { is: 'code' }, takes: /^-[pqf]$/, input: 'always' },
  { program: /^cmake$/, option: /^-[PCE]$/ },
  {
    program: /^g?make$/,
    option: /^(?:-f|--file|--makefile|--eval|-C|--directory)$/,
    operand: { is: 'all code' },
    takes: /^-[jlo]$/,
  },
  {
    program: /^sqlite3?$/,
    option: /^--?(?:cmd|init)$/,
    operand: { is: 'all code', after: 1 },
    takes: /^--?(?:separator|nullvalue|newline|mmap|maxsize)$/,
    unless: /^--?safe$/,
    input: 'always',
  },
  {
    program: /^(?:psql|mysql|mariadb)$/,
    option: /^(?:-[cefv]|--command|--execute|--file|--variable|--set)$/,
    input: 'always',
  },
  {
    program: /^(?:gdb|lldb)$/,
    option: /^--?(?:ex|iex|x|ix|o|O|s|S|eval-command|command|init-command)$/,
    operand: { is: 'code' },
    input: 'always',
  },
  { program: /^(?:vim?|nvim|ex|view|emacs)$/, option: /^--?(?:c|cmd|S|s|u|eval|f|funcall|l|load|batch)$/ },
  { program: /^gs$/, option: /^-c$/, operand: { is: 'code' } },
  // programs that start another
  {
    program: /^env$/,
    option: /^(?:-S|--split-string)$/,
    ...runs,
    operand: { is: 'program', isSkipped: /^\w+=/ },
    takes: /^(?:-u|--unset|-C|--chdir)$/,
  },
  {
    program: /^(?:timeout|chroot|flock|taskset|chrt)$/,
    operand: { is: 'program', after: 1 },
    takes: /^(?:-[skcwE]|--signal|--kill-after)$/,
  },
  { program: /^(?:nice|ionice|setpriority)$/, takes: /^(?:-n|-c|-p|--adjustment)$/, ...runs },
  {
    program: /^(?:nohup|time|setsid|exec|command|doas|busybox|unshare|nsenter|setarch|prlimit|ld-linux.*|ld\.so)$/,
    ...runs,
  },
  { program: /^stdbuf$/, takes: /^-[ioe]$/, ...runs },
  { program: /^(?:sudo|su|runuser)$/, option: /^(?:-c|--command|-s|--shell)$/, takes: /^-[ugpChrt]$/, ...runs },
  { program: /^(?:strace|ltrace|valgrind|perf)$/, takes: /^-[eoPsuE]$/, ...runs },
  {
    program: /^(?:xargs|parallel)$/,
    takes: /^(?:-[IndLPsEaj]|--max-args|--max-procs|--delimiter|--arg-file)$/,
    ...runs,
    input: 'alone',
  },
  { program: /^watch$/, takes: /^-n$/, operand: { is: 'all code' } },
  { program: /^script$/, option: /^(?:-c|--command)$/ },
  { program: /^(?:ssh|mosh|rsh)$/, option: /^-[oFSDEJ]$/, operand: { is: 'all code' }, takes: /^-[pilbcemLRWw]$/ },
  { program: /^(?:docker|podman|nerdctl)$/, operand: { is: 'all code' } },
  { program: /^(?:npx|bunx|pnpx|uvx|pipx)$/, option: /^(?:-c|--call|-p|--package|--from)$/, ...runs },
  { program: /^(?:npm|pnpm|yarn|pip3?)$/, option: /^(?:exec|x|dlx|create|init|install|i|add|-c|--call|--package)$/ },
  // options that name a program
  { program: /^find$/, option: /^-(?:exec|execdir|ok|okdir)$/ },
  {
    program: /^(?:g|bsd)?tar$/,
    option:
      /^(?:-I|-F|--to-command|--use-compress-program|--checkpoint-action|--rsh-command|--info-script|--new-volume-script)$/,
  },
  { program: /^(?:nc|ncat|netcat)$/, option: /^(?:-[ec]|--(?:sh-|lua-)?exec)$/ },
  { program: /^socat$/, operand: { is: 'all code' } },
  { program: /^split$/, option: /^--filter$/ },
  { program: /^sort$/, option: /^--compress-program$/ },
  {
    program: /^git$/,
    option:
      /^(?:-c|--config-env|--exec-path|--upload-pack|--receive-pack|--exec|-x|-O|--open-files-in-pager|--template)$/,
  },
  { program: /^(?:rsync|scp|sftp)$/, option: /^(?:-e|--rsh|--rsync-path|-S|-o|-F)$/ },
  { program: /^zip$/, option: /^(?:-TT|--unzip-command)$/ },
  { program: /^man$/, option: /^(?:-P|--pager|-H.*|--html.*)$/ },
  { program: /^wget$/, option: /^(?:-e|--execute|--use-askpass)$/ },
];
