import { family, type BuiltinDeclaration } from './declare.ts'

const iso4217 = family('iso4217', 'money', 'iso', 'currency')

/** Types of outside standards. */
export const standardTypes: readonly BuiltinDeclaration[] = [
  iso4217('CurrencyCode', 'The three letters of a currency, by ISO 4217.', { type: 'string', pattern: '^[A-Z]{3}$' }),
]
