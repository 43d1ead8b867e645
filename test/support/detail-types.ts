/** A type of authorization details for one payment (RFC 9396 §2), in the form that is entered on the page. */
export const PAYMENT = {
  type: 'https://bank.example/payment',
  schema: {
    type: 'object',
    properties: {
      type: { type: 'string' },
      actions: { type: 'array', items: { enum: ['initiate', 'status', 'cancel'] }, minItems: 1 },
      instructedAmount: {
        type: 'object',
        properties: {
          currency: { type: 'string', pattern: '^[A-Z]{3}$' },
          amount: { type: 'string', pattern: '^[0-9]{1,9}\\.[0-9]{2}$' },
        },
        required: ['currency', 'amount'],
        additionalProperties: false,
      },
      creditorName: { type: 'string', minLength: 1, maxLength: 70 },
    },
    required: ['instructedAmount', 'creditorName'],
    additionalProperties: false,
  },
  sentence: 'Pay {instructedAmount.amount} {instructedAmount.currency} to {creditorName}',
};

/** A second type, with a list that a request can narrow. */
export const ACCOUNTS = {
  type: 'account_information',
  schema: { type: 'object', properties: { actions: { type: 'array', items: { type: 'string' } } } },
  sentence: 'See your accounts: {actions}',
};

/** A payment that satisfies the schema. */
export const RENT = {
  type: PAYMENT.type,
  actions: ['initiate', 'status'],
  instructedAmount: { currency: 'EUR', amount: '950.00' },
  creditorName: 'Landlord Ltd',
};
