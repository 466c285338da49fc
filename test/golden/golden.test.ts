import { expect, test } from 'bun:test'
import { expectedOf, listCases, runCase } from './run.ts'

test.each(listCases())(
  '%s',
  async (name) => {
    expect(await runCase(name)).toEqual(expectedOf(name))
  },
  60_000,
)
