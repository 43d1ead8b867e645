/** The authentication has started a session before, and can start only one. Nothing was changed. */
export class AuthenticationUsed extends Error {
  override readonly name = 'AuthenticationUsed';

  constructor() {
    super('this authentication has started a session before');
  }
}
