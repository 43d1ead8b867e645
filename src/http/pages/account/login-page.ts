import type { AccountMailer } from '../../../accounts/account-mailer.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { Text } from '../../../language/message.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { pageContext } from '../page-context.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { requestingApplication } from './requesting-application.ts';

export interface LoginPageDeps {
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly accountMailer: Pick<AccountMailer, 'isOn'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'allUsable' | 'areRequired'>;
  readonly pages: Pick<Pages, 'login'>;
  readonly settings: { readonly signup: 'closed' | 'open' };
}

export interface LoginPage {
  /**
   * Sends the login page.
   * @param next the path to continue to after the login
   * @param username the user name to prefill the form with
   * @param error the reason why the login failed; null on the first visit
   * @param status the response status if `error` is not null
   */
  show(ctx: RequestContext, next: string, username: string, error: Text | null, status?: number): void;
}

export function createLoginPage(deps: LoginPageDeps): LoginPage {
  const { passkeyLogins, clients, upstreamProviders, pages, settings } = deps;
  return {
    show(ctx, next, username, error, status = 422) {
      const hasPasswords = !upstreamProviders.areRequired();
      const isMailOn = deps.accountMailer.isOn && hasPasswords;
      const signupOpen = settings.signup === 'open' && hasPasswords;
      const providers = upstreamProviders.allUsable().map(({ providerId, name }) => ({ id: providerId, name }));
      if (error !== null) ctx.status = status;
      const passkeyOrigin = passkeyLogins.relyingParty()?.origin ?? null;
      const application = requestingApplication(next, clients);
      const offers = { signupOpen, isMailOn, hasPasswords, providers, passkeyOrigin };
      sendPage(ctx, pages.login({ ...pageContext(ctx), next, username, error, ...offers, application }), 'anywhere');
    },
  };
}
