import type { IssuerRefusal } from './issuer-refusal.ts';
import type { RefusalOf } from './refusal.ts';

type Headlines = {
  readonly [Rule in IssuerRefusal['rule']]: string | ((refusal: RefusalOf<Rule>) => string);
};

const TIMES: Readonly<Record<RefusalOf<'issuer-time'>['problem'], string>> = {
  'no-expiry': 'never expires',
  expired: 'has expired',
  'too-long': 'is valid for too long',
  'too-old': 'is too old',
  'not-yet': 'is from the future',
};

/** One line for each refusal of a JWT of another issuer. */
export const ISSUER_HEADLINES: Headlines = {
  'issuer-token-malformed': ({ parameter }) => `The ${parameter} cannot be read`,
  'issuer-token-type': ({ parameter, seen }) => `The ${parameter} is for another purpose: ${seen}`,
  'issuer-untrusted': ({ seen }) => `The issuer is not trusted: ${seen}`,
  'issuer-use': ({ use }) => `The issuer is not trusted for this use: ${use}`,
  'issuer-client': 'The application may not present tokens of this issuer',
  'issuer-algorithm': ({ parameter, seen }) => `Unsupported algorithm of the ${parameter}: ${seen}`,
  'issuer-key-unknown': 'The key of the issuer is not known',
  'issuer-keys-unreadable': 'The keys of the issuer could not be read',
  'issuer-signature-wrong': ({ parameter }) => `Wrong signature of the ${parameter}`,
  'issuer-audience': ({ parameter, seen }) => `The ${parameter} is for another audience: ${seen}`,
  'issuer-time': ({ parameter, problem }) => `The ${parameter} ${TIMES[problem]}`,
  'issuer-claim': ({ name }) => `A required claim is missing: ${name}`,
  'issuer-subject': 'The subject is no active user here',
  'issuer-act': ({ parameter }) => `The ${parameter} names an actor`,
  'issuer-scope-beyond': 'More scope than the issuer allows',
  'issuer-resource-beyond': 'A resource server that the issuer does not allow',
  'issuer-no-scope-left': 'No scope is left for the token',
  'issuer-no-resource-left': 'No resource server is left for the token',
  'issuer-token-replayed': 'The assertion was redeemed before',
  'issuer-second-factor': 'The application needs a login with a second factor',
};
