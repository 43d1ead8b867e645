/** Thrown when an authentication that can start only one session has already started one. Nothing was changed. */
export class AuthenticationUsed extends Error {
  override readonly name = 'AuthenticationUsed';

  constructor() {
    super('this authentication has already started a session');
  }
}
