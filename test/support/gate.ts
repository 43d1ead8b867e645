/** A step whose duration a test decides. */
export interface Gate {
  /** Awaited by the step. */
  pass(): Promise<void>;
  /** Holds the nth step that arrives from now on. */
  hold(nth?: number): HeldStep;
}

export interface HeldStep {
  /** Resolves when a step is held. */
  readonly reached: Promise<void>;
  release(): void;
}

export function createGate(): Gate {
  let next: { readonly reach: () => void; readonly released: Promise<void> } | undefined;
  let before = 0;

  return {
    async pass() {
      if (next === undefined || (before -= 1) > 0) return;
      const held = next;
      next = undefined;
      held.reach();
      await held.released;
    },

    hold(nth = 1) {
      before = nth;
      const [reached, released] = [signal(), signal()];
      next = { reach: reached.give, released: released.given };
      return { reached: reached.given, release: released.give };
    },
  };
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}
