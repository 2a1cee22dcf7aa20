import type { ActivityOutput } from '../../engine/operations/activity.ts';
import type { AuditOutput } from '../../engine/operations/audit.ts';
import type { DoctorOutput } from '../../engine/operations/doctor.ts';
import type {
  HealthOutput,
  IndexHealth,
  LogLine,
  SessionHealth,
  WatcherHealth,
} from '../../engine/operations/health.ts';
import type { Bucket, Counted, StatisticsOutput } from '../../engine/operations/statistics.ts';
import { always, anyOf, choice, count, flag, list, nullable, number, object, text, time } from './build.ts';
import { location, pluginKey, ref } from './shared.ts';

type Told<W extends AuditOutput['what']> = Extract<AuditOutput, { readonly what: W }>;
type Verification = Told<'verification'>;

export const audit = anyOf(
  object<Told<'executions'>>({ what: always('executions'), executions: list(ref('AuditRow')) }),
  object<Verification>(
    {
      what: always('verification'),
      ok: flag(),
      folder: text(),
      records: count(),
      files: count(),
      checkpoints: count(),
      key: nullable(text(), 'The fingerprint of the key that vouches for them.'),
      last: nullable(
        object<NonNullable<Verification['last']>>({ seq: count(), hash: text() }),
        'The last valid record.',
      ),
      archived: list(object<Verification['archived'][number]>({ file: text(), from: count(), to: count() })),
      tornBytes: count('Bytes that a killed writer left at the end.'),
      broken: nullable(
        object<NonNullable<Verification['broken']>>({
          file: text(),
          line: nullable(count()),
          seq: nullable(count()),
          why: choice([
            'edited',
            'forged',
            'missing',
            'reordered',
            'repeated',
            'unchained',
            'signature',
            'file-missing',
            'file-swapped',
            'cut-off',
            'head',
            'key',
            'alarm',
          ]),
          message: text(),
        }),
        'The first record that was tampered with.',
      ),
    },
    'With `action=verify`.',
  ),
);

export const activity = object<ActivityOutput>({
  rows: list(ref('ActivityRow'), 'The newest first.'),
  kept: flag('Whether activity is logged at all.'),
});

const counted = list(object<Counted>({ name: text(), count: count() }));

export const statistics = object<StatisticsOutput>({
  since: time(),
  bucketMs: count('The length of each bucket.'),
  buckets: list(
    object<Bucket>({
      from: time('Where it begins.'),
      succeeded: count(),
      failed: count(),
      denied: count(),
      searched: count(),
      loaded: count(),
    }),
    'In chronological order, without gaps, up to now.',
  ),
  runs: count('Those that have ended.'),
  durationMs: nullable(
    object<NonNullable<StatisticsOutput['durationMs']>>({ p50: number(), p90: number(), p99: number(), max: number() }),
    'Of runs that ended by themselves.',
  ),
  durationBySkill: list(
    object<StatisticsOutput['durationBySkill'][number]>({ name: text(), count: count(), p50: number(), p90: number() }),
  ),
  denialsBySkill: counted,
  loadsBySkill: counted,
  clients: counted,
});

const roots = list(
  object<DoctorOutput['roots'][number]>({
    path: text(),
    provider: text(),
    location,
    plugin: pluginKey,
    status: choice(['found', 'missing', 'unreadable']),
    skills: count(),
  }),
);

const summary = object<DoctorOutput['summary']>({
  skills: count(),
  visible: count(),
  errors: count(),
  warnings: count(),
  notes: count(),
});

type Agent = NonNullable<DoctorOutput['agent']>;
type Room = NonNullable<Agent['listing']>['rooms'][number];
const sees = choice(['yes', 'no', 'cut', 'unknown']);

const agent = object<Agent>({
  id: text(),
  name: text(),
  known: text('What most of this rests on, and the day.'),
  reads: list(text(), 'The folders it reads, strongest first.'),
  plugins: list(text(), 'The providers whose plugins it loads.'),
  rules: list(
    object<Agent['rules'][number]>({
      does: choice(['reads', 'shows', 'does not show', 'leaves to people', 'not known']),
      what: text(),
      known: text('The source, the version and the day in words.'),
      by: choice(['run', 'source', 'documentation', 'installer']),
      version: nullable(text(), 'The version that was run.'),
      date: text('The day it was seen.'),
    }),
    'Everything that is known about it, and how.',
  ),
  excludes: list(text(), 'What its server entry leaves out.'),
  listing: nullable(
    object<NonNullable<Agent['listing']>>({
      characters: count(),
      most: nullable(count(), 'No description gets more characters than this.'),
      rooms: list(object<Room>({ characters: count(), with: text() }), 'How much fits, by model; the smallest first.'),
      overflow: choice(['shortens evenly', 'drops descriptions', 'not known']),
    }),
    'How much of the room for its list of skills they take.',
  ),
  skills: list(
    object<Agent['skills'][number]>({
      fullName: text(),
      provider: text(),
      location,
      file: text(),
      state: choice([
        'listed',
        'shortened',
        'bare',
        'omitted',

        'lost',
        'hidden',
        'rival',
        'elsewhere',
        'unsure',
      ]),
      sees,
      reason: text(),
      characters: nullable(count(), 'How much of its description the model gets.'),
      server: choice(['served', 'left-out', 'hidden', 'filtered']),
    }),
  ),
  skipped: list(object<Agent['skipped'][number]>({ file: text(), sees, reason: text(), remedy: text() })),
  summary: object<Agent['summary']>({
    yes: count(),
    no: count(),
    cut: count(),
    unknown: count(),
    served: count(),
    missing: count(),
  }),
});

/** Sandboxes are not tried out over the web. */
export type DoctorAnswer = Omit<DoctorOutput, 'sandboxes'> & { readonly sandboxes: null };

export const doctor = object<DoctorAnswer>({
  roots,
  diagnostics: list(ref('Diagnostic')),
  summary,
  sandboxes: always(null),
  agent: nullable(agent, 'With `agent`.'),
});

export const health = object<HealthOutput>({
  version: text(),
  node: text(),
  pid: count(),
  memoryBytes: count(),
  roots,
  summary,
  index: object<IndexHealth>({
    ready: count('How many of the visible skills can be found.'),
    total: count(),
    growing: flag('Whether more are being read.'),
    embedder: text(),
    path: nullable(text(), 'Null where nothing is stored on disk yet.'),
    bytes: nullable(count()),
  }),
  stores: list(
    object<HealthOutput['stores'][number]>({ what: text(), path: text(), files: count(), bytes: count() }),
    'What is stored on disk.',
  ),
  startedAt: nullable(time()),
  watcher: nullable(
    object<WatcherHealth>({
      state: choice(['whole', 'behind', 'partial', 'off']),
      folders: count(),
      intervalMs: count(),
      lookedAt: nullable(time(), 'When the disk was last scanned.'),
    }),
  ),
  sessions: list(
    object<SessionHealth>({
      client: text('The name the client gives itself.'),
      since: time(),
      lastUsed: time(),
      busy: count(),
    }),
  ),
  log: list(object<LogLine>({ time: text(), level: text(), message: text() }), 'The last lines, the oldest first.'),
});
