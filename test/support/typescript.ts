/** The option of `node` with which a child runs TypeScript: that of this process, or `tsx`. */
export const RUN_TYPESCRIPT = process.execArgv.find((option) => option.startsWith('--import=')) ?? '--import=tsx';
