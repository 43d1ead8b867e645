import { hostname } from 'node:os';

/** Where this process runs, for operators. */
export function thisProcess(): { readonly host: string; readonly processId: number } {
  return { host: hostname(), processId: process.pid };
}
