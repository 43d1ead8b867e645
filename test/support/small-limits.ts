import { LIMITS, type LimitName, type Limits } from '../../src/platform/limits/limits.ts';

/** The product's windows with small, different limits, so that a test can tell which one applied. */
const SMALL_VALUES: Readonly<Record<LimitName, number>> = {
  'password-by-account-and-place': 3,
  'password-by-account': 5,
  'password-by-address': 7,
  'password-by-client': 8,
  'password-by-address-of-clients': 9,
  'second-step-by-account-and-place': 3,
  'second-step-by-account': 5,
  'second-step-by-address': 7,
  'log-in-by-account': 40,
  'password-grant-by-account': 41,
  'client-secret-by-client-and-address': 3,
  'client-secret-by-client': 5,
  'client-secret-by-address': 7,
  'set-up-by-address': 2,
  'sign-up-by-address': 2,
  'sign-up': 3,
  'mail-links-by-address': 6,
  'mail-links-by-account': 2,
  'mail-links-by-recipient': 3,
  'mail-links': 5,
  'users-by-caller': 2,
  'codes-by-user': 4,
  'device-requests-by-address': 4,
  'device-requests-by-client': 6,
  'user-code-by-account-and-place': 3,
  'user-code-by-account': 5,
  'user-code-by-address': 7,
  'changes-by-user': 45,
  'applications-by-user': 2,
  'invitations-by-user': 2,
  'invitation-mails-by-user': 1,
  'sector-documents-by-user': 2,
  'request-objects-by-address': 3,
  'client-documents-by-address': 3,
  'tokens-by-client': 50,
  'assertions-by-client': 4,
  'pushed-requests-by-client': 3,
};

export const SMALL_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { windowSeconds }]) => [
    name,
    { windowSeconds, max: SMALL_VALUES[name as LimitName] },
  ]),
) as Limits;
