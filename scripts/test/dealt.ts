/**
 * Deals `files` into at most `count` batches, none of them empty. Neighbours in a folder take similarly long, so they
 * go to different batches.
 */
export function dealBatches(files: readonly string[], count: number): string[][] {
  const batches: string[][] = Array.from({ length: Math.min(count, files.length) }, () => []);
  files.forEach((file, index) => batches[index % batches.length]?.push(file));
  return batches;
}
