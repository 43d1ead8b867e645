describe('A fixture', () => {
  it('passes, and sets the exit status of a failure', () => {
    process.exitCode = 3;
  });
});
