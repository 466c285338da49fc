import { expect, test } from 'bun:test'
import { expectedOf, listCases, runCase } from './run.ts'

// Each is a program of its own that waits for others: some at a time.
test.concurrent.each(listCases())(
  '%s',
  async (name) => {
    expect(await runCase(name)).toEqual(expectedOf(name))
  },
  120_000,
)
