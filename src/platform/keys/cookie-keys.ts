import type { KeyObject } from 'node:crypto';
import type { Clock } from '../ports.ts';
import type { KeyStore } from './key-store.ts';
import { COOKIE_KEYS, cookieKeysFromText, KEY_NAMES, keyTexts, type CookieKeyName, type Keys } from './keys.ts';
import type { PreviousCookieKey } from './previous-cookie-keys.ts';
import type { RotatingKey } from './rotating-key.ts';

/** The cookie key and the keys derived from it, which nodes reload without a restart. */
export type CookieKeys = Readonly<Record<CookieKeyName, RotatingKey>>;

export interface WatchedKeys {
  readonly cookieKeys: CookieKeys;
  /** Reads the keys now, in addition to every two seconds. Never rejects. */
  check(): Promise<void>;
  close(): void;
}

const INTERVAL_MILLISECONDS = 2_000;

/**
 * A new key is used to sign only after every node has had time to read it. Before that, some nodes could not verify its
 * signatures.
 */
const ACTIVATION_MILLISECONDS = 10_000;

type KeySet = Readonly<Record<CookieKeyName, KeyObject>>;

interface LoadedKey {
  readonly text: string;
  readonly set: KeySet;
}

/**
 * Watches the keys in `store`. Cookies and forms are accepted under the current cookie key, and under earlier ones for
 * as long as the store contains them. All other keys are loaded only at startup: if one of those is replaced, a notice
 * asks for a restart.
 * @param deps.store undefined if the keys are not stored
 */
export function watchKeys(
  keys: Keys,
  deps: { readonly store: WatchedStore | undefined; readonly clock: Clock; readonly notice: Notice },
): WatchedKeys {
  const { store, clock, notice } = deps;
  const startupTexts = keyTexts(keys);
  const reportedLines = new Set<string>();
  /** Every cookie key that this node has read and that may still be in the store. */
  const loadedKeys = new Map<string, LoadedKey>();
  let newestKey = load(startupTexts.cookies);
  /** The time, in ticks, by which every node will have had time to read the newest key. */
  let activeFrom = -Infinity;
  let previousKeys: readonly LoadedKey[] = [];
  /** The key that was used to sign before the newest one; every node has read it. */
  let signingKey: LoadedKey | undefined;
  let isFirstRead = true;
  let pendingRead: Promise<void> | undefined;

  function load(text: string): LoadedKey {
    const key = loadedKeys.get(text) ?? { text, set: cookieKeysFromText(text) };
    loadedKeys.set(text, key);
    return key;
  }

  function noticeOnce(line: string): void {
    if (!reportedLines.has(line)) notice(line);
    reportedLines.add(line);
  }

  function activateLater(): void {
    activeFrom = clock.ticks() + ACTIVATION_MILLISECONDS;
  }

  function acceptedKeys(): readonly KeySet[] {
    const [latestKey] = previousKeys;
    if (latestKey === undefined) return [newestKey.set];
    const firstKey =
      clock.ticks() >= activeFrom ? newestKey : (previousKeys.find((key) => key === signingKey) ?? latestKey);
    return [...new Set([firstKey, newestKey, ...previousKeys])].map(({ set }) => set);
  }

  async function read({ location, texts, previousCookieKeys }: WatchedStore): Promise<void> {
    const [current, earlierKeys] = [await texts(), await previousCookieKeys()];
    for (const name of KEY_NAMES) {
      if (current[name] === undefined) {
        noticeOnce(
          `the ${name} key in ${location} is missing or damaged: this node still uses the key that it loaded, but no ` +
            'node can start until the key is restored',
        );
      } else if (name !== 'cookies' && current[name] !== startupTexts[name]) {
        noticeOnce(`the ${name} key in ${location} was replaced: restart this node, which still uses the old key`);
      }
    }
    const { cookies: currentText = newestKey.text } = current;
    if (currentText !== newestKey.text) {
      signingKey = acceptedKeys()[0] === newestKey.set ? newestKey : signingKey;
      newestKey = load(currentText);
      activateLater();
    } else if (isFirstRead) activateAtStartup(earlierKeys[0]);
    isFirstRead = false;
    previousKeys = earlierKeys.filter(({ text }) => text !== newestKey.text).map(({ text }) => load(text));
    for (const text of loadedKeys.keys())
      if (text !== newestKey.text && !previousKeys.some((key) => key.text === text)) loadedKeys.delete(text);
  }

  /** Delays activation unless the newest key is known to be old enough for every node to have had time to read it. */
  function activateAtStartup(replacedKey: PreviousCookieKey | undefined): void {
    const { replacedAt } = replacedKey ?? {};
    if (replacedAt !== undefined && clock.now() - replacedAt * 1_000 >= ACTIVATION_MILLISECONDS) return;
    signingKey = replacedKey === undefined ? undefined : load(replacedKey.text);
    activateLater();
  }

  function check(): Promise<void> {
    if (store === undefined) return Promise.resolve();
    pendingRead ??= read(store)
      .catch(() => {}) // the store is unreachable; the loaded keys stay in use
      .finally(() => (pendingRead = undefined));
    return pendingRead;
  }

  const timer = store && setInterval(() => void check(), INTERVAL_MILLISECONDS).unref();
  const rotatingKey = (name: CookieKeyName): RotatingKey => ({
    current: () => (acceptedKeys()[0] ?? newestKey.set)[name],
    accepted: () => acceptedKeys().map((set) => set[name]),
  });
  return {
    cookieKeys: Object.fromEntries(COOKIE_KEYS.map((name) => [name, rotatingKey(name)])) as CookieKeys,
    check,
    close: () => clearInterval(timer),
  };
}

type WatchedStore = Pick<KeyStore, 'location' | 'texts' | 'previousCookieKeys'>;
type Notice = (line: string) => void;

/** Returns `keys` with the current cookie key, for a backup. */
export function withCurrentCookieKey(keys: Keys, cookieKeys: CookieKeys): Keys {
  return {
    ...keys,
    get cookies() {
      return cookieKeys.cookies.current();
    },
  };
}
