import { Type } from '@sinclair/typebox'
import { checksApi } from '../../../src/api/checks.ts'
import { isShort } from '../../../src/report/checked.ts'
import { cutMessage } from '../../checked-page.ts'
import { argumentsOf } from '../../fields.ts'
import { given } from '../../page.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'schema.contains',
  title: 'Compare two schemas',
  description: 'Is every value of a a value of b? null: undecided. counterexample: a value of a that b refuses',
  input: argumentsOf({
    a: Type.Unknown({ description: 'A JSON Schema, or {spec, version, schema}' }),
    b: Type.Unknown(),
    dialect: Type.Optional(Type.String({ description: 'draft-04 … 2019-09, 2020-12 (default)' })),
  }),
  output: Type.Object({
    contains: Type.Union([Type.Boolean(), Type.Null()]),
    counterexample: Type.Optional(Type.Unknown()),
    reason: Type.Optional(Type.String()),
  }),
  async run({ a, b, dialect }, { call }) {
    const decided = await call(checksApi.contains, { body: { a, b, ...given({ dialect }) } as never })
    const { contains, counterexample, reason } = decided
    return {
      contains,
      ...('counterexample' in decided && isShort(counterexample) && { counterexample }),
      ...(reason !== undefined && { reason: cutMessage(reason) }),
    }
  },
})
