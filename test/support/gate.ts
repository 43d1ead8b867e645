/** A step at which a test can pause the code under test. */
export interface Gate {
  /** Resolves when the step may continue. */
  pass(): Promise<void>;
  /** Pauses the nth step that arrives after this call. */
  hold(nth?: number): PausedStep;
}

export interface PausedStep {
  /** Resolves when the step has arrived and is paused. */
  readonly reached: Promise<void>;
  release(): void;
}

export function createGate(): Gate {
  let pause: { readonly reach: () => void; readonly released: Promise<void> } | undefined;
  let stepsUntilPause = 0;

  return {
    async pass() {
      if (pause === undefined || (stepsUntilPause -= 1) > 0) return;
      const { reach, released } = pause;
      pause = undefined;
      reach();
      await released;
    },

    hold(nth = 1) {
      stepsUntilPause = nth;
      const [reached, released] = [createSignal(), createSignal()];
      pause = { reach: reached.resolve, released: released.promise };
      return { reached: reached.promise, release: released.resolve };
    },
  };
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}
