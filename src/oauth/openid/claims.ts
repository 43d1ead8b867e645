import { isUserClaim } from '../../domain/profile.ts';

/** Claims about the login, which a request can name besides those about the user. ID tokens contain them anyway. */
const LOGIN_CLAIMS = ['sub', 'auth_time', 'acr', 'amr'];

/** Whether a request can name the claim (OpenID Connect Core §5.5). */
export function isRequestableClaim(name: string): boolean {
  return LOGIN_CLAIMS.includes(name) || isUserClaim(name);
}
