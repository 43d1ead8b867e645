import { isOpenTo } from '../../domain/members.ts';
import type { UserId } from '../../domain/values.ts';
import { authorizationRefused, type AuthorizationError, type AuthorizationRequest } from './authorization-request.ts';

/**
 * Thrown if the application is in test mode and not open to the user. A page explains this to the user, and leads back
 * to the client with the error.
 */
export class RefusedInTestMode extends Error {
  override readonly name = 'RefusedInTestMode';
  readonly refused: AuthorizationError;
  /** The application's name. */
  readonly application: string;

  constructor(refused: AuthorizationError, application: string) {
    super(refused.message);
    this.refused = refused;
    this.application = application;
  }
}

/** @throws RefusedInTestMode if the client is not open to the user; with `prompt=none`, AuthorizationError instead */
export function requireOpenTo(request: AuthorizationRequest, userId: UserId): void {
  if (isOpenTo(request.client, userId)) return;
  const error = authorizationRefused({ rule: 'client-in-test-mode', what: 'authorization' }, request);
  throw request.prompt.has('none') ? error : new RefusedInTestMode(error, request.client.name);
}
