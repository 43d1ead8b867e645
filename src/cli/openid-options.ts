import { Option, type Command } from 'commander';
import { SUBJECT_TYPES } from '../domain/openid-settings.ts';
import { algorithmOption, undefinedIfEmpty, orNull, withOptionGroup } from './client-option-groups.ts';
import { collect } from './context.ts';
import { parseDuration } from './time-arguments.ts';

/** False removes the value. */
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
    algorithmOption('--id-token-algorithm', 'algorithm that signs its ID tokens; every application can verify RS256'),
    algorithmOption(
      '--userinfo-algorithm',
      'algorithm that signs its userinfo responses, which are unsigned JSON otherwise',
    ),
    new Option(
      '--subject-type <type>',
      'whether it gets the same user ids as other applications (public), or different ones (pairwise)',
    ).choices(SUBJECT_TYPES),
    new Option(
      '--sector-identifier-uri <uri>',
      'https URL of a list of redirect URIs whose applications share pairwise ids',
    ),
    new Option(
      '--post-logout-redirect-uri <uri>',
      'where it may send the browser after a logout (repeatable)',
    ).argParser(collect),
    new Option('--backchannel-logout-uri <uri>', 'where this server reports the end of a session'),
    new Option('--backchannel-logout-session-required', 'these reports must contain the session id (sid)'),
    new Option('--initiate-login-uri <uri>', 'https URL where other sites can start a login at the application'),
    new Option(
      '--default-max-age <duration>',
      'users must log in again if their login is older (e.g. 15m, 8h), unless the request specifies otherwise',
    ).argParser(parseDuration),
    new Option('--require-auth-time', 'its ID tokens must contain the time of the login'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Adds the `client update` options that remove these values. */
export function withOpenIdRemovals(command: Command): Command {
  const options = [
    new Option('--no-userinfo-algorithm', 'send userinfo as unsigned JSON'),
    new Option('--no-sector-identifier-uri', 'remove the URI'),
    new Option('--no-post-logout-redirect-uri', 'remove all post-logout redirect URIs'),
    new Option('--no-backchannel-logout-uri', 'report no logouts'),
    new Option('--no-backchannel-logout-session-required', 'reports need not contain the session id'),
    new Option('--no-initiate-login-uri', 'remove the URI'),
    new Option('--no-default-max-age', 'remove the limit on the age of logins'),
    new Option('--no-require-auth-time', 'its ID tokens need not contain the time of the login'),
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
