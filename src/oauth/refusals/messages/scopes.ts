import { message } from '../../../language/message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';

/** Messages about requested scopes and resource servers (RFC 6749 §3.3, RFC 8707). */
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
    rule: message('refusal.scope-missing.rule', { grant }),
    expected: message('refusal.scope-missing.expected'),
    seen: message('refusal.scope-missing.seen'),
    advice: message('refusal.scope-missing.advice'),
  }),
  'scope-malformed': () => ({
    wire: wire('invalid_scope', 'scope contains a character that is not allowed in scope names'),
    rule: message('refusal.scope-malformed.rule'),
    expected: message('refusal.scope-malformed.expected'),
    seen: message('refusal.scope-malformed.seen'),
    advice: message('refusal.scope-malformed.advice'),
  }),
  'scope-unknown': ({ unknown, known }) => ({
    wire: wire('invalid_scope', `unknown scope; known scopes: ${known.join(' ')}`),
    rule: message('refusal.scope-unknown.rule'),
    expected: formatList(known),
    seen: formatList(unknown),
    advice: message('refusal.scope-unknown.advice'),
  }),
  'scope-restricted': ({ restricted }) => ({
    wire: wire('invalid_scope', 'this client may not use that scope; an administrator or the operator can allow it'),
    rule: message('refusal.scope-restricted.rule'),
    expected: message('refusal.scope-restricted.expected'),
    seen: formatList(restricted),
    advice: message('refusal.scope-restricted.advice', { scope: formatList(restricted) }),
  }),
  'scope-needs-role': ({ scope }) => ({
    wire: wire('invalid_scope', `the ${scope} scope requires a user with the auditor or administrator role`),
    rule: message('refusal.scope-needs-role.rule', { scope }),
    expected: message('refusal.scope-needs-role.expected'),
    seen: message('refusal.scope-needs-role.seen'),
    advice: message('refusal.scope-needs-role.advice'),
  }),
  'scope-needs-client': ({ scope }) => ({
    wire: wire('invalid_scope', `the ${scope} scope is only for the client credentials grant`),
    rule: message('refusal.scope-needs-client.rule', { scope }),
    expected: message('refusal.scope-needs-client.expected'),
    seen: message('refusal.scope-needs-client.seen'),
    advice: message('refusal.scope-needs-client.advice', { scope }),
  }),
  'scope-needs-login': ({ scope, grant }) => ({
    wire: wire(
      'invalid_scope',
      `the ${scope} scope is only for the authorization code grant and the device code grant`,
    ),
    rule: message('refusal.scope-needs-login.rule', { scope }),
    expected: message('refusal.scope-needs-login.expected'),
    seen: grant,
    advice: message('refusal.scope-needs-login.advice', { scope }),
  }),
  'scope-not-granted': ({ missing, granted }) => ({
    wire: wire('invalid_scope', 'scope exceeds what the resource owner granted'),
    rule: message('refusal.scope-not-granted.rule'),
    expected: message('refusal.scope-not-granted.expected', { granted: formatList(granted) }),
    seen: message('refusal.scope-not-granted.seen', { missing: formatList(missing) }),
    advice: message('refusal.scope-not-granted.advice'),
  }),
  'scope-not-of-resource': ({ seen, defined }) => ({
    wire: wire('invalid_scope', `the resource server does not define this scope; it defines: ${defined.join(' ')}`),
    rule: message('refusal.scope-not-of-resource.rule'),
    expected: message('refusal.scope-not-of-resource.expected', { defined: formatList(defined) }),
    seen: formatList(seen),
    advice: message('refusal.scope-not-of-resource.advice'),
  }),
  'scope-of-several-resources': ({ scope }) => ({
    wire: wire('invalid_target', 'several resource servers define this scope; send the resource parameter'),
    rule: message('refusal.scope-of-several-resources.rule'),
    expected: message('refusal.scope-of-several-resources.expected'),
    seen: message('refusal.scope-of-several-resources.seen', { scope: formatList(scope) }),
    advice: message('refusal.scope-of-several-resources.advice'),
  }),
  'resources-disagree': ({ seen }) => ({
    wire: wire('invalid_target', 'these resource servers need different tokens; request a separate token for each'),
    rule: message('refusal.resources-disagree.rule'),
    expected: message('refusal.resources-disagree.expected'),
    seen: formatList(seen),
    advice: message('refusal.resources-disagree.advice'),
  }),
  'token-algorithm-forbidden': ({ seen, allowed, resources }) => ({
    wire: wire('invalid_target', `the access token would be signed with ${seen}, which FAPI 2.0 forbids`),
    rule: message('refusal.token-algorithm-forbidden.rule'),
    expected: formatList(allowed),
    seen:
      resources.length === 0
        ? message('refusal.token-algorithm-forbidden.seen', { seen })
        : message('refusal.token-algorithm-forbidden.seen-2', { seen, resources: formatList(resources) }),
    advice:
      resources.length === 0
        ? message('refusal.token-algorithm-forbidden.advice', { first: allowed[0] ?? '' })
        : message('refusal.token-algorithm-forbidden.advice-2', { first: allowed[0] ?? '' }),
  }),
  'too-many-resources': ({ most, seen }) => ({
    wire: wire('invalid_target', `a request may contain at most ${most} resource parameters`),
    rule: message('refusal.too-many-resources.rule'),
    expected: message('refusal.too-many-resources.expected', { limit: most }),
    seen: String(seen),
    advice: message('refusal.too-many-resources.advice'),
  }),
  'resource-malformed': ({ seen }) => ({
    wire: wire('invalid_target', 'resource must be an absolute URI without a fragment'),
    rule: message('refusal.resource-malformed.rule'),
    expected: message('refusal.resource-malformed.expected'),
    seen,
    advice: message('refusal.resource-malformed.advice'),
  }),
  'resource-unknown': ({ seen, known }) => ({
    wire: wire('invalid_target', 'the resource server is unknown or has been removed'),
    rule: message('refusal.resource-unknown.rule'),
    expected: formatList(known),
    seen,
    advice: message('refusal.resource-unknown.advice'),
  }),
  'resource-not-granted': ({ missing, granted }) => ({
    wire: wire('invalid_target', 'resource identifies a resource server for which no access was granted'),
    rule: message('refusal.resource-not-granted.rule'),
    expected: formatList(granted),
    seen: message('refusal.resource-not-granted.seen', { missing: formatList(missing) }),
    advice: message('refusal.resource-not-granted.advice'),
  }),
};
