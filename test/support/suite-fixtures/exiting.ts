describe('A fixture', () => {
  it('ends the process as if all were well', () => {
    process.exit(0);
  });
});
