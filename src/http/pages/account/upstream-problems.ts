import { message, type Message } from '../../../language/message.ts';
import type { NoUserReason, UpstreamRefusal } from '../../../oauth/refusals/upstream-refusal.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** The status and the messages of the page for a user whose login through a provider failed. */
interface Problem {
  readonly status: number;
  readonly title: Message;
  readonly text: Message;
  readonly advice: Message;
}

const TRY_AGAIN = message('upstream.again');
const ASK_ADMINISTRATOR = message('upstream.ask');

/**
 * Explains a refusal to the user.
 * @param provider the name of the provider
 */
function explainRefusal(refusal: UpstreamRefusal, provider: string): Problem {
  switch (refusal.rule) {
    case 'upstream-unavailable':
      return {
        status: 502,
        title: message('upstream.silent', { provider }),
        text: message('upstream.silent.text', { provider }),
        advice: message('upstream.silent.advice'),
      };
    case 'upstream-login-unknown':
      return {
        status: 403,
        title: message('upstream.not-begun'),
        text: message(refusal.why === 'expired' ? 'upstream.expired.text' : 'upstream.not-begun.text'),
        advice: TRY_AGAIN,
      };
    case 'upstream-provider-changed':
      return {
        status: 409,
        title: message('upstream.changed'),
        text: refusal.isRemoved ? message('upstream.removed.text') : message('upstream.changed.text', { provider }),
        advice: TRY_AGAIN,
      };
    case 'upstream-issuer-differs':
      return {
        status: 403,
        title: message('upstream.elsewhere'),
        text: message('upstream.elsewhere.text', { provider }),
        advice: message('upstream.elsewhere.advice'),
      };
    case 'upstream-denied':
      return {
        status: 403,
        title: message('upstream.denied', { provider }),
        text: message('upstream.denied.text', { provider }),
        advice: TRY_AGAIN,
      };
    case 'upstream-code-refused':
    case 'upstream-token-invalid':
      return {
        status: 502,
        title: message('upstream.unverified'),
        text: message('upstream.unverified.text', { provider }),
        advice: message('upstream.unverified.advice'),
      };
    case 'upstream-login-too-old':
      return {
        status: 403,
        title: message('upstream.too-old', { provider }),
        text: message('upstream.too-old.text', { provider }),
        advice: message('upstream.too-old.advice', { provider }),
      };
    case 'upstream-user-unknown':
      return { status: 403, title: message('upstream.no-user'), ...explainMissingUser(refusal.why, provider) };
    case 'upstream-user-inactive':
      return {
        status: 403,
        title: message('upstream.inactive'),
        text: message('upstream.inactive.text'),
        advice: ASK_ADMINISTRATOR,
      };
    case 'upstream-linked-elsewhere':
      return {
        status: 409,
        title: message('upstream.linked-elsewhere'),
        text: message('upstream.linked-elsewhere.text', { provider }),
        advice: message('upstream.linked-elsewhere.advice'),
      };
  }
}

function explainMissingUser(why: NoUserReason, provider: string): Pick<Problem, 'text' | 'advice'> {
  switch (why) {
    case 'not-linked':
      return {
        text: message('upstream.not-linked.text', { provider }),
        advice: message('upstream.not-linked.advice'),
      };
    case 'address-unverified':
      return {
        text: message('upstream.address-unverified.text', { provider }),
        advice: message('upstream.address-unverified.advice'),
      };
    case 'domain-not-allowed':
      return { text: message('upstream.domain.text'), advice: message('upstream.domain.advice') };
    case 'address-taken':
      return { text: message('upstream.address-taken.text'), advice: message('upstream.address-taken.advice') };
    case 'name-unusable':
      return { text: message('upstream.name-unusable.text', { provider }), advice: ASK_ADMINISTRATOR };
  }
}

/**
 * Returns the error for a user whose login through a provider failed.
 * @param provider the name of the provider
 */
export function upstreamError(refusal: UpstreamRefusal, provider: string): PageError {
  const { status, title, text, advice } = explainRefusal(refusal, provider);
  return new PageError(status, title, text, advice, refusal, [], ['login']);
}
