import type { OAuthErrorCode } from '../refusals/messages.ts';
import { wireError, type ProtocolRefusal } from '../refusals/refusal-messages.ts';
import type { Refusal } from '../refusals/refusal.ts';

/** A refused request. The caller gets the code and the message; the refusal is for the owner and the operator. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly refusal: Refusal;
  /**
   * The HTTP status: by default, 401 for `invalid_client` and 400 for all other codes. Some refusals and body readers
   * (413, 415) set a different status.
   */
  readonly status: number;

  constructor(
    code: OAuthErrorCode,
    description: string,
    refusal: Refusal,
    status = code === 'invalid_client' ? 401 : 400,
  ) {
    super(description);
    this.code = code;
    this.refusal = refusal;
    this.status = status;
  }
}

/** Returns the error that reports `refusal` to the caller. */
export function oauthError(refusal: ProtocolRefusal): OAuthError {
  const { error, description, status } = wireError(refusal);
  return new OAuthError(error, description, refusal, status);
}
