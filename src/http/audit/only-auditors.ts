import { mayAudit } from '../../domain/roles.ts';
import { redirectToLogIn } from '../log-in-redirect.ts';
import type { WebSession } from '../middleware/web-session.ts';
import { PageError } from '../page-error.ts';
import type { Handler } from '../state.ts';

/** The one guard of all that shows what was recorded about everybody: a route behind it cannot be without it. */
export function onlyAuditors(loginUrl: string): Handler {
  return async (ctx, next) => {
    if (ctx.state.webSession.person() === undefined) return redirectToLogIn(ctx, loginUrl, ctx.url);
    if (!isAuditor(ctx.state.webSession)) {
      throw new PageError(403, 'For auditors', 'This page shows what was recorded about everybody, so it is for auditors and administrators.', 'If it should be open to you, ask an administrator for the role.');
    }
    await next();
  };
}

/** As of now: a log-in can end and a role can be taken away while a long answer is being read. */
export function isAuditor(session: WebSession): boolean {
  const person = session.person();
  return person !== undefined && mayAudit(person.user.roles);
}
