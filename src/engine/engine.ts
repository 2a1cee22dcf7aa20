import type { Configuration } from '../config/load.ts';
import type { OnProgress } from '../discovery/scan.ts';
import type { Environment } from '../kernel/environment.ts';
import { Registry } from '../registry/registry.ts';

/** Where everything comes together: one configuration, one registry, and what operations need of them. */
export interface Engine {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly registry: Registry;
}

export function createEngine(configuration: Configuration, environment: Environment, onProgress?: OnProgress): Engine {
  const { values } = configuration;
  return { environment, configuration, registry: new Registry(values, values, environment, onProgress) };
}
