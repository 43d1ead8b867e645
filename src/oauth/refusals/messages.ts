import type { Text } from '../../language/message.ts';
import type { RefusalOf, RefusalRule } from './refusal.ts';

/**
 * The error codes that Grantlog sends: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8628 §3.5,
 * RFC 8707 §2, RFC 9101 §7, RFC 9396 §5, RFC 9449 §5 and §8, OpenID Connect Core §3.1.2.6, OpenID Connect Core Error
 * Code unmet_authentication_requirements, and FAPI Grant Management §5.4.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_grant_id'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_authorization_details'
  | 'temporarily_unavailable'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements'
  | 'invalid_request_object'
  | 'invalid_request_uri'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_software_statement'
  | 'unapproved_software_statement'
  | 'invalid_token'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce';

/** The messages that explain a refusal to the owner of the application and to the operator. */
export interface Messages {
  /** The rule that was broken. */
  readonly rule: Text;
  readonly expected: Text;
  readonly seen: Text;
  readonly advice: Text;
}

/** The message for the caller. It must not contain a secret or anything that would help someone guess one. */
export interface WireError {
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** The HTTP status: 401 if client authentication failed, usually 400 otherwise. */
  readonly status: number;
}

/** The messages of a refusal that is reported as an OAuth error. */
export interface ProtocolMessages extends Messages {
  readonly wire: WireError;
}

/** The messages for each rule in `Rule`. The build fails if a rule has none. */
export type MessagesFor<Rule extends RefusalRule, Content = Messages> = {
  readonly [Name in Rule]: (refusal: RefusalOf<Name>) => Content;
};

export type ProtocolMessagesFor<Rule extends RefusalRule> = MessagesFor<Rule, ProtocolMessages>;

/** Returns the message for the caller, by default with the usual HTTP status for the error code. */
export function wire(
  error: OAuthErrorCode,
  description: string,
  status = error === 'invalid_client' ? 401 : 400,
): WireError {
  return { error, description, status };
}

export type DurationUnit = 'second' | 'minute' | 'hour' | 'day';

/** Rounds a duration to the largest unit that is precise enough to act on. */
export function roundDuration(seconds: number): readonly [amount: number, unit: DurationUnit] {
  if (seconds < 120) return [seconds, 'second'];
  if (seconds < 7_200) return [Math.round(seconds / 60), 'minute'];
  if (seconds < 172_800) return [Math.round(seconds / 3_600), 'hour'];
  return [Math.round(seconds / 86_400), 'day'];
}
