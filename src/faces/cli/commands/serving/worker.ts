import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { splitTokens } from '../../../../core/config/layers.ts';
import { createLogger } from '../../../../core/log.ts';
import { createEngine } from '../../../../engine/engine.ts';
import type { ServerCommand } from '../../command.ts';

const fields = {
  labels: {
    kind: 'list',
    value: 'LABELS',
    description: 'What sets this worker apart, such as gpu,eu: tools can ask for it.',
  },
  runtimes: {
    kind: 'list',
    value: 'NAMES',
    description: 'Run only these: native,wasm,docker. All that work here if omitted.',
  },
  concurrency: {
    kind: 'integer',
    value: 'N',
    min: 1,
    max: 200,
    description: 'How many executions run at once; the policy of this machine may allow fewer.',
  },
  name: {
    kind: 'text',
    value: 'NAME',
    description: 'The name of this worker in lists and records (the host and the process).',
  },
} as const;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export const worker: ServerCommand = {
  fields,
  about:
    'Runs tools for the servers of a cluster, which hand them over with --executions cluster. It fetches the files of a ' +
    'skill by their digest, checks them, and then everything is as if the tool had been run here: the same sandbox, the ' +
    'grants, secrets and policy of this machine, and its audit log. What a skill asks for beyond the default sandbox must ' +
    'be granted here, whatever the server has granted. SIGTERM or Ctrl-C lets it finish what runs and leave; a second ' +
    'one ends what runs.',
  examples: [
    { run: 'repertoire worker --cluster nats://hub.example:4222', what: 'everything that works on this machine' },
    {
      run: 'repertoire worker --cluster nats://hub.example:4222 --labels gpu,eu --concurrency 4',
      what: 'for tools that ask for a GPU, too',
    },
  ],
  async serve(configuration, environment, input) {
    const { values } = configuration;
    const log = createLogger({
      level: values.logLevel,
      format: values.logFormat,
      write: (line) => void writeSync(2, line),
    });
    const engine = createEngine(configuration, environment, { isLongLived: true, log });
    const { serveWorker } = await import('../../../../engine/running/workers/serve.ts');
    const many = (key: 'labels' | 'runtimes') =>
      ((input[key] ?? []) as readonly string[]).flatMap((text) => splitTokens(text, `--${key}`));
    const serving = await serveWorker(engine, {
      name: (input['name'] as string | undefined) ?? `${hostname()}-${process.pid}`,
      labels: many('labels'),
      runtimes: many('runtimes'),
      concurrency: input['concurrency'] as number | undefined,
    });
    let told = 0;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        if (++told === 1) resolve();
        else serving.stop();
      };
      for (const signal of signals) process.on(signal, stop);
    });
    await serving.drain();
    log.info('left');
    return 0;
  },
};
