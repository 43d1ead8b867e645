import { PolicyDeclarationError } from '../../policy/declaration.ts';
import { isUrl } from '../../platform/urls.ts';

/** The location of a resource server's metadata. */
export interface ResourceMetadata {
  /** The URL of the API's metadata (RFC 9728 §5.1), which describes how to get a token. */
  readonly resourceMetadata?: string | undefined;
}

/**
 * Returns the URL in a form that is safe inside a quoted string of a challenge.
 * @throws PolicyDeclarationError if `url` is not an http or https URL
 */
export function headerSafeUrl(url: string): string {
  const parsed = isUrl(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new PolicyDeclarationError('resource-metadata', 'resourceMetadata must be an http or https URL');
  return parsed.href.replaceAll('\\', '%5C').replaceAll('"', '%22');
}
