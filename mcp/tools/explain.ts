import { Type } from '@sinclair/typebox'
import { checksApi } from '../../src/api/checks.ts'
import { argumentsOf } from '../fields.ts'
import { tool } from '../tool.ts'

export default tool({
  name: 'explain',
  title: 'Explain a code',
  description: 'What a rule, an error or a change means, and what to do',
  input: argumentsOf({ id: Type.String() }),
  output: Type.Object({ id: Type.String(), kind: Type.String(), text: Type.String() }),
  run: ({ id }, { call }) => call(checksApi.explain, { query: { id } }),
})
