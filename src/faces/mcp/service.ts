import type { Configuration } from '../../core/config/layers.ts';
import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { count } from '../../core/text/text.ts';
import { version } from '../../core/version.ts';
import { createEngine, type Engine, endEngine } from '../../engine/engine.ts';
import type { Freshness } from '../../engine/freshness/freshness.ts';
import { type Cached, createStartupCache, type StartupCache } from '../../engine/freshness/startup-cache.ts';
import type { Vitals } from '../../engine/operations/machine/health.ts';
import { noSandbox } from '../../engine/running/wrong-settings.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { ListingText } from './listing-text.ts';
import { type Profile, type Surface, surfaceOf } from './surface.ts';

/** One server process, for any number of clients. */
export interface Service extends Surface {
  readonly version: string;
  readonly engine: Engine;
  readonly log: Logger;
  /** Whether the people behind clients may be asked to allow something. */
  readonly mayAsk: boolean;
  /** Whether every call is logged. */
  readonly logsCalls: boolean;
  /** The instructions for the handshake; waits for the first scan only where nothing is known, and not for long. */
  instructions(): Promise<string>;
  /** The current listing text; waits for the first scan, but not for ever. */
  listingText(): Promise<ListingText>;
  /** Registers a callback for when the listing text has changed, which is given the reason. */
  onChange(listener: (reason: string) => void): void;
  /** Adds to the vitals that the engine reports: the transport and the log know more. */
  addVitals(more: Partial<AddedVitals>): void;
  /** Resolves once the cluster, where there is one, has the records of all that was done. */
  recorded(): Promise<void>;
  close(): void;
}

type AddedVitals = Pick<Vitals, 'sessions' | 'log'>;

/** Time a client waits for the first scan in the handshake; the instructions sent there cannot be corrected later. */
const handshakeMs = 500;
/** Time that the first scan waits for the catalogue of the cluster; what comes later is notified. */
const catalogueMs = 400;
/**
 * Time a client that lists the tools waits for the first scan; then it gets what there is, and a notification later.
 */
const firstScanTimeoutMs = 5_000;
/**
 * Time for which the opening of a connection goes before the first scan, where the cached listing text still holds …
 */
const firstScanDelayMs = 250;
/** … and before the work after that scan: watching the disk, and caching the listing text for the next start. */
const followUpDelayMs = 250;

export async function createService(
  profile: Profile,
  configuration: Configuration,
  environment: Environment,
  log: Logger,
): Promise<Service> {
  const surface = surfaceOf(profile, configuration);
  const addedVitals: Partial<AddedVitals> = {};
  let freshness: Freshness | undefined;
  const vitals: Vitals = {
    startedAt: new Date().toISOString(),
    watcher: () => freshness?.state() ?? null,
    sessions: () => addedVitals.sessions?.() ?? [],
    log: () => addedVitals.log?.() ?? [],
  };
  const engine = createEngine(configuration, environment, { isLongLived: true, vitals, log });
  const { registry } = engine;
  if (configuration.values.otlpEndpoint !== undefined) {
    engine.telemetry = (await import('../../engine/telemetry/telemetry.ts')).startTelemetry(engine, 'server');
  }
  /** Settles when the catalogue of the cluster has been compared; wrong settings are told to whoever starts the server. */
  const catalogue =
    configuration.values.cluster === undefined
      ? undefined
      : { compared: (await import('../../engine/cluster/catalogue.ts')).followCatalogue(engine) };
  const recorded =
    catalogue === undefined ? async () => {} : (await import('../../engine/cluster/records.ts')).copyRecords(engine);
  const startupCache = createStartupCache<ListingText>(engine, surface);
  const recalled = startupCache.texts();
  const texts = isListingText(recalled?.value) ? recalled : undefined;
  const remembered = texts?.isEdited === false ? texts : ((await fromScan(startupCache, registry, surface)) ?? texts);
  /** Whether the cached text may be sent without a scan of the disk. */
  const isCertain = remembered?.isEdited === false;
  const listeners: ((reason: string) => void)[] = [];
  /** Writes the texts; a start that has them cached does without for a while. */
  let writer = isCertain ? undefined : await import('./listing-text.ts');
  /** The text last sent to a client that listed the tools. */
  let shown: ListingText | undefined;
  let first: Promise<void> | undefined;
  let watching: Promise<Freshness | undefined> | undefined;
  let isClosed = false;
  let kept: Snapshot | undefined;

  /** Starts the first scan of the disk; all callers share it. */
  function begin(): Promise<void> {
    first ??= scanFirst();
    return first;
  }

  async function scanFirst(): Promise<void> {
    const started = Date.now();
    log.debug('looking for skills');
    try {
      if (catalogue !== undefined) await settlesWithin(catalogueMs, catalogue.compared);
      const snapshot = await registry.snapshot();
      writer ??= await import('./listing-text.ts');
      report(snapshot, Date.now() - started, log);
      if (shown !== undefined && !isSame(shown, writer.listingTextOf(snapshot, surface)))
        tell('the skills have been read');
    } catch (error) {
      log.error(`the skills cannot be read: ${reasonOf(error)}`);
    }
    setTimeout(() => void follow(), followUpDelayMs).unref();
  }

  /** Starts watching for changes, and caching the listing text. */
  function follow(): Promise<Freshness | undefined> {
    watching ??= watch().catch((error: unknown) => {
      log.warn(`changes cannot be watched: ${reasonOf(error)}`);
      return undefined; // calls do without
    });
    return watching;
  }

  async function watch(): Promise<Freshness> {
    const [{ keepFresh }, { createDifference }] = await Promise.all([
      import('../../engine/freshness/freshness.ts'),
      import('./catalogue/difference.ts'),
    ]);
    const differenceTo = createDifference(registry.current);
    registry.subscribe((snapshot) => {
      const difference = differenceTo(snapshot);
      if (difference !== null) tell(difference);
    });
    // A catalogue may have changed since the first scan, when nobody was listening yet.
    if (shown !== undefined && !isSame(shown, currentListingText())) tell('the skills have changed');
    keep();
    if (surface.tools.includes('skill-engine/execute')) {
      const { sweep } = await import('../../engine/running/runner.ts');
      void sweep(engine).catch((error: unknown) => log.warn(`leftovers of other runs remain: ${reasonOf(error)}`));
    }
    freshness = keepFresh(engine, log);
    if (configuration.values.remotes === 'follow' && !isClosed) {
      (await import('../../engine/remotes/follow.ts')).followRemotes(engine);
    }
    if (isClosed) freshness.close();
    return freshness;
  }

  function tell(reason: string): void {
    for (const listener of listeners) listener(reason);
  }

  /**
   * Caches the listing text, after the first scan and at the end: in between, writing much would keep clients waiting.
   */
  function keep(): void {
    const { current } = registry;
    if (current === undefined || current === kept || writer === undefined) return;
    const listingText = writer.listingTextOf(current, surface);
    const isKept = kept === undefined && texts?.isEdited === false && isSame(texts.value, listingText);
    kept = current;
    if (!isKept) startupCache.write(current, listingText);
  }

  /** Gives the first scan some time, unless the cached text will do. */
  async function wait(ms: number): Promise<void> {
    if (registry.current === undefined && !isCertain) await settlesWithin(ms, begin());
  }

  function currentListingText(): ListingText {
    const { current } = registry;
    if (writer === undefined || (current === undefined && remembered !== undefined))
      return remembered?.value as ListingText;
    return current === undefined ? writer.writeListingText(null, surface) : writer.listingTextOf(current, surface);
  }

  for (const { file, line, code, message, remedy } of configuration.problems) {
    log.error(`the project's settings do not count: ${message}`, { file, line: line ?? undefined, code, remedy });
  }
  if (configuration.values.unsafeNoSandbox && surface.tools.includes('skill-engine/execute')) log.warn(noSandbox);
  engine.freshness = {
    async check(name) {
      await begin();
      await (await follow())?.check(name);
    },
  };
  const firstScanTimer = setTimeout(() => void begin(), isCertain ? firstScanDelayMs : 0);

  return {
    ...surface,
    version: version(),
    engine,
    log,
    mayAsk: configuration.values.transport === 'stdio' || configuration.values.grantsOverHttp,
    logsCalls: configuration.values.logLevel === 'debug',
    async instructions() {
      await wait(handshakeMs);
      if (engine.cluster?.status.state !== 'lost') return currentListingText().instructions;
      writer ??= await import('./listing-text.ts');
      return writer.instructionsApart(registry.current, surface);
    },
    async listingText() {
      await wait(firstScanTimeoutMs);
      setTimeout(() => void begin(), 10).unref(); // the answer it would have delayed has been sent
      shown = currentListingText();
      return shown;
    },
    onChange: (listener) => listeners.push(listener),
    addVitals: (more) => Object.assign(addedVitals, more),
    recorded,
    close() {
      isClosed = true;
      clearTimeout(firstScanTimer);
      keep(); // a client that comes and goes quickly will come again
      void watching?.then((one) => one?.close());
      endEngine(engine);
    },
  };
}

/** The listing text, written from the cached scan of an earlier start on the same roots. */
async function fromScan(
  startupCache: StartupCache<ListingText>,
  registry: Registry,
  surface: Surface,
): Promise<Cached<ListingText> | undefined> {
  const scan = startupCache.scan();
  if (scan === undefined) return undefined;
  try {
    const { listingTextOf } = await import('./listing-text.ts');
    return { ...scan, value: listingTextOf(await registry.preview(scan.value), surface) };
  } catch {
    return undefined; // a file that is not as we write it
  }
}

/** Whether a value is a listing text of ours: a file may hold anything. */
function isListingText(value: Partial<ListingText> | undefined): boolean {
  return typeof value?.description === 'string' && typeof value.instructions === 'string';
}

function isSame(a: ListingText, b: ListingText): boolean {
  return a.description === b.description && a.instructions === b.instructions;
}

/** Codes of diagnostics that hide skills without being about one of them, or give one another name. */
const noted: ReadonlySet<DiagnosticCode> = new Set([
  'filter-no-match',
  'project-not-owned',
  'root-missing',
  'root-unreadable',
  'folder-unreadable',
  'link-outside',
  'link-dangling',
  'walk-limit',
  'plugin-file-invalid',
  'plugin-manifest-invalid',
  'plugin-missing',
  'plugin-path-outside',
  'name-taken',
]);

const repaired: ReadonlySet<DiagnosticCode> = new Set(['frontmatter-repaired', 'frontmatter-not-first']);

/**
 * Number of lines logged. Clients show the log to people at every start: a folder of broken skills must not bury all
 * else.
 */
const mostLines = 50;

/** Logs the outcome of a scan, and the files that could not be used as written. */
function report({ visible, diagnostics, scan }: Snapshot, ms: number, log: Logger): void {
  log.info(`ready: ${count(visible.length, 'skill')}`, { ms, read: scan.counts.read });
  const skipped = new Set(diagnostics.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])));
  let lines = 0;
  for (const one of diagnostics) {
    const { file, line, code, message } = one;
    const facts = { file, line: line ?? undefined, code };
    const text = lineFor(one, skipped);
    if (text !== null && lines++ < mostLines) log.warn(text, facts);
    else log.debug(message, facts);
  }
  if (lines > mostLines) log.warn(`${lines - mostLines} more such lines: repertoire doctor shows all`);
}

function lineFor({ severity, code, file, message }: Diagnostic, skipped: ReadonlySet<string>): string | null {
  if (severity === 'error') return `skipped: ${message}`;
  if (repaired.has(code)) return skipped.has(file) ? null : `repaired: ${message}`;
  return noted.has(code) ? message : null;
}
