/** A program that reads some of its words as code, or as the name of a program to run. */
export interface CodeReader {
  /** The name of the program. */
  readonly program: RegExp;
  /** Options that code, a file of code or a program follows. */
  readonly option?: RegExp;
  /** Options that are followed by code where the value stands at the beginning: `|command` or `%pipe%command`. */
  readonly bareOption?: RegExp;
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
   * or `|command` for `sox`. First word: one that is the very first, where `tar` has options without a dash.
   */
  readonly operand?: {
    readonly is: 'program' | 'code' | 'all code' | 'bare code' | 'first word';
    /** Number of operands before it that are something else. */
    readonly after?: number;
    /** Operands that do not count, such as `NAME=value`. */
    readonly isSkipped?: RegExp;
  };
  /** Options that have the next word as their value. */
  readonly takes?: RegExp;
  /**
   * Short options that have the rest of their word as their value. A value after any others, as in `-n{text}`, could add
   * an option to them. Missing where short options do not stand together.
   */
  readonly bundles?: RegExp;
  /** Options that have the next two words as their values. */
  readonly takesTwo?: RegExp;
  /** Words with which the operands are only data. */
  readonly unless?: RegExp;
  /** Whether it reads code from its input: where nothing else is given to run, or always. */
  readonly input?: 'alone' | 'always';
  /** Options with which it does so whatever else is given. */
  readonly inputWith?: RegExp;
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

/** For programs that have every letter after a dash for an option. */
const none = /(?!)/;

const javascript = {
  option:
    /^(?:-[pe]+|-r|--(?:eval|print|import|require|preload|loader|experimental-loader|run|env-file.*|config|.*config-file|openssl-config|test-reporter|test-global-setup|inspect.*|import-map|allow-run)|eval)$/,
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
  [/^(?:run|run-script|exec|x|dlx|node)$/, runs],
  [/^(?:create|init|install|i|add|get|require|download|wheel|generate|link|ln|explore|rebuild|pack)$/, allCode],
] as const;

/** All known readers of code. A program that is not here is taken to read its words as data. */
export const codeReaders: readonly CodeReader[] = [
  // shells and interpreters: code after an option, or else a file
  {
    program: /^(?:ba|rba|da|a|z|k|mk|pdk|c|tc|fi|ya|o|y|po|sa|static-)?sh$/,
    option: /^(?:-[a-z]*c[a-z]*|--command|--init-command|--rcfile|--init-file)$/i,
    shellScript: /^(?:-[a-z]*c[a-z]*|--command)$/,
    takes: /^[-+][oO]$/,
    unless: /^(?:-[a-z]*c[a-z]*|--command)$/i,
    inputWith: /^-[a-bd-z]*s[a-bd-z]*$/,
    bundles: none,
    ...script,
  },
  {
    program: /^(?:i?python|pypy)[\d.]*$/,
    option: /^-[a-zA-Z]*[cmW]$/,
    takes: /^-[XW]$/,
    bundles: /X$/,
    unless: /^-[a-zA-Z]*[cm]$/,
    runsAfter: /^-[a-zA-Z]*m$/,
    ...script,
  },
  {
    program: /^(?:node|nodejs|tsx|ts-node|babel-node|vite-node|coffee|zx|electron)$/,
    subcommands: [[/^inspect$/, code]],
    ...javascript,
  },
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
    option: /^-(?:[a-zA-Z0-9]*[eEMmIfx]|[mM][\w:]+|d:.*)$/,
    // with -n and -p, a file "command|" is run
    allAfter: /^-[0acflpnswW]*[np][0acefEilpnswW]*$/,
    takes: /^-[IMm]$/,
    // even what follows -i, -l and -F is looked through for more
    bundles: none,
    unless: /^-[a-z0-9]*[eE]$/,
    ...script,
  },
  {
    program:
      /^(?:ruby|lua|luajit|Rscript|R|osascript|php|elixir|julia|octave(?:-cli)?|gnuplot|ghci?|scala|groovy)[\d.]*$/,
    option: /^(?:-[a-z]*[eErRBMmlLfF]|-d|-z|--eval|--run|--require|--file|--expression)$/,
    takes: /^(?:-[IMmrlLCd]|--project)$/,
    bundles: /^-[CIK]$/,
    subcommands: [[/^CMD$/, allCode]],
    unless: /^(?:-[a-z]*[eErRB]|--eval|--run|--expression)$/,
    ...script,
  },
  {
    program:
      /^(?:guile|racket|sbcl|clisp|erl|escript|ocaml|swipl|clojure|clj|bb|janet|nu|elvish|xonsh|sage|maxima|matlab|qjs|raku|rhino|jjs|jrunscript|gforth|cling|gprolog|yap|micropython|jython|irb|pry|jshell|iex)$/,
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
  {
    program: /^(?:java|tclsh|expect|wasmtime)$/,
    option:
      /^(?:-jar|-cp|-classpath|-p|--(?:class|module|upgrade-module)-path|--patch-module|-(?:java)?agent.*|-XX:.*|-Xbootclasspath.*|-D|-c|@)$/,
    takes: /^--source$/,
    ...script,
  },
  {
    program: /^(?:timeit|pdb|c?[pP]rofile|trace|runpy|doctest|unittest|coverage|pydoc|inspect|pickle|idlelib)$/,
    option: /^(?:-[scm]|--setup)$/,
    ...allCode,
  },
  { program: /^(?:eval|\.|source|let|trap|alias)$/, ...allCode },
  // builtins of shells that take a name, and evaluate what is in its brackets: a[$(id)]
  { program: /^(?:declare|typeset|local|export|readonly|unset|getopts)$/, allAfter: /^-[a-zA-Z]*[in]/, ...bare },
  { program: /^read$/, option: /^-a$/, takes: /^-[dinNptu]$/, ...bare },
  { program: /^(?:mapfile|readarray)$/, option: /^-C$/, takes: /^-[dnOsuc]$/, ...bare },
  { program: /^(?:printf|test|\[|wait)$/, option: /^-[vRp]$/ },
  { program: /^(?:complete|compgen|enable|bind|hash)$/, option: /^-[CFWfxp]$/ },
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
    bundles: /^-[opI]$/,
    unless: /^(?:-[a-zA-Z]*f|--from-file.*)$/,
    operand: { is: 'code', isSkipped: /^(?:e|ea|eval|eval-all)$/ },
  },
  {
    program: /^(?:[gmn]|go|original-)?awk$/,
    option: /^(?:-[efliEW]|--source|--file|--include|--load|--exec)$/,
    takes: /^-[FvW]$/,
    bundles: /^-[Fv]$/,
    unless: /^(?:-[efE].*|--source.*|--file.*|--exec.*)$/,
    operand: { is: 'code' },
  },
  {
    program: /^g?sed$/,
    option: /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/,
    takes: /^-l$/,
    bundles: /[il]$/,
    unless: /^(?:-[nErsuz]*[ef].*|--expression.*|--file.*)$/,
    operand: { is: 'code' },
  },
  { program: /^[db]c$/, option: /^(?:-[ef]|--expression|--file)$/, ...allCode, input: 'always' },
  { program: /^(?:rename|prename|file-rename|xsltproc|crontab|logrotate)$/, option: /^-e$/, operand: { is: 'code' } },
  {
    program: /^m4$/,
    option: /^(?:-[DI].*|--define|--include|--prepend-include)$/,
    ...allCode,
    input: 'always',
  },
  {
    program: /^cmake$/,
    option: /^(?:-[PCESDGA].*|--(?:build|toolchain|preset|install|workflow))$/,
    takes: /^(?:-[DGAB]|--build)$/,
    ...allCode,
  },
  { program: /^(?:ed|red|at|batch)$/, option: /^-f$/, operand: { is: 'code' }, takes: /^-[pqf]$/, input: 'always' },
  {
    program: /^(?:g?make|ninja|rake|just|ant|mvnw?|gradlew?|ctest|cpack|meson|scons|bazel|bazelisk|gulp|grunt)$/,
    option:
      /^(?:-[fCIEDP]|-Dexec\..*|--(?:file|makefile|eval|directory|include-dir|init-script|include-build|project-dir|build-file|settings-file|config|bazelrc|gulpfile|gruntfile|require))$/,
    takes: /^-[jlo]$/,
    bundles: /[jlo]$/,
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
    bundles: /[uUhpPdDSoLFRT]$/,
    input: 'always',
  },
  {
    program:
      /^(?:sqlcmd|snowsql|cqlsh|mongo(?:s|sh)?|clickhouse(?:-client|-local)?|hive|beeline|impala-shell|trino|litecli|pgcli|mycli)$/,
    option: /^(?:-[efqQi]|--(?:execute|eval|query|queries-file|file))$/,
    input: 'always',
  },
  {
    program: /^(?:gdb|lldb)$/,
    option: /^--?(?:ex|iex|x|ix|o|O|s|S|eval-command|command|init-command|args)$/,
    operand: { is: 'code' },
    input: 'always',
  },
  {
    program: /^redis-cli$/,
    option: /^--eval$/,
    takes: /^-[hpansu]$/,
    subcommands: [[/^(?:eval(?:sha)?(?:_ro)?|fcall|function|script|config|module)$/i, allCode]],
    ...code,
  },
  { program: /^ex$/, option: /^--?(?:c|cmd|S|u)$/, input: 'always', ...bare },
  {
    program: /^(?:g?vim?|nvim|r?view|vimdiff|(?:sensible-)?editor)$/,
    option: /^--?(?:c|cmd|S|s|u)$/,
    unless: /^--$/,
    inputWith: /^-[a-zA-Z]*e/,
    input: 'alone',
    bundles: none,
    ...bare,
  },
  // addresses that begin with a bar are commands, with some
  { program: /^(?:mail|mailx|s-nail|heirloom-mailx)$/, option: /^-[SX]$/, takes: /^-[sarbcqA]$/, ...bare },
  {
    program: /^(?:(?:z|bz|xz)?(?:less|more)|most|(?:sensible-)?pager)$/,
    option: /^(?:-k|--lesskey-.*)$/,
    bundles: /[pxjyzbho]$/,
    unless: /^--$/,
    ...bare,
  },
  { program: /^gs$/, option: /^-c$/, bareOption: /^(?:-o|-sOutputFile)$/, operand: { is: 'code' } },
  { program: /^(?:pdf|xe|lua|e)?(?:la)?tex$/, option: /^--?lua$/, ...bare },
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
    bundles: /[uC]$/,
  },
  {
    program: /^flock$/,
    option: /^(?:-c|--command)$/,
    takes: /^(?:-[wE]|--timeout|--conflict-exit-code)$/,
    ...runsSecond,
  },
  {
    program: /^(?:timeout|chroot|logsave|taskset|chrt|faketime|cgexec|envdir)$/,
    operand: { is: 'program', after: 1 },
    takes: /^(?:-[sk]|--signal|--kill-after)$/,
  },
  { program: /^(?:nice|ionice|setpriority|choom|cpulimit)$/, takes: /^(?:-n|-c|-p|--adjustment)$/, ...runs },
  {
    program:
      /^(?:nohup|setsid|command|builtin|coproc|doas|pkexec|chronic|ifne|sem|tsp|eatmydata|catchsegv|caffeinate|tsocks|vglrun|softlimit|chpst|busybox|toybox|unshare|tini|catatonit|msgexec|msgfilter|systemd-(?:cat|inhibit|nspawn)|aa-exec|uclampset|coresched|enosys|daemonize|fakechroot|torify|dumb-init|prlimit|ldd|cross-env|nyc|c8|ld-linux.*|ld\.so)$/,
    ...runs,
  },
  { program: /^time$/, takes: /^(?:-[fo]|--format|--output)$/, ...runs },
  { program: /^exec$/, takes: /^-a$/, ...runs },
  {
    program: /^(?:setarch|linux32|linux64|i386|x86_64|uname26)$/,
    operand: { is: 'program', isSkipped: /^(?:i\d86|x86_64|linux\d\d|uname26)$/ },
  },
  {
    program: /^setpriv$/,
    takes: /^--(?:reuid|regid|groups|.*-caps|bounding-set|securebits|pdeathsig|selinux-label|apparmor-profile)$/,
    ...runs,
  },
  {
    program: /^bwrap$/,
    takesTwo: /^--(?:(?:ro-|dev-)?bind(?:-try|-fd|-data)?|symlink|setenv|file|chmod)$/,
    takes: /^--(?:dev|proc|tmpfs|mqueue|dir|chdir|unsetenv|hostname|uid|gid|args|seccomp|cap-(?:add|drop)|remount-ro)$/,
    ...runs,
  },
  {
    program:
      /^(?:systemd-run|runcon|numactl|proot|firejail|fakeroot|xvfb-run|dbus-run-session|unbuffer|rlwrap|entr|wine|torsocks|proxychains4?|ssh-agent|qemu-\w+)$/,
    ...runs,
  },
  { program: /^nsenter$/, takes: /^(?:-[tSG]|--target)$/, ...runs },
  { program: /^(?:gosu|su-exec|(?:s6-)?(?:set|env)uidgid)$/, ...runsSecond },
  { program: /^stdbuf$/, takes: /^-[ioe]$/, ...runs },
  { program: /^sudo$/, takes: /^-[ugpChrt]$/, ...runs },
  { program: /^(?:su|runuser|sg|capsh)$/, option: /^(?:-c|--command|-s|--shell)$/, ...allCode },
  { program: /^(?:strace|ltrace|valgrind)$/, bareOption: /^-o$/, takes: /^-[eoPsuE]$/, ...runs },
  {
    program: /^perf$/,
    subcommands: [[/^(?:record|stat|trace|mem|c2c|lock|ftrace)$/, { takes: /^-[eoFgcCptD]$/, ...runs }]],
    ...runs,
  },
  { program: /^xargs$/, takes: manyTimes, ...runs },
  { program: /^sshpass$/, takes: /^-[pfdP]$/, ...runs },
  {
    program:
      /^(?:direnv|aws-vault|op|doppler|chamber|foreman|honcho|dotenv|asdf|mise|rtx|(?:py|rb|nod|go|j)env|fnm|volta|hatch|pdm|rye|sops)$/,
    subcommands: [[/^(?:exec|run|x|exec-env|exec-file)$/, allCode]],
    ...code,
  },
  {
    program:
      /^(?:nodemon|watchexec|pm2|pee|mispipe|git-shell|runghc|runhaskell|cross-env-shell|concurrently|onchange|chokidar|watchman-make|reflex|run-parts|debuild|rpmbuild|wg-quick)$/,
    option: /^(?:-[ceDx]|--(?:command|exec|run|define))$/,
    ...allCode,
  },
  // what serves, builds or runs the code that it is told of
  {
    program:
      /^(?:gunicorn|uvicorn|hypercorn|daphne|celery|flask|django-admin|invoke|inv|fab|locust|scrapy|papermill|sphinx-build|mkdocs|uwsgi|snakemake|nextflow|airflow)$/,
    option: /^(?:-[AcCDfsey]|--(?:config.*|app.*|settings|pythonpath|ini|exec.*|snakefile))$/,
    takesTwo: /^-[pr]$/,
    ...allCode,
  },
  {
    program: /^jupyter$/,
    allAfter: /^--execute$/,
    subcommands: [[/^(?:run|execute|console)$/, allCode]],
    ...subcommand,
  },
  { program: /^jupyter-(?:run|execute|console)$/, ...allCode },
  {
    program:
      /^(?:nginx|apache2?|apache2ctl|httpd|lighttpd|caddy|haproxy|squid|php-fpm|supervisord|monit|telegraf|logstash|fluentd|vector|dnsmasq)$/,
    option: /^(?:-[cfgeyC]|--(?:conf(?:ig)?.*|.*script|fpm-config|path\.config))$/,
    takes: /^-[cfgeyC]$/,
  },
  { program: /^parallel$/, takes: manyTimes, ...runs, input: 'alone' },
  { program: /^(?:watch|hyperfine|tmux|screen)$/, takes: /^-n$/, ...allCode },
  {
    program: /^(?:ssh|autossh|mosh|rsh)$/,
    option: /^(?:-[FSDEJI]|-o.*|--(?:ssh|server|client))$/,
    // the host is data: a value there cannot begin with a dash
    operand: { is: 'all code', after: 1 },
    takes: /^-[pilbcemLRWw]$/,
    bundles: /[pilbcemBLRWw]$/,
    input: 'alone',
  },
  // programs whose first word says what they do
  {
    program: /^(?:docker|podman|nerdctl)$/,
    option:
      /^(?:-H|-v|--(?:host|config|context|connection|url|volume|mount|device|entrypoint|privileged|runtime|conmon|hooks-dir|module))$/,
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
  { program: /^(?:npx|bunx|pnpx|uvx)$/, option: /^(?:-c|--call|-p|--package|--from)$/, ...runs },
  {
    program: /^(?:npm|pnpm|yarn|pip3?|pipx|uv|poetry|pipenv|bundle|gem|composer|go|brew)$/,
    option:
      /^(?:-c|--(?:call|package|spec|script-shell|node-options|userconfig|python|global-option|build-option|config-settings?)|-(?:exec|toolexec|vettool|overlay|modfile|(?:ld|gc|asm|gccgo)flags))$/,
    takes: /^(?:-[CFw]|--(?:prefix|registry|cwd|dir|directory|filter|workspace|project))$/,
    subcommands: [
      ...packages,
      [/^(?:pip|self)$/, { subcommands: packages, ...code }],
      [/^workspace$/, { subcommands: packages, operand: { is: 'code', after: 1 } }],
      [/^(?:tool|global|config)$/, { unless: /^(?:get|list|ls)$/, ...allCode }],
      [/^env$/, { allAfter: /^-w$/ }],
    ],
    ...subcommand,
  },
  {
    program: /^dotnet$/,
    subcommands: [
      [/^run$/, { option: /^--(?:project|file|launch-profile)$/, unless: /^--(?:project|file)?(?:=.*)?$/, ...code }],
      [
        /^(?:exec|script|fsi|tool|add|build|test|msbuild|publish|pack|restore)$/,
        { option: /^[-/]p(?:roperty)?:.*$/, ...allCode },
      ],
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
    option:
      /^(?:-[oEDc]|-o[A-Z].*|-(?:plugin-dir|from-module)|--(?:post-renderer.*|command|flags-file|enable-exec|plugin.*))$/,
    subcommands: [[/^(?:plugins?|configure|link|edit)$/, { unless: /^(?:get|list|ls)$/, ...allCode }]],
    takes: /^(?:-[nHMt]|--(?:profile|region|project|subscription|kube-context|namespace|host|machine))$/,
    ...subcommand,
  },
  {
    program: /^(?:conda|mamba|micromamba)$/,
    subcommands: [
      [/^run$/, { takes: /^(?:-[np]|--(?:name|prefix|cwd))$/, ...runs }],
      [/^(?:install|create|update)$/, { takes: /^(?:-[npc]|--(?:name|prefix|channel))$/, ...allCode }],
    ],
    ...subcommand,
  },
  { program: /^rpm$/, option: /^(?:-[ED]|--pipe)$/, unless: /^(?:-q.*|--query)$/, ...code },
  { program: /^(?:ansible|ansible-playbook|ansible-console)$/, option: /^-[aimeMe]$/, ...allCode },
  {
    program: /^cargo$/,
    option: /^--(?:manifest-path|config)$/,
    subcommands: [[/^(?:install|add)$/, allCode]],
    ...subcommand,
  },
  {
    program: /^openssl$/,
    option: /^-(?:engine|provider|provider-path|config|pre|post)$/,
    subcommands: [[/^engine$/, allCode]],
    input: 'alone',
    ...code,
  },
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
      /^(?:-[cxO]|--(?:config|config-env|exec-path|upload-pack|receive-pack|exec|extcmd|open-files-in-pager|template|smtp-server|access-hook|[a-z]+-cmd|httpd|[a-z]+-filter|strategy))$/,
    takes: /^(?:-C|--git-dir|--work-tree|--namespace)$/,
    subcommands: [
      [/^config$/, { unless: /^(?:--(?:get.*|list)|-l|get|list)$/, ...allCode }],
      [/^(?:submodule|bisect|for-each-repo|hook)$/, { subcommands: [[/^(?:foreach|run)$/, allCode]] }],
      [/^clone$/, { option: /^-u$/ }],
      [/^(?:merge|rebase|pull|cherry-pick|revert)$/, { option: /^-s$/ }],
      [/^(?:difftool|mergetool)$/, { option: /^(?:-t|--tool)$/ }],
      [/^(?:remote-ext|remote-fd|instaweb|web--browse)$/, allCode],
    ],
    ...code,
  },
  {
    program: /^(?:g|bsd)?tar$|^cpio$/,
    option:
      /^(?:-?[a-zA-Z]*[IF][a-zA-Z]*|--(?:to-command|use-compress-program|checkpoint-action|rsh-command|rmt-command|info-script|new-volume-script))$/,
    bundles: /[bfgCHKLNOTVX]$/,
    operand: { is: 'first word' },
  },
  { program: /^curl$/, option: /^(?:-[a-zA-Z#]*K|--config|--engine)$/, bundles: /[AbcCdDeEFhHmoPQrtTuUwxXyYz]$/ },
  { program: /^wget2?$/, option: /^(?:-e|--execute|--use-askpass|--config)$/, bundles: /[aABDiIlOoPQRtTUwX]$/ },
  {
    program: /^rsync$/,
    option: /^(?:-[a-zA-Z]*[eM]|--(?:rsh|rsync-path|remote-option|config))$/,
    bundles: /[BTf]$/,
  },
  { program: /^(?:scp|sftp|sshfs)$/, option: /^(?:-[SFbD]|-o.*)$/, bundles: /[BJPRXcilp]$/ },
  // an address can name the program to connect with
  { program: /^rclone$/, option: /^(?:-o|--(?:password-command|config))$/, ...subcommand, ...bare },
  {
    program: /^(?:crystal|nim|zig|rails|puppet)$/,
    option: /^(?:-e|--eval|--execute)$/,
    subcommands: [
      [
        /^(?:eval|e|run|r|c|compile|build|build-exe|spec|test|runner|generate|g|new|apply)$/,
        { option: /^(?:-e|--execute)$/, ...allCode },
      ],
    ],
    ...subcommand,
  },
  { program: /^(?:rust-script|cargo-script|tcc|spark-submit|chef-apply)$/, option: /^-(?:e|run)$/, ...code },
  // programs that run others elsewhere
  {
    program:
      /^(?:hg|svn|glab|hub|bzr|p4|vagrant|adb|heroku|vault|consul|nomad|etcdctl|fly|flyctl|lxc|incus|multipass|machinectl|wsl|flatpak|guix|act|lefthook|pre-commit)$/,
    option: /^(?:-[CcWe]|--(?:command|config.*|diff-cmd|diff3-cmd|editor-cmd|ssh|remotecmd|expression))$/,
    subcommands: [[/^(?:exec|run|ssh|shell|lock|watch|alloc|try-repo|environment|repl|agent|extension)$/, allCode]],
    ...subcommand,
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
      [/^(?:rg|ag|ack|bat|batcat|fzf|ug|ugrep|delta)$/, /^--(?:pre|hostname-bin|pager|preview|bind|filter)$/],
      [/^(?:ranger|vifm|lf)$/, /^-{1,2}(?:c|cmd|command)$/],
      [/^lilypond$/, /^(?:-e|--evaluate)$/],
      [/^dpkg$/, /^--(?:pre-invoke|post-invoke|status-logger)$/],
      [/^(?:nc|ncat|netcat)$/, /^(?:-[ec]|--(?:sh-|lua-)?exec)$/],
      [/^(?:split|sort|sdiff|diff3|install)$/, /^--(?:filter|compress-program|diff-program|strip-program)$/],
      [/^nano$/, /^(?:-[fs]|--(?:rcfile|speller))$/],
      [/^dialog$/, /^--prgbox$/],
      [/^xidel$/, /^(?:-[eq]|--(?:extract|xquery|xpath|css)(?:-file)?)$/],
      [/^saxon$/, /^-(?:xsl|q|qs|init|x|y|r)\b.*$/],
      [/^(?:chromium|google-chrome|chrome|msedge)$/, /^--(?:.*-cmd-prefix|.*-launcher|load-extension)$/],
      [/^wkhtmltopdf$/, /^--run-script$/],
      [/^(?:lessc|postcss|swc|playwright)$/, /^(?:-[cu]|--(?:plugin|use|config|config-file))$/],
      [/^(?:lftp|smbclient)$/, /^-[cef]$/],
      [/^zip$/, /^(?:-TT|--unzip-command)$/],
      [/^man$/, /^(?:-P|--pager|-C|--config-file|-H.*|--html.*)$/],
      [/^emacs(?:client)?$/, /^--?(?:e|eval|execute|f|funcall|l|load|batch|script|x)$/],
      [/^(?:groff|nroff|troff|pic)$/, /^-U$/],
      [/^(?:mutt|neomutt)$/, /^-[eFi]$/],
      [/^(?:sendmail|postfix|exim4?)$/, /^(?:-C.*|-be.*|-oQ.*)$/],
      // compilers: what they load, and what they start
      [
        /^(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld|ar|nm|ranlib)$/,
        /^(?:-wrapper|-B|-specs|-fplugin.*|-fuse-ld|-Xclang|-Xlinker|-Wl,.*|--?plugin|--config|-load|@)$/,
      ],
      [/^rustc$/, /^(?:-C.*|-Z.*|--codegen|--extern|-L|--linker|--sysroot)$/],
      [/^javac$/, /^(?:-processor.*|--processor-(?:path|module-path)|-J.*|@|-Xplugin.*)$/],
      [/^(?:helm|kustomize)$/, /^--(?:post-renderer|enable-exec|plugin.*)$/],
      [/^(?:latexmk|arara)$/, /^(?:-[er]|-(?:pdf|xe|lua)?latex)$/],
      [/^(?:blender|gimp|inkscape|soffice|libreoffice)$/, /^(?:-[bP]|--(?:python.*|batch|actions|shell|addons))$/],
      [/^(?:xterm|konsole|alacritty|kitty|gnome-terminal|foot)$/, /^(?:-e|--command|--)$/],
      [/^(?:bpftrace|dtrace|stap|r2|radare2|yosys|vsim|scilab|wolframscript)$/, /^-{1,2}(?:[ceinspq]|do|code|file)$/],
      [/^(?:kotlin|kotlinc|mix)$/, /^-{1,2}(?:e|eval|r|require|script|startup)$/],
      [/^(?:restic|borg)$/, /^(?:-o|--(?:password-command|rsh|remote-path|config))$/],
      [/^openvpn$/, /^--(?:up|down|config|plugin|route-up|tls-verify|client-connect)$/],
      [
        /^(?:pylint|mypy|flake8|black|ruff|tox|nox)$/,
        /^(?:-[cf]|--(?:init-hook|load-plugins|plugins?|config|config-file|rcfile))$/,
      ],
      [/^(?:babel|asciidoctor|jekyll|phpunit)$/, /^(?:-r|--(?:require|presets|plugins|config-file|config|bootstrap))$/],
      [/^mlr$/, /^(?:put|filter|-[qSxs])$/],
      [/^(?:script|start-stop-daemon)$/, /^(?:-[a-zA-Z]*[cxa]|--command|--exec|--startas)$/],
      [/^exiftool$/, /^-(?:if\d*|p|printFormat|config|@)$/i],
      [/^(?:tcpdump|tshark|nmap)$/, /^(?:-[zX]|--script|--datadir)$/],
      [/^(?:ffmpeg|ffprobe|ffplay)$/, /^-(?:vf|af|lavfi|filter.*)$/],
      // readers and writers can be Lua
      [
        /^pandoc$/,
        /^(?:-[FLdtfwr]|--(?:filter|lua-filter|pdf-engine|pdf-engine-opt|defaults|to|from|write|read|data-dir))$/,
      ],
      [
        /^(?:yt-dlp|youtube-dl|aria2c|mpv)$/,
        /^--(?:exec.*|(?:external-)?downloader.*|conf.*|netrc-cmd|plugin-dirs|on-.*|scripts?|input-conf|ppa|postprocessor-args|use-postprocessor|ffmpeg-location|load-info-json)$/,
      ],
      [/^(?:gpg2?|ssh-keygen|ssh-add)$/, /^(?:-[Dsw]|--(?:options|photo-viewer|.*-program|exec-path|homedir))$/],
      [
        /^(?:eslint|prettier|jest|vitest|webpack|rollup|vite)$/,
        /^(?:-[cfp]|--(?:config|require|plugin|rulesdir|parser|format|resolve-plugins-relative-to|(?:test)?runner|globalSetup|setupFiles.*|reporters?|rootDir))$/i,
      ],
    ] as const
  ).map(([program, option]) => ({ program, option })),
];
