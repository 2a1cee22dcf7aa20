/** A test, or a group of them, by its title. */
export interface Proof {
  readonly title: string;
  readonly file: string;
}

export interface Promised {
  readonly promise: string;
  readonly proofs: readonly Proof[];
}

/** What of a report of Vitest is looked at. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

export function promisesIn(page: string): readonly Promised[];
export function securityPromises(): readonly Promised[];
export function unproven(promises: readonly Promised[], report: Report): readonly string[];
