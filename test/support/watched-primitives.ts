import { createRequire, syncBuiltinESMExports } from 'node:module';

/** An argument of a function that is expensive, or whose time can grow faster than the length of the argument. */
export interface SuspiciousCall {
  readonly primitive: string;
  readonly text: string;
}

export interface Watch {
  /** Returns the suspicious arguments since the last call. */
  takeCalls(): readonly SuspiciousCall[];
  stop(): void;
}

/** More elements than any list of the server itself has in tests. */
const MAX_ELEMENTS = 300;

type Patch = () => void;

/** From `require`, because `syncBuiltinESMExports` copies changes to this object to every import. */
const crypto = createRequire(import.meta.url)('node:crypto') as Record<string, unknown>;

/**
 * Watches calls that are expensive or can take more than linear time: normalizing, comparing by locale, regular
 * expressions (`test`, `match`, `replace`, `split` and `search` call `exec`), URLs, JSON, sorting and hashing. This
 * includes calls by libraries.
 */
export function watchPrimitives(isSuspicious: (text: string) => boolean): Watch {
  let calls: SuspiciousCall[] = [];
  const patches: Patch[] = [];

  function inspect(primitive: string, value: unknown): void {
    const text = typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('latin1') : undefined;
    if (text !== undefined && isSuspicious(text)) calls.push({ primitive, text });
  }

  /** Replaces a function with one that inspects its argument first. */
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

  const self = (text: unknown): unknown => text;
  const first = (_: unknown, [text]: readonly unknown[]): unknown => text;
  for (const name of ['normalize', 'localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase'])
    watch(String.prototype, name, `String.${name}`, self);
  watch(RegExp.prototype, 'exec', 'RegExp.exec', first);
  watch(JSON, 'parse', 'JSON.parse', first);
  watch(globalThis, 'URL', 'new URL', first);
  watch(Reflect.get(globalThis, 'URL') as object, 'canParse', 'URL.canParse', first);
  watch(globalThis, 'URLSearchParams', 'new URLSearchParams', first);
  for (const name of ['sort', 'toSorted']) {
    watch(Array.prototype, name, `Array.${name}`, (list) => {
      const { length } = list as readonly unknown[];
      if (length > MAX_ELEMENTS) calls.push({ primitive: `Array.${name}`, text: `${length} elements` });
    });
  }
  watch(crypto, 'hash', 'crypto.hash', (_, [, text]) => text);
  for (const kind of ['Hash', 'Hmac'])
    watch((crypto[kind] as { readonly prototype: object }).prototype, 'update', `${kind}.update`, first);
  syncBuiltinESMExports();

  return {
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop() {
      for (const undo of patches.toReversed()) undo();
      syncBuiltinESMExports();
    },
  };
}
