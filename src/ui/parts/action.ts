import { useState } from 'preact/hooks';

export interface Action {
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Runs the work, unless some is under way; returns whether that went well. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** An action that a button takes on the server. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, error: null });
  return {
    ...state,
    async run(work) {
      if (state.isBusy) return false;
      setState({ isBusy: true, error: null });
      try {
        await work();
        setState({ isBusy: false, error: null });
        return true;
      } catch (error) {
        setState({ isBusy: false, error: error as Error });
        return false;
      }
    },
  };
}
