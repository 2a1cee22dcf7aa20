import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, hostEnvironment } from '../../src/core/environment.ts';
import { type AuditRow, type ReadOptions, readAudit } from '../../src/run/audit/read.ts';
import type { AuditRecord } from '../../src/run/audit/types.ts';
import { type VerifyResult, verifyAudit } from '../../src/run/audit/verify.ts';
import { type Audit, type AuditOptions, openAudit } from '../../src/run/audit/writer.ts';
import { createWorld, type World } from '../support/world.ts';
import { endOf, startOf } from './records.ts';

/** The audit log of a world of its own, and what an attacker may do to it. */
export class Log {
  readonly world: World;
  readonly environment: Environment;
  readonly folder: string;
  readonly head: string;
  readonly key: string;

  constructor(world: World = createWorld()) {
    this.world = world;
    this.environment = hostEnvironment({ home: world.home, cwd: world.project, env: world.environment() });
    this.folder = world.path('home/.local/state/repertoire/audit');
    this.head = world.path('home/.local/state/repertoire/audit-head');
    this.key = world.path('home/.config/repertoire/audit-key.pem');
  }

  open(options: AuditOptions = {}): Audit {
    return openAudit(this.environment, options);
  }

  /** Writes so many executions, and ends without closing, as a killed process would. */
  fill(executions: number, options: AuditOptions = {}, prefix = 'run'): void {
    const audit = this.open(options);
    for (let number = 1; number <= executions; number++) {
      audit.start(startOf(`${prefix}-${number}`));
      audit.end(endOf(`${prefix}-${number}`));
    }
  }

  file(name = 'audit.jsonl'): string {
    return join(this.folder, name);
  }

  /** The names of the files that hold records, the oldest first. */
  names(): string[] {
    const all = readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
    return [...all.filter((name) => name !== 'audit.jsonl').sort(), ...all.filter((name) => name === 'audit.jsonl')];
  }

  lines(name?: string): string[] {
    return readFileSync(this.file(name), 'utf8').split('\n').slice(0, -1);
  }

  records(name?: string): AuditRecord[] {
    return this.lines(name).map((line) => JSON.parse(line) as AuditRecord);
  }

  all(): AuditRecord[] {
    return this.names().flatMap((name) => this.records(name));
  }

  /** Puts other lines in the place of those of a file. */
  rewrite(change: (lines: string[]) => readonly string[], name?: string): void {
    const lines = change(this.lines(name));
    writeFileSync(this.file(name), lines.map((line) => `${line}\n`).join(''));
  }

  /** Everything in the state folder, as one would copy it to put it back later. */
  backUp(): () => void {
    const [from, to] = [this.world.path('home/.local/state/repertoire'), this.world.path('backup')];
    copy(from, to);
    return () => {
      rmSync(from, { recursive: true });
      renameSync(to, from);
    };
  }

  verify(): Promise<VerifyResult> {
    return verifyAudit(this.environment);
  }

  async rows(options: ReadOptions = {}): Promise<AuditRow[]> {
    const rows: AuditRow[] = [];
    for await (const row of readAudit(this.environment, options)) rows.push(row);
    return rows;
  }
}

function copy(from: string, to: string): void {
  if (!existsSync(to)) mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copy(source, target);
    else writeFileSync(target, readFileSync(source), { mode: 0o600 });
  }
}
