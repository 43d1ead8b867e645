import { Option, type Command } from 'commander';
import { undefinedIfEmpty, orNull, withOptionGroup } from './client-option-groups.ts';

/** The parsed options. A value of false removes the stored value. */
export interface PresentationOptions {
  readonly description?: string | false;
  readonly homepageUri?: string | false;
  readonly policyUri?: string | false;
  readonly tosUri?: string | false;
}

const HEADING = 'Consent page options:';

/** Adds the options that `client add` and `client update` share. */
export function withPresentationOptions(command: Command): Command {
  const options = [
    new Option('--description <text>', 'one sentence that describes the client'),
    new Option('--homepage-uri <uri>', "URL of the client's homepage"),
    new Option('--policy-uri <uri>', "URL of the client's privacy policy"),
    new Option('--tos-uri <uri>', "URL of the client's terms of service"),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Adds the `client update` options that remove these values. */
export function withPresentationRemovals(command: Command): Command {
  const options = [
    new Option('--no-description', 'remove the description'),
    new Option('--no-homepage-uri', 'remove the URI'),
    new Option('--no-policy-uri', 'remove the URI'),
    new Option('--no-tos-uri', 'remove the URI'),
  ];
  return withOptionGroup(command, HEADING, options);
}

/** Converts these options to the input of an operation. Returns undefined if none of them is specified. */
export function presentationInput(options: PresentationOptions): object | undefined {
  return undefinedIfEmpty({
    description: orNull(options.description),
    homepageUri: orNull(options.homepageUri),
    policyUri: orNull(options.policyUri),
    tosUri: orNull(options.tosUri),
  });
}
