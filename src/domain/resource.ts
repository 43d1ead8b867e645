import { isWithin } from './scope.ts';

/**
 * The URIs of the resource servers that a credential is restricted to (RFC 8707); empty if it is not restricted. This
 * module does not check whether a URI is registered.
 */
export type Resources = readonly string[];

/** Returns `requested`, or `granted` if nothing is requested; undefined if not all of `requested` is granted. */
export function narrowResources(requested: Resources, granted: Resources): Resources | undefined {
  if (requested.length === 0) return granted;
  return granted.length === 0 || isWithin(requested, granted) ? requested : undefined;
}

/** Reports whether the text is an absolute URI without a fragment (RFC 8707 §2). */
export function isResourceUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i.test(text) && URL.canParse(text);
}

/**
 * Returns the URI without the path `/`, because https://api.example and https://api.example/ are equivalent (RFC 3986
 * §6.2.3). All other URIs must match exactly.
 */
export function withoutEmptyPath(uri: string): string {
  return /^https?:\/\/[^/?]+\/$/i.test(uri) ? uri.slice(0, -1) : uri;
}

/** Reports whether both lists contain the same URIs, in any order. */
export function areSameResources(left: Resources, right: Resources): boolean {
  return isWithin(left, right) && isWithin(right, left);
}

/** Returns `{ resource }`, or `{}` if there is no restriction. */
export function resourceMember(resources: Resources): { readonly resource?: Resources } {
  return resources.length === 0 ? {} : { resource: resources };
}
