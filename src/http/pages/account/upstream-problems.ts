import type { UpstreamRefusal } from '../../../oauth/refusals/upstream-refusal.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** The texts for a user whose login through a provider failed. `name` is that of the provider. */
interface Problem {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly advice: string;
}

const AGAIN = 'Start again from the login page.';
const ASK = 'Ask an administrator of this server, and name the request ID below.';

const NO_USER = {
  'not-linked': {
    message: (name: string) => `Your account at ${name} is not linked to an account here.`,
    advice: 'If you have an account here, log in to it and link the other one under “Ways to log in”.',
  },
  'address-unverified': {
    message: (name: string) => `${name} does not confirm that your e-mail address is yours.`,
    advice: 'Verify your address there. Or log in here and link the account under “Ways to log in”.',
  },
  'domain-not-allowed': {
    message: () => 'Accounts with an e-mail address of this domain cannot log in here.',
    advice: 'Use the account of your organization.',
  },
  'address-taken': {
    message: () => 'There is an account here with your e-mail address. It was not changed.',
    advice: 'Log in to it, and link the other one under “Ways to log in”.',
  },
  'name-unusable': {
    message: (name: string) => `No account could be made from what ${name} states about you.`,
    advice: ASK,
  },
} as const;

function describe(refusal: UpstreamRefusal, name: string): Problem {
  switch (refusal.rule) {
    case 'upstream-unavailable':
      return {
        status: 502,
        title: `${name} does not answer`,
        message: `This server could not reach ${name}, or did not understand its answer. You are not logged in.`,
        advice: `Try again in a minute. If it happens again: ${ASK.charAt(0).toLowerCase()}${ASK.slice(1)}`,
      };
    case 'upstream-login-unknown':
      return {
        status: 403,
        title: 'This login did not begin here',
        message:
          refusal.why === 'expired'
            ? 'The login took too long. You are not logged in.'
            : 'The answer belongs to no login that began in this browser, or it was used before. Nothing was changed.',
        advice: AGAIN,
      };
    case 'upstream-provider-changed':
      return {
        status: 409,
        title: 'Please log in again',
        message: refusal.isRemoved
          ? 'Logging in through this provider was turned off in the meantime.'
          : `The settings of ${name} were changed in the meantime.`,
        advice: AGAIN,
      };
    case 'upstream-issuer-differs':
      return {
        status: 403,
        title: 'The answer came from somewhere else',
        message: `You began to log in through ${name}, but another server answered. You are not logged in.`,
        advice: `Start again from the login page, and look at the address where you enter your password. ${ASK}`,
      };
    case 'upstream-denied':
      return {
        status: 403,
        title: `${name} did not log you in`,
        message: `You cancelled, or ${name} refused. You are not logged in.`,
        advice: AGAIN,
      };
    case 'upstream-code-refused':
    case 'upstream-token-invalid':
      return {
        status: 502,
        title: 'The login could not be verified',
        message: `The answer of ${name} did not pass every check. You are not logged in.`,
        advice: `Start again from the login page. If it happens again: ${ASK.charAt(0).toLowerCase()}${ASK.slice(1)}`,
      };
    case 'upstream-login-too-old':
      return {
        status: 403,
        title: `${name} did not ask you again`,
        message: `This needs a fresh login, but ${name} only remembered an earlier one.`,
        advice: `Log out at ${name}, then try again. Or log in another way.`,
      };
    case 'upstream-user-unknown': {
      const { message, advice } = NO_USER[refusal.why];
      return { status: 403, title: 'No account here', message: message(name), advice };
    }
    case 'upstream-user-inactive':
      return {
        status: 403,
        title: 'Your account is disabled',
        message: 'Your account here is disabled. You are not logged in.',
        advice: ASK,
      };
    case 'upstream-linked-elsewhere':
      return {
        status: 409,
        title: 'Linked to another account',
        message: `This account at ${name} is linked to another account here. Nothing was changed.`,
        advice: 'Log in with it, and unlink it there first.',
      };
  }
}

/** The page for a user whose login through a provider failed. */
export function upstreamProblem(refusal: UpstreamRefusal, name: string): PageError {
  const { status, title, message, advice } = describe(refusal, name);
  return new PageError(status, title, message, advice, refusal, [], ['login']);
}
