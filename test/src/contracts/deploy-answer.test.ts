import { expect, test } from 'bun:test'
import type { Contract, ContractWarning, Unresolved } from '../../../src/contracts/contract.ts'
import { type DeployEvidence, deployAnswerOf } from '../../../src/contracts/deploy-answer.ts'

const operation: Contract['operations'][number] = {
  method: 'get',
  path: '/pets',
  pointer: '/paths/~1pets/get',
  body: false,
  request: [],
  responses: [],
  parameters: [],
}
const item = (message: string, more: Partial<Unresolved> = {}): Unresolved => ({
  reason: 'field-removed',
  interaction: null,
  method: 'get',
  path: '/pets',
  status: null,
  location: null,
  field: null,
  message,
  ...more,
})
const warning: ContractWarning = {
  code: 'value-mismatch',
  interaction: 'a list',
  method: 'GET',
  path: '/pets',
  field: 'id',
  message: 'It is a number.',
}
const breaking = { classification: 'breaking', message: 'C breaks.' } as const
const open = { classification: 'unknown', message: 'C is open.' } as const

const good: DeployEvidence = {
  consumer: 'shop',
  version: '2.0.0',
  contract: { operations: [operation] },
  warnings: [],
  reasons: [],
  undecided: [],
  changes: [],
}
const answer = (more: Partial<DeployEvidence>) => deployAnswerOf({ ...good, ...more })
const unknown = (missing: string) => `It cannot be said whether 2.0.0 keeps what shop uses: ${missing}.`

test('yes where nothing speaks against it', () => {
  expect(answer({})).toEqual({
    answer: 'yes',
    reasons: [],
    restsOnChanges: false,
    missing: null,
    message: '2.0.0 keeps everything that shop uses.',
  })
})

test('no where a loss or a breaking change is proven, whatever else is open', () => {
  const lost = item('A is gone.')
  expect(answer({ reasons: [lost] })).toEqual({
    answer: 'no',
    reasons: [lost],
    restsOnChanges: true,
    missing: null,
    message: '2.0.0 breaks shop: A is gone.',
  })
  expect(answer({ changes: [open, breaking], undecided: [item('odd')], warnings: [warning] })).toMatchObject({
    answer: 'no',
    reasons: [],
    message: '2.0.0 breaks shop: C breaks.',
  })
  expect(answer({ reasons: [lost, item('B is gone.')], changes: [breaking, open] }).message).toBe(
    '2.0.0 breaks shop: A is gone. (and 2 more)',
  )
})

test('unknown, with the fact that is missing: never a yes', () => {
  const cases: [Partial<DeployEvidence>, string][] = [
    [{ contract: null }, 'a contract: shop never declared what it uses'],
    [{ changes: [open], undecided: [item('odd')] }, 'a verdict on "C is open."'],
    [
      { undecided: [item('odd', { interaction: 'an event', reason: 'ambiguous-path' })], warnings: [warning] },
      'what the contract means by "an event" (ambiguous-path)',
    ],
    [{ undecided: [item('odd')] }, 'what the contract means by "/pets" (field-removed)'],
    [{ undecided: [item('odd', { path: null })] }, 'what the contract means by "" (field-removed)'],
    [
      { warnings: [warning] },
      'which is correct, the contract or the specification; in "a list" (GET /pets) the contract test contradicts it: It is a number',
    ],
    [
      { warnings: [{ ...warning, interaction: null }], contract: { operations: [] } },
      'which is correct, the contract or the specification; in "/pets" (GET /pets) the contract test contradicts it: It is a number',
    ],
    [{ contract: { operations: [] } }, 'a surface: nothing that the contract names was found'],
  ]
  for (const [evidence, missing] of cases)
    expect(answer(evidence)).toMatchObject({ answer: 'unknown', missing, message: unknown(missing) })
  expect(answer({ changes: [open] })).toMatchObject({ restsOnChanges: true, reasons: [] })
  const odd = item('odd')
  expect(answer({ undecided: [odd] })).toMatchObject({ restsOnChanges: false, reasons: [odd] })
})
