import { isOpenTo } from '../../domain/members.ts';
import type { UserId } from '../../domain/values.ts';
import { authorizationError, type AuthorizationError, type AuthorizationRequest } from './authorization-request.ts';

/**
 * Thrown if the application is in test mode and not open to the user. A page explains the error to the user, who
 * can then return to the client with the error.
 */
export class TestModeError extends Error {
  override readonly name = 'TestModeError';
  readonly authorizationError: AuthorizationError;
  /** The application's name. */
  readonly application: string;

  constructor(error: AuthorizationError, application: string) {
    super(error.message);
    this.authorizationError = error;
    this.application = application;
  }
}

/**
 * Requires that the client is open to the user.
 * @throws TestModeError if it is not; with `prompt=none`, AuthorizationError instead
 */
export function requireOpenToUser(request: AuthorizationRequest, userId: UserId): void {
  if (isOpenTo(request.client, userId)) return;
  const error = authorizationError({ rule: 'client-in-test-mode', what: 'authorization' }, request);
  throw request.prompt.has('none') ? error : new TestModeError(error, request.client.name);
}
