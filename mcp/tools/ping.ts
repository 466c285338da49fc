import { Type } from '@sinclair/typebox'
import { specsApi } from '../../src/api/specs.ts'
import { argumentsOf, bounds } from '../fields.ts'
import { tool } from '../tool.ts'

export default tool({
  name: 'ping',
  title: 'Ping',
  description: 'The version of the service, and the tools that your key may call',
  input: argumentsOf({}),
  output: Type.Object({
    service: Type.String(),
    version: Type.String(),
    database: Type.String(),
    caller: Type.String(),
    tools: Type.Array(Type.String()),
    ...bounds,
  }),
  async run(_, { call }) {
    const caller = await call(specsApi.caller, {})
    return { ...caller, total: caller.tools.length, truncated: false, next_cursor: null }
  },
})
