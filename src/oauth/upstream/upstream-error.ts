import type { UpstreamRefusal } from '../refusals/upstream-refusal.ts';

/** Thrown if a login through a provider, or a test of its connection, fails. No account or session has changed. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly refusal: UpstreamRefusal;

  constructor(refusal: UpstreamRefusal) {
    super(refusal.rule);
    this.refusal = refusal;
  }
}
