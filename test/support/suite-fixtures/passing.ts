describe('A fixture', () => {
  it('passes', () => {});
});
