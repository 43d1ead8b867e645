import type { Text } from '../../language/message.ts';

/** Why a client assertion is refused (RFC 7523 §3). */
export type AssertionRefusal =
  | { readonly rule: 'assertion-type'; readonly seen: 'no assertion' | 'another type' }
  | { readonly rule: 'assertion-malformed' }
  | { readonly rule: 'assertion-too-long'; readonly most: number; readonly length: number }
  | { readonly rule: 'assertion-issuer'; readonly differs: 'sub' | 'client_id' }
  | { readonly rule: 'assertion-client-unknown'; readonly length: number; readonly isAddress: boolean }
  | { readonly rule: 'assertion-algorithm'; readonly seen: Text; readonly allowed: readonly string[] }
  | {
      readonly rule: 'assertion-key-unknown';
      readonly seen: string | null;
      readonly algorithm: string;
      readonly known: readonly string[];
    }
  /**
   * `problem` is the end of a sentence that starts with the URL of the client's keys. It contains no text from the
   * client.
   */
  | { readonly rule: 'client-keys-unreadable'; readonly problem: Text }
  | { readonly rule: 'assertion-signature-wrong'; readonly tried: number }
  | { readonly rule: 'assertion-audience'; readonly expected: string; readonly seen: Text }
  | {
      readonly rule: 'assertion-time';
      readonly problem: 'no-expiry' | 'expired' | 'too-long' | 'not-yet';
      readonly seconds: number;
      readonly mostSeconds: number;
    }
  | { readonly rule: 'assertion-without-id'; readonly most: number }
  | { readonly rule: 'assertion-replayed' };
