import { Option, type Command } from 'commander';
import { SECURITY_PROFILES } from '../domain/security-settings.ts';
import { algorithmOption, undefinedIfEmpty, orNull, withOptionGroup } from './client-option-groups.ts';
import { collect } from './context.ts';

/** False removes the value. */
export interface SecurityOptions {
  readonly profile?: string | false;
  readonly requireDpop?: boolean;
  readonly bindTokensToCertificate?: boolean;
  readonly requirePushedRequests?: boolean;
  readonly requireSignedRequests?: boolean;
  readonly requestObjectAlgorithm?: string | false;
  readonly requestUri?: readonly string[] | false;
  readonly authorizationResponseAlgorithm?: string;
  readonly introspectionAlgorithm?: string;
}

const HEADING = 'Protection of tokens and messages:';

/** Adds the options that `client add` and `client update` share. */
export function withSecurityOptions(command: Command): Command {
  const options = [
    new Option(
      '--profile <profile>',
      'turn on everything that the FAPI 2.0 Security Profile requires, and refuse everything that it forbids',
    ).choices(SECURITY_PROFILES),
    new Option('--require-dpop', 'bind its access tokens to its DPoP key: every token request needs a proof'),
    new Option('--bind-tokens-to-certificate', 'bind its access tokens to its TLS client certificate'),
    new Option('--require-pushed-requests', 'refuse authorization requests that were not pushed (PAR)'),
    new Option('--require-signed-requests', 'refuse authorization requests that are not signed (JAR)'),
    algorithmOption('--request-object-algorithm', 'the only algorithm that its request objects may be signed with'),
    new Option('--request-uri <uri>', 'https URL that its request objects can be fetched from (repeatable)').argParser(
      collect,
    ),
    algorithmOption(
      '--authorization-response-algorithm',
      'algorithm that signs authorization responses as JWTs (JARM)',
    ),
    algorithmOption('--introspection-algorithm', 'algorithm that signs introspection responses as JWTs (RFC 9701)'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Adds the `client update` options that remove these values. */
export function withSecurityRemovals(command: Command): Command {
  const options = [
    new Option('--no-profile', 'remove the profile; the settings that it turned on stay on'),
    new Option('--no-require-dpop', 'token requests need no proof'),
    new Option('--no-bind-tokens-to-certificate', 'do not bind its access tokens to a certificate'),
    new Option('--no-require-pushed-requests', 'accept requests that were not pushed'),
    new Option('--no-require-signed-requests', 'accept requests that are not signed'),
    new Option('--no-request-object-algorithm', 'accept every algorithm that fits its keys'),
    new Option('--no-request-uri', 'remove all request URIs'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Converts these options to the input of an operation. Returns undefined if none of them is specified. */
export function securityInput(options: SecurityOptions): object | undefined {
  const { requestUri } = options;
  return undefinedIfEmpty({
    profile: orNull(options.profile),
    dpopBoundAccessTokens: options.requireDpop,
    tlsBoundAccessTokens: options.bindTokensToCertificate,
    requirePushedAuthorizationRequests: options.requirePushedRequests,
    requireSignedRequestObject: options.requireSignedRequests,
    requestObjectAlgorithm: orNull(options.requestObjectAlgorithm),
    requestUris: requestUri === false ? [] : requestUri,
    authorizationResponseAlgorithm: options.authorizationResponseAlgorithm,
    introspectionAlgorithm: options.introspectionAlgorithm,
  });
}
