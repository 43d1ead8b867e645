import { PolicyDeclarationError } from '../../policy/declaration.ts';

/** What a resource server may say of itself beside who is asking. */
export interface ResourceMetadata {
  /** Where a caller without a live token can read how to get one: the URL of the API's metadata (RFC 9728 §5.1). */
  readonly resourceMetadata?: string | undefined;
}

/**
 * The URL as a challenge can quote it: nothing in it ends the quotes.
 * @throws PolicyDeclarationError it is none
 */
export function headerSafeUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new PolicyDeclarationError('resource-metadata', 'resourceMetadata must be an http or https URL');
  return parsed.href.replaceAll('\\', '%5C').replaceAll('"', '%22');
}
