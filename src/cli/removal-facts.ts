import { pluralize, escapeControls } from './print.ts';

/** The output of a removal forecast. */
export type Forecast = Readonly<Record<string, unknown>>;

/** Describes in one sentence what depends on a client. */
export function clientFacts(forecast: Forecast): string {
  const { client_id: id, name, tokens_at_most: tokens, owners } = forecast;
  const tokenCount =
    typeof tokens === 'number' ? `at most ${pluralize(tokens, 'token')}` : 'an unknown number of tokens';
  const ownerNames = (owners as readonly string[]).map(escapeControls);
  const noun = ownerNames.length === 1 ? 'owner' : 'owners';
  return sentence(
    `${text(name)} (${text(id)}) has ${atLeast(forecast)}${count(forecast, 'users', 'user')}, ` +
      `${count(forecast, 'grants', 'grant')} and ${tokenCount}`,
    ownerNames.length === 0 ? 'no owner' : `${noun} ${ownerNames.join(', ')}`,
    ...describeReferences(forecast),
  );
}

/** Describes in one sentence what depends on a resource server. */
export function resourceFacts(forecast: Forecast): string {
  return sentence(
    `${text(forecast['uri'])} defines ${count(forecast, 'scopes', 'scope')}`,
    `${atLeast(forecast)}${count(forecast, 'grants', 'grant')} and ${count(forecast, 'tokens', 'token')} of ` +
      `${count(forecast, 'applications', 'application')} are restricted to it ` +
      `(${count(forecast, 'ending_tokens', 'token')} to it alone)`,
    ...describeReferences(forecast),
  );
}

/** Describes in one sentence what depends on a trusted issuer. */
export function issuerFacts(forecast: Forecast): string {
  return sentence(
    `${count(forecast, 'applications', 'application')} may present tokens from ${text(forecast['issuer'])}`,
    `these tokens have led to ${atLeast(forecast)}${count(forecast, 'grants', 'grant')} and ` +
      `${count(forecast, 'tokens', 'token')} for ${count(forecast, 'users', 'user')}`,
  );
}

/** Describes in one sentence what depends on a provider. */
export function providerFacts(forecast: Forecast): string {
  return sentence(
    `${count(forecast, 'users', 'user')} linked ${count(forecast, 'linked_accounts', 'account')} at ` +
      text(forecast['provider_id']),
    `${Number(forecast['locked_out'])} of these users would no longer be able to log in`,
    ...(forecast['turns_passwords_on'] === true
      ? ['passwords would work again, because no other enabled provider is required']
      : []),
    ...(forecast['leaves_no_administrator'] === true ? ['no administrator would be able to log in'] : []),
  );
}

/** States how many exchange policies and trusted issuers refer to the object that would be removed. */
function describeReferences(forecast: Forecast): readonly string[] {
  const rules = [
    ...pluralizeIfAny(Number(forecast['exchange_policies']), 'exchange policy', 'exchange policies'),
    ...pluralizeIfAny(Number(forecast['trusted_issuers']), 'trusted issuer'),
  ];
  return rules.length === 0 ? [] : [`used in ${rules.join(' and ')}`];
}

/** Returns the number with its noun as the only item of a list, or an empty list for zero. */
export const pluralizeIfAny = (number: number, noun: string, plural?: string): readonly string[] =>
  number === 0 ? [] : [pluralize(number, noun, plural)];

const sentence = (...parts: readonly string[]): string => `${parts.join('; ')}.`;

const atLeast = ({ exact }: Forecast): string => (exact === false ? 'at least ' : '');

const count = (forecast: Forecast, member: string, noun: string): string => pluralize(Number(forecast[member]), noun);

const text = (value: unknown): string => escapeControls(String(value));
