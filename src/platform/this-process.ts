import { hostname } from 'node:os';

/** Returns the machine and the id of this process, for operators. */
export function thisProcess(): { readonly host: string; readonly processId: number } {
  return { host: hostname(), processId: process.pid };
}
