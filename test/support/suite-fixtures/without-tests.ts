describe('A fixture', () => {});
