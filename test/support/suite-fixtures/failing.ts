describe('A fixture', () => {
  it('fails', () => {
    throw new Error('as it should');
  });
});
