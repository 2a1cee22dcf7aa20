/** A program that reads some of its words as code, or as the name of a program to run. */
export interface CodeReader {
  /** The name of the program. */
  readonly program: RegExp;
  /** Options that code, a file of code or a program follows. */
  readonly option?: RegExp;
  /** Subcommands that a program to run follows. */
  readonly runsAfter?: RegExp;
  /** Words, such as a subcommand, after which all operands are code, or choose what is run. */
  readonly allAfter?: RegExp;
  /** Whether words after a file are for that file. */
  readonly cutsAtFile?: true;
  /**
   * The role of its operands: the first one is a program or code (or a subcommand), or all of them are. Bare code:
   * those that begin with the value, because a mark at their beginning makes them code, such as `+!command` for `vim`
   * or `|command` for `sox`.
   */
  readonly operand?: {
    readonly is: 'program' | 'code' | 'all code' | 'bare code';
    /** Number of operands before it that are something else. */
    readonly after?: number;
    /** Operands that do not count, such as `NAME=value`. */
    readonly isSkipped?: RegExp;
  };
  /** Options that have the next word as their value. */
  readonly takes?: RegExp;
  /** Options that have the next two words as their values. */
  readonly takesTwo?: RegExp;
  /** Words with which the operands are only data. */
  readonly unless?: RegExp;
  /** Whether it reads code from its input: where nothing else is given to run, or always. */
  readonly input?: 'alone' | 'always';
  /** Options that a shell script follows, which finds the operands after it as `$1` and so on. */
  readonly shellScript?: RegExp;
}

const script = { operand: { is: 'code' }, cutsAtFile: true, input: 'alone' } as const;
const runs = { operand: { is: 'program' } } as const;
const subcommand = { operand: { is: 'code' } } as const;
const bare = { operand: { is: 'bare code' } } as const;

/** All known readers of code. A program that is not here is taken to read its words as data. */
export const codeReaders: readonly CodeReader[] = [
  // shells and interpreters: code after an option, or else a file
  {
    program: /^(?:ba|rba|da|a|z|k|mk|c|tc|fi|ya)?sh$/,
    option: /^(?:-[a-z]*c[a-z]*|--command|--init-command|--rcfile|--init-file)$/i,
    shellScript: /^(?:-[a-z]*c[a-z]*|--command)$/,
    takes: /^[-+][oO]$/,
    unless: /^(?:-[a-z]*c[a-z]*|--command)$/i,
    ...script,
  },
  {
    program: /^(?:i?python|pypy)[\d.]*$/,
    option: /^-[a-zA-Z]*[cm]$/,
    takes: /^-[XW]$/,
    unless: /^-[a-zA-Z]*[cm]$/,
    ...script,
  },
  {
    program: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    option: /^(?:-[pe]+|-r|--eval|--print|eval|--import|--require|--preload|--loader|--experimental-loader)$/,
    takes: /^(?:-r|--import|--require|--loader|-C|--conditions|--env-file)$/,
    unless: /^(?:-[pe]+|--eval|--print|eval)$/,
    ...script,
    operand: { is: 'code', isSkipped: /^run$/ },
  },
  {
    program: /^perl[\d.]*$/,
    option: /^-[a-zA-Z0-9]*[eEMmIfx]$/,
    // with -n and -p, a file "command|" is run
    allAfter: /^-[0acflpnswW]*[np][0acefEilpnswW]*$/,
    takes: /^-[IMm]$/,
    unless: /^-[a-z0-9]*[eE]$/,
    ...script,
  },
  {
    program:
      /^(?:ruby|lua|luajit|Rscript|R|osascript|php|elixir|julia|octave(?:-cli)?|gnuplot|ghci?|scala|groovy)[\d.]*$/,
    option: /^(?:-[a-z]*[eErRBMmlLfF]|-d|-z|--eval|--run|--require|--file|--expression)$/,
    takes: /^(?:-[IMmrlLCd]|--project)$/,
    unless: /^(?:-[a-z]*[eErRB]|--eval|--run|--expression)$/,
    ...script,
  },
  {
    program:
      /^(?:guile|racket|sbcl|clisp|erl|escript|ocaml|swipl|clojure|clj|bb|janet|nu|elvish|xonsh|nim|sage|maxima|matlab)$/,
    option: /^(?:-[a-z]*[cegstlrxfLM]|--?(?:eval|load|script|require|init-file|batch|batch-string|commands?|config))$/,
    unless: /^(?:-[a-z]*[cexr]|--?(?:eval|batch|batch-string|commands?))$/,
    ...script,
  },
  {
    program: /^(?:pwsh|powershell|cmd)(?:\.exe)?$/,
    option: /^-{1,2}(?:e|encodedcommand|f|file)$/i,
    allAfter: /^(?:-{1,2}c(?:ommand)?|\/[ck])$/i,
    ...script,
  },
  { program: /^(?:java|tclsh|expect|wasmtime)$/, option: /^(?:-jar|-cp|-classpath|-javaagent:?.*|-c)$/, ...script },
  { program: /^(?:eval|\.|source|let|trap)$/, operand: { is: 'all code' } },
  // small languages
  {
    program: /^(?:jq|gojq|jaq|yq|xq|tomlq)$/,
    option: /^(?:-[a-zA-Z]*[fL]|--from-file|--library-path)$/,
    takes: /^(?:-[opIL]|--indent|--library-path|--(?:in|out)put-format)$/,
    takesTwo: /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/,
    unless: /^(?:-[a-zA-Z]*f|--from-file.*)$/,
    operand: { is: 'code', isSkipped: /^(?:e|ea|eval|eval-all)$/ },
  },
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
  { program: /^[db]c$/, option: /^(?:-[ef]|--expression|--file)$/, operand: { is: 'all code' }, input: 'always' },
  { program: /^(?:rename|prename|file-rename|xsltproc|crontab|logrotate)$/, option: /^-e$/, operand: { is: 'code' } },
  {
    program: /^m4$/,
    option: /^(?:-[DI]|--define|--include|--prepend-include)$/,
    operand: { is: 'all code' },
    input: 'always',
  },
  { program: /^(?:ed|red|at|batch)$/, option: /^-f$/, operand: { is: 'code' }, takes: /^-[pqf]$/, input: 'always' },
  {
    program: /^(?:g?make|ninja|rake|just|ant|mvn|gradle|gradlew)$/,
    option: /^(?:-f|--file|--makefile|--eval|-C|--directory)$/,
    operand: { is: 'all code' },
    takes: /^-[jlo]$/,
  },
  {
    program: /^(?:sqlite3?|duckdb)$/,
    option: /^--?(?:cmd|init|c|s|f)$/,
    operand: { is: 'all code', after: 1 },
    takes: /^--?(?:separator|nullvalue|newline|mmap|maxsize)$/,
    unless: /^--?safe$/,
    input: 'always',
  },
  {
    program: /^(?:psql|mysql|mariadb|usql)$/,
    option: /^(?:-[cefv]|--(?:command|execute|file|variable|set|init-command|pager|defaults-(?:extra-)?file))$/,
    input: 'always',
  },
  {
    program: /^(?:sqlcmd|snowsql|cqlsh|mongosh?|clickhouse(?:-client|-local)?)$/,
    option: /^(?:-[efqQi]|--(?:execute|eval|query|queries-file|file))$/,
    input: 'always',
  },
  {
    program: /^(?:gdb|lldb)$/,
    option: /^--?(?:ex|iex|x|ix|o|O|s|S|eval-command|command|init-command)$/,
    operand: { is: 'code' },
    input: 'always',
  },
  { program: /^redis-cli$/, option: /^--eval$/, takes: /^-[hpansu]$/, ...subcommand },
  { program: /^(?:g?vim?|nvim|ex|r?view|vimdiff)$/, option: /^--?(?:c|cmd|S|s|u)$/, unless: /^--$/, ...bare },
  { program: /^(?:less|more|most)$/, option: /^(?:-k|--lesskey-.*)$/, unless: /^--$/, ...bare },
  { program: /^gs$/, option: /^-c$/, operand: { is: 'code' } },
  { program: /^(?:pdf|xe|lua|e)?(?:la)?tex$/, ...bare },
  // files that can be a command or a script: "|command", "msl:file"
  { program: /^(?:convert|magick|mogrify|identify|composite|montage|compare|gm|sox|soxi|play|rec)$/, ...bare },
  // programs that start another
  {
    program: /^env$/,
    option: /^(?:-S|--split-string)$/,
    ...runs,
    operand: { is: 'program', isSkipped: /^\w+=/ },
    takes: /^(?:-u|--unset|-C|--chdir)$/,
  },
  {
    program: /^(?:timeout|chroot|logsave|flock|taskset|chrt)$/,
    operand: { is: 'program', after: 1 },
    takes: /^(?:-[skcwE]|--signal|--kill-after)$/,
  },
  { program: /^(?:nice|ionice|setpriority|choom|cpulimit)$/, takes: /^(?:-n|-c|-p|--adjustment)$/, ...runs },
  {
    program:
      /^(?:nohup|time|setsid|exec|command|builtin|doas|busybox|toybox|unshare|nsenter|setarch|prlimit|ld-linux.*|ld\.so)$/,
    ...runs,
  },
  {
    program:
      /^(?:systemd-run|setpriv|runcon|numactl|bwrap|proot|firejail|fakeroot|xvfb-run|dbus-run-session|unbuffer|rlwrap|entr|wine|torsocks|proxychains4?|ssh-agent|qemu-\w+)$/,
    ...runs,
  },
  { program: /^stdbuf$/, takes: /^-[ioe]$/, ...runs },
  { program: /^sudo$/, takes: /^-[ugpChrt]$/, ...runs },
  { program: /^(?:su|runuser|sg|capsh)$/, option: /^(?:-c|--command|-s|--shell)$/, operand: { is: 'all code' } },
  { program: /^(?:strace|ltrace|valgrind|perf)$/, takes: /^-[eoPsuE]$/, ...runs },
  {
    program: /^(?:xargs|parallel)$/,
    takes: /^(?:-[IndLPsEaj]|--max-args|--max-procs|--delimiter|--arg-file)$/,
    ...runs,
    input: 'alone',
  },
  { program: /^(?:watch|hyperfine|tmux|screen)$/, takes: /^-n$/, operand: { is: 'all code' } },
  {
    program: /^(?:ssh|mosh|rsh)$/,
    option: /^(?:-[FSDEJI]|-o.*)$/,
    operand: { is: 'all code' },
    takes: /^-[pilbcemLRWw]$/,
  },
  // programs whose first word says what they do
  {
    program: /^(?:docker|podman|nerdctl|kubectl|oc|docker-compose)$/,
    option: /^(?:-H|-v|--(?:host|config|context|connection|url|kubeconfig|volume|mount|device|entrypoint))$/,
    takes: /^(?:-n|--namespace|--context)$/,
    allAfter:
      /^(?:run|exec|create|build|buildx|compose|stack|plugin|machine|kube|play|generate|unshare|cp|load|import|debug|edit|up)$/,
    ...subcommand,
  },
  { program: /^(?:npx|bunx|pnpx|uvx|pipx)$/, option: /^(?:-c|--call|-p|--package|--from)$/, ...runs },
  {
    program: /^(?:npm|pnpm|yarn|pip3?|uv|poetry|pipenv|bundle|gem|composer|go|dotnet|brew)$/,
    option: /^(?:-c|--call|--package|-exec|-toolexec)$/,
    runsAfter: /^(?:run|run-script|exec|x|dlx)$/,
    allAfter: /^(?:create|init|install|i|add|tool|download|wheel|generate|global)$/,
    ...subcommand,
  },
  {
    program: /^gh$/,
    option: /^(?:-q|--jq)$/,
    takes: /^(?:-R|--repo)$/,
    allAfter: /^(?:alias|extensions?|ext|codespace|cs)$/,
    ...subcommand,
  },
  {
    program: /^(?:aws|gcloud|az|conda|terraform|tofu|helm|systemctl|apt|apt-get|dnf|yum|rpm)$/,
    option: /^-[oED]$/,
    ...subcommand,
  },
  { program: /^(?:ansible|ansible-playbook|ansible-console)$/, option: /^-[aimeMe]$/, operand: { is: 'all code' } },
  { program: /^cargo$/, allAfter: /^(?:install|add)$/, ...subcommand },
  { program: /^openssl$/, option: /^-(?:engine|provider|provider-path|config)$/, ...subcommand },
  { program: /^ip$/, option: /^-b(?:atch)?$/, allAfter: /^exec$/, ...subcommand },
  { program: /^socat$/, operand: { is: 'all code' } },
  {
    program: /^git$/,
    option:
      /^(?:-[cxO]|--(?:config-env|exec-path|upload-pack|receive-pack|exec|extcmd|open-files-in-pager|template|smtp-server|[a-z]+-filter))$/,
    takes: /^(?:-C|--git-dir|--work-tree|--namespace)$/,
    allAfter: /^(?:config|foreach|run)$/,
    ...subcommand,
  },
  // options that code or the name of a program follows
  ...(
    [
      [/^find$/, /^-(?:exec|execdir|ok|okdir)$/],
      [/^(?:fd|fdfind)$/, /^(?:-[xX]|--exec|--exec-batch)$/],
      [/^(?:rg|ag|ack|bat|batcat|fzf)$/, /^--(?:pre|hostname-bin|pager|preview|bind)$/],
      [
        /^(?:g|bsd)?tar$|^cpio$/,
        /^(?:-[IF]|--(?:to-command|use-compress-program|checkpoint-action|rsh-command|rmt-command|info-script|new-volume-script))$/,
      ],
      [/^(?:nc|ncat|netcat)$/, /^(?:-[ec]|--(?:sh-|lua-)?exec)$/],
      [/^(?:split|sort|sdiff|diff3|install)$/, /^--(?:filter|compress-program|diff-program|strip-program)$/],
      [/^curl$/, /^(?:-[a-zA-Z#]*K|--config|--engine)$/],
      [/^wget2?$/, /^(?:-e|--execute|--use-askpass|--config)$/],
      [/^rsync$/, /^(?:-[a-zA-Z]*[eM]|--(?:rsh|rsync-path|remote-option|config))$/],
      [/^(?:scp|sftp)$/, /^(?:-[SFb]|-o.*)$/],
      [/^(?:lftp|smbclient)$/, /^-[cef]$/],
      [/^zip$/, /^(?:-TT|--unzip-command)$/],
      [/^man$/, /^(?:-P|--pager|-C|--config-file|-H.*|--html.*)$/],
      [/^emacs$/, /^--?(?:eval|execute|f|funcall|l|load|batch|script|x)$/],
      [/^cmake$/, /^-[PCE]$/],
      [/^mlr$/, /^(?:put|filter|-[qSxs])$/],
      [/^(?:script|start-stop-daemon)$/, /^(?:-[cxa]|--command|--exec|--startas)$/],
      [/^exiftool$/, /^-(?:if\d*|p|printFormat|config|@)$/i],
      [/^(?:tcpdump|tshark|nmap)$/, /^(?:-[zX]|--script)$/],
      [/^(?:ffmpeg|ffprobe|ffplay)$/, /^-(?:vf|af|lavfi|filter.*)$/],
      // readers and writers can be Lua
      [/^pandoc$/, /^(?:-[FLdtfwr]|--(?:filter|lua-filter|pdf-engine|defaults|to|from|write|read|data-dir))$/],
      [
        /^(?:yt-dlp|youtube-dl|aria2c|mpv)$/,
        /^--(?:exec.*|downloader|config-.*|netrc-cmd|plugin-dirs|on-.*|scripts?)$/,
      ],
      [/^(?:gpg2?|ssh-keygen|ssh-add)$/, /^(?:-[Ds]|--(?:options|photo-viewer|agent-program))$/],
      [/^(?:eslint|prettier|mocha|jest|vitest|webpack|rollup|vite)$/, /^--(?:config|require|plugin|rulesdir|parser)$/],
    ] as const
  ).map(([program, option]) => ({ program, option })),
];
