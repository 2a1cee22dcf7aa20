import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellCommands } from './code/shell-commands.ts';
import { argumentLimits, argumentsFor } from './parameters/arguments.ts';
import { readTemplate } from './template.ts';
import type { JsonSchema, Slot } from './types.ts';
import { splitWords } from './words.ts';

const parameters: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    file: { type: 'string' },
    count: { type: 'integer' },
    verbose: { type: 'boolean' },
    many: { type: 'array', items: { type: 'string' } },
  },
};

function read(words: readonly string[], stdin: string | null = null): ReturnType<typeof readTemplate> {
  return readTemplate({ words, begins: 'with a program', parameters, stdin });
}

function slots(...words: string[]): readonly Slot[] {
  const template = read(words);
  if (!template.ok) throw new Error(template.message);
  return template.value;
}

/** Texts that a shell, a splitter or an option parser would fall for. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(
    '',
    ' ',
    '$(id)',
    '`id`',
    '; rm -rf x',
    'a b',
    "'",
    '"',
    '\\',
    '\n',
    '{text}',
    '{{',
    '*',
    '~',
    '|',
    '=',
    '--=x',
  ),
);
const plainText = nasty.filter((text) => !text.includes('\0') && text.isWellFormed());

describe('a value and its argument', () => {
  it('each value is exactly one argument, whatever its text [C4-TOOLS-06 C4-TOOLS-07]', () => {
    const command = slots('program', '--text={text}', '-f{file}', '--', '{text}', '{many}', 'end');
    const many = fc.array(plainText, { maxLength: 5 });
    fc.assert(
      fc.property(plainText, plainText, many, (text, file, list) => {
        const values = { text, file, many: list };
        expect(argumentsFor(command, values)).toEqual([
          'program',
          `--text=${text}`,
          `-f${file}`,
          '--',
          text,
          ...list,
          'end',
        ]);
      }),
    );
  });

  it('no value becomes an option [C4-TOOLS-08]', () => {
    const command = slots('program', '{text}', '--file', '{file}', '{many}', 'x{text}', '--', '{text}');
    const sly = fc.oneof(
      plainText,
      plainText.map((text) => `-${text}`),
      fc.constantFrom('-', '--', '-rf', '--exec=x'),
    );
    fc.assert(
      fc.property(sly, sly, fc.array(sly, { maxLength: 3 }), (text, file, many) => {
        const isSly = [text, file, ...many].some((value) => value.startsWith('-'));
        if (isSly) expect(() => argumentsFor(command, { text, file, many })).toThrow('taken for an option');
        else expect(argumentsFor(command, { text, file, many })).toContain(text);
      }),
    );
    expect(argumentsFor(slots('program', '--', '{text}'), { text: '--exec=x' })).toEqual(['program', '--', '--exec=x']);
    expect(argumentsFor(slots('program', '--text={text}'), { text: '-x' })).toEqual(['program', '--text=-x']);
  });

  it('a number below zero may follow its flag, and nothing else with a dash', () => {
    expect(argumentsFor(slots('head', '-n', '{count}'), { count: -5 })).toEqual(['head', '-n', '-5']);
    expect(() => argumentsFor(slots('head', '{count}'), { count: -5 })).toThrow('taken for an option');
  });

  it('is refused with a NUL, half a character, or too long', () => {
    const command = slots('program', '{text}');
    expect(() => argumentsFor(command, { text: 'a\0b' })).toThrow('NUL');
    expect(() => argumentsFor(command, { text: '\ud800' })).toThrow('half of a surrogate pair');
    expect(() => argumentsFor(command, { text: 'x'.repeat(argumentLimits.bytes + 1) })).toThrow('longer than');
    const many = Array.from({ length: 10 }, () => 'x'.repeat(argumentLimits.bytes));
    expect(() => argumentsFor(slots('program', '{many}'), { many })).toThrow('together');
  });

  it('numbers, booleans and objects are written in one way', () => {
    const command = slots('program', '--', '{text}');
    const written = (value: never): string | undefined => argumentsFor(command, { text: value }).at(-1);
    expect([1e21, -0, 0.5, true, { a: [1] }].map((value) => written(value as never))).toEqual([
      '1000000000000000000000',
      '0',
      '0.5',
      'true',
      '{"a":[1]}',
    ]);
  });
});

describe('an omitted value', () => {
  it('removes its flag, and nothing else', () => {
    const command = slots('program', '--file', '{file}', '--text={text}', '{verbose?--verbose}', '{many}', 'end');
    expect(argumentsFor(command, {})).toEqual(['program', 'end']);
    fc.assert(
      fc.property(fc.subarray(['file', 'text', 'verbose', 'many']), (given) => {
        const all = { file: 'f', text: 't', verbose: true, many: ['a', 'b'] };
        const values = Object.fromEntries(Object.entries(all).filter(([name]) => given.includes(name)));
        expect(argumentsFor(command, values)).toEqual([
          'program',
          ...(given.includes('file') ? ['--file', 'f'] : []),
          ...(given.includes('text') ? ['--text=t'] : []),
          ...(given.includes('verbose') ? ['--verbose'] : []),
          ...(given.includes('many') ? ['a', 'b'] : []),
          'end',
        ]);
      }),
    );
  });

  it('a list repeats its flag', () => {
    expect(argumentsFor(slots('p', '--add', '{many}'), { many: ['a', 'b'] })).toEqual([
      'p',
      '--add',
      'a',
      '--add',
      'b',
    ]);
    expect(argumentsFor(slots('p', '--add={many}'), { many: ['a', 'b'] })).toEqual(['p', '--add=a', '--add=b']);
    expect(argumentsFor(slots('p', '--add', '{many}'), { many: [] })).toEqual(['p']);
  });

  it('a name that every object knows is nobody’s value', () => {
    const schema: JsonSchema = { type: 'object', properties: { constructor: { type: 'string' } } };
    const template = readTemplate({
      words: ['p', '{constructor}'],
      begins: 'with a program',
      parameters: schema,
      stdin: null,
    });
    expect(template.ok && argumentsFor(template.value, {})).toEqual(['p']);
  });
});

describe('templates that are refused', () => {
  it.each([
    [['{text}'], 'choose the program'],
    [[], 'an empty command'],
    [['-x', '{text}'], 'no program'],
    [['p', '{other}'], 'not a parameter of this tool'],
    [['p', '{toString}'], 'not a parameter of this tool'],
    [['p', '{text}{file}'], 'two parameters'],
    [['p', '{text'], 'unmatched brace'],
    [['p', '{"a": 1}'], 'not a placeholder'],
    [['p', '-{text}'], 'option'],
    [['p', '--{text}'], 'option'],
    [['p', '--with-{text}'], 'option'],
    [['p', '{text?--text}'], 'not a boolean'],
    [['p', 'x{verbose?-v}'], 'word of its own'],
    [['p', 'a\0b'], 'NUL'],
    [['sh', '-c', 'echo {text}'], 'as code'],
    [['/bin/bash', '-euo', 'pipefail', '-c', '{text}'], 'as code'],
    [['env', 'A=1', 'bash', '-lc', '{text}'], 'as code'],
    [['python3', '-c', 'print({text})'], 'as code'],
    [['node', '--eval={text}'], 'as code'],
    [['perl', '-ne', '{text}'], 'as code'],
    ...[
      'awk {text}',
      'awk -F , {text} file',
      'gawk -f {text}',
      'sed {text}',
      'sed -n {text} file',
      'sed -e {text}',
      'sed --expression={text}',
      'xargs {text}',
      'xargs -n 1 {text}',
      'find . -exec {text} ;',
      'find . -execdir {text} ;',
      'find . -ok {text} ;',
      'node --import {text} x.js',
      'node --import={text} x.js',
      'node -r {text} x.js',
      'node {text}',
      'python3 -m {text}',
      'python3 {text}',
      'python3 scripts/{text}.py',
      'bash {text}',
      'ruby -r {text} x.rb',
      'php -r {text}',
      'lua -e {text}',
      'deno run {text}',
      'env {text}',
      'env A=1 {text}',
      'env -S {text}',
      'timeout 5 {text}',
      'timeout -s KILL 5 {text}',
      'timeout 5 nice -n 3 {text}',
      'timeout 5 awk {text}',
      'nice {text}',
      'nohup {text}',
      'time {text}',
      'stdbuf -oL {text}',
      'setsid {text}',
      'chroot / {text}',
      'sudo {text}',
      'busybox {text}',
      'strace -f {text}',
      'watch {text}',
      'parallel {text}',
      'ssh host {text}',
      'ssh -o {text} host',
      'tar --to-command={text} -xf x.tar',
      'tar -cIf {text} x y',
      'taskset -c 0 {text}',
      'script -qc {text} /dev/null',
      'mail -S {text} someone',
      'mail -s hello {text}',
      'gcc -wrapper {text} x.c',
      'gcc -fplugin={text} x.c',
      'rustc -C linker={text} x.rs',
      'git clone --config={text} x',
      'git hook run {text}',
      'openssl engine {text}',
      'python3 -m timeit {text}',
      'perl -mFoo={text} -e 1',
      'eslint -c {text} x',
      'chronic {text}',
      'doppler run -- {text}',
      'tar --use-compress-program {text} -xf x.tar',
      'tar -I {text} -xf x.tar',
      'tar --checkpoint-action={text} -cf x.tar .',
      'split --filter={text} x',
      'sort --compress-program={text} x',
      'git -c {text} status',
      'git fetch --upload-pack={text}',
      'make {text}',
      'make -f {text}',
      'gdb -ex {text}',
      'vim -c {text}',
      'sqlite3 x.db {text}',
      'psql -c {text}',
      'rsync -e {text} a b',
      'zip -TT {text} x.zip y',
      'man -P {text} ls',
      'npx {text}',
      'npm exec {text}',
      'docker run {text}',
      'dc -e {text}',
      'm4 {text}',
      'm4 -D {text} x.m4',
      'ed {text}',
      'chrt 1 {text}',
      'chrt -f 1 {text}',
      'cmake -P {text}',
      'nc -e {text} host 1',
      'ncat --sh-exec {text} host 1',
      'socat - {text}',
      'jq {text}',
      'jq -r {text} x.json',
      'jq --arg a b {text}',
      'jq -L lib {text}',
      'jq -rf {text}',
      'yq eval {text} x.yaml',
      'curl -K {text}',
      'curl -sK{text}',
      'curl --config={text}',
      'wget --use-askpass={text} x',
      'openssl {text}',
      'openssl req -config {text}',
      'bc {text}',
      'less {text}',
      'less +{text} x',
      'vim {text}',
      'vim -s {text}',
      'man -C {text} ls',
      'git {text}',
      'git -C here {text}',
      'git config {text} x',
      'git submodule foreach {text}',
      'git filter-branch --tree-filter {text}',
      'tar --checkpoint-action=exec={text} -cf x.tar .',
      'ssh -oProxyCommand={text} host',
      'emacs --script {text}',
      'perl -pe s/a/b/ {text}',
      'pwsh -c $args {text}',
      'mysql -e {text}',
      'duckdb x.db {text}',
      'redis-cli {text}',
      'npm {text}',
      'npm run {text}',
      'npm install --save {text}',
      'uv run {text}',
      'uv run python3 {text}',
      'gh {text}',
      'gh api --jq {text} user',
      'docker {text}',
      'docker exec box {text}',
      'kubectl {text}',
      'kubectl exec box -- {text}',
      'kubectl --kubeconfig={text} get pods',
      'systemd-run {text}',
      'script -c {text} log',
      'su me -c {text}',
      'su me {text}',
      'tcpdump -z {text}',
      'nmap --script={text} host',
      'ffmpeg -i x.mp4 -vf {text} y.mp4',
      'ffmpeg -i x.mp4 -filter_complex {text} y.mp4',
      'convert {text} x.png',
      'magick {text} x.png',
      'sox {text} x.wav',
      'pdflatex {text}',
      'pandoc --lua-filter={text} x.md',
      'pandoc -t {text} x.md',
      'exiftool -if {text} x.jpg',
      'rename {text} x',
      'xsltproc {text} x.xml',
      'rg --pre {text} x',
      'fd -x {text}',
      'mlr --icsv put {text} x.csv',
      'yt-dlp --exec {text} x',
      'aws --profile prod {text}',
      'docker --debug {text}',
      'npm --silent {text}',
      'npm --prefix x install {text}',
      'kubectl --context x exec box -- {text}',
      'docker compose -f {text} up',
      'docker compose run web {text}',
      'docker exec box sh -c {text}',
      'git bisect run {text}',
      'gh alias set x {text}',
      'ip netns exec x {text}',
      'uv pip install {text}',
      'go run {text}',
      'dotnet {text}',
      'dotnet run --project {text}',
      'ssh {many} uptime',
      'timeout {many} ls',
      'convert -strip {text} x.png',
      './gradlew {text}',
      '.venv/bin/python {text}',
      'find . -exec sh -c {text} ;',
      'systemd-run -p A=1 sh -c {text}',
      'tini -- sh -c {text}',
      'python3 -m pip install {text}',
      'python3 -m pytest {text}',
      'nix run {text}',
      'pytest {text}',
      'mocha {text}',
      'swift {text}',
      'swift run {text}',
      'dart run {text}',
      'streamlit run {text}',
      'bun x {text}',
      'bun add {text}',
      'deno task {text}',
      'cargo run --manifest-path {text}',
      'cargo install {text}',
      'nsenter -t 1 {text}',
      'yarn workspace web add {text}',
      'docker container run {text}',
      'conda run -n x {text}',
      // letters that a value adds to those of a word
      'sed -n{text} file',
      'perl -l{text} x.pl',
      'perl -i{text} -pe 1 file',
      'perl -F{text} -ane 1 file',
      'python3 -B{text}',
      'tar -x{text}',
      'rsync -a{text} a b',
      'curl -s{text}',
      'ssh -v{text} host',
      'env -i{text}',
      'make -s{text}',
      'less -N{text} file',
      // words and options of their own
      'tar {text} {text} x',
      'xelatex \\input{{{text}}}',
      'gs -sOutputFile={text} x.ps',
      'strace -o {text} ls',
      'node --env-file={text} x.js',
      'node --test-reporter={text} --test',
      'java -XX:OnError={text} -jar x.jar',
      'java -agentpath:{text} X',
      'java -D{text} -jar x.jar',
      'mvn exec:exec -Dexec.executable={text}',
      'gradle --init-script={text} build',
      'cmake -S {text} -B out',
      'cmake -DCMAKE_C_COMPILER={text} .',
      'npm test --script-shell={text}',
      'go vet -vettool={text}',
      'pipx run {text}',
      'yarn node {text}',
      'dotnet build {text}',
      'R CMD {text}',
      'm4 -DX={text} file',
      'python3 -W {text} x.py',
      'python3 -m pickle {text}',
      'redis-cli eval {text} 0',
      'helm install x chart --post-renderer={text}',
      'gcloud compute ssh host --command={text}',
      'rpm -qa --pipe {text}',
      'rclone copy {text} out',
      'sftp -D {text}',
      'sshfs -o ssh_command={text} a b',
      'gunicorn {text}',
      'jupyter nbconvert --execute {text}',
      'nginx -g {text}',
      'lxc exec box -- {text}',
      'ldd {text}',
      'yt-dlp --external-downloader {text} url',
      'gpg --dirmngr-program={text} x',
      'nano --speller={text} x',
      'sed -es/a/{text}/ f',
      'sed --expr={text} f',
      'sed --fil={text} f',
      'tar --to-comm={text} -xf a',
      'sort --compress={text} f',
      'split --filt={text} f',
      'env --split={text}',
      'git clone --upload-p={text} u',
      'curl --conf {text}',
      'bash5.2 -c {text}',
      'ksh93 -c {text}',
      'node18 -e {text}',
      'osh -c {text}',
      'static-sh -c {text}',
      'node inspect {text}',
      'node --run={text}',
      'original-awk {text}',
      'mawk -W exec {text}',
      'time -f x {text}',
      'time -o f {text}',
      'exec -a x {text}',
      'setarch x86_64 {text}',
      'linux64 {text}',
      'setpriv --reuid 1 {text}',
      'bwrap --ro-bind / / {text}',
      'perf record {text}',
      'msgexec {text}',
      'msgfilter sed {text}',
      'systemd-cat {text}',
      'setuidgid x {text}',
      'mise exec {text}',
      'pyenv exec {text}',
      'hatch run {text}',
      'sops exec-env x {text}',
      'autossh h {text}',
      'mosh --ssh={text} h',
      'zless {text}',
      'sensible-pager {text}',
      'editor {text}',
      'irb {text}',
      'qjs -e {text}',
      'raku -e {text}',
      'jshell {text}',
      'mongo --eval {text}',
      'hive -e {text}',
      'crystal eval {text}',
      'nim e {text}',
      'zig run {text}',
      'rails runner {text}',
      'puppet apply -e {text}',
      'dotnet run {text}',
      'tcc -run {text}',
      'apt-get -oX={text} update',
      'dpkg --pre-invoke={text} -i x',
      'git merge -s {text} b',
      'git difftool -t {text}',
      'git daemon --access-hook={text}',
      'ugrep --filter={text} x',
      'vifm -c {text}',
      'lilypond -e {text} f',
    ].map((line): [string[], string] => [line.split(' '), 'as code']),
  ])('%j: %s', (words, message) => {
    const template = read(words);
    expect(template.ok).toBe(false);
    if (!template.ok) expect(template.message).toContain(message);
  });

  it('a value as code, unless the author has named all values', () => {
    const parameters = { type: 'object', properties: { file: { enum: ['a.py', 'b.py'] }, text: { type: 'string' } } };
    const of = (...words: string[]) => readTemplate({ words, begins: 'with a program', parameters, stdin: null }).ok;
    expect([of('python3', '{file}'), of('python3', '{file}', '{text}')]).toEqual([true, true]);
    expect([of('python3', '{text}'), of('timeout', '{file}', '{text}')]).toEqual([false, false]);
  });

  it('a value as code in the words of a container too, which often begin with a program', () => {
    const of = (...words: string[]) => readTemplate({ words, begins: 'with arguments', parameters, stdin: null }).ok;
    expect([of('sh', '-c', '{text}'), of('awk', '{text}'), of('{text}'), of('--name', '{text}')]).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
  });

  it('a shell that would read its input as code', () => {
    expect(read(['bash', '-s'], 'text').ok).toBe(false);
    expect(read(['bash'], 'text').ok).toBe(false);
    expect(read(['bash', 'scripts/count.sh'], 'text').ok).toBe(true);
  });

  it('a program whose options make it read its code from its input', () => {
    const isRefused = (line: string) => !read(line.split(' '), 'text').ok;
    const refused = [
      'bc -l',
      'jq -f - x.json',
      'awk -f /dev/stdin x',
      'sed -f - x',
      'python3 -',
      'curl -K -',
      'psql -f -',
    ];
    expect(refused.filter(isRefused)).toEqual(refused);
    const allowed = [
      'jq .',
      'jq . -',
      'cat -',
      'sed s/a/b/ -',
      'python3 x.py -',
      'curl -d @- http://x',
      'socat - TCP:x:1',
      'convert - x.png',
    ];
    expect(allowed.filter(isRefused)).toEqual([]);
  });

  it('a value that the script of a shell hands on as code, or as a program', () => {
    const isRefused = (script: string) => !read(['bash', '-c', script.replace(/[{}]/g, '$&$&'), 'bash', '{text}']).ok;
    const refused = [
      'eval "$1"',
      'x=1; eval echo $1',
      '"$@"',
      'if true; then exec "$1"; fi',
      'A=1 $0 x',
      '. "$1"',
      'ls | sh -c "$1"',
      'awk "$1" x',
      'xargs "$1" < x',
      'timeout 5 "$1"',
      'echo "$(awk "$1" x)"',
      'echo $(($1 + 1))',
      'if [[ "$1" -eq 3 ]]; then ls; fi',
      'echo $[$1+1]',
      'echo "$1" | sh',
      'echo "$1" | bash -s',
      'echo "$1" | tr a b | python3',
      'cat "$1" | sh',
      'cat < "$1" | sh',
      '(echo "$1") | sh',
      '{ echo "$1"; } | sh',
      'echo "$1" | (sh)',
      'echo "$1" | { sh; }',
      'for c in "$@"; do echo "$c"; done | sh',
      'echo "$(echo "$1" | sh)"',
      'bash <<< "$1"',
      'sh < "$1"',
      'bash <<EOF\nls $1\nEOF',
      'source <(echo "$1")',
      'x=$1; eval "$x"',
      `eval "$${'{x:-$1}'}"`,
      'x=$1; y="a$x"; eval "$y"',
      'x=$1; echo $((x + 1))',
      'cmd="$1"; $cmd',
      'cmd=("$@"); "$cmd"',
      'for c in "$@"; do eval "$c"; done',
      'echo "$1" | while read -r line; do eval "$line"; done',
      'name="$1"; awk "$name" f',
      'for c; do $c; done',
      '$(echo "$1")',
      'echo "$1" > >(sh)',
      'coproc $1',
      'echo "$1" | xargs -I% sh -c "ls %"',
      'echo "$1" | xargs -I{} sh -c "ls {}"',
      'echo "$1" | xargs timeout 5',
      'echo "$1" | xargs tar cf x',
      'echo "$1" | ssh host',
      'PATH="$1"; ls',
      'LD_PRELOAD="$1" ls',
      'export BASH_ENV="$1"; bash x.sh',
      'env NODE_OPTIONS="$1" node x.js',
      'printf -v "$1" x',
      'read "$1" < x',
      'unset "$1"',
      '[ -v "$1" ]',
      'declare -i n="$1"',
      'x["$1"]=3',
      'mapfile -C "$1" -c 1 a',
      'flock x -c "$1"',
      'gtimeout 5 "$1"',
      'typeset -i x; x=$1',
      'x=$1; declare -ri x',
      'local -i n=0 m; m="$1"',
      ...['1@P', 'x@P', '!1', '!x'].map((twice) => `x=$1; echo "$${`{${twice}}`}"`),
      'if [[ -v $1 ]]; then ls; fi',
      'e=eval; $e "$1"',
      'x=1; x=$1; eval "$x"',
      'x=1; read x < "$1"; eval "$x"',
      'run="bash -c"; $run "$1"',
      `run='sh -c' other=2; $${'{run}'} "$1"`,
    ];
    expect(refused.filter(isRefused)).toEqual(refused);
    const allowed = [
      'echo "$1"',
      'e=echo; $e "$1"',
      'tool="grep -c"; $tool -- "$1" x',
      '"$PYTHON" scripts/x.py "$1"',
      'typeset -i n; n=3; echo "$1"',
      'typeset x; x=$1; echo "$x"',
      `echo "$${'{1@Q}'}"`,
      `echo "$${'{!name}'}" "$1"`,
      '[[ -f $1 ]] && ls',
      'grep -- "$1" x | wc -l',
      'awk \'{ print $1 }\' "$1"',
      'awk -v x="$1" \'{ print x }\' y',
      'jq --arg x "$1" .x y',
      'x="$(cat "$1")"; echo "total ($x)"',
      'for f in "$@"; do cat "$f"; done > "$1"',
      'case "$1" in a) ls;; esac',
      'echo $((1 + 2)) "$1"',
      'scripts/"$1".sh',
      'echo "$1" | python3 scripts/x.py',
      'echo "$1" | python3 -c "import sys"',
      'cat "$1" | jq .x | sort',
      'echo "$1" | xargs',
      'test -f "$1" || sh scripts/x.sh',
      'cd "$1"; cat x.sql | sqlite3 x.db',
      'n=$(wc -l < "$1"); echo $((n + 1))',
      'x=$1; echo "$x" | wc -l',
      "x='$1'; eval $x",
      'cat <<EOF\n$1\nEOF',
      'diff <(sort "$1") <(sort x)',
      'while read -r n; do echo $((n + 1)); done < "$1"',
      'echo "$1" | xargs rm --',
      'echo "$1" | xargs -I% echo %',
      'echo "$1" | xargs -n 1 wc -l',
      'LANG="$1" sort x',
      'CC="$1"; echo "$CC"',
      'path="$1"; ls "$path"',
      'IFS="$1" read -r a b < x',
      'declare name="$1"; export name',
      'read -p "$1" answer',
      'printf "%s" "$1"',
      'test -d "$1"',
    ];
    expect(allowed.filter(isRefused)).toEqual([]);
    expect(read(['bash', '-c', '"$@"', 'bash', 'ls']).ok).toBe(true);
  });

  it('its standard input is followed into what it starts', () => {
    const isRefused = (script: string) => !read(['bash', '-c', script], 'text').ok;
    const refused = [
      'sh',
      'cat | sh',
      'read x; $x',
      'eval "$(cat)"',
      '$(cat)',
      'python3 -',
      'xargs sh -c',
      'bash -s x',
    ];
    expect(refused.filter(isRefused)).toEqual(refused);
    const allowed = [
      'cat',
      'wc -l | sort',
      'python3 x.py',
      'read x; echo "$x"',
      'x=$(cat); echo "$x"',
      'xargs ls',
      'sh x.sh',
    ];
    expect(allowed.filter(isRefused)).toEqual([]);
  });

  it('a script that opens much and closes nothing is judged in little time', () => {
    const timeOf = (part: string, length: number): number => {
      const before = process.cpuUsage();
      shellCommands(part.repeat(length / part.length), null);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    for (const part of ['<<A\n', '$' + '{', ' a=(', '$(', '`', '"\'']) expect(timeOf(part, 100_000)).toBeLessThan(2000);
  });

  it('a template that only looks like one of these is accepted', () => {
    for (const words of [
      ['sh', '-c', 'echo "$1"', 'sh', '{text}'],
      ['bash', './x.sh', '-c', '{text}'],
      ['grep', '-c', '{text}'],
      ...[
        'awk -f x.awk {text}',
        'awk NR==1 {text}',
        'sed -n 1p -- {text}',
        'sed -e s/a/b/ {text}',
        'jq . {text}',
        'grep -- {text} awk',
        'echo sed {text}',
        'find . -name {text}',
        'node scripts/x.mjs {text}',
        'node scripts/x.mjs -e {text}',
        'python3 scripts/x.py --name={text}',
        'python3 -m json.tool {text}',
        'timeout 5 grep -- {text}',
        'timeout 5 python3 scripts/x.py {text}',
        'env A={text} grep x',
        'tar -xf {text}',
        'git log -- {text}',
        'sort {text}',
        'xargs -n 1 echo {text}',
        'sqlite3 {text} .tables',
        'sqlite3 -safe x.db {text}',
        'psql -d {text}',
        'rsync -a {text} there',
        'curl -- {text}',
        'npm view {text}',
        'chrt -f 1 grep -- {text}',
        'cmake -B {text}',
        'nc -z {text} 80',
        'jq .x {text}',
        'jq --arg n {text} .x x.json',
        'jq --argjson n {text} .x',
        'jq -n $ARGS --args {text}',
        'jq -f x.jq {text}',
        'yq e .x {text}',
        'curl -sS {text}',
        'openssl dgst -sha256 {text}',
        'less -- {text}',
        'vim -- {text}',
        'man {text}',
        'git -C {text} log',
        'git log --author={text}',
        'git clone -- {text}',
        'perl -e 1 {text}',
        'perl x.pl {text}',
        'npm run build -- {text}',
        'uv run x.py {text}',
        'cargo run -- {text}',
        'gh api repos/{text}/issues',
        'gh issue list --search {text}',
        'docker inspect {text}',
        'kubectl get pods -n {text}',
        'kubectl logs {text}',
        'terraform plan -var x={text}',
        'ffmpeg -i {text} x.mp4',
        'convert ./{text} x.png',
        'convert png:{text} x.png',
        'pdflatex ./{text}',
        'pandoc --from=markdown --to=html --metadata=title:{text}',
        'pandoc -o {text} x.md',
        'exiftool -json {text}',
        'rg -- {text}',
        'less -S ./{text}',
        'rsync -c {text} there',
        'aws s3 ls {text}',
        'zip x.zip {text}',
        'aws --profile {text} s3 ls',
        'aws --region {text} s3 ls',
        'aws --debug s3 ls {text}',
        'gcloud --project {text} compute instances list',
        'az --subscription {text} vm list',
        'helm --kube-context {text} list',
        'helm -n {text} list',
        'pnpm --filter {text} build',
        'npm --silent view {text}',
        'ip -n {text} addr',
        'kubectl --context {text} get pods',
        'kubectl --namespace {text} get pods',
        'systemctl --user status {text}',
        'rpm -qi {text}',
        'docker build -t {text} .',
        'docker compose logs {text}',
        'docker exec {text} uptime',
        'docker exec box grep -- {text}',
        'kubectl create namespace {text}',
        'git log --grep config {text}',
        'git config --get {text}',
        'gh search repos cs {text}',
        'dotnet run -- {text}',
        'ssh {text} uptime',
        'ssh -p 22 {text} uptime',
        'convert ./a.png -resize {text} out.png',
        './compare {text}',
        'bin/view {text}',
        'scripts/identify {text}',
        './batch {text}',
        'grep -rn node -e {text}',
        'timeout 5 grep -rn node -e {text}',
        'pytest -k {text}',
        'yarn workspace {text} build',
        'docker container inspect {text}',
        'python3 -u x.py -m pip {text}',
        'node test {text}',
        'dotnet new console -n {text}',
        'bun x cowsay {text}',
        'nix run nixpkgs#hello -- {text}',
        'swift run app {text}',
        'nsenter -t {text} ls',
        'tar -czf {text} {text}',
        'tar -xf{text}',
        'tar xzf {text}',
        'curl -sS -o{text} url',
        'sed -i{text} -e p file',
        'awk -F{text} 1 file',
        'make -j{text} all',
        'ssh -p{text} host',
        'gs -sOutputFile=./{text} x.ps',
        'gcc -I{text} x.c',
        'java -Dname={text} -jar x.jar',
        'jupyter nbconvert --to html {text}',
        'rclone copy remote:{text} out',
        'papermill in.ipynb out.ipynb -p a {text}',
        'terraform -chdir={text} plan',
        'env NAME={text} ls',
        'hg log -r {text}',
        'git status -s {text}',
        'terraform plan -out={file}',
        'sed --quiet p {file}',
        'tar --format=gnu -xf {file}',
        'dotnet run --project x -- {text}',
        'time -p ls {file}',
        'perf report -i {file}',
        'mise ls {text}',
        'sha256 {file}',
        'base64 {file}',
        'python3.11 scripts/a.py {text}',
        'bash5 scripts/a.sh {text}',
        'curl --compressed {text}',
      ].map((line) => line.split(' ')),
      ['p', '{{}}', '{{{text}}}'],
    ]) {
      expect(read(words), JSON.stringify(words)).toMatchObject({ ok: true });
    }
    expect(argumentsFor(slots('p', '{{}}', '{{{text}}}'), { text: 'x' })).toEqual(['p', '{}', '{x}']);
  });

  it('never throws, and never makes a program of a value', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('{text}', '--file', '{file}', '--', '{verbose?-v}', '{', '}}'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const template = read(words);
        if (template.ok) expect(template.value[0]).toMatchObject({ parameter: null, flag: null });
      }),
    );
  });
});

describe('a command as one text', () => {
  it('is split at blanks, and quotes keep them', () => {
    const split = (text: string): unknown => splitWords(text);
    expect(split(`grep -n 'a b' "c \\"d\\"" e\\ f "" --x="1 2"`)).toEqual({
      ok: true,
      value: ['grep', '-n', 'a b', 'c "d"', 'e f', '', '--x=1 2'],
    });
    expect(split('  ')).toEqual({ ok: true, value: [] });
  });

  it.each(['a | b', 'a > b', 'a; b', 'a && b', 'echo $HOME', 'echo `id`', 'ls *.md', 'cat ~/x', "it's", 'a\\'])(
    '%s counts on a shell, or ends too early',
    (text) => {
      expect(splitWords(text).ok).toBe(false);
    },
  );

  it('gives back any words that are quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 10 }), { maxLength: 5 }), (words) => {
        const quoted = words.map((word) => `"${word.replace(/["\\]/g, '\\$&')}"`).join(' ');
        expect(splitWords(quoted)).toEqual({ ok: true, value: words });
      }),
    );
  });
});
