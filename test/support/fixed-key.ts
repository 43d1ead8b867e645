import type { KeyObject } from 'node:crypto';
import type { RotatingKey } from '../../src/platform/keys/rotating-key.ts';

/** Returns a key that is never replaced. */
export function fixedKey(key: KeyObject): RotatingKey {
  return { current: () => key, accepted: () => [key] };
}
