/** A step whose duration a test decides. */
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
      const [reached, released] = [signal(), signal()];
      pause = { reach: reached.send, released: released.sent };
      return { reached: reached.sent, release: released.send };
    },
  };
}

function signal(): { readonly sent: Promise<void>; readonly send: () => void } {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  return { sent, send };
}
