/** A program that reads some of its words as code, or as the name of a program to run. */
export interface CodeReader {
  /** The name of the program. */
  readonly program: RegExp;
  /** Options that code, a file of code or a program follows. */
  readonly option?: RegExp;
  /** Options after which all operands are code. */
  readonly allAfter?: RegExp;
  /** Options that the name of another program follows, and then words for that. */
  readonly runsAfter?: RegExp;
  /** Readers of what follows a first operand of that name. */
  readonly subcommands?: readonly (readonly [RegExp, Omit<CodeReader, 'program'>])[];
  /** Whether a value after any `--long` before the subcommand is taken to be the value of that option. */
  readonly takesLong?: true;
  /** Whether a file of the skill with this name is this program too, as `.venv/bin/python` is. */
  readonly isOwn?: true;
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

const script = { operand: { is: 'code' }, cutsAtFile: true, input: 'alone', isOwn: true } as const;
const runs = { operand: { is: 'program' } } as const;
const runsSecond = { operand: { is: 'program', after: 1 } } as const;
const code = { operand: { is: 'code' } } as const;
const allCode = { operand: { is: 'all code' } } as const;
const subcommand = { ...code, takesLong: true } as const;
const bare = { operand: { is: 'bare code' } } as const;

const javascript = {
  option: /^(?:-[pe]+|-r|--eval|--print|eval|--import|--require|--preload|--loader|--experimental-loader)$/,
  takes: /^(?:-r|--import|--require|--loader|-C|--conditions|--env-file)$/,
  unless: /^(?:-[pe]+|--eval|--print|eval)$/,
  ...script,
} as const;

const manyTimes = /^(?:-[IndLPsEaj]|--max-args|--max-procs|--delimiter|--arg-file)$/;

const compose = {
  option: /^(?:-f|--(?:file|project-directory|env-file))$/,
  takes: /^-p$/,
  subcommands: [
    [/^exec$/, { takes: /^(?:-[euw]|--(?:env|user|workdir|index))$/, ...runsSecond }],
    [/^(?:run|build|create|up|cp|publish)$/, allCode],
  ],
  ...subcommand,
} as const;

const containers = [
  [/^compose$/, compose],
  [/^exec$/, { takes: /^(?:-[euw]|--(?:env|env-file|user|workdir))$/, ...runsSecond }],
  [
    /^(?:build|bake)$/,
    {
      option: /^(?:-f|--(?:file|build-context|builder))$/,
      takes: /^(?:-t|--(?:tag|target|platform|label|progress|build-arg))$/,
      ...allCode,
    },
  ],
  [
    /^(?:run|create|stack|plugin|machine|kube|play|generate|unshare|load|import)$/,
    { takes: /^(?:-[ewpu]|--(?:name|env|workdir|publish|user|label|network|memory|cpus|platform))$/, ...allCode },
  ],
] as const;

const packages = [
  [/^(?:run|run-script|exec|x|dlx)$/, runs],
  [/^(?:create|init|install|i|add|get|require|download|wheel|generate)$/, allCode],
] as const;

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
    runsAfter: /^-[a-zA-Z]*m$/,
    ...script,
  },
  { program: /^(?:node|nodejs|tsx|ts-node)$/, ...javascript },
  {
    program: /^(?:bun|deno)$/,
    ...javascript,
    subcommands: [
      [/^(?:run|x|task|exec|create|test|bench|serve|compile)$/, code],
      [/^(?:add|install|i)$/, allCode],
    ],
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
  { program: /^(?:eval|\.|source|let|trap)$/, ...allCode },
  {
    program: /^(?:pytest|py\.test)$/,
    option: /^-[pco]$/,
    takes: /^(?:-[kmnrW]|--(?:maxfail|tb|durations))$/,
    ...allCode,
  },
  {
    program: /^mocha$/,
    option: /^(?:-[rRu]|--(?:require|import|loader|config|package|reporter|ui|spec|file|node-option))$/,
    takes: /^(?:-[gfts]|--(?:grep|fgrep|timeout|slow))$/,
    ...allCode,
  },
  {
    program: /^(?:swift|dart|streamlit)$/,
    option: /^--(?:package-path|packages)$/,
    subcommands: [
      [/^run$/, code],
      [/^test$/, {}],
    ],
    ...code,
  },
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
  { program: /^[db]c$/, option: /^(?:-[ef]|--expression|--file)$/, ...allCode, input: 'always' },
  { program: /^(?:rename|prename|file-rename|xsltproc|crontab|logrotate)$/, option: /^-e$/, operand: { is: 'code' } },
  {
    program: /^m4$/,
    option: /^(?:-[DI]|--define|--include|--prepend-include)$/,
    ...allCode,
    input: 'always',
  },
  { program: /^(?:ed|red|at|batch)$/, option: /^-f$/, operand: { is: 'code' }, takes: /^-[pqf]$/, input: 'always' },
  {
    program: /^(?:g?make|ninja|rake|just|ant|mvnw?|gradlew?)$/,
    option: /^(?:-f|--file|--makefile|--eval|-C|--directory)$/,
    takes: /^-[jlo]$/,
    ...allCode,
    isOwn: true,
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
  { program: /^redis-cli$/, option: /^--eval$/, takes: /^-[hpansu]$/, ...code },
  { program: /^(?:g?vim?|nvim|ex|r?view|vimdiff)$/, option: /^--?(?:c|cmd|S|s|u)$/, unless: /^--$/, ...bare },
  { program: /^(?:less|more|most)$/, option: /^(?:-k|--lesskey-.*)$/, unless: /^--$/, ...bare },
  { program: /^gs$/, option: /^-c$/, operand: { is: 'code' } },
  { program: /^(?:pdf|xe|lua|e)?(?:la)?tex$/, ...bare },
  // files that can be a command or a script: "|command", "msl:file"
  {
    program: /^(?:convert|magick|mogrify|identify|composite|montage|compare|gm)$/,
    takes:
      /^[-+](?:resize|scale|sample|thumbnail|crop|extent|geometry|size|rotate|quality|density|depth|colors|colorspace|gravity|background|bordercolor|border|fill|stroke|strokewidth|pointsize|blur|sharpen|unsharp|fuzz|threshold|level|gamma|modulate|brightness-contrast|compress|delay|loop|alpha|type|units|interlace|metric|filter|format)$/,
    ...bare,
  },
  { program: /^(?:sox|soxi|play|rec)$/, ...bare },
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
      /^(?:nohup|time|setsid|exec|command|builtin|doas|busybox|toybox|unshare|setarch|tini|dumb-init|prlimit|ld-linux.*|ld\.so)$/,
    ...runs,
  },
  {
    program:
      /^(?:systemd-run|setpriv|runcon|numactl|bwrap|proot|firejail|fakeroot|xvfb-run|dbus-run-session|unbuffer|rlwrap|entr|wine|torsocks|proxychains4?|ssh-agent|qemu-\w+)$/,
    ...runs,
  },
  { program: /^nsenter$/, takes: /^(?:-[tSG]|--target)$/, ...runs },
  { program: /^(?:gosu|su-exec)$/, ...runsSecond },
  { program: /^stdbuf$/, takes: /^-[ioe]$/, ...runs },
  { program: /^sudo$/, takes: /^-[ugpChrt]$/, ...runs },
  { program: /^(?:su|runuser|sg|capsh)$/, option: /^(?:-c|--command|-s|--shell)$/, ...allCode },
  { program: /^(?:strace|ltrace|valgrind|perf)$/, takes: /^-[eoPsuE]$/, ...runs },
  { program: /^xargs$/, takes: manyTimes, ...runs },
  { program: /^parallel$/, takes: manyTimes, ...runs, input: 'alone' },
  { program: /^(?:watch|hyperfine|tmux|screen)$/, takes: /^-n$/, ...allCode },
  {
    program: /^(?:ssh|mosh|rsh)$/,
    option: /^(?:-[FSDEJI]|-o.*)$/,
    // the host is data: a value there cannot begin with a dash
    operand: { is: 'all code', after: 1 },
    takes: /^-[pilbcemLRWw]$/,
  },
  // programs whose first word says what they do
  {
    program: /^(?:docker|podman|nerdctl)$/,
    option: /^(?:-H|-v|--(?:host|config|context|connection|url|volume|mount|device|entrypoint))$/,
    takes: /^(?:-[cln]|--(?:namespace|log-level))$/,
    subcommands: [...containers, [/^(?:container|image|builder|buildx)$/, { subcommands: containers }]],
    ...subcommand,
  },
  { program: /^(?:docker|podman)-compose$/, ...compose },
  {
    program: /^(?:kubectl|oc)$/,
    option: /^--kubeconfig$/,
    takes: /^(?:-[ns]|--(?:namespace|context|cluster|user))$/,
    subcommands: [
      [/^exec$/, { takes: /^(?:-[nc]|--(?:namespace|container|context))$/, ...runsSecond }],
      [/^(?:run|debug|edit|plugin|kustomize)$/, allCode],
    ],
    ...subcommand,
  },
  { program: /^(?:npx|bunx|pnpx|uvx|pipx)$/, option: /^(?:-c|--call|-p|--package|--from)$/, ...runs },
  {
    program: /^(?:npm|pnpm|yarn|pip3?|uv|poetry|pipenv|bundle|gem|composer|go|brew)$/,
    option: /^(?:-c|--call|--package|-exec|-toolexec)$/,
    takes: /^(?:-[CFw]|--(?:prefix|registry|cwd|dir|directory|filter|workspace|project))$/,
    subcommands: [
      ...packages,
      [/^(?:pip|self)$/, { subcommands: packages, ...code }],
      [/^workspace$/, { subcommands: packages, operand: { is: 'code', after: 1 } }],
      [/^(?:tool|global)$/, allCode],
    ],
    ...subcommand,
  },
  {
    program: /^dotnet$/,
    subcommands: [
      [/^run$/, { option: /^--(?:project|file|launch-profile)$/ }],
      [/^(?:exec|script|fsi|tool|add)$/, allCode],
    ],
    ...subcommand,
  },
  {
    program: /^nix$/,
    option: /^(?:-[fEI]|--(?:file|expr|include))$/,
    subcommands: [
      [/^(?:run|bundle)$/, code],
      [/^(?:shell|develop)$/, { option: /^(?:-c|--command)$/, ...allCode }],
      [/^(?:build|eval|profile|repl)$/, allCode],
    ],
    ...subcommand,
  },
  { program: /^nix-(?:shell|build|env|instantiate)$/, option: /^(?:-[pEIA]|--(?:run|command))$/, ...allCode },
  {
    program: /^gh$/,
    option: /^(?:-q|--jq)$/,
    takes: /^(?:-R|--repo)$/,
    subcommands: [[/^(?:alias|extensions?|ext|codespace|cs)$/, allCode]],
    ...subcommand,
  },
  {
    program: /^(?:aws|gcloud|az|terraform|tofu|helm|systemctl|apt|apt-get|dnf|yum)$/,
    option: /^-[oED]$/,
    takes: /^(?:-[nHMt]|--(?:profile|region|project|subscription|kube-context|namespace|host|machine))$/,
    ...subcommand,
  },
  {
    program: /^(?:conda|mamba|micromamba)$/,
    subcommands: [[/^run$/, { takes: /^(?:-[np]|--(?:name|prefix|cwd))$/, ...runs }]],
    ...subcommand,
  },
  { program: /^rpm$/, option: /^-[ED]$/, unless: /^(?:-q.*|--query)$/, ...code },
  { program: /^(?:ansible|ansible-playbook|ansible-console)$/, option: /^-[aimeMe]$/, ...allCode },
  {
    program: /^cargo$/,
    option: /^--(?:manifest-path|config)$/,
    subcommands: [[/^(?:install|add)$/, allCode]],
    ...subcommand,
  },
  { program: /^openssl$/, option: /^-(?:engine|provider|provider-path|config)$/, ...code },
  {
    program: /^ip$/,
    option: /^-b(?:atch)?$/,
    takes: /^-(?:n|netns|f|family|l|loops)$/,
    subcommands: [[/^(?:netns|vrf)$/, { subcommands: [[/^exec$/, runsSecond]] }]],
    ...code,
  },
  { program: /^socat$/, ...allCode },
  {
    program: /^git$/,
    option:
      /^(?:-[cxO]|--(?:config-env|exec-path|upload-pack|receive-pack|exec|extcmd|open-files-in-pager|template|smtp-server|[a-z]+-filter))$/,
    takes: /^(?:-C|--git-dir|--work-tree|--namespace)$/,
    subcommands: [
      [/^config$/, { unless: /^(?:--(?:get.*|list)|-l|get|list)$/, ...allCode }],
      [/^(?:submodule|bisect|for-each-repo)$/, { subcommands: [[/^(?:foreach|run)$/, allCode]] }],
    ],
    ...code,
  },
  // options that code or the name of a program follows
  ...(
    [
      [/^find$/, /^-(?:exec|execdir|ok|okdir)$/],
      [/^(?:fd|fdfind)$/, /^(?:-[xX]|--exec|--exec-batch)$/],
    ] as const
  ).map(([program, option]) => ({ program, option, runsAfter: option })),
  ...(
    [
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
      [/^(?:eslint|prettier|jest|vitest|webpack|rollup|vite)$/, /^--(?:config|require|plugin|rulesdir|parser)$/],
    ] as const
  ).map(([program, option]) => ({ program, option })),
];
