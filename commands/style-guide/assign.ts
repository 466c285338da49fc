import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Assign a style guide to a project',
  examples: ['svc style-guide assign Strict petstore'],
  arguments: [guideArgument, { name: 'project', summary: 'id or slug of a project', required: true }],
  options: {},
  async run({ args, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const done = await call(styleGuidesApi.assign, { params: { ...params, project_id: args.project } })
    return { data: done, text: `${args.guide} applies to ${args.project} from its next lint on.\n` }
  },
})
