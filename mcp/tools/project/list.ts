import { Type } from '@sinclair/typebox'
import { specsApi, SpecProject } from '../../../src/api/specs.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'project.list',
  title: 'List projects',
  description: 'Projects with published API specifications.',
  input: argumentsOf({ q, tenant: Type.Optional(Type.String()), cursor, limit, max_tokens: maxTokens }),
  output: Type.Object({ items: Type.Array(Type.Object({ project: SpecProject.properties.project })), ...bounds }),
  run({ q, tenant, cursor, limit = 50 }, { call, budgetBytes }) {
    const query = given({ q, tenant, cursor })
    return boundedPage((limit) => call(specsApi.projects, { query: { ...query, limit } }), { limit, budgetBytes })
  },
})
