import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { Entropy } from '../../platform/ports.ts';
import { deviceCodeExpiry, type DeviceRequest } from './device-codes.ts';

/**
 * Encrypts the request of a device into the form that shows it to a user. So users approve exactly what they have seen,
 * on any node, and nobody else can approve it with their form.
 */
export interface DeviceForms {
  /** @param binding the session and its user */
  seal(request: DeviceRequest, binding: string): string;
  /**
   * Undefined if the form was changed, is bound to something else or has expired.
   * @param now in seconds since the epoch
   */
  open(sealed: string, binding: string, now: number): DeviceRequest | undefined;
}

export function createDeviceForms(key: RotatingKey, entropy: Entropy): DeviceForms {
  return {
    seal: (request, binding) => seal(JSON.stringify(request), key.current().export(), contextOf(binding), entropy),

    open(sealed, binding, now) {
      for (const secret of key.accepted()) {
        const request = tryUnseal(sealed, secret.export(), contextOf(binding));
        if (request !== undefined) return now < deviceCodeExpiry(request) ? request : undefined;
      }
      return undefined;
    },
  };
}

const contextOf = (binding: string): string => JSON.stringify(['device request', binding]);

function tryUnseal(sealed: string, key: Buffer, context: string): DeviceRequest | undefined {
  try {
    return JSON.parse(unseal(sealed, key, context)) as DeviceRequest;
  } catch {
    return undefined; // another key, another session, or tampered with
  }
}
