import type { KeyObject } from 'node:crypto';
import type { Ticks } from '../ports.ts';
import type { KeyStore } from './key-store.ts';
import { COOKIE_KEYS, cookieKeysFromText, KEY_NAMES, keyTexts, type CookieKeyName, type Keys } from './keys.ts';
import type { RotatingKey } from './rotating-key.ts';

/** The cookie key and the keys derived from it, which nodes replace without a restart. */
export type CookieKeys = Readonly<Record<CookieKeyName, RotatingKey>>;

export interface WatchedKeys {
  readonly cookieKeys: CookieKeys;
  /** Reads the keys now, in addition to every two seconds. Never rejects. */
  check(): Promise<void>;
  close(): void;
}

const INTERVAL_MILLISECONDS = 2_000;

/** A new key signs only after every node has had time to read it. Until then, other nodes could not verify it. */
const ACTIVATION_MILLISECONDS = 10_000;

type KeySet = Readonly<Record<CookieKeyName, KeyObject>>;

/**
 * Follows the keys in `store`. Cookies and forms are accepted under the current and the previous key as long as the
 * store has both. All other keys are read only at the start: a notice asks for a restart when one has been replaced.
 * @param parts.store undefined for keys that are not stored
 */
export function watchKeys(
  keys: Keys,
  parts: { readonly store: WatchedStore | undefined; readonly ticks: Ticks; readonly notice: Notice },
): WatchedKeys {
  const { store, ticks, notice } = parts;
  const atStart = keyTexts(keys);
  const noticed = new Set<string>();
  let newest = { text: atStart.cookies, set: cookieKeysFromText(atStart.cookies), since: ticks() };
  let previous: { readonly text: string; readonly set: KeySet } | undefined;
  let reading: Promise<void> | undefined;

  function noticeOnce(line: string): void {
    if (!noticed.has(line)) notice(line);
    noticed.add(line);
  }

  function accepted(): readonly KeySet[] {
    if (previous === undefined) return [newest.set];
    const isActive = ticks() - newest.since >= ACTIVATION_MILLISECONDS;
    return isActive ? [newest.set, previous.set] : [previous.set, newest.set];
  }

  async function read({ place, texts, previousCookies }: WatchedStore): Promise<void> {
    const [current, before] = [await texts(), await previousCookies()];
    for (const name of KEY_NAMES) {
      if (current[name] === undefined) noticeOnce(`the key ${name} in ${place} is missing or damaged`);
      else if (name !== 'cookies' && current[name] !== atStart[name]) {
        noticeOnce(`the key ${name} in ${place} was replaced: restart this node, which still uses the old key`);
      }
    }
    const { cookies } = current;
    if (cookies !== undefined && cookies !== newest.text)
      newest = { text: cookies, set: cookieKeysFromText(cookies), since: ticks() };
    if (before === newest.text || before === undefined) previous = undefined;
    else if (before !== previous?.text) previous = { text: before, set: cookieKeysFromText(before) };
  }

  function check(): Promise<void> {
    if (store === undefined) return Promise.resolve();
    reading ??= read(store)
      .catch(() => {}) // the store is unreachable; the loaded keys stay in use
      .finally(() => (reading = undefined));
    return reading;
  }

  const timer = store && setInterval(() => void check(), INTERVAL_MILLISECONDS).unref();
  const rotating = (name: CookieKeyName): RotatingKey => ({
    current: () => (accepted()[0] ?? newest.set)[name],
    accepted: () => accepted().map((set) => set[name]),
  });
  return {
    cookieKeys: Object.fromEntries(COOKIE_KEYS.map((name) => [name, rotating(name)])) as CookieKeys,
    check,
    close: () => clearInterval(timer),
  };
}

type WatchedStore = Pick<KeyStore, 'place' | 'texts' | 'previousCookies'>;
type Notice = (line: string) => void;

/** The keys for a backup, which must contain the current cookie key. */
export function withCurrentCookies(keys: Keys, cookieKeys: CookieKeys): Keys {
  return {
    ...keys,
    get cookies() {
      return cookieKeys.cookies.current();
    },
  };
}
