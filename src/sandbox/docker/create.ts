import type { Container, ContainerCreateOptions, HostConfig } from 'dockerode';
import type { Engine } from './engine.ts';

/** Always with a name: what is created must be found again, whatever becomes of the answer. */
export type Plan = ContainerCreateOptions & { readonly name: string };

/** Limits that some engines leave out with no more than a warning. */
const checked: readonly (keyof HostConfig)[] = [
  ...(['Memory', 'MemorySwap', 'PidsLimit', 'ReadonlyRootfs', 'NetworkMode', 'Runtime'] as const),
];

const trusted = new WeakSet<Engine>();

/** Creates a container, and makes sure of the first one of each engine that it is what was asked for. */
export async function create(engine: Engine, plan: Plan): Promise<Container> {
  const { name, ...body } = plan;
  // Said apart, or the library puts all of it, with the variables and their secrets, into the address too.
  const request = { _query: { name }, _body: body } as unknown as ContainerCreateOptions;
  const container = await engine.docker.createContainer(request);
  if (!trusted.has(engine)) {
    const { HostConfig: kept } = await container.inspect();
    const dropped = checked.filter((key) => plan.HostConfig?.[key] !== undefined && plan.HostConfig[key] !== kept[key]);
    if (dropped.length > 0) throw new Error(`the engine ignores ${dropped.join(', ')}; update or replace it`);
    trusted.add(engine);
  }
  return container;
}
