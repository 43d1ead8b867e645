import type { CredentialForm } from '../credential-form.ts';
import type { UriDifference } from '../uri-difference.ts';
import { formatList, formatDuration, type Messages, type MessagesFor } from '../messages.ts';

/** Each component that is not as it should be. */
export function formatDifferences(differences: readonly UriDifference[], side: 'expected' | 'seen'): string {
  return differences
    .map((difference) => `${difference.component}: ${difference[side] === '' ? 'none' : difference[side]}`)
    .join('; ');
}

function looksLike(form: CredentialForm): string {
  if (form === 'other') return 'nothing that is made here';
  return form === 'incomplete'
    ? 'a credential that was cut short or mistyped'
    : `${form === 'access token' || form === 'authorization code' ? 'an' : 'a'} ${form}`;
}

function unknownClient({
  form,
  length,
  isSwapped,
}: {
  readonly form: CredentialForm;
  readonly length: number;
  readonly isSwapped: boolean;
}): Messages {
  const base = { rule: 'The client must be registered.', expected: 'the client_id of a registered application' };
  if (isSwapped)
    return { ...base, seen: "client_id and client_secret in each other's place", advice: 'Swap the two values.' };
  const advice =
    form === 'client id'
      ? 'It has the right form: look whether the application was removed, or is registered with another server.'
      : 'Copy the client_id from the page of the application.';
  return {
    ...base,
    seen: `a client_id of ${length} characters that nobody has; it looks like ${looksLike(form)}`,
    advice,
  };
}

const REGISTER_ANOTHER = 'Register another address on the page of the application, and send that one.';

/** Who the client is, and what it asks the user for. */
export const CLIENT_MESSAGES: MessagesFor<
  | 'client-credentials-missing'
  | 'client-id-missing'
  | 'authorization-header'
  | 'client-credentials-disagree'
  | 'client-unknown'
  | 'client-secret-missing'
  | 'client-secret-unexpected'
  | 'client-key-missing'
  | 'client-secret-wrong'
  | 'client-secret-ended'
  | 'client-public'
  | 'client-not-registered-for'
  | 'redirect-uri-missing'
  | 'redirect-uri-not-registered'
  | 'redirect-uri-not-allowed'
  | 'code-challenge-missing'
  | 'log-in-required'
  | 'consent-required'
  | 'denied'
  | 'request-aged'
  | 'request-answered'
> = {
  'client-credentials-missing': () => ({
    rule: 'A client says who it is (RFC 6749 §2.3).',
    expected: 'HTTP Basic, or client_id and client_secret in the body',
    seen: 'neither',
    advice: 'Send the credentials with this request. Behind a proxy, check that the Authorization header is passed on.',
  }),
  'client-id-missing': () => ({
    rule: 'A secret comes with its client_id.',
    expected: 'client_id and client_secret',
    seen: 'client_secret alone',
    advice: 'Send client_id as well.',
  }),
  'authorization-header': ({ scheme }) => ({
    rule: 'Clients authenticate with HTTP Basic.',
    expected: 'Authorization: Basic base64(client_id:client_secret)',
    seen: scheme === 'Basic' ? 'Basic with something else behind it' : `the scheme ${scheme}`,
    advice:
      scheme === 'Basic'
        ? 'Encode client_id, a colon and client_secret in base64, without a line break at the end.'
        : 'Send client credentials; an access token is no proof of the client here.',
  }),
  'client-credentials-disagree': ({ differs }) => ({
    rule: 'A client authenticates in one way (RFC 6749 §2.3).',
    expected: 'the Authorization header or the body',
    seen: `both, with another ${differs}`,
    advice: 'Send one of the two; libraries have a setting for it (client_secret_basic, client_secret_post).',
  }),
  'client-unknown': unknownClient,
  'client-secret-missing': () => ({
    rule: 'A confidential client proves itself with its secret.',
    expected: 'the client_secret',
    seen: 'none',
    advice: 'Send the secret. An application that cannot keep one should be registered as public.',
  }),
  'client-secret-unexpected': () => ({
    rule: 'A public client has no secret.',
    expected: 'client_id alone',
    seen: 'a client_secret',
    advice: 'Leave client_secret out, or register the application as confidential.',
  }),
  'client-key-missing': () => ({
    rule: 'The server compares the secret with a hash that it keeps under a key of the client.',
    expected: 'the key of the client in keys/clients.keys',
    seen: 'none that opens the hash, so every secret is refused',
    advice: 'Rotate the secret, or have the operator restore the key: grantlog doctor tells how.',
  }),
  'client-secret-wrong': ({ form, hasOuterSpace }) => ({
    rule: "The secret must be the client's own.",
    expected: 'the client_secret, exactly as it was shown once',
    seen: hasOuterSpace ? 'a secret with white space around it' : `another one, which looks like ${looksLike(form)}`,
    advice: hasOuterSpace
      ? 'Trim it: a line break at the end of a file or an environment variable is the usual cause.'
      : 'Compare where it comes from with what was saved. If it is lost, rotate it on the page of the application.',
  }),
  'client-secret-ended': ({ secondsAgo }) => ({
    rule: 'A rotated secret lives on for the overlap only.',
    expected: 'the newest client_secret',
    seen:
      secondsAgo === null
        ? "the one before it, which was replaced at a time that the server's clock has not reached yet"
        : `the one before it, which ended ${formatDuration(secondsAgo)} ago`,
    advice: 'Deploy the newest secret.',
  }),
  'client-public': ({ what }) => ({
    rule: `${what} is for confidential clients.`,
    expected: 'a confidential client',
    seen: 'a public one, which has nothing to prove itself with',
    advice: 'Register a confidential application for this.',
  }),
  'client-not-registered-for': ({ grantType, registered }) => ({
    rule: 'A client uses the grants that it is registered for.',
    expected: formatList(registered),
    seen: grantType,
    advice: `Add the grant to the application, or use one that it has.`,
  }),
  'redirect-uri-missing': ({ registered }) => ({
    rule: 'redirect_uri can be left out where exactly one is registered.',
    expected: 'redirect_uri',
    seen: `none, with ${registered} registered`,
    advice: 'Send the redirect_uri that the answer should go to.',
  }),
  'redirect-uri-not-registered': ({ closest, differences, registered }) => ({
    rule: 'redirect_uri is compared with the registered ones character by character (RFC 9700 §2.1).',
    expected:
      closest === null ? 'one that is registered' : `${closest} (${formatDifferences(differences, 'expected')})`,
    seen: closest === null ? 'one, where the application has none' : formatDifferences(differences, 'seen'),
    advice:
      registered === 0
        ? 'Register it on the page of the application.'
        : 'Make it the same in every character, the slash at its end included. Register this one only if it is your own: codes go to what is registered.',
  }),
  'redirect-uri-not-allowed': ({ uri, problem, setting }) => ({
    rule: 'The settings have to allow a redirect URI when it is used, not only when it is registered.',
    expected: 'a redirect URI that the settings in force allow',
    seen: `${uri}, which ${problem}`,
    advice: `${REGISTER_ANOTHER}${setting === null ? '' : ` The operator can allow this one with ${setting}.`}`,
  }),
  'code-challenge-missing': ({ clientType, isMethodSent }) => ({
    rule: 'This request needs PKCE (RFC 7636).',
    expected: 'code_challenge and code_challenge_method=S256',
    seen: isMethodSent ? 'code_challenge_method alone' : `neither, from a ${clientType} client`,
    advice: 'Turn PKCE on in the client library; keep the verifier for the token request.',
  }),
  'log-in-required': () => ({
    rule: 'prompt=none shows nothing.',
    expected: 'a user who is logged in, recently enough for max_age',
    seen: 'nobody, or a log-in too long ago',
    advice: 'Send the user here without prompt=none.',
  }),
  'consent-required': () => ({
    rule: 'prompt=none shows nothing.',
    expected: 'consent given before for all of this',
    seen: 'something that would have to be asked',
    advice: 'Send the user here without prompt=none.',
  }),
  denied: ({ how }) => ({
    rule: 'The user decides.',
    expected: 'consent',
    seen: how === 'refused' ? 'the user refused' : 'the user left out every scope',
    advice: 'Nothing is wrong. Tell the user what the access is for, and let them try again.',
  }),
  'request-aged': () => ({
    rule: 'Consent counts for an hour, for the person and in the session that it was shown to.',
    expected: 'a form shown within the last hour to this person',
    seen: 'an older or another one',
    advice: 'Start again at the application.',
  }),
  'request-answered': () => ({
    rule: 'Consent is given once.',
    expected: 'a first answer',
    seen: 'a second one, to a question whose code was used or has expired',
    advice: 'Start again at the application.',
  }),
};
