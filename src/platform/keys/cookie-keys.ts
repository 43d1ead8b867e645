import type { KeyObject } from 'node:crypto';
import type { Clock } from '../ports.ts';
import type { KeyStore } from './key-store.ts';
import { COOKIE_KEYS, cookieKeysFromText, KEY_NAMES, keyTexts, type CookieKeyName, type Keys } from './keys.ts';
import type { PreviousCookieKey } from './previous-cookies.ts';
import type { RotatingKey } from './rotating-key.ts';

/** The cookie key and the keys derived from it, which nodes replace without a restart. */
export type CookieKeys = Readonly<Record<CookieKeyName, RotatingKey>>;

export interface WatchedKeys {
  readonly cookieKeys: CookieKeys;
  /** Reads the keys now. They are also read every two seconds. Never rejects. */
  check(): Promise<void>;
  close(): void;
}

const INTERVAL_MILLISECONDS = 2_000;

/** A new key signs only after every node has had time to read it. Before that, some nodes could not verify with it. */
const ACTIVATION_MILLISECONDS = 10_000;

type KeySet = Readonly<Record<CookieKeyName, KeyObject>>;

interface LoadedKey {
  readonly text: string;
  readonly set: KeySet;
}

/**
 * Follows the keys in `store`. Cookies and forms are accepted under the current and all earlier keys as long as the
 * store has them. All other keys are loaded only at startup: a notice asks for a restart when one has been replaced.
 * @param deps.store undefined if the keys are not stored
 */
export function watchKeys(
  keys: Keys,
  deps: { readonly store: WatchedStore | undefined; readonly clock: Clock; readonly notice: Notice },
): WatchedKeys {
  const { store, clock, notice } = deps;
  const atStartup = keyTexts(keys);
  const noticed = new Set<string>();
  /** Every cookie key that this node has read and that may still be in the store. */
  const loaded = new Map<string, LoadedKey>();
  let newest = load(atStartup.cookies);
  /** When every node has had time to read the newest key, in ticks. */
  let activeFrom = -Infinity;
  let previous: readonly LoadedKey[] = [];
  /** The key that signed before the newest one; every node has it. */
  let signing: LoadedKey | undefined;
  let isFirstRead = true;
  let reading: Promise<void> | undefined;

  function load(text: string): LoadedKey {
    const key = loaded.get(text) ?? { text, set: cookieKeysFromText(text) };
    loaded.set(text, key);
    return key;
  }

  function noticeOnce(line: string): void {
    if (!noticed.has(line)) notice(line);
    noticed.add(line);
  }

  function activateLater(): void {
    activeFrom = clock.ticks() + ACTIVATION_MILLISECONDS;
  }

  function acceptedKeys(): readonly KeySet[] {
    const [latest] = previous;
    if (latest === undefined) return [newest.set];
    const first = clock.ticks() >= activeFrom ? newest : (previous.find((key) => key === signing) ?? latest);
    return [...new Set([first, newest, ...previous])].map(({ set }) => set);
  }

  async function read({ place, texts, previousCookies }: WatchedStore): Promise<void> {
    const [current, earlier] = [await texts(), await previousCookies()];
    for (const name of KEY_NAMES) {
      if (current[name] === undefined) noticeOnce(`the key ${name} in ${place} is missing or damaged`);
      else if (name !== 'cookies' && current[name] !== atStartup[name]) {
        noticeOnce(`the key ${name} in ${place} was replaced: restart this node, which still uses the old key`);
      }
    }
    const { cookies = newest.text } = current;
    if (cookies !== newest.text) {
      signing = acceptedKeys()[0] === newest.set ? newest : signing;
      newest = load(cookies);
      activateLater();
    } else if (isFirstRead) activateAtStartup(earlier[0]);
    isFirstRead = false;
    previous = earlier.filter(({ text }) => text !== newest.text).map(({ text }) => load(text));
    for (const text of loaded.keys())
      if (text !== newest.text && !previous.some((key) => key.text === text)) loaded.delete(text);
  }

  /** Delays the activation unless the replacement was long enough ago: other nodes may not have read the key yet. */
  function activateAtStartup(replaced: PreviousCookieKey | undefined): void {
    const { replacedAt } = replaced ?? {};
    if (replacedAt !== undefined && clock.now() - replacedAt * 1_000 >= ACTIVATION_MILLISECONDS) return;
    signing = replaced === undefined ? undefined : load(replaced.text);
    activateLater();
  }

  function check(): Promise<void> {
    if (store === undefined) return Promise.resolve();
    reading ??= read(store)
      .catch(() => {}) // the store is unreachable; the loaded keys stay in use
      .finally(() => (reading = undefined));
    return reading;
  }

  const timer = store && setInterval(() => void check(), INTERVAL_MILLISECONDS).unref();
  const rotatingKey = (name: CookieKeyName): RotatingKey => ({
    current: () => (acceptedKeys()[0] ?? newest.set)[name],
    accepted: () => acceptedKeys().map((set) => set[name]),
  });
  return {
    cookieKeys: Object.fromEntries(COOKIE_KEYS.map((name) => [name, rotatingKey(name)])) as CookieKeys,
    check,
    close: () => clearInterval(timer),
  };
}

type WatchedStore = Pick<KeyStore, 'place' | 'texts' | 'previousCookies'>;
type Notice = (line: string) => void;

/** Returns the keys with the current cookie key, for a backup. */
export function withCurrentCookieKey(keys: Keys, cookieKeys: CookieKeys): Keys {
  return {
    ...keys,
    get cookies() {
      return cookieKeys.cookies.current();
    },
  };
}
