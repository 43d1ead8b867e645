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
 * Embeds an encrypted request from a device in the form that shows it to a user. Users therefore approve exactly what
 * they saw, on any node, and nobody else can use that form to approve the request.
 */
export interface DeviceForms {
  /**
   * Returns the encrypted content of a form.
   * @param shown a description of the text that the form shows
   * @param binding the session and its user
   */
  seal(request: DeviceRequest, shown: string, binding: string): string;
  /**
   * Returns the content of the form, or undefined if it has been changed, is bound to a different session or user, or
   * has expired.
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

function tryUnseal(sealedForm: string, key: Buffer, context: string): OpenedDeviceForm | undefined {
  try {
    return JSON.parse(unseal(sealedForm, key, context)) as OpenedDeviceForm;
  } catch {
    return undefined; // sealed with a different key, bound to a different session, or tampered with
  }
}
