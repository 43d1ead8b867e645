import { formatList, wire, type ProtocolMessagesFor } from '../messages.ts';

/** Requested scopes and resource servers (RFC 6749 §3.3, RFC 8707). */
export const SCOPE_MESSAGES: ProtocolMessagesFor<
  | 'scope-missing'
  | 'scope-malformed'
  | 'scope-unknown'
  | 'scope-restricted'
  | 'scope-needs-role'
  | 'scope-needs-client'
  | 'scope-needs-login'
  | 'scope-not-granted'
  | 'scope-not-of-resource'
  | 'scope-of-several-resources'
  | 'resources-disagree'
  | 'token-algorithm-forbidden'
  | 'too-many-resources'
  | 'resource-malformed'
  | 'resource-unknown'
  | 'resource-not-granted'
> = {
  'scope-missing': ({ grant }) => ({
    wire: wire('invalid_scope', 'scope is missing, and this server has no default for this grant type'),
    rule: `The grant type ${grant} has no default scope on this server.`,
    expected: 'scope',
    seen: 'none',
    advice: 'Request scopes by name. The operator can set defaultScopes.',
  }),
  'scope-malformed': () => ({
    wire: wire('invalid_scope', 'scope contains a character that scope names cannot contain'),
    rule: 'Scope names are printable ASCII, separated by single spaces (RFC 6749 §3.3).',
    expected: 'names without quotes and backslashes',
    seen: 'another character',
    advice: 'Separate the names by spaces, not by commas or as a JSON list, and percent-encode the parameter.',
  }),
  'scope-unknown': ({ unknown, known }) => ({
    wire: wire('invalid_scope', `unknown scope; this server knows: ${known.join(' ')}`),
    rule: 'Every requested scope must be defined on this server.',
    expected: formatList(known),
    seen: formatList(unknown),
    advice:
      'Request defined scopes, spelled exactly. They are defined in the setting scopes, and by each resource server.',
  }),
  'scope-restricted': ({ restricted }) => ({
    wire: wire('invalid_scope', 'the operator of this server must first allow this client to use that scope'),
    rule: 'Restricted scopes are only for applications to which the operator has granted them.',
    expected: "the operator's permission",
    seen: formatList(restricted),
    advice: 'Ask the operator: grantlog client update ID --allow-scope SCOPE.',
  }),
  'scope-needs-role': ({ scope }) => ({
    wire: wire('invalid_scope', `the scope ${scope} requires a user with the role auditor or administrator`),
    rule: `Only auditors and administrators can delegate the scope ${scope}.`,
    expected: 'a user with the role auditor or administrator',
    seen: 'a user without it',
    advice: 'Do not request the scope for other users, or ask the operator to give this user the role.',
  }),
  'scope-needs-client': ({ scope }) => ({
    wire: wire('invalid_scope', `the scope ${scope} is only for the client credentials grant`),
    rule: `A client has the scope ${scope} for itself. No user delegates it.`,
    expected: 'the grant type client_credentials',
    seen: 'a request for the access of a user',
    advice: `Request ${scope} with grant_type=client_credentials. Users administer the server on its pages.`,
  }),
  'scope-needs-login': ({ scope, grant }) => ({
    wire: wire('invalid_scope', `the scope ${scope} is only for the authorization code grant`),
    rule: `The scope ${scope} is about a user who logs in here, which only happens at the authorization endpoint.`,
    expected: 'the grant type authorization_code',
    seen: grant,
    advice: `Send the user to the authorization endpoint, or do not request ${scope}.`,
  }),
  'scope-not-granted': ({ missing, granted }) => ({
    wire: wire('invalid_scope', 'scope exceeds what the resource owner granted'),
    rule: 'A refresh can narrow the scope but not widen it (RFC 6749 §6).',
    expected: `some of: ${formatList(granted)}`,
    seen: `also ${formatList(missing)}`,
    advice: 'Omit scope to get everything that was granted. For more, send the user through authorization again.',
  }),
  'scope-not-of-resource': ({ seen, defined }) => ({
    wire: wire('invalid_scope', `the resource server does not define this scope; it defines: ${defined.join(' ')}`),
    rule: 'A token for a resource server has only scopes that the resource server defines.',
    expected: `some of: ${formatList(defined)}`,
    seen: formatList(seen),
    advice: 'Request scopes of this resource server, or omit scope.',
  }),
  'scope-of-several-resources': ({ scope }) => ({
    wire: wire('invalid_target', 'several resource servers define this scope; send resource'),
    rule: 'A scope of a resource server is granted for one that the request names, or that alone defines it.',
    expected: 'resource',
    seen: `only the scope ${formatList(scope)}`,
    advice: 'Send the URI of the resource server as resource (RFC 8707).',
  }),
  'resources-disagree': ({ seen }) => ({
    wire: wire('invalid_target', 'these resource servers need different tokens; request a token for each'),
    rule: 'A token has one format and one signing algorithm, which its resource servers set.',
    expected: 'resource servers with equal settings',
    seen: formatList(seen),
    advice: 'Request a token for each of them, with one resource parameter.',
  }),
  'token-algorithm-forbidden': ({ seen, allowed, resources }) => ({
    wire: wire('invalid_target', `the access token would be signed with ${seen}, which FAPI 2.0 forbids this client`),
    rule: 'FAPI 2.0, the profile of the application, forbids other signatures of access tokens (§5.4.1).',
    expected: formatList(allowed),
    seen: resources.length === 0 ? `${seen}, for the application` : `${seen}, for ${formatList(resources)}`,
    advice:
      resources.length === 0
        ? `Change that of the application: grantlog client update ID --access-token-algorithm ${allowed[0]}.`
        : 'Request a token for other resource servers. Or let the operator change the algorithm of this one: ' +
          `grantlog resource update URI --access-token-algorithm ${allowed[0]}.`,
  }),
  'too-many-resources': ({ most, seen }) => ({
    wire: wire('invalid_target', `a request can name at most ${most} resources`),
    rule: 'The number of resource servers in a request is limited.',
    expected: `at most ${most}`,
    seen: String(seen),
    advice: 'Request several tokens, each for some of them.',
  }),
  'resource-malformed': ({ seen }) => ({
    wire: wire('invalid_target', 'resource must be an absolute URI without a fragment'),
    rule: 'resource must be an absolute URI without a fragment (RFC 8707 §2).',
    expected: 'a URI such as https://api.example',
    seen,
    advice: 'Send the full URI of the resource server.',
  }),
  'resource-unknown': ({ seen, known }) => ({
    wire: wire('invalid_target', 'this server does not know the resource server, or knows it no longer'),
    rule: 'Tokens can only be restricted to resource servers that this server knows.',
    expected: formatList(known),
    seen,
    advice: 'Send a known one, or have yours registered: on the page Resource servers, or with grantlog resource add.',
  }),
  'resource-not-granted': ({ missing, granted }) => ({
    wire: wire('invalid_target', 'resource exceeds what was granted'),
    rule: 'Only resource servers of the grant can be requested (RFC 8707 §2.2).',
    expected: formatList(granted),
    seen: `also ${formatList(missing)}`,
    advice: 'Name the resource server already in the authorization request.',
  }),
};
