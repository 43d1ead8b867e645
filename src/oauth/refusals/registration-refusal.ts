import type { Text } from '../../language/message.ts';

/** Why the registration of a client that registers itself is refused (RFC 7591, RFC 7592). */
export type RegistrationRefusal =
  /** `problem` is a sentence about the member. Text from the client is sanitized. */
  | { readonly rule: 'registration-metadata'; readonly member: string; readonly problem: Text }
  | { readonly rule: 'registration-too-long'; readonly most: number }
  | { readonly rule: 'software-statement-untrusted'; readonly issuer: Text; readonly trusted: readonly string[] }
  /** `problem` is the end of a sentence that starts with the statement. */
  | { readonly rule: 'software-statement-invalid'; readonly problem: Text }
  | { readonly rule: 'registration-token-missing' }
  | { readonly rule: 'registration-token-wrong' }
  /** The client is not in the log: no user has authorized it yet. */
  | { readonly rule: 'registration-not-recorded' };
