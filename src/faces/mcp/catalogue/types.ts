import type { Location } from '../../../skill/kinds.ts';

/** One skill as the catalogues show it. */
export interface CatalogueEntry {
  /** The name to call it by. */
  readonly name: string;
  readonly description: string;
  readonly location: Location;
}
