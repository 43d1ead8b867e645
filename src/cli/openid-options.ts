import { Option, type Command } from 'commander';
import { SUBJECT_TYPES } from '../domain/openid-settings.ts';
import { algorithmOption, undefinedIfEmpty, orNull, withOptionGroup } from './client-option-groups.ts';
import { collect } from './context.ts';
import { parseDuration } from './time-arguments.ts';

/** The parsed options. A value of false removes the stored value. */
export interface OpenIdOptions {
  readonly idTokenAlgorithm?: string;
  readonly userinfoAlgorithm?: string | false;
  readonly subjectType?: string;
  readonly sectorIdentifierUri?: string | false;
  readonly postLogoutRedirectUri?: readonly string[] | false;
  readonly backchannelLogoutUri?: string | false;
  readonly backchannelLogoutSessionRequired?: boolean;
  readonly initiateLoginUri?: string | false;
  readonly defaultMaxAge?: number | false;
  readonly requireAuthTime?: boolean;
}

const HEADING = 'OpenID Connect options:';

/** Adds the options that `client add` and `client update` share. */
export function withOpenIdOptions(command: Command): Command {
  const options = [
    algorithmOption('--id-token-algorithm', 'signature algorithm for ID tokens; every client can verify RS256'),
    algorithmOption(
      '--userinfo-algorithm',
      'signature algorithm for userinfo responses, which are unsigned JSON by default',
    ),
    new Option(
      '--subject-type <type>',
      'public: the client gets the same user ids as other clients; pairwise: it gets different user ids',
    ).choices(SUBJECT_TYPES),
    new Option(
      '--sector-identifier-uri <uri>',
      'https URL of a JSON array of redirect URIs; the clients with these URIs share pairwise ids',
    ),
    new Option(
      '--post-logout-redirect-uri <uri>',
      'URI to which the client may send the browser after a logout (repeatable)',
    ).argParser(collect),
    new Option('--backchannel-logout-uri <uri>', 'URI to which this server reports the end of a session'),
    new Option('--backchannel-logout-session-required', 'logout reports must contain the session id (sid)'),
    new Option('--initiate-login-uri <uri>', 'https URL at which other sites can start a login to the client'),
    new Option(
      '--default-max-age <duration>',
      'users must log in again if their login is older (e.g. 15m, 8h), unless the request specifies otherwise',
    ).argParser(parseDuration),
    new Option('--require-auth-time', 'ID tokens must contain the time of the login'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Adds the `client update` options that remove these values. */
export function withOpenIdRemovals(command: Command): Command {
  const options = [
    new Option('--no-userinfo-algorithm', 'send userinfo as unsigned JSON'),
    new Option('--no-sector-identifier-uri', 'remove the URI'),
    new Option('--no-post-logout-redirect-uri', 'remove all post-logout redirect URIs'),
    new Option('--no-backchannel-logout-uri', 'do not report logouts'),
    new Option('--no-backchannel-logout-session-required', 'logout reports need not contain the session id'),
    new Option('--no-initiate-login-uri', 'remove the URI'),
    new Option('--no-default-max-age', 'remove the limit on the age of logins'),
    new Option('--no-require-auth-time', 'ID tokens need not contain the time of the login'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Converts these options to the input of an operation. Returns undefined if none of them is specified. */
export function openIdInput(options: OpenIdOptions): object | undefined {
  const { postLogoutRedirectUri } = options;
  return undefinedIfEmpty({
    idTokenAlgorithm: options.idTokenAlgorithm,
    userinfoAlgorithm: orNull(options.userinfoAlgorithm),
    subjectType: options.subjectType,
    sectorIdentifierUri: orNull(options.sectorIdentifierUri),
    postLogoutRedirectUris: postLogoutRedirectUri === false ? [] : postLogoutRedirectUri,
    backchannelLogoutUri: orNull(options.backchannelLogoutUri),
    backchannelLogoutSessionRequired: options.backchannelLogoutSessionRequired,
    initiateLoginUri: orNull(options.initiateLoginUri),
    defaultMaxAgeSeconds: orNull(options.defaultMaxAge),
    requireAuthTime: options.requireAuthTime,
  });
}
