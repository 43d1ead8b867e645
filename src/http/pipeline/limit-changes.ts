import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Handler } from './state.ts';
import { hasCsrfToken } from './page-form.ts';

/** Where our own forms are sent; routers behind have addresses of their own. */
const FORMS = /^\/(?:accounts|admin|o)\//;

/** Has a limit of its own, and tells the client of it. */
const CONSENT = /^\/o\/authorize(?:\/|$)/;

/**
 * What ends access, and what asks for the password. A user must be able to end a session that somebody else has taken
 * over and uses up the limit. These need none: each log-in, code or password has had one, and can be ended once.
 */
const WAYS_OUT = [
  /^\/accounts\/(?:login|logout|password|erase|sessions)(?:\/|$)/,
  /^\/accounts\/passkeys\/[^/]+\/remove(?:\/|$)/,
  /^\/o\/authorized_tokens\//,
];

/**
 * Limits the forms of each user together, before anything is changed: most of them record something, and a browser's
 * session is all that they need. A form from elsewhere changes nothing, and costs nothing.
 */
export function limitChanges(limits: Pick<RateLimits, 'spend'>): Handler {
  return async (ctx, next) => {
    const isCounted = ctx.method === 'POST' && isLimited(ctx.path) && hasCsrfToken(ctx);
    const person = isCounted ? ctx.state.webSession.loggedInUser() : undefined;
    if (person !== undefined) limits.spend('changes-by-user', person.user.userId, ctx.state.once);
    return next();
  };
}

function isLimited(path: string): boolean {
  return FORMS.test(path) && ![CONSENT, ...WAYS_OUT].some((exempt) => exempt.test(path));
}
