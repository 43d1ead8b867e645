import fc from 'fast-check';

// A fixed seed makes the scores of runs comparable. Failures are not shrunk, because any failure kills a mutant.
fc.configureGlobal({ seed: 1, endOnFailure: true });
