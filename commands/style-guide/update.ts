import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, guideFacts } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Change the name or description of a style guide',
  examples: ['svc style-guide update Strict --name "API rules" --description "Rules for every API"'],
  arguments: [guideArgument],
  options: {
    name: { type: 'string', placeholder: 'TEXT', summary: 'the new name' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it is for' },
  },
  dataSchema: StyleGuideOut,
  async run({ args, options, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const body = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.description === undefined ? {} : { description: options.description }),
    }
    const guide = await call(styleGuidesApi.update, { params, body })
    return { data: guide, text: () => guideFacts(guide) }
  },
})
