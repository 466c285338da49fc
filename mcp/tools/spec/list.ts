import { Type } from '@sinclair/typebox'
import { specsApi, SpecRecord } from '../../../src/api/specs.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'spec.list',
  title: 'List specifications',
  description: 'Published API specifications, newest first. Pass the "spec" of an item to the other tools.',
  input: argumentsOf({
    q,
    tenant: Type.Optional(Type.String()),
    project: Type.Optional(Type.String({ description: 'Project slug' })),
    cursor,
    limit,
    max_tokens: maxTokens,
  }),
  output: Type.Object({ items: Type.Array(Type.Object({ spec: SpecRecord.properties.spec })), ...bounds }),
  run({ q, tenant, project, cursor, limit = 50 }, { call, budgetBytes }) {
    const query = given({ q, tenant, project, cursor })
    return boundedPage((limit) => call(specsApi.list, { query: { ...query, limit } }), { limit, budgetBytes })
  },
})
