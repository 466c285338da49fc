import { family, type BuiltinDeclaration } from './declare.ts'

const core = family('core', 'building-block', 'core')

/** The building blocks of svc. */
export const coreTypes: readonly BuiltinDeclaration[] = [
  core('Money', 'An amount in a currency. The amount is a decimal text, so that no digit is lost.', {
    type: 'object',
    required: ['amount', 'currency'],
    properties: {
      amount: { type: 'string', pattern: String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?$` },
      currency: { $ref: 'svc:iso4217/CurrencyCode' },
    },
  }),
]
