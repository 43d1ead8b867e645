import { hostname } from 'node:os';

/** Returns this process's machine and process id, for operators. */
export function thisProcess(): { readonly host: string; readonly processId: number } {
  return { host: hostname(), processId: process.pid };
}
