import type { KeyObject } from 'node:crypto';

/** A key that can be replaced while the server runs. Ask for it each time. */
export interface RotatingKey {
  /** Signs and encrypts. */
  current(): KeyObject;
  /** Those that verify and decrypt, the current one first. */
  accepted(): readonly KeyObject[];
}
