import type { UpstreamRefusal } from '../refusals/upstream-refusal.ts';

/** Thrown when a login through a provider fails. Nothing has been changed. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly refusal: UpstreamRefusal;

  constructor(refusal: UpstreamRefusal) {
    super(refusal.rule);
    this.refusal = refusal;
  }
}
