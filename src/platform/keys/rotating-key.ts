import type { KeyObject } from 'node:crypto';

/** A key that can be replaced while the server runs. Read it for each use instead of storing it. */
export interface RotatingKey {
  /** Signs and encrypts. */
  current(): KeyObject;
  /** Returns the keys that verify and decrypt, the current one first. */
  accepted(): readonly KeyObject[];
}
