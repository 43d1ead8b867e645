import type { KeyObject } from 'node:crypto';

/** A key that can be replaced while the server runs. Call these methods for each use instead of storing a key. */
export interface RotatingKey {
  /** Returns the key that signs and encrypts. */
  current(): KeyObject;
  /** Returns the keys that verify and decrypt, the current one first. */
  accepted(): readonly KeyObject[];
}
