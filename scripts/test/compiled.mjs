// `--import` of a process that runs what compile.ts has compiled. The process starts in half the processor time that
// `--import=tsx` takes.
import module from 'node:module';
import { load } from './compiled-hooks.mjs';

process.setSourceMapsEnabled(true);
if (module.registerHooks === undefined) {
  module.register('./compiled-hooks.mjs', import.meta.url); // Node 20
} else {
  module.registerHooks({ load });
}
