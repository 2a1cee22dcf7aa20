import type { Listing, Source } from '../../../agents/types.ts';
import { diagnosticSchema } from '../../../core/diagnostics.ts';
import {
  choice,
  count,
  flag,
  type Infer,
  list,
  nullable,
  object,
  optional,
  text,
} from '../../../core/schema/schema.ts';
import type { Rule } from '../../../discovery/native/rules.ts';
import type { Sees, SightState } from '../../../discovery/native/types.ts';
import { runtimeNames } from '../../../run/policy/types.ts';
import { enforcementSchema, probeSchema } from '../../../run/sandbox/types.ts';
import { locationSchema, pluginSchema } from '../../../skill/types.ts';
import { ownerSchema, owners } from '../../browsing/owners.ts';
import { diagnose } from '../../diagnosis.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

/** Treatment of a skill by our server, as set up for the agent. */
const served = [
  // The agent's model gets it from us.
  'served',
  // Its author leaves it to people, who can call it as a prompt of ours; no model is offered it.
  'people',
  // The agent already has it, or one of its name.
  'left-out',
  // Another of its name is served.
  'hidden',
  // The filters of the configuration leave it out.
  'filtered',
] as const;
export type Served = (typeof served)[number];

const sees = choice<Sees>(['yes', 'no', 'cut', 'unknown']);

const skillSchema = object({
  fullName: text(),
  provider: text(),
  location: locationSchema,
  file: text(),
  state: choice<SightState>([
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
  server: choice(served),
});
export type AgentSkill = Infer<typeof skillSchema>;

/** One known fact about an agent; see `Rule`. */
const ruleSchema = object({
  does: choice<Rule['does']>(['reads', 'shows', 'does not show', 'leaves to people', 'not known']),
  what: text(),
  known: text('The source, the version and the day in words.'),
  by: choice<Source['by']>(['run', 'source', 'documentation', 'installer']),
  version: nullable(text(), 'The version that was run.'),
  date: text('The day it was seen.'),
});
export type AgentRule = Infer<typeof ruleSchema>;

/** Report on how an agent treats the skills of this place, by itself and with our server. */
export const agentReportSchema = object({
  id: text(),
  name: text(),
  known: text('What most of this rests on, and the day.'),
  reads: list(text(), 'The folders it reads, strongest first.'),
  plugins: list(text(), 'The providers whose plugins it loads.'),
  rules: list(ruleSchema, 'Everything that is known about it, and how.'),
  excludes: list(text(), 'What its server entry leaves out.'),
  listing: nullable(
    object({
      characters: count(),
      most: nullable(count(), 'No description gets more characters than this.'),
      rooms: list(object({ characters: count(), with: text() }), 'How much fits, by model; the smallest first.'),
      overflow: choice<Listing['overflow']>(['shortens evenly', 'drops descriptions', 'not known']),
    }),
    'How much of the room for its list of skills they take.',
  ),
  skills: list(skillSchema),
  // Files that Repertoire skips.
  skipped: list(object({ file: text(), sees, reason: text(), remedy: text() })),
  summary: object({ yes: count(), no: count(), cut: count(), unknown: count(), served: count(), missing: count() }),
});
export type AgentReport = Infer<typeof agentReportSchema>;

/** Report on what one runtime really enforces on this machine. */
const sandboxSchema = object({
  runtime: choice(runtimeNames),
  ready: flag(),
  problem: nullable(text(), 'Why it is not ready.'),
  remedy: nullable(text(), 'What to do about it.'),
  enforcement: list(enforcementSchema),
  probes: list(probeSchema, 'Harmless attacks that were tried; none where nothing can be run.'),
});
export type SandboxReport = Infer<typeof sandboxSchema>;

export const rootsSchema = list(
  object({
    path: text(),
    provider: text(),
    location: locationSchema,
    plugin: pluginSchema,
    status: choice(['found', 'missing', 'unreadable']),
    skills: count(),
  }),
);

export const summarySchema = object({
  skills: count(),
  visible: count(),
  hidden: count('Found, and not loaded by its name because of another one that has it.'),
  quarantined: count('Found, and kept from being loaded and run by a scan; those that were never installed included.'),
  errors: count(),
  warnings: count(),
  notes: count(),
});

export const doctorOutput = object({
  roots: rootsSchema,
  diagnostics: list(diagnosticSchema),
  summary: summarySchema,
  owners: list(ownerSchema, 'The skills that the files of diagnostics belong to.'),
  sandboxes: nullable(list(sandboxSchema), 'What sandboxes really hold on this machine, with `sandbox`.'),
  agent: nullable(agentReportSchema, 'With `agent`.'),
});
export type DoctorOutput = Infer<typeof doctorOutput>;

export const doctor = defineOperation({
  name: 'doctor',
  effect: 'reads',
  input: {
    sandbox: flag('Test what the sandboxes of this machine really block, with harmless escape attempts.', {
      default: false,
    }),
    agent: optional(text('Show what this agent, such as codex, sees by itself and what the server adds.')),
  },
  output: doctorOutput,
  async run(engine, { sandbox, agent }, request): Promise<DoctorOutput> {
    const report = agent === undefined ? null : await reported(agent, engine);
    const { roots, diagnostics, summary } = await diagnose(engine, request);
    const ownerOf = owners(await engine.registry.snapshot());
    const files = [...new Set(diagnostics.map(({ file }) => file))];
    return {
      ...{ roots, diagnostics, summary },
      owners: files.flatMap((file) => ownerOf(file) ?? []),
      sandboxes: sandbox ? await checked(engine, request) : null,
      agent: report,
    };
  },
});

async function reported(agent: string, engine: Engine): Promise<AgentReport> {
  const { agentReport } = await import('../../agents/report.ts');
  return agentReport(agent, engine, await engine.registry.snapshot());
}

async function checked(engine: Engine, request: Request): Promise<readonly SandboxReport[]> {
  const { checkSandboxes } = await import('../../running/check-sandboxes.ts');
  return checkSandboxes(engine, request);
}
