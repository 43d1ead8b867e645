import type { Text } from '../../language/message.ts';
import type { LimitProblem } from '../../domain/assertion-grant.ts';
import type { IssuerUse, SubjectMappingKind } from '../../domain/values.ts';

/** A parameter that contains a JWT from another issuer. */
export type ForeignParameter = 'assertion' | 'subject_token' | 'actor_token';

/** A mapped type, because the generated declarations cannot name an interface that is not exported. */
type InParameter = Readonly<Record<'parameter', ForeignParameter>>;

type AsRule<Problem> = Problem extends { readonly problem: infer Name extends string }
  ? { readonly rule: `issuer-${Name}` } & Omit<Problem, 'problem'>
  : never;

/** Why a JWT from another issuer is refused (RFC 7523 §3, RFC 8693). Text from a JWT is sanitized. */
export type IssuerRefusal =
  | AsRule<LimitProblem>
  | ({ readonly rule: 'issuer-token-malformed' } & InParameter)
  | ({ readonly rule: 'issuer-token-type'; readonly expected: readonly string[]; readonly seen: Text } & InParameter)
  | ({ readonly rule: 'issuer-untrusted'; readonly seen: string } & InParameter)
  | ({ readonly rule: 'issuer-use'; readonly use: IssuerUse; readonly allowed: readonly IssuerUse[] } & InParameter)
  | ({ readonly rule: 'issuer-client' } & InParameter)
  | ({ readonly rule: 'issuer-algorithm'; readonly seen: Text; readonly allowed: readonly string[] } & InParameter)
  | ({
      readonly rule: 'issuer-key-unknown';
      readonly seen: string | null;
      readonly algorithm: string;
      readonly known: readonly string[];
    } & InParameter)
  /** `problem` is the end of a sentence that starts with the URL of the key set. */
  | ({ readonly rule: 'issuer-keys-unreadable'; readonly problem: Text } & InParameter)
  | ({ readonly rule: 'issuer-signature-wrong'; readonly tried: number } & InParameter)
  | ({ readonly rule: 'issuer-audience'; readonly expected: readonly string[]; readonly seen: Text } & InParameter)
  | ({
      readonly rule: 'issuer-time';
      readonly problem: 'no-expiry' | 'expired' | 'too-long' | 'too-old' | 'not-yet';
      readonly seconds: number;
      readonly mostSeconds: number;
    } & InParameter)
  | ({
      readonly rule: 'issuer-claim';
      readonly name: string;
      readonly expected: string;
      readonly seen: Text;
    } & InParameter)
  | ({ readonly rule: 'issuer-subject'; readonly mapping: SubjectMappingKind } & InParameter)
  /** The JWT has an `act` claim (RFC 8693 §4.1). `isSelf` reports whether the actor is the subject itself. */
  | ({ readonly rule: 'issuer-act'; readonly isSelf: boolean } & InParameter)
  | { readonly rule: 'issuer-token-replayed' }
  | { readonly rule: 'issuer-second-factor' };
