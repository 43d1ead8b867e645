import { createRequire, syncBuiltinESMExports } from 'node:module';

/** A call to a function that is expensive, or whose time can grow faster than the length of its argument. */
export interface SuspiciousCall {
  readonly primitive: string;
  readonly text: string;
}

export interface Watch {
  /** Returns the suspicious calls since `takeCalls` last returned. */
  takeCalls(): readonly SuspiciousCall[];
  stop(): void;
}

/** More elements than any list of the server itself has in tests. */
const MAX_ELEMENTS = 300;

type Patch = () => void;

/** From `require`, because `syncBuiltinESMExports` copies changes to this object to every import. */
const crypto = createRequire(import.meta.url)('node:crypto') as Record<string, unknown>;

/**
 * Watches calls that are expensive or can take more than linear time, including calls by libraries: normalizing,
 * comparing by locale, regular expressions (`test`, `match`, `replace`, `split` and `search` call `exec`), URLs, JSON,
 * sorting and hashing.
 */
export function watchPrimitives(isSuspicious: (text: string) => boolean): Watch {
  let calls: SuspiciousCall[] = [];
  const patches: Patch[] = [];

  function inspect(primitive: string, value: unknown): void {
    const text = typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('latin1') : undefined;
    if (text !== undefined && isSuspicious(text)) calls.push({ primitive, text });
  }

  /** Replaces a function with one that first inspects its argument. */
  function watch(
    owner: object,
    name: PropertyKey,
    primitive: string,
    subject: (self: unknown, args: readonly unknown[]) => unknown,
  ): void {
    const original = Reflect.get(owner, name) as (this: unknown, ...args: unknown[]) => unknown;
    function watched(this: unknown, ...args: unknown[]): unknown {
      inspect(primitive, subject(this, args));
      return new.target === undefined
        ? Reflect.apply(original, this, args)
        : (Reflect.construct(original, args, new.target) as unknown);
    }
    replace(owner, name, original, watched);
  }

  function replace(owner: object, name: PropertyKey, original: unknown, replacement: object): void {
    Object.setPrototypeOf(replacement, original as object); // static methods
    if (typeof original === 'function') Object.assign(replacement, { prototype: original.prototype as unknown });
    const descriptor = Object.getOwnPropertyDescriptor(owner, name) ?? { configurable: true, writable: true };
    Object.defineProperty(owner, name, { ...descriptor, value: replacement });
    patches.push(() => void Object.defineProperty(owner, name, { ...descriptor, value: original }));
  }

  const selectThis = (text: unknown): unknown => text;
  const selectFirstArgument = (_: unknown, [text]: readonly unknown[]): unknown => text;
  for (const name of ['normalize', 'localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase'])
    watch(String.prototype, name, `String.${name}`, selectThis);
  watch(RegExp.prototype, 'exec', 'RegExp.exec', selectFirstArgument);
  watch(JSON, 'parse', 'JSON.parse', selectFirstArgument);
  watch(globalThis, 'URL', 'new URL', selectFirstArgument);
  watch(Reflect.get(globalThis, 'URL') as object, 'canParse', 'URL.canParse', selectFirstArgument);
  watch(globalThis, 'URLSearchParams', 'new URLSearchParams', selectFirstArgument);
  for (const name of ['sort', 'toSorted']) {
    watch(Array.prototype, name, `Array.${name}`, (list) => {
      const { length } = list as readonly unknown[];
      if (length > MAX_ELEMENTS) calls.push({ primitive: `Array.${name}`, text: `${length} elements` });
    });
  }
  watch(crypto, 'hash', 'crypto.hash', (_, [, text]) => text);
  for (const kind of ['Hash', 'Hmac'])
    watch((crypto[kind] as { readonly prototype: object }).prototype, 'update', `${kind}.update`, selectFirstArgument);
  syncBuiltinESMExports();

  return {
    takeCalls() {
      const takenCalls = calls;
      calls = [];
      return takenCalls;
    },
    stop() {
      for (const undo of patches.toReversed()) undo();
      syncBuiltinESMExports();
    },
  };
}
