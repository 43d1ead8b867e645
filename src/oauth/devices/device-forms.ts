import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { Entropy } from '../../platform/ports.ts';
import { deviceCodeExpiry, type DeviceRequest } from './device-codes.ts';

/** The content of a form: the request from a device, and a description of the text that the form showed. */
export interface OpenedDeviceForm {
  readonly request: DeviceRequest;
  readonly shown: string;
}

/**
 * Encrypts the request from a device into the form that shows it to a user. Users therefore approve exactly what they
 * have seen, on any node, and nobody else can approve the request with that form.
 */
export interface DeviceForms {
  /**
   * Returns the encrypted content of a form.
   * @param shown a description of the text that the form shows
   * @param binding the session and its user
   */
  seal(request: DeviceRequest, shown: string, binding: string): string;
  /**
   * Returns the content of the form, or undefined if it has been changed, is bound to something else or has expired.
   * @param now in seconds since the epoch
   */
  open(sealedForm: string, binding: string, now: number): OpenedDeviceForm | undefined;
}

export function createDeviceForms(key: RotatingKey, entropy: Entropy): DeviceForms {
  return {
    seal: (request, shown, binding) =>
      seal(JSON.stringify({ request, shown }), key.current().export(), contextOf(binding), entropy),

    open(sealedForm, binding, now) {
      for (const secret of key.accepted()) {
        const opened = tryUnseal(sealedForm, secret.export(), contextOf(binding));
        if (opened !== undefined) return now < deviceCodeExpiry(opened.request) ? opened : undefined;
      }
      return undefined;
    },
  };
}

const contextOf = (binding: string): string => JSON.stringify(['shown device request', binding]);

function tryUnseal(sealed: string, key: Buffer, context: string): OpenedDeviceForm | undefined {
  try {
    return JSON.parse(unseal(sealed, key, context)) as OpenedDeviceForm;
  } catch {
    return undefined; // sealed with a different key, bound to a different session, or tampered with
  }
}
