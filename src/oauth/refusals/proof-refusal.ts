import type { Text } from '../../language/message.ts';
import type { RequiredBy } from '../../domain/security-profile.ts';

/** Why a proof of possession is refused (RFC 9449). */
export type ProofRefusal =
  | { readonly rule: 'dpop-proof-missing'; readonly by: RequiredBy }
  | {
      readonly rule: 'dpop-proof-form';
      readonly problem: 'repeated' | 'malformed' | 'type' | 'critical';
    }
  | { readonly rule: 'dpop-proof-algorithm'; readonly seen: Text; readonly allowed: readonly string[] }
  | { readonly rule: 'dpop-proof-key'; readonly problem: 'missing' | 'private' | 'unsupported' | 'other-kind' }
  | { readonly rule: 'dpop-proof-signature' }
  | { readonly rule: 'dpop-proof-method'; readonly expected: string; readonly seen: Text }
  | { readonly rule: 'dpop-proof-address'; readonly expected: Text; readonly seen: Text }
  | {
      readonly rule: 'dpop-proof-time';
      readonly problem: 'missing' | 'old' | 'future';
      readonly seconds: number;
      readonly lifetimeSeconds: number;
      readonly toleranceSeconds: number;
    }
  | { readonly rule: 'dpop-proof-id'; readonly most: number }
  | { readonly rule: 'dpop-proof-token'; readonly seen: 'none' | 'another' }
  | { readonly rule: 'dpop-nonce-needed'; readonly seen: 'none' | 'another' }
  | { readonly rule: 'dpop-proof-replayed' }
  | { readonly rule: 'dpop-proofs-full'; readonly share: 'caller' | 'client' | 'server' }
  | { readonly rule: 'dpop-keys-disagree' };
