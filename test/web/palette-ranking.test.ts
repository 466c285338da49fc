import { expect, test } from 'bun:test'
import { rank, type Ranked, wantedOf } from '../../web/src/shell/ranking.ts'

const names = (typed: string, choices: readonly Ranked[]): string[] =>
  rank(choices, wantedOf(typed)).map(({ name }) => name)

test('a first character narrows the list; the slash of a path is part of it', () => {
  expect(['> review', '@ada', '/tickets', ' Money ', '>', ''].map(wantedOf)).toEqual([
    { text: 'review', kind: 'action' },
    { text: 'ada', kind: 'place' },
    { text: '/tickets', kind: 'operation' },
    { text: 'Money', kind: null },
    { text: '', kind: 'action' },
    { text: '', kind: null },
  ])
})

test('exact name, slug or path; then beginnings, the page, words, parts, what the service found by words, and by meaning', () => {
  const choices: Ranked[] = [
    { name: 'Change of money', found: 'meaning' },
    { name: 'POST /v1/setup_intents', found: 'words' },
    { name: 'Premoney', detail: 'x' },
    { name: 'Rates', detail: 'what moneylenders ask' },
    { name: 'Spend money' },
    { name: 'Lendmoney', isHere: true },
    { name: 'Money transfer' },
    { name: 'Wallet', aliases: ['money'] },
    { name: 'Money' },
    { name: 'Unrelated' },
  ]
  expect(names('money', choices)).toEqual([
    'Wallet',
    'Money',
    'Money transfer',
    'Lendmoney',
    'Change of money',
    'Spend money',
    'Premoney',
    'Rates',
    'POST /v1/setup_intents',
  ])
})

test('an operation is meant by its reference and by its path', () => {
  const operations: Ranked[] = ['POST /oauth/tickets', 'GET /tickets/{id}', 'POST /tickets', 'GET /tickets'].map(
    (name) => ({
      name,
      aliases: [name.slice(name.indexOf(' ') + 1)],
      kind: 'operation',
      found: 'words',
    }),
  )
  const all: Ranked[] = [{ name: 'Tickets', kind: 'place' }, ...operations]
  expect(names('POST /tickets', all)[0]).toBe('POST /tickets')
  expect(names('/tickets', all)).toEqual(['POST /tickets', 'GET /tickets', 'GET /tickets/{id}', 'POST /oauth/tickets'])
  expect(names('tickets', all)[0]).toBe('Tickets')
})

test('an action is found by its words in any order, ahead of what only contains them', () => {
  const all: Ranked[] = [
    { name: 'Adyen CheckoutService', found: 'words' },
    { name: 'Create an API key', kind: 'action' },
    { name: 'Deprecate', kind: 'action', isHere: true },
  ]
  expect(names('api key create', all)).toEqual(['Create an API key', 'Adyen CheckoutService'])
  expect(names('>', all)).toEqual(['Create an API key', 'Deprecate'])
  expect(names('>deprec', all)).toEqual(['Deprecate'])
})
